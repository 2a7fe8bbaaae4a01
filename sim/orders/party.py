"""The way that the units of one group go among what is solid: along routes, or by flow fields."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.navigation.ahead import look_along
from sim.navigation.flow import FlowField
from sim.navigation.jams import Quickest, Traffic
from sim.navigation.paths import Path
from sim.navigation.planner import Planner, Ticket
from sim.navigation.routes import NO_ROUTE, Routes, follow, routes
from sim.navigation.through import (
    NO_CROSSINGS,
    Crossings,
    Through,
    next_on_field,
    next_on_route,
)
from sim.navigation.wrapping import nearest_offset

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NOTHING: Ints = np.zeros(0, np.int64)
SHARED = 3
"""Units of a group that are bound for one place share a flow field if they are so many."""
LOOK_AHEAD = 4.0
"""How far ahead of itself a unit heads at most, hull lengths."""
ALONG = 1.0
"""Along a field it looks until it sees so far, hull lengths."""
HELD, QUARTER = 10, 0.25
"""A place that a field names holds good for so many steps at most, and for so much of the way."""
PAYS, STILL_PAYS = 0.6, 0.95
"""The quickest way is taken if it takes so much of the time of the shortest, and kept to if so."""


FIELD, QUICKEST, WAYS = "field", "quickest", "ways"
"""What may be asked for: a flow field to a place, the quickest ways to it, or routes."""


class Party:
    """Leads the n units of a group, each from one of its stops to the next.

    They have hulls of a `radius` and `length`, and go a `stride` in a step (world units). `targets`
    (m, 4) are the stops of all, unit by unit, as left, top, right, bottom; unit i has those from
    first[i] to first[i + 1]. Stops that many share are led to by one field, any other by a route of
    its own. What is asked for takes effect some steps later; units go straight until then. Those
    that are `hurried` go round queues, where a field leads them.
    """

    def __init__(
        self, planner: Planner, radius: float, length: float, stride: float, targets: Floats,
        first: Ints, loop: bool, hurried: bool,
    ) -> None:  # fmt: skip
        n = len(first) - 1
        self.rows = slice(0, n)
        """Where they stand among all units."""
        self.radius, self.look_ahead, self._stride = radius, LOOK_AHEAD * length, stride
        self._look_along_to = ALONG * length
        self._planner, self._first, self._loop = planner, first, loop
        self.places, place = np.unique(targets, axis=0, return_inverse=True)
        """(p, 4) the different targets."""
        self._place = place.reshape(-1)
        wide = (self.places[:, 0] < self.places[:, 2]) | (self.places[:, 1] < self.places[:, 3])
        self._shared = wide | (np.bincount(self._place, minlength=len(self.places)) >= SHARED)
        self.fields: dict[int, FlowField] = {}
        """Those that are ready, by number of the place."""
        self.hurried = hurried
        """Whether they go round queues."""
        self.quickest: dict[int, Quickest] = {}
        """Where there are queues: the quickest ways, by number of the place."""
        self.detour = np.zeros(n, np.bool_)
        """(n,) whether a unit goes by the quickest way, where that is not the shortest."""
        self.field = np.full(n, -1)
        """(n,) number of the place whose field leads each unit; -1 for none."""
        self._stop = np.append(np.arange(len(targets)), first[:-1][: n * loop])
        self.ways: list[Path | None] = [None] * len(self._stop)
        """By stop; for loops, then by unit the way back to its first stop."""
        self.lines: Routes = routes([])
        """The same as arrays."""
        self.crossings = NO_CROSSINGS
        """The passages along them."""
        self.route = np.full(n, NO_ROUTE)
        """(n,) the number of the way each unit follows; -1 for none."""
        self.progress = np.zeros(n)
        self._to, self._beyond = np.zeros((n, 2)), np.zeros(n)
        self._hold = np.zeros(n, np.int64)
        """(n,) steps for which the place that the field named still holds good."""
        self._at = first[:-1].copy()
        self._again = np.zeros(n, np.bool_)
        self._known = np.zeros(len(self.ways), np.bool_)
        self._asked = np.zeros(len(self.ways), np.bool_)
        self.pending: dict[int, tuple[str, Ints]] = {}
        """What was asked for, by number of the request, and the numbers of its places or ways."""

    def set_off(self, step: int, position: Floats) -> None:
        """Ask for all ways, for units that set off from `position` (n, 2)."""
        for place in np.flatnonzero(self._shared).tolist():
            ticket = self._planner.ask_flow(step, self.places[place], self.radius)
            self.pending[ticket.order] = FIELD, np.array([place])
        first, last = self._first[:-1], self._first[1:] - 1
        stops = self.places[self._place, :2]
        starts = np.roll(stops, 1, axis=0)
        starts[first] = position
        alone = np.flatnonzero(~self._shared[self._place])
        self._ask(step, alone, starts[alone])
        if self._loop:
            back = np.flatnonzero(~self._shared[self._place[first]] & (last > first))
            self._ask(step, len(stops) + back, stops[last[back]])

    def review(self, step: int, place: int, traffic: Traffic) -> Ticket[Quickest]:
        """Ask for the quickest ways to a place, now that others stand in queues."""
        ticket = self._planner.ask_quickest(step, self.fields[place], traffic)
        self.pending[ticket.order] = QUICKEST, np.array([place])
        return ticket

    def take(self, ticket: Ticket[Any]) -> bool:
        """Take up what was asked for, if it was for these units."""
        kind, numbers = self.pending.pop(ticket.order, ("", NOTHING))
        if kind == WAYS:
            self._take_ways(numbers, ticket.result())
        elif kind:
            (self.fields if kind == FIELD else self.quickest)[int(numbers[0])] = ticket.result()
        return bool(kind)

    def lead(
        self, step: int, position: Floats, going: Bools, leg: Ints, aim: Floats, remaining: Floats
    ) -> None:
        """Say where to head for, for units at `position` (n, 2) that are `going` to their `leg`.

        `aim` (n, 2) and what `remaining` (n,) to the stop are those of the straight way; they stay
        as they are where nothing better is known.
        """
        at = self._first[:-1] + leg
        on = at != self._at
        self._again |= at < self._at
        self._at = at
        self.progress[on], self._hold[on] = 0.0, 0
        self._hold -= 1
        way = np.where(self._again & (leg == 0), len(self._place) + np.arange(len(at)), at)
        self.route = np.where(going & self._known[way], way, NO_ROUTE)
        self.field = np.where(going & self._shared[self._place[at]], self._place[at], -1)
        if self._known.any():
            self._follow_routes(step, position, way, aim, remaining)
        for place, field in self.fields.items():
            led = np.flatnonzero(self.field == place)
            if len(led):
                self._follow_field(field, place, led, position, aim, remaining)

    def bound_through(self, position: Floats, aim: Floats) -> Through:
        """The next passage on the way of each of n units at `position` (n, 2), bound for `aim`."""
        found = Through.nothing(len(position))
        next_on_route(self.crossings, self.route, self.progress, found)
        for place in self.fields:
            led = self.field == place
            for detour in (False, True) if self.hurried else (False,):
                field = (
                    self.quickest[place].field
                    if detour and place in self.quickest
                    else (self.fields[place])
                )
                some = np.flatnonzero(led & (self.detour == detour))
                if field.through is not None and len(some):
                    part = Through.nothing(len(some))
                    next_on_field(
                        field.grid, field.distance, field.through, position[some], aim[some], part
                    )
                    for whole, those in zip(found, part, strict=True):
                        whole[some] = those
        return found

    def _follow_routes(
        self, step: int, position: Floats, way: Ints, aim: Floats, remaining: Floats
    ) -> None:
        n = len(way)
        to, left, lost = np.empty((n, 2)), np.empty(n), np.zeros(n, np.bool_)
        follow(
            position, self._planner.grid(self.radius), self.lines, self.route,
            np.full(n, self.look_ahead), np.full(n, np.inf), self.progress, to, left, lost,
        )  # fmt: skip
        led = self.route != NO_ROUTE
        aim[led], remaining[led] = to[led], left[led]
        off = np.flatnonzero(led & lost & ~self._asked[way])
        if len(off):
            self._ask(step, way[off], position[off])

    def _follow_field(
        self, field: FlowField, place: int, led: Ints, position: Floats, aim: Floats,
        remaining: Floats,
    ) -> None:  # fmt: skip
        ask = led[self._hold[led] <= 0]
        self._to[ask], self._beyond[ask] = look_along(field, position[ask], self._look_along_to)
        self._go_round(place, ask, position)
        off = np.hypot(*nearest_offset(field.grid, self._to[ask] - position[ask]).T)
        self._hold[ask] = np.clip(QUARTER * off / self._stride, 1, HELD)
        off = np.hypot(*nearest_offset(field.grid, self._to[led] - position[led]).T)
        left = self._beyond[led] + off
        found = np.isfinite(left) & (left > 0)
        # The field ends at the edge of a region, the way at a place in it.
        left += np.maximum(remaining[led] - _off(field, position[led]), 0.0)
        aim[led[found]], remaining[led[found]] = self._to[led[found]], left[found]

    def _go_round(self, place: int, ask: Ints, position: Floats) -> None:
        """Those of some for whom it pays head along the quickest way."""
        quickest = self.quickest.get(place)
        if quickest is None:
            self.detour[ask] = False
            return
        share = quickest.share(position[ask])
        pays = share < np.where(self.detour[ask], STILL_PAYS, PAYS)
        self.detour[ask] = np.where(np.isnan(share), self.detour[ask], pays)
        ask = ask[self.detour[ask]]
        self._to[ask] = look_along(quickest.field, position[ask], self._look_along_to)[0]

    def _ask(self, step: int, ways: Ints, starts: Floats) -> None:
        """Ask for some ways, each to its stop."""
        if not len(ways):
            return
        goals = self.places[self._place[self._stop[ways]], :2]
        self._asked[ways] = True
        ticket = self._planner.ask_paths(step, starts, goals, self.radius)
        self.pending[ticket.order] = WAYS, ways

    def _take_ways(self, ways: Ints, paths: list[Path]) -> None:
        for way, path in zip(ways.tolist(), paths, strict=True):
            if path.found:
                self.ways[way] = path
                self._known[way] = True
        self._asked[ways] = False
        nothing = np.zeros((1, 2))
        self.lines = routes([nothing if way is None else way.points for way in self.ways])
        self.crossings = Crossings.joined(
            [NO_CROSSINGS if way is None else way.crossings for way in self.ways]
        )
        self.progress[np.isin(self.route, ways)] = 0.0


def _off(field: FlowField, position: Floats) -> Floats:
    """(k,) how far each position (k, 2) is off the rectangle that a field leads to."""
    place = field.targets[0]
    half = (place[2:] - place[:2]) / 2
    away = np.abs(nearest_offset(field.grid, position - place[:2] - half)) - half
    off: Floats = np.hypot(*np.maximum(away, 0).T)
    return off
