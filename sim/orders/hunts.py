"""Hunts: all groups of a world that pursue others, and whose trails are planned next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import NO_ROW, Ints
from sim.core.plane import Plane
from sim.core.relay import NEW, Relay
from sim.core.units import Units
from sim.navigation.planner import Planner
from sim.orders.goal import FLEE
from sim.orders.hunt import Hunt, nearest_of
from sim.orders.ordered import Ordered
from sim.orders.pursuits import Pursuit, target_of
from sim.orders.settle import looks_up
from sim.orders.standing_by import Pursuers, note_held_up, stand_by

if TYPE_CHECKING:
    from sim.orders.orders import Orders

CUT_OFF = "no way leads to {}: some go to the nearest place instead"


class Hunters(NamedTuple):
    """Units of a group that pursue another."""

    group: Ordered
    other: Ordered
    pursuit: Pursuit


class Hunts:
    """The hunts of a world with solids, by numbers of the group and of its pursuit."""

    of: dict[tuple[int, int], Hunt]

    def __init__(self, planner: Planner, time_step: float) -> None:
        self.of = {}
        self._planner, self._time_step = planner, time_step
        self._turn, self._again = 0, 0
        """How often trails were asked for, and the step from which on they are again."""

    def keep(self, hunters: Hunters) -> Hunt | None:
        """The hunt of some units of a group, if a rule leads them to the units they pursue."""
        group, pursuit = hunters.group, hunters.pursuit
        key = group.index, pursuit.number
        if not group.led(pursuit.goal.kind):
            return None
        if key not in self.of:
            stride = group.fastest * self._time_step
            self.of[key] = Hunt(
                self._planner, group.rows, group.hull.largest.radius, group.hull.length, stride
            )
        return self.of[key]

    def rearrange(self, relay: Relay, count: int, groups: Ints) -> None:
        """The `count` units come, go and change group: those of all are `groups` (M,) now."""
        now, old_rows = relay.new_rows(count), relay.old_rows
        for (index, _), hunt in self.of.items():
            rows = np.flatnonzero(groups == index)
            old = old_rows[rows] - hunt.rows.start
            old[(old < 0) | (old >= len(hunt.who))] = NEW
            start = int(np.searchsorted(groups, index))
            hunt.follow(slice(start, start + len(rows)), old, now)

    def follow(self, pursuing: Sequence[Hunters], units: Units, plane: Plane, step: int) -> None:
        """Lead all that pursue a group; they plan anew in turns. Hunts given up end."""
        hunts = [(hunt, each) for each in pursuing if (hunt := self.keep(each))]
        if len(self.of) > len(hunts):
            now = {(each.group.index, each.pursuit.number) for _, each in hunts}
            self.of = {key: hunt for key, hunt in self.of.items() if key in now}
        for hunt, (group, other, pursuit) in hunts:
            hunt.lead(units, other.rows, pursuit.mine, plane)
            if hunt.cut and (hunt.who != NO_ROW).any():
                group.say(CUT_OFF.format(repr(other.name)), cut_off=True)
        if step < self._again:
            return
        for k in range(len(hunts)):
            hunt, (_, other, pursuit) = hunts[(self._turn + k) % len(hunts)]
            if hunt.wants(units, other.rows):
                self._turn += k + 1
                self._again = hunt.ask(step, units, other.rows, pursuit.mine).due
                return


def pursue(groups: Sequence[Ordered], orders: Orders, units: Units, step: int, dt: float) -> None:
    """Follow up the goals that are other groups: which units are on their way, and which way."""
    pursuing = []
    if orders.pursuits.goals:
        for group in groups:
            for pursuit in orders.pursuits.of_group(group.rows):
                other = target_of(pursuit.goal, groups)
                there = bool(units.present[other.rows].any())
                rows = group.rows.start + np.flatnonzero(pursuit.mine)
                orders.minds.moving[rows] = units.present[rows] & there
                orders.minds.halts[rows] &= _comes_up(group, pursuit)
                pursuing.append(Hunters(group, other, pursuit))
    if orders.guide is not None:
        for group in groups:
            if group.cut_off:  # may hold no more; what else was said stays
                group.say("")
        if pursuing:
            orders.guide.take_up(step, units.position)
        orders.guide.hunts.follow(pursuing, units, orders.plane, step)
    following, others, look = [], [], looks_up(step, dt)
    for each in pursuing:
        if _comes_up(each.group, each.pursuit):
            following.append(_pursuers(each, orders, units))
        elif look and each.pursuit.goal.kind != FLEE and not each.group.model.circles:
            others.append(_pursuers(each, orders, units))
    stand_by(orders, following, units, step, dt)
    for group, other, pursuit in pursuing:
        if not (group.model.circles or units.present[other.rows].any()):
            orders.minds.halts[group.rows] |= pursuit.mine & units.present[group.rows]
    if look:
        note_held_up(orders, following + others, units)


def _comes_up(group: Ordered, pursuit: Pursuit) -> bool:
    """Whether units of a group come up to what they pursue, and rest there while it rests."""
    return pursuit.goal.kind not in (FLEE, "approach") and not group.model.circles


def _pursuers(each: Hunters, orders: Orders, units: Units) -> Pursuers:
    """Which of a group each unit is after now, and where it heads for."""
    (group, other, pursuit), guide = each, orders.guide
    members = np.flatnonzero(pursuit.mine)
    rows = group.rows.start + members
    speed, gap = group.each_speed()[members], group.stops(pursuit.goal.kind)[members]
    hunt = None if guide is None else guide.hunts.of.get((group.index, pursuit.number))
    if hunt is None:
        whom = nearest_of(units.position[rows], units.position, other.rows, orders.plane.size)
        to = units.position[whom]
    else:
        whom, direct = hunt.who[members], hunt.direct[members]
        to = np.where(direct[:, None], units.position[whom], hunt.to[members])
    reach = orders.outlines.reach
    gap = np.maximum(gap, reach[rows] + reach[whom])  # none comes nearer than until they touch
    return Pursuers(pursuit.number, rows, speed, whom, to, gap, other.rows)
