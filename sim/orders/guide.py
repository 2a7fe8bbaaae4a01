"""Leads all units round what is solid to where they are sent."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import as_rows, numbers_of
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.relay import Relay
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.jams import Traffic
from sim.navigation.planner import Planner
from sim.navigation.through import Through, next_on_field, next_on_route
from sim.orders.goal import Goal
from sim.orders.hunts import Hunts
from sim.orders.membership import disband, join, keep
from sim.orders.ordered import Ordered
from sim.orders.party import Party
from sim.orders.places import Bound
from sim.orders.reach import falls_short, has_room, middles, shown
from sim.orders.registry import Registry
from sim.orders.renewing import Renewals, fields_of


class Guide:
    """The parties of a world with solids, by number of their order."""

    parties: dict[int, Party]
    bare: Chart | None
    areas: list[Area]

    def __init__(self, planner: Planner, time_step: float) -> None:
        self.planner, self._time_step = planner, time_step
        self.parties = {}
        self.registry = Registry()
        """The narrow passages."""
        self.hunts = Hunts(planner, time_step)
        self._orders = 0
        self.renewals = Renewals(self)
        """What follows when the ground changes."""
        self.bare = None
        """The ground with all open that can be; None where nothing ever opens."""
        self.areas = []
        """Ground on which ways cost more or less."""
        self._reviews, self._again = 0, 0
        """How often queues were looked into, and the step from which on they are again."""

    @classmethod
    def among(
        cls, solids: Solids, plane: Plane, tiles: TileMap | None, time_step: float
    ) -> Guide | None:
        """The guide of a world with these solids; None where there is nothing to go round."""
        return None if solids.empty else cls(Planner(solids, plane, tiles), time_step)

    def open_ground(self, bare: Solids) -> None:
        """What is closed now may open: then there are only these solids."""
        self.renewals.ever = True
        if self.bare is None:
            latest = self.planner.latest
            self.bare = Chart(bare, latest.plane, latest.tiles)

    def check(self, group: Ordered, goal: Goal, position: Floats) -> tuple[Floats, str]:
        """Where the units of a group, now at `position` (n, 2), are to be led.

        Those are the places of the goal (m, 2), or the nearest to them that can be reached if the
        goal says `nearest` or that is as good; and what there is to say of it. Raises `BadInput`
        where no way leads there.
        """
        places, counts = goal.ways(position)
        starts = np.roll(places, 1, axis=0)
        starts[np.cumsum(counts) - counts] = position
        grid = self.planner.latest.grid(group.hull.largest.radius)
        if goal.region is not None:
            places = middles(grid, np.tile(np.array(goal.region, float), (len(places), 1)))
        enough = near(goal, group)
        found, short = falls_short(grid, starts, places, goal.region, enough)
        if not short.any():
            return found.points, ""
        worst = int(np.flatnonzero(short)[0])
        hull = f"for a hull of radius {group.hull.largest.radius:g}"
        reason = f"no way leads from {shown(starts[worst])} to {shown(places[worst])} {hull}"
        if goal.region is not None and not has_room(grid, goal.region):
            reason = f"the region {goal.region} has no room {hull}, whose centre must come inside"
        if not goal.nearest or not np.isfinite(found.off[worst]):
            if self.bare is not None:
                bare = self.bare.grid(group.hull.largest.radius)
                if not falls_short(bare, starts, places, goal.region, enough)[1].any():
                    return places, f"{reason} as long as it is closed"
            raise BadInput(f"goal: {reason}")
        return found.points, f"{reason}: the nearest place is {shown(found.points[worst])}"

    def send(
        self, group: Ordered, goal: Goal, rows: Ints, places: Floats, counts: Ints,
        position: Floats, step: int,
    ) -> None:  # fmt: skip
        """Plan ways for units of a group to their places (m, 2), `counts` (n,) of them each.

        Units that are sent by a goal that others of their group follow already join these.
        """
        targets = np.tile(places, 2)
        grid = self.planner.latest.grid(group.hull.largest.radius)
        if goal.region is not None and has_room(grid, goal.region):
            targets[:] = goal.region
        for party in self.parties.values():
            if party.goal is goal and party.group == group.index:
                join(party, rows, targets, counts, position, step)
                return
        party = Party(
            self.planner, group.hull, group.fastest * self._time_step, targets,
            np.append(0, np.cumsum(counts)), goal.loop,
            tuple(area for area in self.areas if area.counts_for(group.name)),
        )  # fmt: skip
        party.rows, party.group, party.goal = as_rows(rows), group.index, goal
        party.hurried = group.model.quickest
        self.registry.add(party.radius, self.planner.passages(party.radius))
        party.passages = self.registry.known(party.radius)
        party.set_off(step, position, np.arange(len(rows)))
        self.parties[self._orders] = party
        self._orders += 1

    def rearrange(self, relay: Relay, count: int, groups: Ints) -> None:
        """The `count` units come, go and change group: those of all are `groups` (M,) now.

        Members that change group leave their party.
        """
        now = relay.new_rows(count)
        for number, party in list(self.parties.items()):
            self._keep(number, now[party.rows], groups)
        self.hunts.rearrange(relay, count, groups)

    def release(self, rows: Ints, units: int) -> None:
        """Units in some rows are led no more: they follow another order, or none."""
        gone = np.zeros(units, np.bool_)
        gone[rows] = True
        for number, party in list(self.parties.items()):
            if gone[party.rows].any():
                each = numbers_of(party.rows)
                self._keep(number, np.where(gone[each], -1, each), None)

    def _keep(self, number: int, rows: Ints, groups: Ints | None) -> None:
        """Members that have rows (n,) stay in a party, those of another group, or -1, leave it."""
        party, stays = self.parties[number], rows >= 0
        if groups is not None:
            stays &= np.append(groups, -1)[rows] == party.group
        if stays.any():
            keep(party, rows[stays], stays)
        else:
            disband(self.parties.pop(number))

    def by_field(self, group: Ordered) -> Bools:
        """(n,) which units of a group a flow field leads."""
        led = np.zeros(group.rows.stop, np.bool_)
        for party in self.parties.values():
            if party.group == group.index:
                led[party.rows] = party.field >= 0
        return led[group.rows]

    def cut(self, units: int) -> Bools:
        """(N,) which of all units no way leads on as long as something is closed."""
        found = np.zeros(units, np.bool_)
        if self.renewals.ever:
            for party in self.parties.values():
                found[party.rows] |= party.cut
        return found

    @property
    def hurried(self) -> list[Party]:
        """The units that go round queues."""
        return [party for party in self.parties.values() if party.hurried]

    def review(self, step: int, traffic: Traffic) -> None:
        """Have quickest ways found anew among queues, for one place after the other."""
        hurried = self.hurried
        if not len(traffic.pace):
            for party in hurried:
                party.quickest.clear()
            return
        known = fields_of(hurried)
        if known and step >= self._again:
            party, place = known[self._reviews % len(known)]
            self._reviews += 1
            self._again = party.review(step, place, traffic).due

    def bound(self, position: Floats, aim: Floats) -> Bound:
        """The next passage on the way of each of N units at `position` (N, 2), bound for `aim`."""
        found = Bound.nowhere(len(position))
        for party in self.parties.values():
            rows = party.rows
            through = _bound_through(party, position[rows], aim[rows])
            for whole, part in zip(found, self.registry.bound(party.radius, through), strict=True):
                whole[rows] = part
        return found

    def take_up(self, step: int, position: Floats) -> None:
        """Take up all that takes effect by this step, in which units are at `position` (N, 2)."""
        for ticket in self.planner.due(step):
            if self.renewals.take(step, ticket, position):
                continue
            if not any(party.take(ticket) for party in self.parties.values()):
                any(hunt.take(ticket) for hunt in self.hunts.of.values())


def _bound_through(party: Party, position: Floats, aim: Floats) -> Through:
    """The next passage on the way of each of n units at `position` (n, 2), bound for `aim`."""
    found = Through.nothing(len(position))
    next_on_route(party.crossings, party.route, party.progress, found)
    for place in party.fields:
        led = party.field == place
        for detour in (False, True) if party.hurried else (False,):
            field = party.fields[place]
            if detour and place in party.quickest:
                field = party.quickest[place].field
            some = np.flatnonzero(led & (party.detour == detour))
            if field.passages is not party.passages or field.through is None or not len(some):
                continue
            part = Through.nothing(len(some))
            next_on_field(
                field.grid, field.distance, field.through, position[some], aim[some], part
            )
            for whole, those in zip(found, part, strict=True):
                whole[some] = those
    return found


def near(goal: Goal, group: Ordered) -> float:
    """How near to a place is there, world units."""
    return group.hull.radius if goal.tolerance is None else goal.tolerance
