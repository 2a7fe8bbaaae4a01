"""Which units there are: their ids, their rows and their groups.

The units of a group have rows that follow one another, in the order of the groups. When units come,
go or change group the rows are laid anew, and every part that keeps state of units is told which
row each had before (see `sim.core.columns`). Ids stay, and are never used again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import NO_ROWS, Ints
from sim.core.columns import numbers_of
from sim.core.errors import BadInput
from sim.core.hull import Hull, Sizes, sizes
from sim.core.limits import MOST_UNITS
from sim.core.relay import NEW, Relay
from sim.core.units import read_only
from sim.engine.bridge import Bridge
from sim.engine.build import Body, Spare, set_up
from sim.engine.cells import sort_by_cells
from sim.engine.ground import Ground
from sim.engine.placing import refuse_overlap, rehull, stand
from sim.group import Group
from sim.living.entry import Entry
from sim.living.lookup import found_at, group_of, ids_of, reborn
from sim.orders import Orders

KEPT = ("ids", "group_of", "given", "_sorted", "times_sorted")
GROWN = 2
"""The engine's cells are laid anew when there are this many times as many units."""


class Population:
    """The groups of a world and the N units in them."""

    def __init__(
        self, ground: Ground, bridge: Bridge, orders: Orders, contact_cells: bool, spare: Spare
    ) -> None:
        self.groups: list[Group] = []
        self.ids, self.ids_shown, self.group_of = NO_ROWS, read_only(NO_ROWS), NO_ROWS
        """(N,) the id of the unit in each row, the same for users, and the index of its group.

        Both are read-only; users have an array of their own, as its shape can be set.
        """
        self.sizes: Sizes = sizes([], self.group_of)
        """How large each hull is."""
        self._extremes: list[Hull] = []
        """The smallest and the largest hull of each group."""
        self.given = 0
        """How many ids have been given: all are below this."""
        self.aside: list[dict[str, Any]] | None = None
        """Of each group what has a row for each unit, while rows wait to be laid anew."""
        self._ground, self._bridge, self._orders = ground, bridge, orders
        self._space, self._plane, self._spare = bridge.space, bridge.plane, spare
        self.cells, self._sorted, self.times_sorted = contact_cells, 0, 0
        """Whether the engine may find contacts by cells, for how many units it was set up, and how
        often it has been put into new cells."""

    @property
    def kept(self) -> dict[str, Any]:
        """What it keeps from step to step, but for the groups, by name: as `resume` takes it."""
        return {name: getattr(self, name) for name in KEPT}

    def resume(
        self, ground: Ground, bridge: Bridge, orders: Orders, kept: Mapping[str, Any]
    ) -> None:
        """Go on in another space, with the groups as they are now and with what was `kept`."""
        self._ground, self._bridge, self._orders = ground, bridge, orders
        self._space, self._plane = bridge.space, bridge.plane
        for name in KEPT:
            setattr(self, name, kept[name])
        self.ids, self.ids_shown = read_only(self.ids), read_only(self.ids)
        self._extremes = []
        for group in self.groups:
            self._extremes += group.hull.smallest, group.hull.largest
        self._measure(Relay(np.full(len(self.ids), NEW)))

    def rows_of(self, ids: ArrayLike | Group, of: Group | None = None) -> Ints:
        """The rows of units in the world, by their ids (k,), one each; or of all of a group.

        Raises `BadInput` for an id that no unit there has, or none of that group, for one that is
        named twice, and for a group of another world.
        """
        if isinstance(ids, Group):
            every = numbers_of(group_of(self.groups, ids).rows)
            ids = self.ids[every[self._bridge.present[every]]]
        named = ids_of(ids)
        rows = self.rows_now(named)
        if (rows == NEW).any():
            lost = int(named[rows == NEW][0])
            said = "has left the world" if 0 <= lost < self.given else "is no unit's"
            raise BadInput(f"ids: {lost} {said}")
        if of is not None and (self.group_of[rows] != of.index).any():
            other = rows[self.group_of[rows] != of.index][0]
            name = self.groups[self.group_of[other]].name
            raise BadInput(f"ids: {self.ids[other]} is of group {name!r}, not {of.name!r}")
        return rows

    def rows_now(self, ids: Ints) -> Ints:
        """(k,) the row of each unit by its id; -1 for units that are not in the world."""
        if not len(self.ids):
            return np.full(len(ids), NEW)
        rows = found_at(self.ids, ids)
        known = (self.ids[rows] == ids) & self._bridge.present[rows]
        return np.where(known, rows, NEW)

    def found(self, group: Group, entry: Entry) -> Ints:
        """Take in a new group, with its first units; their ids (k,)."""
        bodies = self._stand(group, entry)
        self._ground.suit(group.hull)
        self.groups.append(group)
        self._extremes += group.hull.smallest, group.hull.largest
        set_up(self._space, self._extremes)
        self._bridge.seam.add_group(group.hull)
        return self._join(group, bodies, founded=True)

    def add(self, group: Group, entry: Entry) -> Ints:
        """Units join a group; their ids (k,)."""
        return self._join(group, self._stand(group, entry))

    def _stand(self, group: Group, entry: Entry) -> list[Body]:
        """Put bodies into the space. Raises `BadInput` where one of given places is taken."""
        radii = group.coming(len(entry.places)).radius
        bodies = stand(self._space, group.hull, entry.places, entry.angles, radii, self._spare)
        if entry.given:
            refuse_overlap(self._space, self._bridge.held, bodies, group.hull, self._plane)
        return bodies

    def _join(self, group: Group, bodies: Sequence[Body], founded: bool = False) -> Ints:
        fresh = self.given + np.arange(len(bodies))
        self.given += len(bodies)
        here = self._here
        units = len(here) + len(bodies)
        if self.cells and (founded or units > GROWN * self._sorted):
            self.times_sorted += sort_by_cells(self._space, self._extremes, units)
            self._sorted = units
        groups = self.group_of.take(here)
        at = int(np.searchsorted(groups, group.index, side="right"))
        relay = Relay(np.insert(here, at, np.full(len(bodies), NEW)))
        groups = np.insert(groups, at, np.full(len(bodies), group.index))
        self._lay(relay, relay, groups, np.insert(self.ids.take(here), at, fresh), bodies)
        return fresh

    def remove(self, rows: Ints) -> None:
        """Units in these rows go, and their bodies with them.

        Their rows go when rows are asked for (`tidy`), or units are added: all are laid once.
        """
        self.dismiss(rows)
        if self.aside is None:
            self.aside = []  # from now on other threads are refused what is put aside
            self.aside.extend(group.put_aside() for group in self.groups)

    def tidy(self) -> None:
        """Lay the rows anew where some wait for it, without those of units that have gone."""
        if self.aside is None:
            return
        here = self._here
        relay = Relay(here)
        self._lay(relay, relay, self.group_of.take(here), self.ids.take(here))

    def dismiss(self, rows: Ints) -> None:
        """The bodies of the units in these rows go; the rows stay till they are laid anew."""
        hulls = [group.hull for group in self.groups]
        bodies = self._bridge.remove(*rows.tolist())
        for body, index in zip(bodies, self.group_of[rows].tolist(), strict=True):
            if body is not None:
                self._spare.keep(hulls[index], body)

    def regroup(self, rows: Ints, group: Group) -> None:
        """Units in these rows join another group; with hulls of another kind they get new bodies.

        Raises `BadInput` where a new hull has no room.
        """
        here, now = self._here, self.group_of.copy()
        now[rows] = group.index
        fresh = reborn(self.groups, self.group_of, rows, group)
        radii = group.coming(len(fresh)).radius
        bodies = rehull(self._space, self._bridge.held, fresh, group.hull, self._plane, radii)
        self.dismiss(fresh)
        old = here[np.argsort(now[here], kind="stable")]
        stays = np.where(self.group_of[old] == now[old], old, NEW)
        held = Relay(np.where(np.isin(old, fresh), NEW, old)) if len(fresh) else None
        self._lay(Relay(old), Relay(stays), now[old], self.ids[old], bodies, held)

    @property
    def room(self) -> int:
        """How many units more there may be."""
        return MOST_UNITS - int(np.count_nonzero(self._bridge.present))

    @property
    def _here(self) -> Ints:
        """Rows of the units that have not left."""
        return np.flatnonzero(self._bridge.present)

    def _lay(
        self, relay: Relay, stays: Relay, groups: Ints, ids: Ints, bodies: Sequence[Body] = (),
        held: Relay | None = None,
    ) -> None:  # fmt: skip
        """Lay the rows anew, sorted by group: with these groups and ids, both (M,).

        `stays` has only units that stay in their group, and `held` only units that keep their body,
        if not all do. All others have the bodies, in the order of their rows.
        """
        for group, kept in zip(self.groups, self.aside or (), strict=False):
            group.keep(**kept)
        self.aside = None
        self._bridge.rearrange(relay if held is None else held, stays, bodies)
        bounds = np.searchsorted(groups, np.arange(len(self.groups) + 1))
        old = stays.old_rows
        for group in map(self.groups.__getitem__, self._told(bounds, old)):
            rows = slice(*bounds[group.index : group.index + 2].tolist())
            mine, begin = old[rows], group.rows.start
            whole = begin == 0 and len(mine) == len(old)
            group.take_rows(
                rows, stays if whole else Relay(np.where(mine == NEW, NEW, mine - begin))
            )
        self.ids, self.ids_shown, self.group_of = read_only(ids), read_only(ids), groups
        self._measure(stays)
        self._orders.regroup(relay, groups, [group.hull for group in self.groups], self.sizes)

    def _told(self, bounds: Ints, old: Ints) -> list[int]:
        """The groups of which a unit came, went or moved to another row: of many, a few."""
        moved = np.append(0, np.cumsum(old != np.arange(len(old))))[bounds]
        before = np.searchsorted(self.group_of, np.arange(len(bounds)))
        other = (before[:-1] != bounds[:-1]) | (before[1:] != bounds[1:])
        return np.flatnonzero(other | (np.diff(moved) > 0)).tolist()

    def _measure(self, stays: Relay) -> None:
        """Find out how large the hulls are that are `NEW` in their groups, for the seam too."""
        found = Sizes(*(stays.anew(each, 0.0) for each in self.sizes))
        fresh = np.arange(len(self.group_of))[stays.fresh]
        of_fresh = self.group_of[fresh]
        for group in map(self.groups.__getitem__, np.unique(of_fresh).tolist()):
            rows = fresh[of_fresh == group.index]
            radii = None if group.same_size else group.radii[rows - group.rows.start]
            mine = sizes([group.hull], np.zeros(len(rows), np.int64), radii)
            for all_rows, of_these in zip(found, mine, strict=True):
                all_rows[rows] = of_these
        self.sizes, self._bridge.seam.radius = found, found.radius
