"""What all units see at each step, and in how many parts the engine takes a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import ceil

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.columns import numbers_of
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.contacts import Contacts
from sim.group import Group
from sim.group.eyes import Eyes, Scene
from sim.group.shares import rejoined
from sim.living.roster import Roster
from sim.living.site import Site
from sim.navigation.areas import Area, factors
from sim.perception.bodies import STILL
from sim.perception.closing import looks_needed
from sim.perception.engine_search import search_named
from sim.perception.percepts import Percepts
from sim.steering.arbiter import Asked

AS_IT_COMES = nullcontext()
MOST_PARTS = 64
"""The most parts that the engine takes a step in."""


class Looking:
    """Looks for all units of a roster; how, is worked out anew when groups have changed.

    By the `neighbour_search` of its world. Raises `BadInput` for one that is not known.
    """

    def __init__(self, roster: Roster, site: Site) -> None:
        self._roster, self._site = roster, site
        self._version = -1
        self._eyes: Eyes | None = None
        self._eyes_before: Eyes | None = None
        self._substeps = 1
        self._ids_then: Ints | None = None
        search_named(roster.basis.neighbour_search, roster.space, roster.bridge)

    def eyes(self) -> Eyes:
        """How all look now; made anew if groups have changed."""
        self._notice_changes()
        if self._eyes is None:
            roster = self._roster
            search = search_named(roster.basis.neighbour_search, roster.space, roster.bridge)
            self._eyes = Eyes(
                roster.groups, roster.plane, roster.orders, roster.touch, search, self._eyes_before
            )
            self._eyes_before = None
        return self._eyes

    def contacts(self, units: Units) -> Contacts:
        """What each unit touches; nothing where no rule and no timer has a use for it."""
        return self.eyes().contacts(units)

    def look(
        self, groups: Iterable[Group], units: Units, contacts: Contacts, speeds: Floats
    ) -> list[list[Asked]]:
        """For each of these groups, each rule that is asked, with what it perceives of a snapshot.

        Units touch `contacts` in it, and their desired speeds are `speeds` (N,).
        """
        terrain = self._site.terrain
        moving = STILL if terrain is None else terrain.moving
        scene = Scene(contacts, speeds, self._site.around, moving)
        return self.eyes().look(groups, units, scene)

    def known(self, group: Group) -> dict[str, Percepts]:
        """What a group's rules perceive between two steps, by name."""
        self._roster.orders_now()
        units = self._roster.snapshot()
        [asked] = self.look([group], units, self.contacts(units), self.speeds(units))
        found: dict[str, Percepts] = {}
        for setting, me, _ in asked:
            found[setting.rule.name] = rejoined(found.get(setting.rule.name), me)
        return found

    def speeds(self, units: Units) -> Floats:
        """(N,) the desired speed of each unit where it is, and in the formation that it is in."""
        roster, areas = self._roster, self._site.areas
        own = _on_their_ground(roster.own_speeds(), roster.groups, areas, units, roster.plane)
        orders = roster.orders_now()
        if not orders.bands.known:
            return own
        on_their_way = orders.minds.moving & ~orders.minds.halts & units.present
        return orders.bands.paced(own, on_their_way & ~orders.minds.stuck)

    def ahead(self) -> AbstractContextManager[None]:
        """Which neighbours all units will see is found out while the engine sees to contacts."""
        ids, eyes = self._roster.ids, self._eyes
        changed = self._ids_then is not None and self._ids_then is not ids
        self._ids_then = ids
        if eyes is None or self._version != self._roster.version:
            return AS_IT_COMES
        # Where units have come or gone they soon do again: what is found out would be in vain.
        if changed or not eyes.looker.foresees(len(ids)):
            return AS_IT_COMES
        return self._roster.bridge.midway(self._roster.people.group_of, eyes.looker.look_ahead)

    def parts(self, units: Units) -> int:
        """In how many parts the engine takes this step: no unit runs through what it meets."""
        roster, terrain = self._roster, self._site.terrain
        sizes, around = roster.people.sizes, self._site.around
        looks = looks_needed(
            units, roster.plane, sizes, around.faces, around.discs, roster.time_step
        )
        most = min(MOST_PARTS, max(self.substeps, looks))
        return most if terrain is None else min(MOST_PARTS, max(most, terrain.parts_of_step()))

    @property
    def substeps(self) -> int:
        """Parts of a step that the engine takes one by one: no unit outruns its stride in one.

        One that moves further between two looks of the engine would be deep inside what it meets.
        """
        self._notice_changes()
        return self._substeps

    def _notice_changes(self) -> None:
        """Drop what was worked out from groups that have changed since."""
        roster = self._roster
        if self._version != roster.version:
            self._version = roster.version
            self._eyes, self._eyes_before = None, self._eyes or self._eyes_before
            strides = [
                g.fastest * roster.time_step / (g.model.stride * 2 * g.hull.smallest.radius)
                for g in roster.groups
            ]
            self._substeps = min(MOST_PARTS, max(1, ceil(max(strides, default=0.0))))


def _on_their_ground(
    own: Floats, groups: Sequence[Group], areas: Sequence[Area], units: Units, plane: Plane
) -> Floats:
    """(N,) the unit's `own` desired speed, times the factor of the ground that it is on."""
    if not areas:
        return own
    found = own.copy()
    for rows, those in _alike(groups, areas):
        found[rows] *= factors(units.position[rows], those, plane, "speed")
    return found


def _alike(groups: Sequence[Group], areas: Sequence[Area]) -> Iterator[tuple[Ints, list[Area]]]:
    """The rows of units for which the same areas count, and these areas.

    Groups that no area names are taken together, so that many groups on many areas cost no more
    than one.
    """
    named = frozenset[str]().union(*(area.groups for area in areas if area.groups is not None))
    common = [area for area in areas if area.groups is None]
    if common:
        rest = [numbers_of(g.rows) for g in groups if g.name not in named]
        yield np.concatenate([np.zeros(0, np.int64), *rest]), common
    for group in groups:
        if group.name in named:
            own = [area for area in areas if area.counts_for(group.name)]
            yield numbers_of(group.rows), own
