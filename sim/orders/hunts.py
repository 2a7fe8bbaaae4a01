"""Hunts: all groups of a world that pursue others, and whose trails are planned next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Ints
from sim.core.plane import Plane
from sim.core.relay import NEW, Relay
from sim.core.units import Units
from sim.navigation.planner import Planner
from sim.orders.goal import Goal
from sim.orders.hunt import Hunt
from sim.orders.ordered import Ordered

if TYPE_CHECKING:
    from sim.orders.orders import Orders

CUT_OFF = "no way leads to {}: some go to the nearest place instead"


class Hunts:
    """The hunts of a world with solids, by number of the group that pursues."""

    of: dict[int, Hunt]
    _goals: dict[int, Goal]

    def __init__(self, planner: Planner, time_step: float) -> None:
        self.of = {}
        self._planner, self._time_step = planner, time_step
        self._goals = {}
        self._turn, self._again = 0, 0
        """How often trails were asked for, and the step from which on they are again."""

    def keep(self, group: Ordered) -> Hunt | None:
        """The hunt of a group, if its rules are led to the units they pursue."""
        goal, index = group.goal, group.index
        if goal is None or not group.led:
            self.of.pop(index, None)
            return None
        if index not in self.of or self._goals[index] is not goal:
            self._goals[index] = goal
            stride = group.fastest * self._time_step
            self.of[index] = Hunt(
                self._planner, group.rows, group.hull.largest.radius, group.hull.length, stride
            )
        return self.of[index]

    def rearrange(self, relay: Relay, count: int, groups: Ints) -> None:
        """The `count` units come, go and change group: those of all are `groups` (M,) now."""
        now, old_rows = relay.new_rows(count), relay.old_rows
        for index, hunt in self.of.items():
            rows = np.flatnonzero(groups == index)
            old = old_rows[rows] - hunt.rows.start
            old[(old < 0) | (old >= len(hunt.who))] = NEW
            start = int(np.searchsorted(groups, index))
            hunt.follow(slice(start, start + len(rows)), old, now)

    def follow(
        self, groups: Sequence[tuple[Ordered, Ordered]], units: Units, plane: Plane, step: int
    ) -> None:
        """Lead all groups that pursue one, given with these; one after the other plans anew."""
        hunts = [(hunt, group, other) for group, other in groups if (hunt := self.keep(group))]
        for hunt, group, other in hunts:
            hunt.lead(units, other.rows, plane)
            group.note = CUT_OFF.format(repr(other.name)) if hunt.cut else ""
        if step < self._again:
            return
        for k in range(len(hunts)):
            hunt, _, other = hunts[(self._turn + k) % len(hunts)]
            if hunt.wants(units, other.rows):
                self._turn += k + 1
                self._again = hunt.ask(step, units, other.rows).due
                return


def pursue(groups: Sequence[Ordered], orders: Orders, units: Units, step: int) -> None:
    """Follow up the goals that are other groups: which units are on their way, and which way."""
    names = {group.name: group for group in groups}
    pursuing = []
    for group in groups:
        other = names.get(group.goal.target) if group.goal is not None else None
        if other is not None:
            there = bool(units.present[other.rows].any())
            orders.minds.moving[group.rows] = units.present[group.rows] & there
            pursuing.append((group, other))
    if orders.guide is not None:
        if pursuing:
            orders.guide.take_up(step, units.position)
        orders.guide.hunts.follow(pursuing, units, orders.plane, step)
