"""The selected units: rings round them, and lines along the orders that they have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame

from sim.core.arrays import NO_ROW, Floats, Ints
from sim.living.deeds import Deed
from sim.orders import GO, Goal
from sim.orders.pursuits import NONE, target_of
from sim.screen import overlays, shapes
from sim.screen.camera import Camera
from sim.screen.sight import owner
from sim.screen.theme import Theme, mix
from sim.world import World

MOST = 200
"""Units whose lines are drawn; of more, this number at even distances in the order of rows."""
FEW = 24
"""Units up to which lines are bright: more would hide what they lie over."""
CROSS = 5.0
"""Pixels from the middle of a place's cross to its ends."""
GAP = 3.0
"""Pixels between a hull and its ring."""


def paint(surface: pygame.Surface, world: World, camera: Camera, rows: Ints, theme: Theme) -> None:
    """Paint rings round the units of some rows, their orders as lines, and crosses at the ends.

    A brighter line leads to where a unit is going, fainter ones to the places after that.
    """
    if not len(rows):
        return
    faint = 0.35 if len(rows) <= FEW else 0.75
    now, later = mix(theme.selected, theme.ground, faint), mix(theme.selected, theme.ground, 0.75)
    crosses = set()
    for row in rows[:: -(-len(rows) // MOST)].tolist():
        places = [world.units.position[row], *errands(world, row)]
        for k in range(1, len(places)):
            step = world.plane.nearest(places[k] - places[k - 1])
            a, b = camera.to_screen(places[k - 1]), camera.to_screen(places[k - 1] + step)
            shapes.line(surface, now if k == 1 else later, a, b, 1.0)
            crosses.add((round(float(b[0])), round(float(b[1])), k > 1))
    for x, y, after in crosses:
        shapes.cross(surface, later if after else theme.selected, x, y, CROSS)
    chosen = np.zeros(len(world.units), np.bool_)
    chosen[rows] = True
    overlays.ring_round(surface, world, camera, chosen, theme.selected, GAP, 1.75)


def errands(world: World, row: int) -> Iterator[Floats]:
    """The places (2,) that a unit is still to visit: of its order, then of orders that wait.

    Of a group that it is to pursue, the place of the nearest unit. What events order before the
    next step counts as ordered.
    """
    places = list(_ordered(world, row))
    group = owner(world, row)
    for event in world.agenda.due(world.time):
        deed = event.act
        if isinstance(deed, Deed) and deed.goal is not None and deed.name == group.name:
            places = places if deed.queue else []
            places.extend(_places(world, deed.goal, row - group.rows.start, row))
    yield from places


def _ordered(world: World, row: int) -> Iterator[Floats]:
    orders, here = world.roster.orders_now(), world.units.position[row]
    if orders.pursuits.of[row] != NONE:
        yield from _quarry(world, orders.pursuits.goals[orders.pursuits.of[row]], here)
    elif orders.minds.moving[row]:
        first = int(orders.first[row] + orders.leg[row])
        yield from orders.points[first : orders.first[row + 1]]
    for entry in orders.queue.entries:
        if entry.route[row] != NO_ROW:
            yield from _places(world, entry.goal, int(entry.route[row]), row)


def _places(world: World, goal: Goal, member: int, row: int) -> Floats:
    """(k, 2) where a goal leads a unit that it counts as some member of its group."""
    here = world.units.position[row]
    own = goal if goal.for_all else goal.part([member])
    return _quarry(world, own, here) if own.kind != GO else own.ways(here[None]).points


def _quarry(world: World, goal: Goal, here: Floats) -> Floats:
    """(1, 2) where the nearest unit of a goal's group is; (0, 2) where all have left."""
    rows = target_of(goal, world.groups).rows
    there = world.units.position[rows][world.units.present[rows]]
    away = world.plane.nearest(there - here)
    nearest: Floats = there[np.hypot(*away.T).argsort(kind="stable")[:1]]
    return nearest
