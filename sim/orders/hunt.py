"""The way of a group to another group that it pursues, round what is solid."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sim.core.arrays import NO_ROW, Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.compiled import Kernel
from sim.core.geometry import short_way
from sim.core.plane import Plane
from sim.core.relay import Relay
from sim.core.units import Units
from sim.navigation.ahead import look_along
from sim.navigation.planner import Planner
from sim.navigation.sight import in_sight
from sim.navigation.tickets import Ticket
from sim.navigation.trails import Trails
from sim.orders.along_fields import HELD, QUARTER
from sim.orders.party import ALONG

MOVED = 0.5
"""Trails are planned anew when a quarry has moved so far since they were asked for, hull radii."""


class Hunt(Columns):
    """Leads the n units of a group, each to the nearest of another group by its way there.

    They have hulls of a `radius` and `length` and go a `stride` in a step (world units). A unit
    that has the nearest in straight free sight needs no way; any other goes by trails that are
    asked for again and again while the quarry moves. Until the first come it goes straight.
    """

    columns: ClassVar = {
        "who": NO_ROW, "direct": True, "to": 0.0, "left": 0.0, "_beyond": np.inf,
        "nearest": NO_ROW, "_hold": 0,
    }  # fmt: skip

    trails: Trails | None
    ticket: Ticket[Trails] | None

    def __init__(
        self, planner: Planner, rows: slice, radius: float, length: float, stride: float
    ) -> None:
        n = rows.stop - rows.start
        self.rows = rows
        """Where they stand among all units."""
        self.who = np.full(n, NO_ROW)
        """(n,) the row of the unit that each pursues; -1 for none."""
        self.direct = np.ones(n, np.bool_)
        """(n,) whether a unit sees its quarry in a straight line, with nothing solid between."""
        self.to = np.zeros((n, 2))
        """(n, 2) the place to head for of units that do not."""
        self.left = np.zeros(n)
        """(n,) what is left of their way to it, world units; infinite where none is known."""
        self.trails = None
        self._planner, self._radius, self._stride = planner, radius, stride
        self._far = ALONG * length
        self._beyond = np.full(n, np.inf)
        self.nearest = np.full(n, NO_ROW)
        """(n,) the row of the nearest by a straight line at the last step; -1 for none."""
        self._hold = np.zeros(n, np.int64)
        """(n,) steps for which what each has seen still holds good."""
        self.numbers, self.asked_for = np.zeros((2, 0), np.int64)
        """Rows of the quarries that the trails lead to, and of those last asked for."""
        self._asked_at = np.zeros((0, 2))
        self.ticket = None
        """Of the trails that are asked for now."""

    def follow(self, rows: slice, old: Ints, now: Ints) -> None:
        """Units come and go: the n units stand in these `rows`, with `old` numbers or -1 for new.

        `now` are the new rows of all units by their old ones, -1 for units that have gone.
        """
        self.rows = rows
        self.rearrange(Relay(old))
        self.who, self.nearest = now[self.who], now[self.nearest]
        self.numbers, self.asked_for = now[self.numbers], now[self.asked_for]

    @property
    def cut(self) -> bool:
        """Whether some cannot come to any quarry, as far as is known."""
        return self.trails is not None and bool(self.trails.cut.any())

    def wants(self, units: Units, target: slice) -> bool:
        """Whether trails are wanted: some unit sees no quarry, and the quarry is elsewhere now."""
        if self.ticket is not None or self.direct.all():
            return False
        there = units.position[target][units.present[target]]
        if len(there) != len(self._asked_at):
            return len(there) > 0
        moved = np.hypot(*(there - self._asked_at).T)
        return bool((moved > MOVED * self._radius).any())

    def ask(self, step: int, units: Units, target: slice, mine: Bools) -> Ticket[Trails]:
        """Ask for trails to the quarry as it is now, for the units (n,) that pursue it."""
        self.asked_for = target.start + np.flatnonzero(units.present[target])
        self._asked_at = units.position[self.asked_for]
        here = units.position[self.rows][units.present[self.rows] & mine]
        self.ticket = self._planner.ask_trails(step, self._asked_at, here, self._radius)
        return self.ticket

    def renew(self) -> None:
        """The ground is another: trails are wanted anew."""
        self._asked_at = np.zeros((0, 2))

    def take(self, ticket: Ticket[Any]) -> bool:
        """Take up what was asked for, if it was for these units."""
        if ticket is not self.ticket:
            return False
        self.trails, self.numbers, self.ticket = ticket.result(), self.asked_for, None
        self._hold[:] = 0
        return True

    def lead(self, units: Units, target: slice, mine: Bools, plane: Plane) -> None:
        """Say which unit each of `mine` (n,) pursues, and where one that does not see it goes."""
        here, there = units.position[self.rows], units.position
        nearest = nearest_of(here, there, target, plane.size)
        nearest[~mine] = NO_ROW
        self._hold -= 1
        look = np.flatnonzero((self._hold <= 0) | (nearest != self.nearest))
        self.nearest = nearest
        self.who[look], self.direct[look] = nearest[look], True
        some = look[nearest[look] != NO_ROW]
        hidden = self._hidden(some, here, there, plane)
        if self.trails is not None and len(hidden):
            named = self.trails.nearest_of(here[hidden])
            rows = self.numbers[np.maximum(named, 0)]
            known = (named != NO_ROW) & (rows != NO_ROW) & units.present[rows]
            self.who[hidden[known]] = rows[known]
            hidden = np.concatenate(
                [hidden[~known], self._hidden(hidden[known], here, there, plane)]
            )
            self.to[hidden], self._beyond[hidden] = look_along(
                self.trails.field, here[hidden], self._far
            )
        self.direct[hidden] = False
        self._wait(some, here, there, plane)
        off = np.hypot(*plane.nearest(self.to - here).T)
        self.left = np.where(self.direct, 0.0, self._beyond + off)

    def _hidden(self, some: Ints, here: Floats, there: Floats, plane: Plane) -> Ints:
        """Which of some units do not see the unit that they pursue in a straight line.

        Of one closer to the bounds than they come themselves they look at the place beside it.
        """
        grid = self._planner.grid(self._radius)
        to = here[some] + plane.nearest(there[self.who[some]] - here[some])
        low, high = np.reshape(grid.bounds, (2, 2)) + np.array([[grid.radius], [-grid.radius]])
        return some[~in_sight(grid, here[some], np.clip(to, low, high))]

    def _wait(self, some: Ints, here: Floats, there: Floats, plane: Plane) -> None:
        """Units that have just looked look again when they have gone a part of the way."""
        off = np.hypot(*plane.nearest(there[self.who[some]] - here[some]).T)
        led = ~self.direct[some]
        off[led] = np.hypot(*plane.nearest(self.to[some[led]] - here[some[led]]).T)
        self._hold[some] = np.clip(QUARTER * off / self._stride, 1, HELD)


def nearest_of(here: Floats, position: Floats, target: slice, size: Floats) -> Ints:
    """(k,) of some rows of `position` (N, 2) the nearest to each place `here` (k, 2); -1 for none.

    `size` is that of the plane.
    """
    nearest = np.empty(len(here), np.int64)
    _nearest(here, position, target.start, target.stop, size, nearest)
    return nearest


@Kernel
def _nearest(begin, end, here, position, start, stop, size, prey):  # type: ignore[no-untyped-def]
    """The nearest of some rows to each place; -1 where there is none."""
    for i in range(begin, end):
        best, prey[i] = np.inf, NO_ROW
        for j in range(start, stop):
            dx, dy = position[j, 0] - here[i, 0], position[j, 1] - here[i, 1]
            dx, dy = short_way(dx, dy, size)
            square = dx * dx + dy * dy
            if square < best:
                best, prey[i] = square, j
