"""Pursuits: which units are after another group, which one, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.columns import Columns
from sim.core.errors import BadInput
from sim.core.units import Units
from sim.orders.goal import FLEE, GO, Goal
from sim.orders.ordered import Ordered

NONE = -1


class Pursuit(NamedTuple):
    """Units of one group, of n in all, that are after one other."""

    number: int
    """Of their goal."""
    goal: Goal
    mine: Bools
    """(n,) which units of the group these are."""


def target_of(goal: Goal, groups: Iterable[Ordered]) -> Ordered:
    """The group that a goal is after. Raises `BadInput` where there is none."""
    for group in groups:
        if group.name == goal.target:
            return group
    raise BadInput(f"goal.{goal.kind} = {goal.target!r}: no group of that name")


class Pursuits(Columns):
    """What N units pursue, by number: a goal is known once, whatever units have it."""

    columns: ClassVar = {"of": NONE, "since": 0.0, "offset": np.nan}

    goals: list[Goal]

    def __init__(self) -> None:
        self.of = np.zeros(0, np.int64)
        """(N,) the number of each unit's goal; -1 for units that are after no other group."""
        self.since, self.offset = np.zeros(0), np.zeros((0, 2))
        """(N,) s for which a unit has hardly moved behind one that it pursues and that stands, or
        come no nearer; (N, 2) from it to that one as it came to rest there, or began to wait;
        NaN for one that has no other to go by."""
        self.goals = []
        """All that any units ever had, by number."""

    def take(self, rows: Ints, goal: Goal | None) -> None:
        """Units in some rows are after a goal now, which may be no other group, or nothing."""
        number = NONE
        if goal is not None and goal.kind != GO:
            if goal not in self.goals:
                self.goals.append(goal)
            number = self.goals.index(goal)
        self.of[rows], self.since[rows], self.offset[rows] = number, 0.0, np.nan

    def of_group(self, rows: slice) -> list[Pursuit]:
        """What the units of a group, in these rows, pursue; nothing where all go to places."""
        of = self.of[rows]
        if not (self.goals and len(of)):
            return []
        alike = bool((of == of[0]).all())
        numbers = [n for n in (of[:1] if alike else np.unique(of)).tolist() if n != NONE]
        return [Pursuit(number, self.goals[number], of == number) for number in numbers]

    def kinds(self, rows: slice) -> frozenset[str]:
        """Kinds of what the units of a group, in these rows, are after now; `GO` for no group."""
        numbers = np.flatnonzero(np.bincount(self.of[rows] - NONE)) + NONE
        return frozenset(GO if n == NONE else self.goals[n].kind for n in numbers.tolist())

    def coming(self, name: str) -> Bools:
        """(N,) which units are after the group of that name, to be near it: not in flight."""
        come = [goal.target == name and goal.kind != FLEE for goal in self.goals]
        return np.append(np.array(come, np.bool_), False)[self.of]  # -1 is the last

    def going_on(self, groups: Sequence[Ordered], units: Units) -> Bools:
        """(N,) which units are after a group of which some unit is there."""
        targets = (target_of(goal, groups).rows for goal in self.goals)
        there = [bool(units.present[rows].any()) for rows in targets]
        return np.append(np.array(there, np.bool_), False)[self.of]  # -1 is the last
