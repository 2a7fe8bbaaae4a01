"""Paints a world on any surface: no window and no display is needed."""

from __future__ import annotations

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.group import Group
from sim.screen import roles
from sim.screen.camera import Camera
from sim.screen.land import Land, on_screen
from sim.screen.sprites import Atlas
from sim.screen.theme import DARK, Theme
from sim.units import Units
from sim.world import World

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEGIBLE = {"wedge": 16.0, "box": 6.0, "disc": 6.0}
"""Hulls are drawn at least this long, pixels: a craft of length 4 on a plane of 1024 would be a
dot."""
CROWD = 0.6
"""But no longer than this share of the room each unit has, so that large flocks stay a picture."""


class Painter:
    """Paints ground, solids and units.

    Reads the world, and writes to nothing but the surface and its own cache.
    """

    def __init__(self, theme: Theme = DARK) -> None:
        self.theme = theme
        self._atlas = Atlas(theme)
        self._land = Land(theme)

    def paint_land(self, surface: pygame.Surface, world: World, camera: Camera) -> None:
        """Paint ground, bounds and solids over the whole surface."""
        self._land.paint(surface, world, camera)

    def paint_units(self, surface: pygame.Surface, world: World, camera: Camera) -> None:
        """Paint every unit that is present and in sight."""
        surface.set_clip(clip(world, camera))
        units = world.units
        for group in world.groups:
            self._paint_group(surface, world, camera, units, group)
        surface.set_clip(None)

    def _paint_group(
        self, surface: pygame.Surface, world: World, camera: Camera, units: Units, group: Group
    ) -> None:
        scale = camera.scale * magnified(group, camera, len(units))
        dress = [self._atlas.sheet(group.hull, scale, c) for c in roles.colors(group, self.theme)]
        side = dress[0].side
        pixels = camera.to_screen(units.position[group.rows]) - side / 2
        rows, pixels = visible(pixels, side, world, camera)
        angles, leads = units.angle[group.rows][rows], group.leads[rows]
        sprites = dress[0].take(angles)
        if leads.any():
            sprites[leads] = dress[1].take(angles[leads])
        # Two lists of numbers cost a third of a list of pairs, which would also wake the collector.
        places = zip(*np.rint(pixels.T).astype(np.int64).tolist(), strict=True)
        surface.fblits(zip(sprites.tolist(), places, strict=True), pygame.BLEND_PREMULTIPLIED)


def magnified(group: Group, camera: Camera, units: int) -> float:
    """How many times larger than life a group's hulls are drawn.

    1 wherever they are large enough to read.
    """
    length = group.hull.length * camera.scale
    width, height = camera.size
    room = CROWD * (width * height / max(units, 1)) ** 0.5
    return float(max(1.0, min(LEGIBLE[group.hull.shape], room) / length))


def clip(world: World, camera: Camera) -> pygame.Rect | None:
    """The part of the picture that shows a torus; None, all of it, for other planes."""
    if not world.plane.wraps or world.plane.bounds is None:
        return None
    return on_screen(world.plane.bounds, camera)


def visible(corners: Floats, side: int, world: World, camera: Camera) -> tuple[Ints, Floats]:
    """Which of n square sprites can be seen, and the upper left corners of each, pixels.

    On a torus a sprite across an edge is there twice, and across a corner four times. Absent units
    (NaN) never are.
    """
    rows = np.arange(len(corners))
    if world.plane.wraps:
        rows, corners = _with_images(rows, corners, side, world, camera)
    x, y = corners.T
    seen = (x > -side) & (x < camera.size[0]) & (y > -side) & (y < camera.size[1])
    return rows[seen], corners[seen]


def _with_images(
    rows: Ints, corners: Floats, side: int, world: World, camera: Camera
) -> tuple[Ints, Floats]:
    first, period = camera.to_screen(world.plane.origin), world.plane.size * camera.scale
    before, beyond = corners < first, corners + side > first + period
    shift = (before.astype(int) - beyond) * period
    across, down = shift[:, 0] != 0, shift[:, 1] != 0
    kinds = [(across, (1, 0)), (down, (0, 1)), (across & down, (1, 1))]
    twins = [np.flatnonzero(which) for which, _ in kinds]
    images = [corners[t] + shift[t] * axes for t, (_, axes) in zip(twins, kinds, strict=True)]
    return np.concatenate([rows, *twins]), np.concatenate([corners, *images])
