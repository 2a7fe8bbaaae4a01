"""Orders to come: what units do after what they are doing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sim.core.arrays import NO_ROW, Bools, Ints
from sim.core.relay import Relay
from sim.orders.goal import Goal


@dataclass
class Queued:
    """A goal that units of one group take up, each when it has done all before."""

    group: int
    goal: Goal
    route: Ints
    """(N,) which of the goal's routes each unit takes, 0 where it has but one for all; `NO_ROW` for
    units that have not to take it up, or have."""
    led: bool = False
    """Whether they have been led to its first stop, in formation: the round begins there."""

    @property
    def waits(self) -> Bools:
        """(N,) the units that have still to take it up."""
        found: Bools = self.route != NO_ROW
        return found

    def due(self, rows: Ints) -> Goal:
        """The goal for units in some rows, all of which wait; from now on they do not."""
        routes = self.route[rows]
        self.route[rows] = NO_ROW
        return self.goal if self.goal.for_all else self.goal.part(routes.tolist())


class Queue:
    """The goals to come of all units, in the order in which they were given."""

    entries: list[Queued]

    def __init__(self) -> None:
        self.entries = []

    def __bool__(self) -> bool:
        return bool(self.entries)

    def add(self, group: int, goal: Goal, rows: Ints, units: int, led: bool = False) -> None:
        """Units of a group in some rows are to do this last, each by its own route if it has.

        Units that are `led` to the first stop of a loop, in formation, are to do it next.
        """
        route = np.full(units, NO_ROW)
        route[rows] = 0 if goal.for_all else np.arange(len(rows))
        self.entries.insert(0 if led else len(self.entries), Queued(group, goal, route, led))

    def waits(self, units: int) -> Bools:
        """(N,) which of all units have something to do after this."""
        found = np.zeros(units, np.bool_)
        for entry in self.entries:
            found |= entry.waits
        return found

    def clear(self, rows: Ints | slice) -> None:
        """Units in some rows have nothing to do after this."""
        for entry in self.entries:
            entry.route[rows] = NO_ROW
        self._tidy()

    def due(self, idle: Bools) -> Iterator[tuple[int, Goal, Ints, bool]]:
        """What comes next for the `idle` units (N,): a group, a goal, the rows that take it up.

        And whether these have been `led` to its first stop.
        """
        before = np.zeros(len(idle), np.bool_)
        for entry in self.entries:
            waits = entry.waits
            now = waits & idle & ~before
            if entry.goal.formation is not None and (now != waits).any():
                now[:] = False  # they form up together, when all have done what they were doing
            before |= waits
            rows = np.flatnonzero(now)
            if len(rows):
                yield entry.group, entry.due(rows), rows, entry.led
        self._tidy()

    def rearrange(self, relay: Relay, groups: Ints) -> None:
        """Units come, go and change group; units that do have nothing to come."""
        for entry in self.entries:
            entry.route = relay.carried(entry.route, NO_ROW)
            entry.route[groups != entry.group] = NO_ROW
        self._tidy()

    def _tidy(self) -> None:
        self.entries = [entry for entry in self.entries if entry.waits.any()]
