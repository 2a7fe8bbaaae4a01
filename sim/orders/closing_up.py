"""Closing up: a unit that its own formation keeps from its place changes places with the others.

Where units stand between another and its place, they move on to that place, each by one, and it
takes the place that becomes free near by. Two that bar each other's way change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.units import Units
from sim.navigation.sight import in_sight
from sim.orders.assigning import assign
from sim.orders.bands import NONE
from sim.orders.goal import GO, Goal
from sim.orders.ordered import Ordered
from sim.orders.sending import take
from sim.orders.stays import TOGETHER

if TYPE_CHECKING:
    from sim.orders.orders import Orders

HELD_UP = 2.0
"""A unit that comes no nearer to its place for so long is kept from it, s; one of a model that
circles, and so comes no nearer for a while on a free way too, if it hardly gets on for so long."""
BESIDE = 2.0
"""Units stand between another and its place if the way by them is so much longer, hull lengths."""

TRIED = 4
"""How many units are tried at a time."""


def close_up(orders: Orders, groups: Sequence[Ordered], units: Units, step: int) -> None:
    """Have units of a formation that are kept from their places share them anew with the others."""
    minds, bands, every = orders.minds, orders.bands, orders.narrows.every
    if not bands.known or step % every:
        return
    waits = (orders.staying.left > 0) & (orders.staying.kind == TOGETHER)
    there = waits & (orders.staying.off(units, orders) <= 2 * orders.radius)
    stands = units.present & (there | minds.arrived)
    halt = (bands.come - waits) * (bands.given + 1) + bands.of  # a number for each band's halts
    since = np.where(orders.returns, orders.patience.since, minds.blocked)
    held = minds.moving & units.present & ~stands & (since > HELD_UP)
    rows = np.flatnonzero(held & (bands.of != NONE) & np.isin(halt, halt[stands]))
    rows = _in_sight(orders, groups, units, rows, waits[rows])
    rows = np.roll(rows, -TRIED * (step // every))[:TRIED]  # others each time
    for row in rows.tolist():
        mates = np.flatnonzero((halt == halt[row]) & (stands | held))
        mates = np.append(row, mates[mates != row])
        if _share(orders, groups, units, mates, waits[mates], step):
            return  # what stands where is another matter now


def _in_sight(
    orders: Orders, groups: Sequence[Ordered], units: Units, rows: Ints, waits: Bools
) -> Ints:
    """The units among some rows (k,) in sight of the places that they are bound for.

    The nearest to their places come first. `waits` (k,) are units that were pushed off theirs.
    """
    here = units.position[rows]
    place = orders.points[orders.first[rows] + _next(orders, rows, waits)]
    off = orders.plane.nearest(place - here)
    sees = np.ones(len(rows), np.bool_)
    if orders.guide is not None:
        for number in np.unique(units.group[rows]).tolist():
            grid = orders.guide.planner.chart.grid(groups[number].hull.radius)
            mine = units.group[rows] == number
            sees[mine] = in_sight(grid, here[mine], here[mine] + off[mine])
    order = np.lexsort((here[:, 1], here[:, 0], np.hypot(*off.T)))
    return rows[order[sees[order]]]


def _share(
    orders: Orders, groups: Sequence[Ordered], units: Units, rows: Ints, waits: Bools, step: int
) -> bool:
    """The first of the rows (k,) and those between it and its place share their places anew.

    `waits` (k,) are the units that wait at theirs for others to come. Whether any has another now.
    """
    group, near = groups[units.group[rows[0]]], orders.plane.nearest
    mine, comes = units.position[rows[0]], _next(orders, rows, waits)
    here, place = (
        near(each - mine)
        for each in (units.position[rows], orders.points[orders.first[rows] + comes])
    )
    by = np.hypot(*here.T) + np.hypot(*(here - place[0]).T)
    between = by < np.hypot(*place[0]) + BESIDE * group.hull.length
    some = np.flatnonzero(between)
    if len(some) < 2:
        return False
    takes = some[assign(here[some], place[some])]
    moved = takes != some
    if moved.any():
        orders.bands.come[rows[some[moved]]] = orders.bands.come[rows[0]] - waits[0]
        goal = onward(orders, rows[takes[moved]], comes[takes[moved]])
        _send(orders, groups, goal, rows[some[moved]], units, step)
    return bool(moved.any())


def _next(orders: Orders, rows: Ints, waits: Bools) -> Ints:
    """(k,) which stop of its route each unit is bound for, or waits at."""
    count = np.diff(orders.first)[rows]
    return (orders.leg[rows] - waits) % np.maximum(count, 1)


def onward(orders: Orders, rows: Ints, comes: Ints) -> Goal:
    """The routes of units in some rows from their stops number `comes` on; on a loop once round."""
    routes, stays = [], []
    for row, past in zip(rows.tolist(), comes.tolist(), strict=True):
        those = np.arange(orders.first[row], orders.first[row + 1])
        those = np.append(those[past:], those[: past * int(orders.loop[row])])
        routes.append(tuple((x, y) for x, y in orders.points[those].tolist()))
        stays.append(tuple(tuple(stay) for stay in orders.stays[those].tolist()))
    return Goal(
        GO, routes=tuple(routes), stays=tuple(stays), loop=bool(orders.loop[rows].any()),
        tolerance=float(orders.tolerance[rows[0]]),
    )  # fmt: skip


def _send(
    orders: Orders, groups: Sequence[Ordered], goal: Goal, rows: Ints, units: Units, step: int
) -> None:
    """Send each of some units its way of the goal; what was said of their groups still holds."""
    for number in np.unique(units.group[rows]).tolist():
        mine = units.group[rows] == number
        part = goal.part(np.flatnonzero(mine).tolist())
        take(orders, groups[number], part, rows[mine], units.position[rows[mine]], step)
