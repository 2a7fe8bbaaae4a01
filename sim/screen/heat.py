"""Heat: where units have been since the start, and for how long."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
import pygame

from sim.core.arrays import Floats
from sim.core.geometry import FARTHEST, floored
from sim.core.shared_cache import njit
from sim.screen.camera import Camera, Canvas
from sim.screen.replay import Shown
from sim.screen.theme import Theme
from sim.screen.trails import GAP, History

FINE, COARSE = 240, 40
"""The most and the fewest cells along the longer side of bounds; a cell is one hull, if it can."""
LARGEST = 1024
"""Cells a side that a map without bounds may grow to; units beyond leave no heat."""
PARTS = 4
"""Places counted between two samples."""
STRONGEST = 170
"""How opaque the warmest places are, of 255."""


class Heat:
    """A grid of cells with the unit-seconds spent in each."""

    def __init__(self) -> None:
        self._world: Shown | None = None
        self._time = 0.0
        self._layer: tuple[object, pygame.Surface, tuple[int, int]] | None = None
        self.seconds: Floats = np.zeros((0, 0))
        """(columns, rows) unit-seconds."""
        self._cell, self._origin = 1.0, np.zeros(2)
        self._before: Floats = np.zeros((0, 2))

    def observe(self, world: Shown, since: float) -> None:
        """Count where all units have been since the sample before, `since` seconds ago.

        That is on the straight line between the two samples, in parts: no gaps at any speed.
        """
        if world is not self._world or world.time < self._time:
            self._begin(world)
        here = np.where(world.units.present[:, None], world.units.position, np.nan)
        start = here
        if len(self._before) == len(here) and since <= GAP:
            way = world.plane.nearest(here - self._before)
            start = here - np.where(np.isfinite(way), way, 0.0)
        if world.plane.bounds is None:
            self._make_room(np.concatenate([start, here]))
        _count(start, here, self._origin, self._cell, world.plane.origin, world.plane.size,
               since / PARTS, self.seconds)  # fmt: skip
        self._time, self._before = world.time, here

    def paint(self, canvas: Canvas, history: History) -> None:
        """Paint the warm part of what is on the picture, redone only when it changed."""
        surface, camera, theme = canvas
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

    def _begin(self, world: Shown) -> None:
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

    def _make_room(self, places: Floats) -> None:
        """Let the grid grow to hold these places (n, 2), if it may; NaN is nowhere."""
        known = places[np.isfinite(places[:, 0])]
        if not len(known):
            return
        away = (known - self._origin) / self._cell
        spots = np.floor(np.clip(away, -FARTHEST, FARTHEST)).astype(np.int64)
        low = np.minimum(spots.min(axis=0), 0)
        high = np.maximum(spots.max(axis=0) + 1, self.seconds.shape)
        if (high - low).max() > LARGEST or ((low == 0) & (high == self.seconds.shape)).all():
            return
        # half as much again, so that it seldom grows
        spare = np.minimum((high - low) // 2 + 8, (LARGEST - (high - low)) // 2)
        before, after = spare - low, spare + high - self.seconds.shape
        self.seconds = np.pad(self.seconds, list(zip(before.tolist(), after.tolist(), strict=True)))
        self._origin = self._origin - before * self._cell


@njit(cache=True)
def _count(start, end, corner, cell, origin, size, seconds, cells):  # type: ignore[no-untyped-def]
    """Add these seconds at each of `PARTS` places on each way from start (n, 2) to end."""
    columns, rows = cells.shape
    for i in range(len(end)):
        for part in range(1, PARTS + 1):
            x = start[i, 0] + (end[i, 0] - start[i, 0]) * part / PARTS
            y = start[i, 1] + (end[i, 1] - start[i, 1]) * part / PARTS
            if not (np.isfinite(x) and np.isfinite(y)):
                break
            if size[0] > 0:  # a torus: starts may lie before its seam or beyond, by less than once
                x += size[0] * ((x < origin[0]) - (x >= origin[0] + size[0]))
                y += size[1] * ((y < origin[1]) - (y >= origin[1] + size[1]))
            across = floored((x - corner[0]) / cell)
            down = floored((y - corner[1]) / cell)
            if 0 <= across < columns and 0 <= down < rows:
                cells[across, down] += seconds
