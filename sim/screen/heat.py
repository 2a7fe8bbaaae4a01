"""Heat: where units have been since the start, and for how long."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.screen.camera import Camera
from sim.screen.history import GAP, History
from sim.screen.theme import Theme
from sim.world import World

Floats = NDArray[np.float64]

FINE, COARSE = 240, 40
"""The most and the fewest cells along the longer side of bounds; a cell is one hull, if it can."""
LARGEST = 1024
"""Cells a side that a map without bounds may grow to; who goes beyond leaves no heat."""
PARTS = 4
"""Places counted between two samples."""
STRONGEST = 170
"""How opaque the warmest places are, of 255."""


class Heat:
    """A grid of cells with the unit-seconds spent in each."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._time = 0.0
        self._layer: tuple[object, pygame.Surface, tuple[int, int]] | None = None
        self.seconds: Floats = np.zeros((0, 0))
        """(columns, rows) unit-seconds."""
        self._cell, self._origin = 1.0, np.zeros(2)
        self._before: Floats = np.zeros((0, 2))

    def observe(self, world: World, since: float) -> None:
        """Count where everybody has been since the sample before, `since` seconds ago.

        That is on the straight line between the two samples, in parts: no gaps at any speed.
        """
        if world is not self._world or world.time < self._time:
            self._begin(world)
        here = np.where(world.units.present[:, None], world.units.position, np.nan)
        way = world.plane.nearest(here - self._before) if len(self._before) == len(here) else None
        parts = PARTS if way is not None and since <= GAP else 1
        for part in range(parts):
            back = 0.0 if way is None else np.nan_to_num(way) * (part / parts)
            self._count(world, here - back, since / parts)
        self._time, self._before = world.time, here

    def _count(self, world: World, places: Floats, seconds: float) -> None:
        """Add so many seconds where each of some places (N, 2) is; NaN is nowhere."""
        if world.plane.wraps:
            places = world.plane.origin + (places - world.plane.origin) % world.plane.size
        known = places[np.isfinite(places[:, 0])]
        spots = np.floor((known - self._origin) / self._cell).astype(np.int64)
        if world.plane.bounds is None and len(spots):
            spots = self._make_room(spots)
        inside = ((spots >= 0) & (spots < self.seconds.shape)).all(axis=1)
        flat = np.ravel_multi_index(tuple(spots[inside].T), self.seconds.shape)
        counts = np.bincount(flat, minlength=self.seconds.size)
        self.seconds += counts.reshape(self.seconds.shape) * seconds

    def paint(
        self, surface: pygame.Surface, camera: Camera, history: History, theme: Theme
    ) -> None:
        """Paint the warm part of what is on the picture, redone only when it changed."""
        if not self.seconds.any():
            return
        key = (history.time, self._world, camera, theme.heat)
        if self._layer is None or self._layer[0] != key:
            self._layer = (key, *self._picture(camera, theme))
        surface.blit(self._layer[1], self._layer[2])

    def _picture(self, camera: Camera, theme: Theme) -> tuple[pygame.Surface, tuple[int, int]]:
        """The cells on the picture as a smooth layer, and where its upper left corner is."""
        left, top, right, bottom = camera.seen
        columns, rows = self.seconds.shape
        first = (np.array([left, top]) - self._origin) / self._cell - 1
        last = (np.array([right, bottom]) - self._origin) / self._cell + 1
        a, b = (floor(each) for each in np.clip(first, 0, (columns, rows)))
        c, d = (ceil(each) for each in np.clip(last, 0, (columns, rows)))
        part = self.seconds[a:c, b:d]
        if not part.size or not part.any():
            return pygame.Surface((1, 1), pygame.SRCALPHA), (0, 0)
        usual = float(self.seconds[self.seconds > 0].mean())
        warmth = 1 - np.exp(-part / (2 * usual))
        image = pygame.Surface(part.shape, pygame.SRCALPHA)
        low, high = (np.array(color, dtype=float) for color in theme.heat)
        pygame.surfarray.pixels3d(image)[:] = np.rint(low + (high - low) * warmth[..., None])
        pygame.surfarray.pixels_alpha(image)[:] = np.rint(STRONGEST * np.sqrt(warmth))
        size = np.rint(np.array(part.shape) * self._cell * camera.scale).astype(int)
        corner = camera.to_screen(self._origin + np.array([a, b]) * self._cell)
        x, y = np.rint(corner).astype(int).tolist()
        return pygame.transform.smoothscale(image, np.maximum(size, 1).tolist()), (x, y)

    def _begin(self, world: World) -> None:
        self._world, self._layer, self._before = world, None, np.zeros((0, 2))
        hull = max((group.hull.length for group in world.groups), default=1.0)
        bounds = world.plane.bounds
        if bounds is None:
            self._cell, self._origin = hull, np.zeros(2)
            self.seconds = np.zeros((1, 1))
            return
        low, high = np.array(bounds).reshape(2, 2)
        side = float((high - low).max())
        self._cell = float(np.clip(hull, side / FINE, side / COARSE))
        self._origin = low
        wide, tall = np.maximum(np.ceil((high - low) / self._cell - 1e-9), 1).astype(int).tolist()
        self.seconds = np.zeros((wide, tall))

    def _make_room(self, spots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Let the grid grow to hold these cells, if it may; the cells by its new corner."""
        low = np.minimum(spots.min(axis=0), 0)
        high = np.maximum(spots.max(axis=0) + 1, self.seconds.shape)
        if (high - low).max() > LARGEST or ((low == 0) & (high == self.seconds.shape)).all():
            return spots
        # half as much again, so that it seldom grows
        spare = np.minimum((high - low) // 2 + 8, (LARGEST - (high - low)) // 2)
        before, after = spare - low, spare + high - self.seconds.shape
        self.seconds = np.pad(self.seconds, list(zip(before.tolist(), after.tolist(), strict=True)))
        self._origin = self._origin - before * self._cell
        grown: NDArray[np.int64] = spots + before
        return grown
