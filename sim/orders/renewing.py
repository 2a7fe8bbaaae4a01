"""What follows for units on their way when the ground has changed: other ways, or none for now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.arrays import NO_ROWS, Bools, Floats, Ints
from sim.core.columns import numbers_of
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.grid import Grid
from sim.navigation.paths import Path
from sim.navigation.renewal import EVERYWHERE
from sim.navigation.tickets import Marked, Renewed, Ticket
from sim.orders.along_fields import renew_field
from sim.orders.reach import WITHIN, barred_from, middles, reach, told_apart
from sim.orders.rerouting import Change, renew_ways

if TYPE_CHECKING:
    from sim.core.units import Units
    from sim.navigation.chart import Chart
    from sim.orders.guide import Guide
    from sim.orders.orders import Orders
    from sim.orders.party import Party

Slot = tuple["Party", Floats]
"""A party, and the target (4,) to which a field leads it: numbers of places change."""

LOOK_AGAIN = 30
"""Steps after which units that are cut off look again."""
CUT_OFF = "no way leads on for {} of {} units as long as it is closed"


class Renewals:
    """The changes of the ground under the units that a guide leads."""

    fields_asked: dict[int, list[Slot]]
    marks_asked: dict[int, tuple[list[Slot], list[tuple[Party, Path]]]]
    looked: dict[int, tuple[Party, Ints]]
    near: dict[float, Floats]
    notes: dict[int, str]

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self.fields_asked = {}
        self.marks_asked = {}
        """By order of the ticket: what fields are planned anew, and then what is marked on them."""
        self.looked = {}
        """By party: which it was, and the stops that its units were bound for at the last look."""
        self.near = {}
        """By radius: (4,) as `told_apart`, of all changes since that look."""
        self._fresh = self._renumbered = False
        self.ever = False
        """Whether the ground has ever changed, or may."""
        self.notes = {}
        """What there is to say, by number of the group; "" where no unit is cut off any more."""

    def change(
        self, step: int, solids: Solids, changes: Sequence[Change], position: Floats, plane: Plane
    ) -> None:
        """Have planned anew what these changes touch; `solids` are all there are now."""
        guide, self.ever = self._guide, True
        parties = list(guide.parties.values())
        known = fields_of(parties)
        fields = [(party.fields[place], party.areas) for party, place in known]
        cover = Solids().joined([area.shape.solids for area in guide.areas])
        if guide.areas and plane.bounds is not None:
            cover = cover.joined([Solids(boxes=np.array([plane.bounds], dtype=float))])
        for party in parties:
            party.forget_queues()
        ticket = guide.planner.change(step, solids, cover, fields)
        self.fields_asked[ticket.order] = _slots(known)
        for party in parties:
            renew_ways(party, step, position[party.rows], changes, plane)
        for hunt in guide.hunts.of.values():
            hunt.renew()

    def take(self, step: int, ticket: Ticket[Any], position: Floats) -> bool:
        """Take up what was asked for here, if it was, with all units at `position` (N, 2)."""
        slots = self.fields_asked.pop(ticket.order, None)
        if slots is not None:
            self._adopt(step, ticket.result(), slots, position)
            return True
        marks = self.marks_asked.pop(ticket.order, None)
        if marks is not None:
            self._mark(ticket.result(), *marks)
        return marks is not None

    def _adopt(self, step: int, renewed: Renewed, slots: list[Slot], position: Floats) -> None:
        """Lead all by the new ground, and ask for its narrow places."""
        guide = self._guide
        before = guide.planner.chart
        guide.planner.adopt(renewed)
        self._note_near(before, renewed)
        for (party, target), field, bends in zip(slots, renewed.fields, renewed.bends, strict=True):
            if (place := party.number_of(target)) in party.fields:
                renew_field(party, place, field, bends, position[party.rows])
        parties = list(guide.parties.values())
        for party in parties:
            party.forget_queues()
        known = fields_of(parties)
        ways = [(party, way) for party in parties for way in party.ways if way is not None]
        ticket = guide.planner.ask_passages(
            step, guide.registry.radii(), [party.fields[place] for party, place in known],
            [(way, party.radius) for party, way in ways],
        )  # fmt: skip
        self.marks_asked[ticket.order] = _slots(known), ways

    def _note_near(self, before: Chart, renewed: Renewed) -> None:
        """Note where units may be newly cut off, or newly joined, since the ground was `before`."""
        targets: dict[float, list[Floats]] = {}
        for party in self._guide.parties.values():
            targets.setdefault(party.radius, []).append(party.places)
        for radius, places in targets.items():
            old, box = before.grid_if_made(radius), renewed.reshaped.get(radius, EVERYWHERE)
            now = self._guide.planner.grid(radius)
            box = told_apart(old, now, np.array(box), np.concatenate(places))
            was = box if not self._fresh else self.near.get(radius, np.array(EVERYWHERE))
            self.near[radius] = np.append(np.minimum(was, box)[:2], np.maximum(was, box)[2:])
        self._fresh = True

    def _mark(self, marked: Marked, fields: list[Slot], ways: list[tuple[Party, Path]]) -> None:
        """Take up the narrow places, and where they lie on the ways."""
        registry, parties = self._guide.registry, set(self._guide.parties.values())
        others = [registry.renew(radius, found) for radius, found in marked.passages.items()]
        self._renumbered |= any(others)
        for party in parties:
            party.passages = registry.known(party.radius)
        for (party, target), field in zip(fields, marked.fields, strict=True):
            place = party.number_of(target)
            if place in party.fields and party.fields[place].distance is field.distance:
                party.fields[place] = field
        numbers = {id(way): n for p in parties for n, way in enumerate(p.ways) if way is not None}
        for (party, was), way in zip(ways, marked.ways, strict=True):
            if party in parties and id(was) in numbers:
                party.ways[numbers[id(was)]] = way
        for party in parties:
            party.lay()

    def look_after(self, orders: Orders, units: Units, step: int) -> None:
        """Find out which units are cut off from their next stop; they wait until it opens."""
        if not self.ever:
            return
        if self._renumbered:
            orders.narrows.forget()
            self._renumbered = False
        asked: dict[float, list[tuple[Party, Ints]]] = {}
        parties = self._guide.parties
        self.looked = {index: was for index, was in self.looked.items() if index in parties}
        for index, party in parties.items():
            looks = units.present[party.rows] & orders.minds.moving[party.rows]
            some = np.flatnonzero(looks & self._looks(index, party, units.position, step))
            self.looked[index] = party, party.at.copy()
            if len(some) or self._fresh:
                party.cut[~units.present[party.rows]] = False
                asked.setdefault(party.radius, []).append((party, some))
        self._fresh = False
        self.near.clear()
        for radius, looked_at in asked.items():
            _find_cut_off(self._guide.planner.grid(radius), looked_at, orders, units.position)
        for group in {party.group for looked_at in asked.values() for party, _ in looked_at}:
            cuts = [p.cut for p in parties.values() if p.group == group]
            cut, every = sum(int(each.sum()) for each in cuts), sum(map(len, cuts))
            if cut or group in self.notes:
                self.notes[group] = CUT_OFF.format(cut, every) if cut else ""

    def told(self) -> Iterator[tuple[int, str]]:
        """What there is to say at this step, by number of the group; that all get on but once."""
        yield from self.notes.items()
        self.notes = {group: note for group, note in self.notes.items() if note}

    def _looks(self, index: int, party: Party, position: Floats, step: int) -> Bools:
        """(n,) which members of a party are to look whether a way leads on.

        Members bound for another stop than at their last look; members that are cut off, now and
        then; and where the ground has just changed all near that, and all that only see their stop.
        """
        known, at = self.looked.get(index, (None, NO_ROWS))
        if known is not party or len(at) != len(party.at):
            return np.ones(len(party.at), np.bool_)
        found: Bools = (party.at != at) | (party.cut & (self._fresh or step % LOOK_AGAIN == 0))
        if self._fresh:
            low, high = np.split(self.near.get(party.radius, np.array(EVERYWHERE)), 2)
            here = position[party.rows]
            found |= party.by_sight | ((here >= low) & (here <= high)).all(axis=1)
        return found


def fields_of(parties: Iterable[Party]) -> list[tuple[Party, int]]:
    """Each of some parties with the number of each place that a field leads it to, in order."""
    return [(party, place) for party in parties for place in sorted(party.fields)]


def _slots(known: Iterable[tuple[Party, int]]) -> list[Slot]:
    """The same by targets, for when the fields come."""
    return [(party, party.places[place].copy()) for party, place in known]


def _find_cut_off(
    grid: Grid, asked: list[tuple[Party, Ints]], orders: Orders, position: Floats
) -> None:
    """Write down which of some members of parties no way leads from to their next stops."""
    rows = np.concatenate([numbers_of(party.rows)[some] for party, some in asked])
    targets = np.concatenate([party.targets[some] for party, some in asked])
    (cut, by_sight), end = _cut_off(grid, position[rows], targets, orders.tolerance[rows]), 0
    for party, some in asked:
        begin, end = end, end + len(some)
        party.cut[some], party.by_sight[some] = cut[begin:end], by_sight[begin:end]


def _cut_off(grid: Grid, here: Floats, targets: Floats, tolerance: Floats) -> tuple[Bools, Bools]:
    """(k,) from which places (k, 2) no way leads to targets (k, 4), as near as a tolerance (k,).

    And (k,) from which the target is seen, though the grid joins them to none of its nodes.
    """
    found = reach(grid, here, middles(grid, targets))
    cut: Bools = found.off > WITHIN * tolerance
    wide = (targets[:, :2] < targets[:, 2:]).any(axis=1)
    for region in np.unique(targets[wide], axis=0) if wide.any() else ():
        those = (targets == region).all(axis=1)
        cut[those] = barred_from(grid, here[those], region, found.seen[those])
    return cut, found.seen
