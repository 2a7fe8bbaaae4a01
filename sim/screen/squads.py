"""The units that are picked, and where they are sent: rings, and lines from order to order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pygame

from sim.core.arrays import Floats, Ints
from sim.orders import GO
from sim.screen import shapes
from sim.screen.camera import Camera
from sim.screen.theme import Theme, mix
from sim.world import World

MOST = 200
"""Units whose orders are drawn: more lines hide what is under them."""
BESIDE, CROSS = 4.0, 5.0
"""Pixels between a hull and its ring; from the middle of a cross to its ends."""


def paint(surface: pygame.Surface, world: World, camera: Camera, ids: Ints, theme: Theme) -> None:
    """A ring round each picked unit, a line along its orders, a cross where it is to stop."""
    rows = np.flatnonzero(np.isin(world.ids, ids) & world.units.present)
    if not len(rows):
        return
    faint = mix(theme.selected, theme.ground, 0.5)
    reach = np.array([group.hull.reach for group in world.groups])[world.units.group]
    for row in rows.tolist():
        x, y = camera.to_screen(world.units.position[row])
        around = float(reach[row]) * camera.scale + BESIDE
        spot = round(x), round(y)
        pygame.draw.aacircle(surface, theme.selected, spot, round(around), width=1)
    for row in rows[:MOST].tolist():
        _paint_way(surface, world, camera, stops(world, row), theme.selected, faint)


def stops(world: World, row: int) -> Floats:
    """(k, 2) where a unit is, and the places that it is still to go to, one after the other."""
    orders, here = world.orders, world.units.position[row]
    ahead = orders.points[orders.first[row] + orders.leg[row] : orders.first[row + 1]]
    found = [here[None], ahead if orders.minds.moving[row] else ahead[:0]]
    for entry in orders.queue.entries:
        if entry.waits[row] and entry.goal.kind == GO and entry.goal.for_all:
            found.append(entry.goal.ways(here[None]).points)
    return np.concatenate(found)


def _paint_way(surface, world, camera, places, color, faint) -> None:  # type: ignore[no-untyped-def]
    for before, after in pairwise(places):
        there = before + world.plane.nearest(after - before)
        shapes.line(surface, faint, camera.to_screen(before), camera.to_screen(there), 1.0)
        x, y = camera.to_screen(after)
        for down in (-CROSS, CROSS):
            shapes.line(surface, color, (x - CROSS, y - down), (x + CROSS, y + down), 2.0)
