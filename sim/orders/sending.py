"""Units set off: what an order changes of all that is kept of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.columns import alike
from sim.core.relay import spread
from sim.orders.bands import NONE
from sim.orders.filling import once_round
from sim.orders.goal import GO, Goal
from sim.orders.ordered import Ordered
from sim.orders.pursuits import NONE as NO_PURSUIT

if TYPE_CHECKING:
    from sim.orders.orders import Orders


def take(
    orders: Orders, group: Ordered, goal: Goal | None, rows: Ints, position: Floats, step: int
) -> str:
    """Units of a group in these rows, at `position` (n, 2), set off for a goal.

    They stay in the formation that they are in. Returned is what there is to say of the goal.
    """
    places, count, minds = np.zeros((0, 2)), np.zeros(len(rows), np.int64), orders.minds
    note = ""
    if orders.guide is not None:
        orders.guide.release(rows, len(orders.leg))
    if goal is not None and goal.kind == GO:
        places, count = goal.ways(position)
        members = rows - group.rows.start
        radius = orders.radius[rows] = group.radii[members]
        orders.tolerance[rows] = radius if goal.tolerance is None else goal.tolerance
        minds.speed[rows] = group.each_speed()[members]
        led, note = orders.led(group, goal, position)
        places = led if goal.nearest else places
        if orders.guide is not None:
            orders.guide.send(group, goal, rows, led, count, position, step)
    else:
        pursued = orders.pursuits.of[rows] != NO_PURSUIT
        minds.speed[rows[pursued | (goal is not None)]] = 0.0
    stays = np.zeros((0, 3)) if goal is None else goal.stays_of(len(rows), len(places))
    orders.lay_stops(rows, places, count, stays)
    orders.staying.forget(rows)
    orders.pursuits.take(rows, goal)
    region = None if goal is None else goal.region
    orders.region[rows] = np.nan if region is None else once_round(orders.plane, np.array(region))
    orders.loop[rows] = goal is not None and goal.loop
    orders.leave[rows] = goal is not None and goal.leave
    orders.leg[rows] = 0
    orders.circles[rows] = group.model.circles
    orders.alone[rows] = group.model.timers is not None or group.model.circles
    orders.returns[rows] = (orders.bands.of[rows] != NONE) & (not group.model.circles)
    minds.blocked[rows], minds.halts[rows] = 0.0, False
    minds.moving[rows], minds.arrived[rows] = count > 0, False
    orders.aim[rows], orders.remaining[rows], minds.timer[rows] = np.nan, np.nan, 0.0
    orders.unbent[rows] = np.inf
    orders.patience.renew(rows)
    orders.round[rows] = 0
    return note


def lead_again(orders: Orders, group: Ordered, position: Floats, step: int) -> None:
    """Have the guide lead the units of a group that are on their way, all N at `position`.

    Each keeps the order that it has, which may be none of the group's own goal.
    """
    guide, first = orders.guide, group.rows.start
    rows = first + np.flatnonzero(np.diff(orders.first)[group.rows] > 0)
    if guide is None or not len(rows):
        return
    guide.release(rows, len(orders.leg))
    kind = alike(np.column_stack([np.nan_to_num(orders.region[rows]), orders.loop[rows]]))
    whole = None if group.part_kinds else group.goal
    for number in range(1 + int(kind.max())):
        some = rows[kind == number]
        goal = _of_kind(orders, int(some[0])) if whole is None else whole
        counts = np.diff(orders.first)[some]
        places = orders.points[spread(orders.first[:-1][some], counts)]
        guide.send(group, goal, some, places, counts, position[some], step)


def _of_kind(orders: Orders, row: int) -> Goal:
    """A goal for units that go as the one in this row does: into a region, or round and round."""
    region, loop = orders.region[row].tolist(), bool(orders.loop[row])
    return Goal(GO, loop=loop) if np.isnan(region[0]) else Goal(GO, region=tuple(region), loop=loop)
