"""Paints a world on any surface: no window and no display is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pygame

from sim.core.arrays import Floats, Ints
from sim.core.hull import Hull
from sim.core.shared_cache import njit
from sim.record.legible import LEGIBLE, most_times, times
from sim.screen import roles
from sim.screen.camera import Camera, Canvas
from sim.screen.land import Land, on_screen
from sim.screen.replay import Shown, ShownGroup
from sim.screen.sprites import Atlas, Sheet
from sim.screen.theme import Theme

SIZES = 8
"""In how many sizes units of one group are drawn whose hulls differ."""


class Painter:
    """Paints ground, solids and units.

    Reads the world, and writes to nothing but the surface and its own cache.
    """

    def __init__(self, theme: Theme) -> None:
        self._atlas = Atlas(theme)
        self.land = Land(theme)
        """What is painted first, over the whole surface."""

    def paint_units(self, canvas: Canvas, world: Shown) -> None:
        """Paint every unit that is present and in sight."""
        surface, camera, theme = canvas
        surface.set_clip(clip(world, camera))
        for group in world.groups:
            scale = camera.scale * magnified(group, world, camera)
            for hull, members in looks(group):
                dress = [self._atlas.sheet(hull, scale, c) for c in roles.colors(group, theme)]
                _paint_some(canvas, world, dress, group, members)
        surface.set_clip(None)


def _paint_some(
    canvas: Canvas, world: Shown, dress: Sequence[Sheet], group: ShownGroup, members: Ints | slice
) -> None:
    """Paint some members of a group, all of one size, in their own colour or as leaders."""
    units = world.units
    here = units.position[group.rows][members]
    rows, corners = visible(here, dress[0].side, world, canvas.camera)
    angles, leads = units.angle[group.rows][members][rows], group.leads[members][rows]
    sprites = dress[0].take(angles)
    if leads.any():
        sprites[leads] = dress[1].take(angles[leads])
    # Two lists of numbers cost a third of a list of pairs, which would also wake the collector.
    places = zip(*corners.tolist(), strict=True)
    canvas.surface.fblits(zip(sprites.tolist(), places, strict=True), pygame.BLEND_PREMULTIPLIED)


def looks(group: ShownGroup) -> list[tuple[Hull, Ints | slice]]:
    """The hulls that a group's units are drawn with, and which of its members have each.

    Hulls of many sizes are drawn in a few.
    """
    radii = group.radii
    if group.same_size or not len(radii):
        return [(group.hull, slice(None))]
    step = max(float(np.ptp(radii)), 1e-9 * float(radii.max())) / SIZES
    size = np.minimum((radii - radii.min()) / step, SIZES - 1).astype(np.int64)
    return [
        (group.hull.sized(mean), members)
        for members in (np.flatnonzero(size == k) for k in range(SIZES))
        if len(members) and (mean := float(radii.min()) + (int(size[members[0]]) + 0.5) * step)
    ]


def magnified(group: ShownGroup, world: Shown, camera: Camera) -> float:
    """How many times larger than life a group's hulls are drawn.

    1 wherever they are large enough to read.
    """
    length = group.hull.length * camera.scale
    width, height = camera.size
    room = (width * height / max(len(world.units), 1)) ** 0.5
    return float(times(LEGIBLE[group.hull.shape], length, room, most_times(world.solids)))


def clip(world: Shown, camera: Camera) -> pygame.Rect | None:
    """The part of the picture that shows a torus; None, all of it, for other planes."""
    if not world.plane.wraps or world.plane.bounds is None:
        return None
    return on_screen(world.plane.bounds, camera)


def visible(places: Floats, side: int, world: Shown, camera: Camera) -> tuple[Ints, Ints]:
    """Which of n square sprites round places can be seen, and their upper left corners, pixels.

    On a torus a sprite across an edge is there twice, and across a corner four times. Absent units
    (NaN) never are.
    """
    first, period = camera.to_screen(world.plane.origin), world.plane.size * camera.scale
    rows, corners = np.empty(4 * len(places), np.int64), np.empty((2, 4 * len(places)), np.int64)
    here = np.array(places)  # what a world shows is read-only, for kernels another type
    found = _place(here, camera, float(side), first, period, rows, corners)
    return rows[:found], corners[:, :found]


@njit(cache=True)
def _place(places, camera, side, first, period, rows, corners):  # type: ignore[no-untyped-def]
    """Fill in row and corner of each sprite in sight, images included; how many there are."""
    found, scale = 0, camera.scale
    (centre_x, centre_y), (width, height) = camera.centre, camera.size
    for i in range(len(places)):
        x = (places[i, 0] - centre_x) * scale + width / 2 - side / 2
        y = (places[i, 1] - centre_y) * scale + height / 2 - side / 2
        over_x, over_y = _over(x, side, first[0], period[0]), _over(y, side, first[1], period[1])
        for down in range(1 if over_y == 0.0 else 2):
            for across in range(1 if over_x == 0.0 else 2):
                u, v = x + across * over_x, y + down * over_y
                if -side < u < width and -side < v < height:
                    rows[found], corners[0, found], corners[1, found] = i, np.rint(u), np.rint(v)
                    found += 1
    return found


@njit(cache=True)
def _over(at, side, first, period):  # type: ignore[no-untyped-def]
    """From a sprite to its image beyond the opposite edge; 0 where it lies across none."""
    return period * ((at < first) - (at + side > first + period)) if period > 0.0 else 0.0
