"""Units set off: what an order changes of all that is kept of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.orders.bands import NONE
from sim.orders.goal import GO, Goal
from sim.orders.ordered import Ordered

if TYPE_CHECKING:
    from sim.orders.orders import Orders


def take(
    orders: Orders, group: Ordered, goal: Goal | None, rows: Ints, position: Floats, step: int
) -> None:
    """Units of a group in these rows, at `position` (n, 2), set off for a goal.

    They stay in the formation that they are in.
    """
    places, count, minds = np.zeros((0, 2)), np.zeros(len(rows), np.int64), orders.minds
    if orders.guide is not None:
        orders.guide.release(rows, len(orders.leg))
    if goal is not None and goal.kind == GO:
        places, count = goal.ways(position)
        members = rows - group.rows.start
        radius = orders.radius[rows] = group.radii[members]
        orders.tolerance[rows] = radius if goal.tolerance is None else goal.tolerance
        minds.speed[rows] = group.speeds[members]
        led, group.note = orders.led(group, goal, position)
        places = led if goal.nearest else places
        if orders.guide is not None:
            orders.guide.send(group, goal, rows, led, count, position, step)
    stays = np.zeros((0, 3)) if goal is None else goal.stays_of(len(rows), len(places))
    orders.lay_stops(rows, places, count, stays)
    orders.staying.forget(rows)
    orders.region[rows] = np.nan if goal is None or goal.region is None else goal.region
    orders.loop[rows] = goal is not None and goal.loop
    orders.leave[rows] = goal is not None and goal.leave
    orders.leg[rows] = 0
    orders.alone[rows] = group.model.timers is not None or group.model.circles
    orders.returns[rows] = (orders.bands.of[rows] != NONE) & (not group.model.circles)
    minds.blocked[rows] = 0.0
    minds.moving[rows], minds.arrived[rows] = count > 0, False
    orders.aim[rows], orders.remaining[rows], minds.timer[rows] = np.nan, np.nan, 0.0
    orders.patience.renew(rows)
    orders.round[rows] = 0
