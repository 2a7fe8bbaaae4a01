"""Looking: from one snapshot to the percepts of every group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from sim.behaviours.setting import Setting
from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.contacts import Contacts, Touch
from sim.group.group import Group
from sim.group.pairing import Pairing
from sim.group.shares import shares
from sim.orders import GO, Orders
from sim.orders.aim import Aim, aim_of
from sim.orders.pursuits import Pursuit, target_of
from sim.perception.bodies import Bodies
from sim.perception.crowd import Crowd
from sim.perception.felt import Felt, room_to_feel
from sim.perception.leaders import Leaders, Pursued
from sim.perception.moving import STILL, Moving
from sim.perception.neighbours import MAX_SIGHTS, GridLooker, Looker, Search
from sim.perception.own_frame import own_frame
from sim.perception.percepts import Percepts, Seen
from sim.perception.quarry import Quarry, Target, quarry
from sim.perception.sight_table import SightTable
from sim.perception.sights import Feel, Sight
from sim.perception.surroundings import Surroundings
from sim.steering.arbiter import Asked


class Eyes:
    """How all groups look at the world. Made anew whenever a view, a rule or a goal changes."""

    def __init__(
        self,
        groups: Sequence[Group],
        plane: Plane,
        around: Surroundings,
        orders: Orders,
        touch: Touch,
        search: Search = GridLooker,
        before: Eyes | None = None,
    ) -> None:
        self._plane, self._around, self._moving = plane, around, STILL
        self._groups = list(groups)
        self._orders, self._touch = orders, touch
        self._active = [group.active for group in groups]
        self._sights = list(map(_wanted, groups, self._active))
        rows = max((g.rows.stop for g in groups), default=0)
        looked: Looker | None = None if before is None else before.looker
        self._targets = [_targets(group, self._groups, orders) for group in self._groups]
        table = _table(self._groups, self._sights, self._active, self._targets)
        table = table if looked is None else table.or_same(looked.table)
        self.looker: Looker = search(rows, plane, table)
        self.looker.take_over(looked)
        self._seen = [self._sorted(group) for group in self._groups]
        self._pairs = Pairing(self._groups, self._active)
        self._touches = any(s.rule.touches for rules in self._active for s in rules) or any(
            group.model.timers for group in groups
        )
        self._hulls, self._outlines = [group.hull for group in groups], orders.outlines
        self.contacts = Contacts.none(rows)
        """Of the snapshot looked at last; empty unless a caller has a use for them."""
        self._leaders: Leaders | None = None
        self.speeds = np.zeros(0)
        self._felt: dict[tuple[int, Feel], Felt] = {}
        self._fresh: set[tuple[int, Feel]] = set()
        self._crowd: Crowd | None = None

    def look(self, units: Units, speeds: Floats) -> None:
        """Look at a snapshot, in which units have these desired speeds (N,)."""
        self._leaders, self.speeds = Leaders(units, self._plane), speeds
        self._fresh.clear()
        self._pairs.pair_off(self._orders, units, self._plane)
        if self._touches:
            self.contacts = self._touch.read(len(units))
        if self.looker.table.farthest >= 0 and self.looker.look(units):
            self._seen = [self._sorted(group) for group in self._groups]

    def surround(self, around: Surroundings, moving: Moving = STILL) -> None:
        """From now on this is round the units; some of it moves."""
        self._around, self._moving = around, moving

    def of(self, group: Group) -> Iterator[Asked]:
        """Each active rule of a group, with what it perceives.

        Where some units go to places and others pursue, each is asked as if all did as it does.
        """
        assert self._leaders is not None
        leaders, units, rows = self._leaders, self._leaders.units, group.rows
        velocity = own_frame(units.velocity[rows], units.heading[rows])
        speeds = self.speeds[rows]
        bodies = Bodies(
            units.position, units.velocity, units.heading, self._outlines.reach, velocity,
            rows.start, speeds,
        )  # fmt: skip
        pursuits = self._orders.pursuits.of_group(rows)
        pursued = self._quarry(pursuits, group, bodies)
        group.ask_who_leads(partial(self._who_leads, group, leaders, pursued))
        known = Percepts(
            units=units, rows=rows, hull=group.hull, velocity=velocity, speeds=speeds,
            bodies=bodies, discs=self._around.discs, faces=self._around.faces, plane=self._plane,
            quarry=pursued, aim=self._aim(group, units),
            minds=self._orders.minds, shapes=self._outlines.shapes, contacts=self.contacts,
            who_leads=lambda: group.leads, controls=group.controls, moving=self._moving,
        )  # fmt: skip
        each = shares(known, pursuits, bool(group.part_kinds))
        for setting, seen in self._seen[group.index]:
            felt = self._feel(group, units, bodies, setting.feel)
            same = seen is None and felt is None
            for share in each:
                if share.asks(setting.rule):
                    me = share.me if same else share.me.of_rule(seen, felt)
                    yield Asked(setting, me, share.asked(setting.rule))

    def _sorted(self, group: Group) -> list[tuple[Setting, Seen | None]]:
        """Each active rule with the part of the looker's memory that is its to read."""
        each = self.looker.neighbours(group.rows)
        found: list[tuple[Setting, Seen | None]] = []
        for setting in self._active[group.index]:
            if setting.sight is None:
                found.append((setting, None))
                continue
            number = _number(group, setting.sight, self._sights[group.index])
            reach = float(self.looker.table.reach[group.index, number])
            summary = self.looker.summary(number, group.rows)
            found.append((setting, Seen(summary, each._replace(sight=number), reach)))
        return found

    def _feel(self, group: Group, units: Units, bodies: Bodies, feel: Feel | None) -> Felt | None:
        """What a group feels by one request, in memory that is used again at the next step."""
        if feel is None:
            return None
        key = group.index, feel
        if key not in self._felt:
            self._felt[key] = room_to_feel(len(group), len(feel.abreast))
        felt, crowd = self._felt[key], None
        if key in self._fresh:
            return felt
        self._fresh.add(key)
        if feel.units:
            if self._crowd is None:
                self._crowd = Crowd(self._plane, self._hulls, units.group, self._outlines.sizes)
            crowd = self._crowd.stand(units, feel.aside * group.hull.largest.width)
        self._around.feelers.feel(feel, bodies, group.hull.largest, felt, crowd)
        return felt

    def _who_leads(self, group: Group, leaders: Leaders, pursued: Quarry | None) -> Bools:
        """(n,) whether a unit sees no other to follow."""
        sight = group.leader_sight
        if sight is None:
            everyone: Bools = leaders.units.present[group.rows]
            return everyone
        mates = np.ones(len(self._groups), np.bool_)
        mates[self._targets[group.index]] = False
        who = np.full(len(group), -1) if pursued is None else pursued.who
        prey = Pursued(who, group.model.gathers * group.hull.length)
        return leaders.unled(group.rows, group.resolve(sight), mates, prey)

    def _aim(self, group: Group, units: Units) -> Aim | None:
        return aim_of(self._orders, group, units) if group.goes else None

    def _quarry(self, pursuits: Sequence[Pursuit], group: Group, bodies: Bodies) -> Quarry | None:
        if not pursuits:
            return None
        hunts = {} if self._orders.guide is None else self._orders.guide.hunts.of
        targets = [
            Target(
                mine, target_of(goal, self._groups).rows, self._pairs.within(group, goal.kind),
                hunts.get((group.index, number)),
            )
            for number, goal, mine in pursuits
        ]  # fmt: skip
        return quarry(bodies, self._plane, group.rows, targets, self._orders.opponents)


