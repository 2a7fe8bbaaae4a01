"""Where the units of a group are bound for, as rules get it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame
from sim.core.units import Units
from sim.orders.minds import WAITING
from sim.orders.ordered import Ordered

if TYPE_CHECKING:
    from sim.orders.orders import Orders


class Aim(NamedTuple):
    """Where the n units of a group are bound for, from where each is. Own frame."""

    offset: Floats
    """(n, 2) to the place to head for now; zeros for units that have none."""
    final: Floats
    """(n, 2) to the last place of the way."""
    remaining: Floats
    """(n,) length of the way left, world units."""
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

    @property
    def left(self) -> Floats:
        """(n,) the same as `remaining`, but 0 for units that have no place to go to."""
        return np.where(np.isnan(self.remaining), 0.0, self.remaining)


def aim_of(orders: Orders, group: Ordered, units: Units) -> Aim:
    """Where the units of a group are bound for."""
    rows, minds, guide = group.rows, orders.minds, orders.guide
    here, hold, end = units.position[rows], orders.hold[rows].copy(), orders.first[1:][rows]
    last = orders.points[end - 1] if len(orders.points) else np.zeros(here.shape)
    offset, final = (orders.plane.nearest(each - here) for each in (orders.aim[rows], last))
    _turn_to_own(units.heading[rows], end > orders.first[:-1][rows], offset, final, hold)
    by_field = guide.by_field(group) if guide else np.zeros(len(hold), np.bool_)
    return Aim(
        offset, final, orders.remaining[rows], orders.tolerance[rows], minds.moving[rows],
        by_field, minds.stance[rows] == WAITING, hold,
    )  # fmt: skip


@Kernel
def _turn_to_own(begin, end, heading, sent, offset, final, hold):  # type: ignore[no-untyped-def]
    """Bring offsets (n, 2) into the frames of headings (n, 2), in place.

    Units that are not `sent` anywhere have zeros for the first two.
    """
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        for away in (offset, final):
            x, y = (away[i, 0], away[i, 1]) if sent[i] else (0.0, 0.0)
            away[i, 0], away[i, 1] = to_own_frame(x, y, c, s)
        hold[i, 0], hold[i, 1] = to_own_frame(hold[i, 0], hold[i, 1], c, s)
