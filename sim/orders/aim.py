"""Where the units of a group are bound for, as rules get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel
from sim.core.geometry import short_way, to_own_frame
from sim.core.units import Units
from sim.orders.minds import WAITING
from sim.orders.ordered import Ordered

if TYPE_CHECKING:
    from sim.orders.orders import Orders

BENT, AFTER = 1e-3, 6.0
"""A way bends that is longer than straight by more than this share of it, which rounding does not
make; and for how many hull lengths after a bend a unit still comes round it: at once all would turn
to the inner wall again."""

NARROW_AHEAD = 10.0
"""Hull lengths before a narrow place within which rules for wide ground have no say."""


def unbent_for(before: Floats, straight: Floats, way: Floats) -> Floats:
    """(k,) how far units may have gone since their way last bent; `before` if it does not bend now.

    It bends where the `way` (k,) to the next place is longer than `straight` (k,).
    """
    return np.where(way > (1.0 + BENT) * straight, 0.0, before)


class Aim(NamedTuple):
    """Where the n units of a group are bound for, from where each is. Own frame."""

    offset: Floats
    """(n, 2) to the place to head for now; zeros for units that have none, or none yet: the first
    step after an order finds it."""
    final: Floats
    """(n, 2) to the last place of the way; zeros for units that are not sent anywhere."""
    remaining: Floats
    """(n,) length of the way left, world units; NaN where `offset` is zeros for want of a place."""
    tolerance: Floats
    """(n,) how near to a place is there, world units."""
    moving: Bools
    """(n,) whether a unit is on its way; the others have stopped, or were never sent."""
    by_field: Bools
    """(n,) which units a flow field leads; the others go along routes, or straight."""
    waiting: Bools
    """(n,) units that have to wait at a narrow place."""
    hold: Floats
    """(n, 2) where these go meanwhile: back from its mouth; zeros where they stand."""
    bends: Bools
    """(n,) units whose way bends before their next place, or did so less than six lengths ago, at
    the fastest speed of their group."""
    narrow: Bools
    """(n,) which units come to a narrow place within `NARROW_AHEAD`, or are inside one."""

    @property
    def left(self) -> Floats:
        """(n,) the same as `remaining`, but 0 for units that have no place to go to."""
        return np.where(np.isnan(self.remaining), 0.0, self.remaining)


def aim_of(orders: Orders, group: Ordered, units: Units) -> Aim:
    """Where the units of a group are bound for."""
    rows, minds, guide = group.rows, orders.minds, orders.guide
    n = rows.stop - rows.start
    (offset, final, hold), waiting = np.empty((3, n, 2)), np.empty(n, np.bool_)
    course = _Course(
        rows.start, units.position, units.heading, orders.first, orders.points, orders.aim,
        orders.hold, minds.stance, orders.plane.size,
    )  # fmt: skip
    _look_out(offset, final, hold, waiting, tuple(course))
    by_field = guide.by_field(group) if guide else np.zeros(n, np.bool_)
    return Aim(
        offset, final, orders.remaining[rows], orders.tolerance[rows], minds.moving[rows],
        by_field, waiting, hold, orders.unbent[rows] < AFTER * group.hull.length,
        orders.narrows.comes_to_one(rows, NARROW_AHEAD * group.hull.length),
    )  # fmt: skip


class _Course(NamedTuple):
    """The first row of a group, and where all N units stand and are sent: see `Orders`."""

    start: int
    position: Floats
    heading: Floats
    first: Ints
    points: Floats
    aim: Floats
    hold: Floats
    stance: Ints
    size: Floats
    """(2,) `Plane.size`."""


@Kernel
def _look_out(begin, end, offset, final, hold, waiting, course):  # type: ignore[no-untyped-def]
    """Fill in what `Aim` says."""
    course = _Course(*course)
    for i in range(begin, end):
        me = course.start + i
        x, y = course.position[me, 0], course.position[me, 1]
        c, s = course.heading[me, 0], course.heading[me, 1]
        last, here = course.first[me + 1] - 1, (0.0, 0.0)
        there = here
        if last >= course.first[me]:
            aim, points = course.aim, course.points
            if not np.isnan(aim[me, 0]):
                here = short_way(aim[me, 0] - x, aim[me, 1] - y, course.size)
            there = short_way(points[last, 0] - x, points[last, 1] - y, course.size)
        offset[i, 0], offset[i, 1] = to_own_frame(here[0], here[1], c, s)
        final[i, 0], final[i, 1] = to_own_frame(there[0], there[1], c, s)
        hold[i, 0], hold[i, 1] = to_own_frame(course.hold[me, 0], course.hold[me, 1], c, s)
        waiting[i] = course.stance[me] == WAITING
