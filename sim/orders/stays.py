"""Stops at which units stay for a time before they go on along their route."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns, alike
from sim.core.units import Units

if TYPE_CHECKING:
    from sim.orders.orders import Orders

WAITS, SERVED, TOGETHER, STANDS = range(4)
"""How units stay at a stop: for a time; for a time, one after the other; until all of a formation
have come; or for good, with the heading of their formation."""


class Stays(Columns):
    """Which of N units stay at a stop of their route, and for how long yet.

    At a counter units are served one at a time, in the order in which they came. Units of a
    formation stay until all of them have come.
    """

    columns: ClassVar = {"left": 0.0, "kind": WAITS, "since": 0, "place": 0.0, "heading": 0.0}

    def __init__(self) -> None:
        self.left = np.zeros(0)
        """(N,) seconds that each still has to stay; 0 for units that do not."""
        self.kind = np.zeros(0, np.int64)
        """(N,) how it stays: `WAITS`, `SERVED` or `TOGETHER`."""
        self.since = np.zeros(0, np.int64)
        """(N,) the step at which it came."""
        self.place = np.zeros((0, 2))
        """(N, 2) where it stays."""
        self.heading = np.zeros(0)
        """(N,) the heading of its formation there, radians."""

    def forget(self, rows: Ints) -> None:
        """These units have other orders now."""
        self.left[rows] = 0.0

    def follow(self, orders: Orders, before: Ints, units: Units, step: int, dt: float) -> None:
        """Begin the stays of units that have come to a stop, and keep those there that stay.

        `before` (N,) are their legs before this step.
        """
        self._begin(orders, before, step)
        stay = (self.left > 0) & units.present & orders.minds.moving
        if not stay.any():
            return
        off = self.off(units, orders)
        orders.aim[stay], orders.remaining[stay] = self.place[stay], off[stay]
        there = stay & (off <= 2 * orders.radius)
        orders.minds.blocked[there] = 0.0
        counts = stay & (self.kind == WAITS)
        counts |= self._first_in_line(stay & (self.kind == SERVED), units, orders)
        others = units.present & ~orders.whereabouts.stuck
        # Craft that circle cannot stand at their places: that they have come is enough.
        come = stay & (self.kind == TOGETHER) & (there | ~orders.returns)
        counts |= orders.bands.together(come, others, stay & ~come)
        self.left[counts] = np.maximum(self.left[counts] - dt, 0.0)

    def off(self, units: Units, orders: Orders) -> Floats:
        """(N,) how far each unit that stays is off its place, world units; infinite for others."""
        off: Floats = np.hypot(*orders.plane.nearest(self.place - units.position).T)
        return np.where(self.left > 0, off, np.inf)

    def _begin(self, orders: Orders, before: Ints, step: int) -> None:
        """Units that have just passed a stop with a stay go no further than that stop."""
        some = np.flatnonzero((orders.leg != before) & orders.sent)
        stop = orders.first[some] + before[some]
        stays = orders.stays[stop]
        some, stop, stays = (each[stays[:, 0] > 0] for each in (some, stop, stays))
        count = np.diff(orders.first)[some]
        orders.leg[some] = (before[some] + 1) % count
        self.left[some], self.kind[some], self.heading[some] = stays.T
        self.since[some], self.place[some] = step, orders.points[stop]
        formed = self.kind[some] == TOGETHER
        orders.bands.come_to(some[formed], count[formed])

    def _first_in_line(self, served: Bools, units: Units, orders: Orders) -> Bools:
        """(N,) which of the `served` units (N,) came first at a counter: the nearest of several."""
        rows = np.flatnonzero(served)
        first = np.zeros(len(served), np.bool_)
        if len(rows):
            off: Floats = np.hypot(*orders.plane.nearest(units.position[rows] - self.place[rows]).T)
            counter = alike(self.place[rows])
            line = np.lexsort((off, self.since[rows], counter))
            ahead = np.append(True, np.diff(counter[line]) != 0)
            first[rows[line[ahead]]] = True
        return first
