"""Looking: from one snapshot to the percepts of every group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sim.behaviours.setting import Setting
from sim.core.arrays import Bools, Floats
from sim.core.geometry import own_frame
from sim.core.own import Amount
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.contacts import Contacts, Touch
from sim.group.group import Group
from sim.group.group_sights import key_of, table_of, targets_of, wanted_sights
from sim.group.pairing import Pairing
from sim.group.shares import shares
from sim.orders import GO, Orders
from sim.orders.aim import aim_of
from sim.orders.goal import FLEE
from sim.orders.pursuits import Pursuit, target_of
from sim.perception.bodies import Bodies, Moving
from sim.perception.crowd import Crowd
from sim.perception.felt import Felt, room_to_feel
from sim.perception.leaders import Leaders, Pursued
from sim.perception.neighbours import Looker, Narrowed, Search
from sim.perception.percepts import Percepts, Seen
from sim.perception.quarry import Quarry, Target, quarry
from sim.perception.sights import Feel
from sim.perception.surroundings import Surroundings
from sim.steering.arbiter import Asked


class Scene(NamedTuple):
    """What there is beside the snapshot that all look at."""

    contacts: Contacts
    """What each unit touches; empty unless a rule or a timer has a use for it."""
    speeds: Floats
    """(N,) the desired speeds."""
    around: Surroundings
    """What stands round the units."""
    moving: Moving
    """What of it moves."""


class _Active(NamedTuple):
    """A rule of a group that is asked, and what it looks at and feels."""

    setting: Setting
    """With what each unit has drawn for it."""
    seen: Seen | None
    feel: Feel | None
    felt: Felt | None
    """Memory that is used again at each step."""


class Eyes:
    """How all groups look at the world. Made anew whenever a view, a rule or a goal changes."""

    def __init__(
        self,
        groups: Sequence[Group],
        plane: Plane,
        orders: Orders,
        touch: Touch,
        search: Search,
        before: Eyes | None,
    ) -> None:
        self._plane, self._groups = plane, list(groups)
        self._orders, self._touch = orders, touch
        self._active = [group.active for group in groups]
        self._sights = list(map(wanted_sights, groups, self._active))
        rows = max((g.rows.stop for g in groups), default=0)
        looked: Looker | None = None if before is None else before.looker
        self._targets = [targets_of(group, self._groups, orders) for group in self._groups]
        table = table_of(self._groups, self._sights, self._active, self._targets)
        table = table if looked is None else table.or_same(looked.table)
        self.looker: Looker = search(rows, plane, table)
        self.looker.take_over(looked)
        self.looker.narrowed = self._narrowed()
        self._seen = [self._sorted(group) for group in self._groups]
        self._pairs = Pairing(self._groups, self._active)
        self._touches = any(s.rule.touches for rules in self._active for s in rules) or any(
            group.model.timers for group in groups
        )
        self._hulls, self._outlines = [group.hull for group in groups], orders.outlines
        self._untouched = Contacts.none(rows)
        self._crowd: Crowd | None = None

    def contacts(self, units: Units) -> Contacts:
        """What each unit touches; nothing where no rule and no timer has a use for it."""
        return self._touch.read(len(units)) if self._touches else self._untouched

    def look(self, groups: Iterable[Group], units: Units, scene: Scene) -> list[list[Asked]]:
        """Look at a snapshot: for each of these groups, what its rules perceive."""
        self._pairs.pair_off(self._orders, units, self._plane)
        if self.looker.table.farthest >= 0 and self.looker.look(units):
            self._seen = [self._sorted(group) for group in self._groups]
        leaders = Leaders(units, self._plane)
        return [self._of(group, leaders, scene) for group in groups]

    def _of(self, group: Group, leaders: Leaders, scene: Scene) -> list[Asked]:
        """Each active rule of a group, with what it perceives.

        Where some units go to places and others pursue, each is asked as if all did as it does.
        """
        units, rows = leaders.units, group.rows
        velocity = own_frame(units.velocity[rows], units.heading[rows])
        speeds = scene.speeds[rows]
        bodies = Bodies(
            units.position, units.velocity, units.heading, self._outlines.reach, velocity,
            rows.start, speeds,
        )  # fmt: skip
        pursuits = self._orders.pursuits.of_group(rows)
        pursued = self._quarry(pursuits, group, bodies)
        group.ask_who_leads(partial(self._who_leads, group, leaders, pursued))
        known = Percepts(
            units=units, rows=rows, hull=group.hull, velocity=velocity, speeds=speeds,
            bodies=bodies, discs=scene.around.discs, faces=scene.around.faces, plane=self._plane,
            quarry=pursued, aim=aim_of(self._orders, group, units) if GO in group.kinds else None,
            minds=self._orders.minds, bound_for=self._orders.aim,
            remaining=self._orders.remaining, shapes=self._outlines.shapes, contacts=scene.contacts,
            who_leads=lambda: group.leads, controls=group.controls, moving=scene.moving,
        )  # fmt: skip
        asked: list[Asked] = []
        each = shares(known, pursuits, bool(group.part_kinds))
        for active in self._seen[group.index]:
            setting, seen = active.setting, active.seen
            felt = self._feel(active, group, units, bodies, scene.around)
            same = seen is None and felt is None
            for share in each:
                if share.asks(setting.rule):
                    me = share.me if same else share.me.of_rule(seen, felt)
                    asked.append(Asked(setting, me, share.asked(setting.rule)))
        return asked

    def _sorted(self, group: Group) -> list[_Active]:
        """Each active rule, with the part of the looker's memory that is its to read."""
        each = self.looker.neighbours(group.rows)
        found: list[_Active] = []
        for setting in self._active[group.index]:
            mine, seen = group.own(setting), None
            feel = mine.feel
            felt = None if feel is None else room_to_feel(len(group), len(feel.abreast))
            if setting.sight is not None:
                number = list(self._sights[group.index]).index(key_of(group, setting.sight))
                reach: Amount = float(self.looker.table.reach[group.index, number])
                if setting.sight.of:
                    reach = group.ranges(setting.sight.of)
                summary = self.looker.summary(number, group.rows)
                seen = Seen(summary, each._replace(sight=number), reach)
            found.append(_Active(mine, seen, feel, felt))
        return found

    def _narrowed(self) -> list[Narrowed]:
        """The sights in which units of a group see less far than others."""
        return [
            Narrowed(group.rows, number, group.ranges(sight.of))
            for group, sights in zip(self._groups, self._sights, strict=True)
            for number, sight in enumerate(sights.values())
            if sight.of
        ]

    def _feel(
        self, active: _Active, group: Group, units: Units, bodies: Bodies, around: Surroundings
    ) -> Felt | None:
        """What a group feels for a rule, in memory that is used again at the next step."""
        feel, felt = active.feel, active.felt
        if feel is None or felt is None:
            return None
        crowd = None
        if feel.units:
            if self._crowd is None:
                self._crowd = Crowd(self._plane, self._hulls, units.group, self._outlines.sizes)
            crowd = self._crowd.stand(units, feel.aside * group.hull.largest.width)
        around.feelers.feel(feel, bodies, group.hull.largest, felt, crowd)
        return felt

    def _who_leads(self, group: Group, leaders: Leaders, pursued: Quarry | None) -> Bools:
        """(n,) whether a unit sees no other to follow."""
        sight = group.leader_sight
        if sight is None:
            return leaders.units.present[group.rows]
        mates = np.ones(len(self._groups), np.bool_)
        mates[self._targets[group.index]] = False
        who = np.full(len(group), -1) if pursued is None else pursued.who
        prey = Pursued(who, group.model.gathers * group.hull.length)
        return leaders.unled(group.rows, group.resolve(sight), mates, prey)

    def _quarry(self, pursuits: Sequence[Pursuit], group: Group, bodies: Bodies) -> Quarry | None:
        """What a group's units pursue; None for a group of which none does."""
        if group.kinds <= {GO}:
            return None
        hunts = {} if self._orders.guide is None else self._orders.guide.hunts.of
        targets = [
            Target(
                mine, target_of(goal, self._groups).rows, self._pairs.within(group, goal.kind),
                hunts.get((group.index, number)), goal.kind == FLEE,
            )
            for number, goal, mine in pursuits
        ]  # fmt: skip
        coming, opponents = self._orders.pursuits.coming(group.name), self._orders.opponents
        return quarry(bodies, self._plane, group.rows, targets, opponents, coming)
