"""What units are after: lines along the orders of the selected, and what one is bound for."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import NO_ROW, Floats, Ints
from sim.living.deeds import Deed
from sim.orders import GO, Goal
from sim.orders.pursuits import NONE, target_of
from sim.screen import overlays, shapes
from sim.screen.camera import Canvas
from sim.screen.sight import owner
from sim.screen.theme import mix
from sim.world import World

MOST = 200
"""Units whose lines are drawn; of more, this number at even distances in the order of rows."""
FEW = 24
"""Units up to which lines are bright: more would hide what they lie over."""
AT_END = 5.0
"""Pixels from the middle of a place's cross to its ends."""
GAP = 3.0
"""Pixels between a hull and its ring."""


def paint_orders(canvas: Canvas, world: World, rows: Ints) -> None:
    """Paint rings round the units of some rows, their orders as lines, and crosses at the ends.

    A brighter line leads to where a unit is going, fainter ones to the places after that.
    """
    if not len(rows):
        return
    surface, camera, theme = canvas
    faint = 0.35 if len(rows) <= FEW else 0.75
    now, later = mix(theme.selected, theme.ground, faint), mix(theme.selected, theme.ground, 0.75)
    crosses = set()
    for row in rows[:: -(-len(rows) // MOST)].tolist():
        places = [world.units.position[row], *errands(world, row)]
        for k in range(1, len(places)):
            a = camera.to_screen(places[k - 1])
            b = camera.to_screen(world.plane.images_near(places[k], places[k - 1]))
            shapes.line(surface, now if k == 1 else later, a, b, 1.0)
            crosses.add((round(float(b[0])), round(float(b[1])), k > 1))
    for x, y, after in crosses:
        shapes.cross(surface, later if after else theme.selected, x, y, AT_END)
    chosen = np.zeros(len(world.units), np.bool_)
    chosen[rows] = True
    overlays.ring_round(canvas, world, chosen, theme.selected, GAP, 1.75)


def errands(world: World, row: int) -> list[Floats]:
    """The places (2,) that a unit is still to visit: of its order, then of orders that wait.

    Of a group that it is to pursue, the place of the unit that is nearest to where it is by then.
    What events order before the next step counts as ordered.
    """
    orders, here = world.roster.orders_now(), world.units.position[row]
    group, places = owner(world, row), list(_now(world, row))

    def then(goal: Goal, member: int) -> None:
        places.extend(_places(world, goal, member, places[-1] if places else here))

    for entry in orders.queue.entries:
        if entry.route[row] != NO_ROW:
            then(entry.goal, int(entry.route[row]))
    for event in world.agenda.due(world.time):
        deed = event.act
        if isinstance(deed, Deed) and deed.goal is not None and deed.name == group.name:
            if not deed.queue:
                places.clear()
            then(deed.goal, row - group.rows.start)
    return places


def _now(world: World, row: int) -> Floats:
    """(k, 2) where a unit is bound for by the order that it has taken up."""
    orders = world.roster.orders_now()
    if orders.pursuits.of[row] != NONE:
        goal = orders.pursuits.goals[orders.pursuits.of[row]]
        return _quarry(world, goal, world.units.position[row])
    if not orders.minds.moving[row]:
        return np.zeros((0, 2))
    first = int(orders.first[row] + orders.leg[row])
    return orders.points[first : orders.first[row + 1]]


def _places(world: World, goal: Goal, member: int, here: Floats) -> Floats:
    """(k, 2) where a goal leads, from `here`, a unit that is some member of its group."""
    own = goal if goal.for_all else goal.part([member])
    return _quarry(world, own, here) if own.kind != GO else own.ways(here[None]).points


def _quarry(world: World, goal: Goal, here: Floats) -> Floats:
    """(1, 2) the unit of a goal's group that is nearest to a place; (0, 2) where all have left."""
    rows = target_of(goal, world.groups).rows
    there = world.units.position[rows][world.units.present[rows]]
    away = world.plane.nearest(there - here)
    nearest: Floats = there[np.hypot(*away.T).argsort(kind="stable")[:1]]
    return nearest


CROSS = 6.0
"""Pixels from the middle of a target's cross to its ends."""


def paint_bound(canvas: Canvas, world: World, row: int) -> None:
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
        ends = camera.to_screen(here), camera.to_screen(world.plane.images_near(aim, here))
        shapes.line(surface, color, *ends, 1.0)
        x, y = camera.to_screen(world.plane.images_near(last, here))
        shapes.cross(surface, theme.selected, x, y, CROSS)
    contacts = world.contacts
    for k in range(contacts.first[row], contacts.first[row + 1]):
        other, (nx, ny) = int(contacts.other[k]), contacts.normal[k]
        if other >= 0:
            their = owner(world, other)
            half = float(their.radii[other - their.rows.start])
            there = world.plane.images_near(world.units.position[other], here)
            middle = there - half * contacts.normal[k]
            along = half * np.array([ny, -nx])
            root, tip = camera.to_screen(middle - along), camera.to_screen(middle + along)
            shapes.arrow(surface, theme.selected, root, tip, 2.0)


def words(world: World, row: int) -> list[str]:
    """In words: whether a unit is on its way, and its timer; nothing for one never sent."""
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
