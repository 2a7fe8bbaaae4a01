"""Stops at which units stay for a time before they go on along their route."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns, alike
from sim.core.units import Units

if TYPE_CHECKING:
    from sim.orders.orders import Orders


class Stays(Columns):
    """Which of N units stay at a stop of their route, and for how long yet.

    At a counter units are served one at a time, in the order in which they came.
    """

    columns: ClassVar = {"left": 0.0, "served": False, "since": 0, "place": 0.0}

    def __init__(self) -> None:
        self.left = np.zeros(0)
        """(N,) seconds that each still has to stay; 0 for those that do not."""
        self.served = np.zeros(0, np.bool_)
        """(N,) whether it stays at a counter."""
        self.since = np.zeros(0, np.int64)
        """(N,) the step at which it came."""
        self.place = np.zeros((0, 2))
        """(N, 2) where it stays."""

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
        off = orders.plane.nearest(self.place[stay] - units.position[stay])
        orders.aim[stay], orders.remaining[stay] = self.place[stay], np.hypot(*off.T)
        orders.minds.blocked[stay] = 0.0
        counts = stay & (~self.served | self._first_in_line(stay, units, orders))
        self.left[counts] = np.maximum(self.left[counts] - dt, 0.0)

    def _begin(self, orders: Orders, before: Ints, step: int) -> None:
        """Units that have just passed a stop with a stay go no further than that stop."""
        some = np.flatnonzero((orders.leg != before) & (np.diff(orders.first) > 0))
        stop = orders.first[some] + before[some]
        stays = orders.stays[stop]
        some, stop, stays = (each[stays[:, 0] > 0] for each in (some, stop, stays))
        count = np.diff(orders.first)[some]
        orders.leg[some] = (before[some] + 1) % count
        self.left[some], self.served[some] = stays[:, 0], stays[:, 1] > 0
        self.since[some], self.place[some] = step, orders.points[stop]

    def _first_in_line(self, stay: Bools, units: Units, orders: Orders) -> Bools:
        """(N,) the units that stay at a counter and came first: of several the nearest."""
        rows = np.flatnonzero(stay & self.served)
        first = np.zeros(len(stay), np.bool_)
        if len(rows):
            off: Floats = np.hypot(*orders.plane.nearest(units.position[rows] - self.place[rows]).T)
            counter = alike(self.place[rows])
            line = np.lexsort((off, self.since[rows], counter))
            ahead = np.append(True, np.diff(counter[line]) != 0)
            first[rows[line[ahead]]] = True
        return first