def _wanted(group: Group, rules: Sequence[Setting]) -> list[Sight]:
    """The different sights of a group; a list of neighbours includes their summary."""
    wanted = [s.sight for s in rules if s.sight is not None]
    merged: dict[tuple[object, ...], Sight] = {}
    for sight in wanted:
        key = _key(group, sight)
        known = merged.get(key)
        merged[key] = sight if known is None or sight.each else known
    if len(merged) > MAX_SIGHTS:
        raise BadInput(
            f"group {group.name!r}: its rules use {len(merged)} different views and ranges, "
            f"at most {MAX_SIGHTS}"
        )
    return list(merged.values())


def _number(group: Group, sight: Sight, sights: Sequence[Sight]) -> int:
    return [_key(group, s) for s in sights].index(_key(group, sight))


def _key(group: Group, sight: Sight) -> tuple[object, ...]:
    """What makes two sights one: view, reach, company, number. Without a quarry all are mates."""
    lone = sight.whom == "mates" and not group.kinds - {GO}
    return *group.resolve(sight), "everyone" if lone else sight.whom, sight.nearest


def _targets(group: Group, groups: Sequence[Group], orders: Orders) -> list[int]:
    """The numbers of the groups that any units of a group pursue."""
    pursuits = orders.pursuits.of_group(group.rows)
    return sorted({target_of(each.goal, groups).index for each in pursuits})


def _table(
    groups: Sequence[Group],
    sights: Sequence[Sequence[Sight]],
    rules: Sequence[Sequence[Setting]],
    targets: Sequence[Sequence[int]],
) -> SightTable:
    n, most = len(groups), max((len(s) for s in sights), default=0)
    table = SightTable(
        np.zeros((n, most), np.int64), np.zeros((n, most)), np.full((n, most), -1.0),
        np.zeros((n, most), np.bool_), np.zeros((n, most), np.bool_),
        np.ones((n, most, n), np.bool_), np.zeros((n, most), np.int64),
    )  # fmt: skip
    for g, group in enumerate(groups):
        summed = {_key(group, r.sight) for r in rules[g] if r.sight and not r.sight.each}
        for s, sight in enumerate(sights[g]):
            table.shape[g, s], table.factor[g, s], table.reach[g, s] = group.resolve(sight)
            table.each[g, s], table.nearest[g, s] = sight.each, sight.nearest
            table.means[g, s] = _key(group, sight) in summed
            if sight.whom == "mates":
                table.accepts[g, s, targets[g]] = False
            if sight.whom == "friends":
                table.accepts[g, s] = np.arange(n) == g
    return table
