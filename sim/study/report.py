"""The metrics of a world's run as one JSON object, also of units that come while it is measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.living.lookup import found_at
from sim.run import Watcher
from sim.study.metrics import Judge
from sim.study.setting import NO_GOAL, POINTS, REGION, Cohort, Goals, Setting
from sim.world import World


class Sent(NamedTuple):
    """What holds from a frame on for k units, which have just come or were there before."""

    ids: Ints
    """(k,)"""
    goals: Goals
    """Of the k units."""
    speed: Floats
    """(k,) desired speeds, world units / s."""
    hull: Ints
    """(k,) the number of the group whose hull each has from now on."""
    radius: Floats
    """(k,) the radius of that hull, world units."""


def followed(
    before: Setting, ids: Ints, now: Sent, groups: Ints, places: Floats
) -> tuple[Setting, Ints, Ints]:
    """What is known of a run once some have come or have other goals.

    `ids` are those of the units in the rows of `before`. Units of `now` that have just come are in
    `groups` (k,), by their numbers, and start at their `places` (k, 2). Returns the setting, the
    ids of its rows, and the row that each had before, -1 for units that have come.
    """
    fresh = np.flatnonzero(~np.isin(now.ids, ids))
    n, group = len(ids), np.append(before.group, groups[fresh])
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(len(before.cohorts) + 1)).tolist()
    cohorts = tuple(
        replace(cohort, rows=slice(ends[k], ends[k + 1])) for k, cohort in enumerate(before.cohorts)
    )
    ids = np.append(ids, now.ids[fresh])[order]
    source = order.copy()
    source[found_at(ids, now.ids)] = n + np.arange(len(now.ids))
    goals = before.goals.joined(now.goals, source)
    start = np.concatenate([before.start, places[fresh]])[order]
    speed = np.append(before.speed, now.speed[fresh])[order]
    hull, radius = (
        np.append(getattr(before, name), getattr(now, name))[source] for name in ("hull", "radius")
    )
    setting = replace(
        before, cohorts=cohorts, goals=goals, start=start, speed=speed, radius=radius,
        own_hull=hull,
    )  # fmt: skip
    return setting, ids, np.where(order < n, order, -1)


class Known(NamedTuple):
    """What is known of the units of a world, by which it is seen that there is something new."""

    ids: Ints
    """(N,)"""
    version: int
    """Of their orders."""
    present: Bools
    """(N,) which of them are there: a user may take out bodies for a time."""

    @classmethod
    def of(cls, world: World) -> Known:
        """As it is now."""
        return cls(world.ids, world.roster.orders_now().version, world.units.present.copy())

    def is_all_of(self, now: Known) -> bool:
        """Whether no unit has come or come back since, or been sent elsewhere."""
        same = self.ids is now.ids and self.version == now.version
        return same and not (now.present & ~self.present).any()


def can_be_sent(world: World, known: Known) -> Bools:
    """(N,) the units that are there, or not `known` yet, or were sent to an exit where they stood.

    A unit that had left was where it was sent last, wherever its group is sent now; one that is
    away for a time is sent when it is back.
    """
    orders = world.roster.orders_now()
    left = orders.leave & orders.minds.arrived & np.isin(world.ids, known.ids[known.present])
    return world.units.present | ~np.isin(world.ids, known.ids) | left


class Report(Watcher):
    """A watcher that computes all metrics of a run, and its fingerprint.

    Each unit that is ever there has a row: those of a group follow one another, in the order in
    which they came; a unit counts for the group that it was in first, with the hull that it has.
    """

    def __init__(self, world: World, title: str, judge: Judge | None = None) -> None:
        self._setting = setting_of(world)
        forget_absent(self._setting, world.units.present)
        self._judge = Judge(self._setting, title, world.seed) if judge is None else judge
        self._ids, self._agenda = world.ids, world.agenda
        self._known = Known.of(world)
        self._rests = False, False

    def observe(self, world: World) -> None:
        """Take in the world as it is now."""
        now = Known.of(world)
        if not self._known.is_all_of(now):
            self._follow(world)
        self._known = now
        self._judge.stand(world.pieces)
        # Below 0 a timer tells how long a unit has rested that was pushed off its place.
        self._rests = self._rests[1], bool((world.orders.minds.timer < 0.0).any())
        units = world.units.copy()
        if self._ids is world.ids:
            self._judge.observe(world.time, units.position, units.angle, units.present)
            return
        at = found_at(self._ids, world.ids)
        position, angle = np.full((len(self._ids), 2), np.nan), np.full(len(self._ids), np.nan)
        present = np.zeros(len(self._ids), np.bool_)
        position[at], angle[at], present[at] = units.position, units.angle, units.present
        self._judge.observe(world.time, position, angle, present)

    def _follow(self, world: World) -> None:
        """Units came or went, or were sent elsewhere."""
        before, now = self._setting, setting_of(world)
        if len(now.cohorts) > len(before.cohorts):
            raise BadInput("metrics: a group was added while the run was measured")
        rows = np.flatnonzero(can_be_sent(world, self._known))
        goals = now.goals.joined(now.goals, rows)
        there = Sent(world.ids[rows], goals, now.speed[rows], now.hull[rows], now.radius[rows])
        self._setting, self._ids, old_rows = followed(
            before, self._ids, there, now.group[rows], now.start[rows]
        )
        self._judge.follow(self._setting, old_rows, np.argsort(self._ids))

    @property
    def done(self) -> bool:
        """Whether all units that can arrive have, and rest, or left; and nothing is to come.

        One that was pushed off its place, and rests before it sets out again, is to come; at the
        frame after its rest it has not moved yet.
        """
        return self._agenda.done and self._judge.done and not any(self._rests)

    def result(self, wall_s: float) -> dict[str, Any]:
        """The object that `--metrics` writes; `wall_s` is the time spent stepping."""
        return self._judge.result(wall_s)


def setting_of(world: World) -> Setting:
    """What the metrics must know of a world before its first step."""
    cohorts = tuple(Cohort(g.name, g.rows, g.hull) for g in world.groups)
    plane = world.plane
    start = world.units.position.copy()
    return Setting(
        cohorts,
        _goals(world),
        start,
        np.concatenate([np.zeros(0), *(g.speeds for g in world.groups)]),
        world.roster.people.sizes.radius,
        world.time_step,
        plane.period,
        world.roster.ground.bare,
        plane.walls,
        world.map,
    )


def forget_absent(setting: Setting, present: Bools) -> None:
    """Units that are not `present` (N,) at the start have nothing to arrive at.

    They left before the state that the run goes on from, or are sent when they are back.
    """
    setting.goals.kind[~present] = NO_GOAL


def _goals(world: World) -> Goals:
    """What the units of a world can arrive at; pursuits and loops have no end."""
    orders = world.roster.orders_now()
    sent = orders.sent & ~orders.loop
    inside = sent & ~np.isnan(orders.region[:, 0])
    kind = np.where(inside, REGION, np.where(sent, POINTS, NO_GOAL))
    region = np.where(inside[:, None], orders.region, 0.0)
    leave = orders.leave.copy()
    stays = orders.stays[:, 0] > 0
    return Goals(
        kind, orders.points.copy(), orders.first, orders.tolerance.copy(), region, leave, stays
    )
