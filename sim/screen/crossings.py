"""What a walker makes of those that cross its way: courses, crossings, whose turn it is (D7)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.behaviours.crossing import meeting, mirrored
from sim.behaviours.right_of_way import passing_side, share_of_yielding
from sim.screen import shapes, sight
from sim.screen.camera import Camera
from sim.screen.theme import RGB, Theme
from sim.world import World

Floats = NDArray[np.float64]

AHEAD, REACH, HEAT = 4.0, 9.0, 0.05
"""Seconds that courses are drawn for; hull lengths, as in the rules, to look at and for a dead
heat."""
DASH, DOT = (9.0, 6.0), (2.0, 5.0)
"""Pixels drawn and left out."""
PUSH = 36.0
"""Pixels of the mirrored direction's arrow."""


class Crossing(NamedTuple):
    """One whose course crosses the unit's. World frame."""

    other: int
    point: Floats
    """(2,) where."""
    first: bool
    """Whether the unit goes first."""
    push: Floats
    """(2,) straight away from the other."""
    mirrored: Floats
    """(2,) the same, mirrored about the unit's desired course."""


def desired(world: World, row: int) -> Floats:
    """(2,) the direction a unit is bound in; where it heads if it is bound for nowhere."""
    units = world.units
    way = world.plane.nearest(world.orders.aim[row] - units.position[row])
    far = float(np.hypot(way[0], way[1]))
    found: Floats = way / far if far > 0 else units.heading[row]  # NaN is not greater
    return found


def crossings(world: World, row: int) -> list[Crossing]:
    """All within reach and ahead whose courses cross that of a unit, or the one it desires."""
    units, group = world.units, sight.owner(world, row)
    length, wish = group.hull.length, desired(world, row)
    away = world.plane.nearest(units.position - units.position[row])
    near = np.hypot(away[:, 0], away[:, 1]) <= REACH * length
    near &= (away @ units.heading[row] > 0) & units.present
    near[row] = False
    vx, vy = units.velocity[row]
    found = []
    for other in np.flatnonzero(near).tolist():
        (x, y), (ox, oy) = away[other], units.velocity[other]
        bound = wish * group.speed * AHEAD
        share = meeting(x, y, vx * AHEAD, vy * AHEAD, ox * AHEAD, oy * AHEAD)[1]
        if not np.isfinite(share):
            share = meeting(x, y, bound[0], bound[1], ox * AHEAD, oy * AHEAD)[1]
        if np.isfinite(share):
            point = units.position[row] + away[other] + share * AHEAD * units.velocity[other]
            side = passing_side(x, y, ox - vx, oy - vy, HEAT * length)
            first = share_of_yielding(x, y, vx, vy, ox, oy, side) < 0.5
            push = -away[other] / np.hypot(x, y)
            turned = np.array(mirrored(push[0], push[1], wish[0], wish[1]))
            found.append(Crossing(other, point, first, push, turned))
    return found


def paint_crossings(
    surface: pygame.Surface, world: World, camera: Camera, row: int, theme: Theme
) -> None:
    """Desired course dashed, courses dotted; a ring at each crossing and round who goes first.

    An arrow shows the mirrored direction of each that the unit lets pass. For units whose rules
    know of crossings.
    """
    group = sight.owner(world, row)
    if not any(setting.rule.family == "crossing" for setting in group.active):
        return
    units, go, stop = world.units, theme.color("green"), theme.color("orange")
    here, reach = units.position[row], AHEAD * group.speed
    _stretch(surface, camera, theme.text, here, here + reach * desired(world, row), DASH)
    _stretch(surface, camera, theme.selected, here, here + AHEAD * units.velocity[row], DOT)
    for crossing in crossings(world, row):
        there = here + world.plane.nearest(units.position[crossing.other] - here)
        color = stop if not crossing.first else go
        _stretch(
            surface, camera, theme.faint, there, there + AHEAD * units.velocity[crossing.other], DOT
        )
        _ring(surface, camera, color, crossing.point, 5.0)
        first = here if crossing.first else there
        _ring(surface, camera, go, first, group.hull.reach * camera.scale + 7.0)
        if not crossing.first:
            root = camera.to_screen(here)
            shapes.arrow(surface, stop, root, root + PUSH * crossing.mirrored, 3.0)


def _stretch(
    surface: pygame.Surface,
    camera: Camera,
    color: RGB,
    start: Floats,
    end: Floats,
    pattern: tuple[float, float],
) -> None:
    """A broken line between two places."""
    a, b = camera.to_screen(start), camera.to_screen(end)
    length = float(np.hypot(*(b - a)))
    if not length > 1:
        return
    ahead, (drawn, left) = (b - a) / length, pattern
    for at in np.arange(0.0, length, drawn + left):
        shapes.line(surface, color, a + ahead * at, a + ahead * min(at + drawn, length), 2.0)


def _ring(
    surface: pygame.Surface, camera: Camera, color: RGB, place: Floats, radius: float
) -> None:
    ring = shapes.ring(radius, color)
    corner = camera.to_screen(place) - ring.get_width() / 2
    spot = np.rint(corner).astype(int).tolist()
    surface.fblits([(ring, tuple(spot))], pygame.BLEND_PREMULTIPLIED)
