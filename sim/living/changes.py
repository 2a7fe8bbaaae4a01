"""Units come, go and change their group, between two steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.spawn import Spawn
from sim.living.entry import Entry, entry_of
from sim.living.events import Added, Removed
from sim.living.ordering import take_down_orders

if TYPE_CHECKING:
    from sim.group import Group
    from sim.living.roster import Roster


def add(roster: Roster, group: Group, spawn: Spawn | ArrayLike, **options: Any) -> Ints:
    """Add units to a group, and return their ids (k,): what `Group.add` does."""
    with roster.turn.change(f"group {group.name!r}: no unit can be added"):
        entry = entry_of(roster, group, spawn, group.standing_goal, **options)
        return enter(roster, group, entry)


def enter(roster: Roster, group: Group, entry: Entry) -> Ints:
    """Units enter and go where their group goes; their ids (k,)."""
    goal = group.standing_goal
    roster.check_ways(group, goal, entry.places)
    take_down_orders(roster)
    ids = roster.population.add(group, entry)
    roster.orders.send(group, goal, roster.people.rows_now(ids), entry.places, roster.steps)
    roster.happened.note(Added, ids)
    roster.show()
    return ids


def remove(roster: Roster, ids: ArrayLike, of: Group | None = None) -> None:
    """Take units out of the world, all `of` one group if it is given."""
    with roster.turn.change("units: cannot be removed"):
        people = roster.population
        rows = people.rows_of(ids, of)
        named = people.ids[rows]
        if take_down_orders(roster):
            rows = people.rows_now(named)
        people.remove(rows)
        roster.happened.note(Removed, named)
        roster.show()


def regroup(roster: Roster, ids: ArrayLike, group: Group) -> None:
    """Have units join another group; units that are in it already stay as they are."""
    with roster.turn.change("units: cannot change their group"):
        people, orders, goal = roster.people, roster.orders, group.standing_goal
        rows = people.rows_of(ids)
        rows = rows[people.group_of[rows] != group.index]
        here, named = roster.snapshot().position[rows], people.ids[rows]
        orders.check(group, goal, here)
        take_down_orders(roster)
        people.regroup(rows, group)
        orders.send(group, goal, people.rows_of(named), here, roster.steps)
        roster.show()
