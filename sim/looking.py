"""What all units see at each step, and in how many parts the engine takes a step."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from math import ceil

from sim.core.arrays import Ints
from sim.core.units import Units
from sim.group.eyes import Eyes
from sim.living.roster import Roster
from sim.living.site import Site
from sim.living.slowed import desired_speeds
from sim.perception.closing import looks_needed
from sim.perception.engine_search import search_named
from sim.perception.moving import STILL

AS_IT_COMES = nullcontext()
MOST_PARTS = 64
"""The most parts that the engine takes a step in."""


class Looking:
    """Looks for all units of a roster; how, is worked out anew when groups have changed.

    `search` is "grid" or "pymunk". Raises `BadInput` for another.
    """

    def __init__(self, roster: Roster, site: Site) -> None:
        self._roster, self._site = roster, site
        self._version = roster.version
        self._eyes: Eyes | None = None
        self._eyes_before: Eyes | None = None
        self._substeps: int | None = None
        self._ids_then: Ints | None = None
        search_named(roster.basis.neighbour_search, roster.space, roster.bridge)

    def look(self, units: Units) -> Eyes:
        """What every unit sees."""
        roster, site = self._roster, self._site
        eyes = self._current
        if eyes is None:
            search = search_named(roster.basis.neighbour_search, roster.space, roster.bridge)
            eyes = self._eyes = Eyes(
                roster.groups, roster.plane, site.around, roster.current_orders, roster.touch,
                search, self._eyes_before,
            )  # fmt: skip
            self._eyes_before = None
        eyes.surround(site.around, STILL if site.terrain is None else site.terrain.moving)
        eyes.look(units, desired_speeds(roster.groups, site.areas, units, roster.plane))
        return eyes

    def ahead(self) -> AbstractContextManager[None]:
        """Which neighbours all units will see is found out while the engine sees to contacts."""
        ids, eyes = self._roster.ids, self._current
        changed = self._ids_then is not None and self._ids_then is not ids
        self._ids_then = ids
        if eyes is None or not eyes.looker.foresees(len(ids)):
            return AS_IT_COMES
        if changed:  # and may again: what is found out for these units would be in vain
            return AS_IT_COMES
        return self._roster.bridge.midway(self._roster.people.group_of, eyes.looker.look_ahead)

    def parts(self, units: Units) -> int:
        """In how many parts the engine takes this step: no unit runs through what it meets."""
        roster, terrain = self._roster, self._site.terrain
        sizes, faces = roster.people.sizes, self._site.around.faces
        looks = looks_needed(units, roster.plane, sizes, faces, roster.time_step)
        most = min(MOST_PARTS, max(self.substeps, looks))
        return most if terrain is None else min(MOST_PARTS, max(most, terrain.parts_of_step()))

    @property
    def substeps(self) -> int:
        """Parts of a step that the engine takes one by one: no unit outruns its stride in one.

        One that moves further between two looks of the engine would be deep inside what it meets.
        """
        self._notice_changes()
        if self._substeps is None:
            strides = [
                g.fastest * self._roster.time_step / (g.model.stride * g.hull.smallest.length)
                for g in self._roster.groups
            ]
            self._substeps = min(MOST_PARTS, max(1, ceil(max(strides, default=0.0))))
        return self._substeps

    @property
    def _current(self) -> Eyes | None:
        self._notice_changes()
        return self._eyes

    def _notice_changes(self) -> None:
        if self._version != self._roster.version:
            self._version = self._roster.version
            self._eyes_before = self._eyes or self._eyes_before
            self._eyes = self._substeps = None
