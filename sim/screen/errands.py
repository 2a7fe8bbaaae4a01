"""Where the selected unit is bound for, the sides that it has struck, and its timer."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.screen import shapes
from sim.screen.camera import Canvas
from sim.screen.sight import owner
from sim.screen.theme import mix
from sim.world import World

CROSS = 6.0
"""Pixels from the middle of a target's cross to its ends."""


def paint(canvas: Canvas, world: World, row: int) -> None:
    """A line to the place headed for, a cross on the last one, and the sides struck of others.

    The arrow along a side points the way in which it is followed, if it is, clockwise (rule C3).
    """
    surface, camera, theme = canvas
    orders, here = world.roster.orders_now(), world.units.position[row]
    a, b = orders.first[row], orders.first[row + 1]
    if b > a:
        last = orders.points[b - 1]
        aim = orders.aim[row] if np.isfinite(orders.aim[row]).all() else last
        color = mix(theme.selected, theme.ground, 0.4)
        ends = camera.to_screen(here), camera.to_screen(_beside(world, here, aim))
        shapes.line(surface, color, *ends, 1.0)
        x, y = camera.to_screen(_beside(world, here, last))
        shapes.cross(surface, theme.selected, x, y, CROSS)
    contacts = world.contacts
    for k in range(contacts.first[row], contacts.first[row + 1]):
        other, (nx, ny) = int(contacts.other[k]), contacts.normal[k]
        if other >= 0:
            their = owner(world, other)
            half = float(their.radii[other - their.rows.start])
            middle = _beside(world, here, world.units.position[other]) - half * contacts.normal[k]
            along = half * np.array([ny, -nx])
            root, tip = camera.to_screen(middle - along), camera.to_screen(middle + along)
            shapes.arrow(surface, theme.selected, root, tip, 2.0)


def lines(world: World, row: int) -> list[str]:
    """Whether a unit is on its way, and its timer; nothing for units that were never sent."""
    orders, said = world.roster.orders_now(), []
    minds = orders.minds
    if orders.first[row + 1] > orders.first[row]:
        state = "on its way" if minds.moving[row] else "stopped"
        said = [f"{state}, {float(orders.remaining[row]):.0f} to go"]
    if owner(world, row).model.timers is not None:
        timer = float(minds.timer[row])
        what = "makes way for" if timer >= 0 else "has given up for"
        what = "has tried in vain for" if minds.moving[row] else what
        said += [f"{what} {abs(timer):.1f} s"]
    return said


def _beside(world: World, here: Floats, place: Floats) -> Floats:
    """That image of a place that is nearest on a torus."""
    return here + world.plane.nearest(place - here)
