"""The way that units of one order go among what is solid: along routes, or by flow fields."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.hull import Hull
from sim.core.relay import spread
from sim.navigation.areas import Area
from sim.navigation.flow import FlowField
from sim.navigation.jams import Quickest, Traffic
from sim.navigation.passages import Passages
from sim.navigation.paths import Path
from sim.navigation.planner import Planner
from sim.navigation.routes import NO_ROUTE, Followers, Routes, follow, routes
from sim.navigation.through import NO_CROSSINGS, Crossings
from sim.navigation.tickets import Ticket
from sim.orders.along_fields import follow_field
from sim.orders.goal import Goal

NOTHING, NOWHERE = np.zeros(0, np.int64), np.zeros((1, 2))
SHARED = 3
"""Units of a group that are bound for one place share a flow field from this number on."""
LOOK_AHEAD = 4.0
"""How far ahead of itself a unit heads at most, hull lengths."""
ALONG = 1.0
"""Along a field it looks until it sees so far, hull lengths."""
FIELD, QUICKEST, WAYS = "field", "quickest", "ways"
"""What may be asked for: a flow field to a place, the quickest ways to it, or routes."""


class Party(Columns):
    """Leads n units of a group that follow one order, each from one of its stops to the next.

    They have hulls like `hull` or smaller, and go a `stride` in a step (world units). `targets`
    (m, 4) are the stops of all, unit by unit, as left, top, right, bottom; unit i has those from
    first[i] to first[i + 1]. Stops that many share are led to by one field, any other by a route of
    its own. What is asked for takes effect some steps later; units go straight until then. Units
    that are `hurried` go round queues, where a field leads them.
    """

    columns: ClassVar = {
        "detour": False, "field": NO_ROUTE, "route": NO_ROUTE, "progress": 0.0, "heads_for": 0.0,
        "beyond": 0.0, "holds": 0, "at": 0, "lapped": False, "cut": False, "by_sight": False,
    }  # fmt: skip

    goal: Goal | None
    areas: tuple[Area, ...]
    fields: dict[int, FlowField]
    """The fields that are ready, by number of the place."""
    quickest: dict[int, Quickest]
    """Where there are queues: the quickest ways, by number of the place."""
    ways: list[Path | None]
    pending: dict[int, tuple[str, Ints]]
    """What was asked for, by number of the request, and the numbers of its places or ways; -1 for
    what no order needs any more."""
    passages: Passages | None
    """The narrow passages that count; what numbers others is left out."""

    def __init__(
        self, planner: Planner, hull: Hull, stride: float, targets: Floats, first: Ints,
        loop: bool, areas: tuple[Area, ...] = (),
    ) -> None:  # fmt: skip
        n = len(first) - 1
        self.group, self.goal = 0, None
        """The number of their group, and what was ordered."""
        self.rows: slice | Ints = slice(0, n)
        """Where they stand among all units."""
        self.radius, self.stride = hull.largest.radius, stride
        self.look_ahead, self.looks_along_to = LOOK_AHEAD * hull.length, ALONG * hull.length
        self.planner, self.first, self.loop = planner, first, loop
        self.places, place = np.unique(targets, axis=0, return_inverse=True)
        """(p, 4) the different targets."""
        self.place = place.reshape(-1)
        """(m,) the number of each stop's target."""
        self.areas = areas
        """Where ways cost more or less, of which only fields know."""
        self.shared = self.shared_places()
        """(p,) those to which a field leads."""
        self.fields, self.quickest, self.pending, self.passages = {}, {}, {}, None
        self.hurried = False
        """Whether they go round queues."""
        self.detour = np.zeros(n, np.bool_)
        """(n,) whether a unit goes by the quickest way, where that is not the shortest."""
        self.field = np.full(n, -1)
        """(n,) number of the place whose field leads each unit; -1 for none."""
        self.ways = [None] * (len(targets) + n * loop)
        """By stop; for loops, then by unit the way back to its first stop."""
        self.lines: Routes = routes([])
        """The same as arrays."""
        self.crossings = NO_CROSSINGS
        """The passages along them."""
        self.route = np.full(n, NO_ROUTE)
        """(n,) the number of the way each unit follows; -1 for none."""
        self.progress, self.heads_for, self.beyond = np.zeros(n), np.zeros((n, 2)), np.zeros(n)
        """(n,) how far along it; (n, 2) and (n,) the place that a field named, and what is left
        of the way from there."""
        self.holds = np.zeros(n, np.int64)
        """(n,) steps for which that place still holds good."""
        self.at = first[:-1].copy()
        """(n,) the number of the stop that each unit is bound for."""
        self.lapped = np.zeros(n, np.bool_)
        """(n,) whether a unit has gone round its loop before."""
        self.known, self.asked = np.zeros((2, len(self.ways)), np.bool_)
        """Which ways there are, and which are asked for."""
        self.cut = np.zeros(n, np.bool_)
        """(n,) units that what has closed keeps from their next stop: they wait where they are."""
        self.by_sight = np.zeros(n, np.bool_)
        """(n,) units that saw their stop, though the grid joins them to none of its nodes."""
        self.renewed = False
        """Whether the ground has changed since they set off."""

    def shared_places(self) -> Bools:
        """(p,) the targets that are regions, or that `SHARED` or more stops have in common."""
        wide = (self.places[:, 0] < self.places[:, 2]) | (self.places[:, 1] < self.places[:, 3])
        least = 1 if self.areas else SHARED
        return np.asarray(wide | (np.bincount(self.place, minlength=len(self.places)) >= least))

    @property
    def stop(self) -> Ints:
        """By way: the stop that it leads to."""
        return np.append(np.arange(len(self.place)), self.first[:-1][: len(self.first) * self.loop])

    def set_off(self, step: int, position: Floats, members: Ints) -> None:
        """Ask for all ways of some members, which set off from `position` (k, 2)."""
        coming = {int(n[0]) for kind, n in self.pending.values() if kind == FIELD}
        for place in np.flatnonzero(self.shared).tolist():
            if place not in self.fields and place not in coming:
                ticket = self.planner.ask_flow(step, self.places[place], self.radius, self.areas)
                self.pending[ticket.order] = FIELD, np.array([place])
        first, counts = self.first[:-1][members], np.diff(self.first)[members]
        stops = self.places[self.place, :2]
        starts = np.roll(stops, 1, axis=0)
        starts[first] = position
        those = spread(first, counts)
        alone = those[~self.shared[self.place[those]]]
        self._ask(step, alone, starts[alone])
        if self.loop:
            back = np.flatnonzero(~self.shared[self.place[first]] & (counts > 1))
            self._ask(step, len(stops) + members[back], stops[(first + counts - 1)[back]])

    def review(self, step: int, place: int, traffic: Traffic) -> Ticket[Quickest]:
        """Ask for the quickest ways to a place, now that others stand in queues."""
        ticket = self.planner.ask_quickest(step, self.fields[place], traffic)
        self.pending[ticket.order] = QUICKEST, np.array([place])
        return ticket

    def take(self, ticket: Ticket[Any]) -> bool:
        """Take up what was asked for, if it was for these units."""
        kind, numbers = self.pending.pop(ticket.order, ("", NOTHING))
        if kind == WAYS:
            self._take_ways(numbers, ticket.result())
        elif kind and numbers[0] >= 0:
            (self.fields if kind == FIELD else self.quickest)[int(numbers[0])] = ticket.result()
        return bool(kind)

    def lead(
        self, step: int, position: Floats, going: Bools, leg: Ints, aim: Floats, remaining: Floats
    ) -> None:
        """Say where to head for, for units at `position` (n, 2) that are `going` to their `leg`.

        `aim` (n, 2) and what `remaining` (n,) to the stop are those of the straight way; they stay
        as they are where nothing better is known.
        """
        at = self.first[:-1] + leg
        on = at != self.at
        self.lapped |= (at < self.at) & self.loop
        self.at = at
        self.progress[on], self.holds[on] = 0.0, 0
        self.holds -= 1
        way = np.where(self.lapped & (leg == 0), len(self.place) + np.arange(len(at)), at)
        self.route = np.where(going & self.known[way], way, NO_ROUTE)
        self.field = np.where(going & self.shared[self.place[at]], self.place[at], -1)
        if self.known.any():
            self._follow_routes(step, position, way, aim, remaining)
        for place in self.fields:
            led = np.flatnonzero(self.field == place)
            if len(led):
                follow_field(self, place, led, position, aim, remaining)
        aim[self.cut & going] = position[self.cut & going]

    @property
    def targets(self) -> Floats:
        """(n, 4) these stops, as left, top, right, bottom."""
        return self.places[self.place[self.at]]

    def number_of(self, target: Floats) -> int:
        """The number of the place with this target (4,); -1 if none has."""
        found = np.flatnonzero((self.places == target).all(axis=1))
        return int(found[0]) if len(found) else -1

    def forget_queues(self) -> None:
        """The ground is another: what was asked for about queues is out of date."""
        for order, (kind, _) in list(self.pending.items()):
            if kind == QUICKEST:
                del self.pending[order]
                self.planner.withdraw(order)

    def _follow_routes(
        self, step: int, position: Floats, way: Ints, aim: Floats, remaining: Floats
    ) -> None:
        n = len(way)
        to, left, lost = np.empty((n, 2)), np.empty(n), np.zeros(n, np.bool_)
        units = Followers(self.route, self.progress, to, left, lost)
        follow(position, self.planner.grid(self.radius), self.lines, self.look_ahead, units)
        led = self.route != NO_ROUTE
        aim[led], remaining[led] = to[led], left[led]
        off = np.flatnonzero(led & lost & ~self.asked[way])
        self._ask(step, way[off], position[off])

    def _ask(self, step: int, ways: Ints, starts: Floats) -> None:
        """Ask for some ways, each to its stop."""
        if not len(ways):
            return
        goals = self.places[self.place[self.stop[ways]], :2]
        self.asked[ways] = True
        ticket = self.planner.ask_paths(step, starts, goals, self.radius)
        self.pending[ticket.order] = WAYS, ways

    def _take_ways(self, ways: Ints, paths: list[Path]) -> None:
        for way, path in zip(ways.tolist(), paths, strict=True):
            if way >= 0 and path.found:
                self.ways[way] = path
                self.known[way] = True
            elif way >= 0 and self.renewed:
                self.ways[way], self.known[way] = None, False
        ways = ways[ways >= 0]
        self.asked[ways] = False
        self.lay()
        self.progress[np.isin(self.route, ways)] = 0.0

    def lay(self) -> None:
        """Make arrays of the ways that are known; empty ones where none is, as at first."""
        if not self.known.any():
            self.lines, self.crossings = routes([]), NO_CROSSINGS
            return
        self.lines = routes([NOWHERE if way is None else way.points for way in self.ways])
        self.crossings = Crossings.joined([
            NO_CROSSINGS if way is None or way.passages is not self.passages else way.crossings
            for way in self.ways
        ])  # fmt: skip
