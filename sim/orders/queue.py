"""Orders to come: what units do after what they are doing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.columns import carried
from sim.orders.goal import Goal


@dataclass
class Queued:
    """A goal that units of one group take up, each when it has done all before."""

    group: int
    goal: Goal
    waits: Bools
    """(N,) the units that have still to take it up."""


class Queue:
    """The goals to come of all units, in the order in which they were given."""

    def __init__(self) -> None:
        self.entries: list[Queued] = []

    def __bool__(self) -> bool:
        return bool(self.entries)

    def add(self, group: int, goal: Goal, rows: Ints, units: int) -> None:
        """Units of a group in some rows are to do this last."""
        waits = np.zeros(units, np.bool_)
        waits[rows] = True
        self.entries.append(Queued(group, goal, waits))

    def clear(self, rows: Ints | slice) -> None:
        """Units in some rows have nothing to do after this."""
        for entry in self.entries:
            entry.waits[rows] = False
        self._tidy()

    def due(self, idle: Bools) -> Iterator[tuple[Queued, Ints]]:
        """What comes next for the `idle` units (N,): a goal, and the rows that take it up."""
        before = np.zeros(len(idle), np.bool_)
        for entry in self.entries:
            now = entry.waits & idle & ~before
            if entry.goal.formation is not None and (now != entry.waits).any():
                now[:] = False  # they form up together, when all have done what they were doing
            before |= entry.waits
            if now.any():
                entry.waits = entry.waits & ~now
                yield entry, np.flatnonzero(now)
        self._tidy()

    def rearrange(self, old_rows: Ints, groups: Ints) -> None:
        """Units come, go and change group; units that do have nothing to come."""
        for entry in self.entries:
            entry.waits = carried(entry.waits, old_rows, False) & (groups == entry.group)
        self._tidy()

    def _tidy(self) -> None:
        self.entries = [entry for entry in self.entries if entry.waits.any()]
