"""Units come, go and change group while a world runs, between two of its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sim.columns import Ints
from sim.entry import entry_of
from sim.errors import BadInput
from sim.spawn import Spawn

if TYPE_CHECKING:
    from sim.group import Group
    from sim.roster import Roster


def add(world: Roster, group: Group, spawn: Spawn | ArrayLike, **options: Any) -> Ints:
    """Add units to a group, and return their ids (k,): what `Group.add` does."""
    refuse_amid(world, f"group {group.name!r}: no unit can be added")
    goal, orders = group.standing_goal, world._orders
    entry = entry_of(world, group, spawn, goal, **options)
    orders.check(group, goal, entry.places)
    world.take_down_orders()
    ids = world.people.add(group, entry)
    orders.send(group, goal, world.people.rows_of(ids), entry.places, world.steps)
    show(world)
    return ids


def remove(world: Roster, ids: ArrayLike, of: Group | None = None) -> None:
    """Take units out of the world, all `of` one group if it is given."""
    refuse_amid(world, "units: cannot be removed")
    rows = world.people.rows_of(ids, of)
    world.take_down_orders()
    world.people.remove(rows)
    show(world)


def regroup(world: Roster, ids: ArrayLike, group: Group) -> None:
    """Have units join another group; those that are in it already stay as they are."""
    refuse_amid(world, "units: cannot change their group")
    people, orders, goal = world.people, world._orders, group.standing_goal
    rows = people.rows_of(ids)
    rows = rows[people.group_of[rows] != group.index]
    here, named = world._state.position[rows], people.ids[rows]
    orders.check(group, goal, here)
    world.take_down_orders()
    people.regroup(rows, group)
    orders.send(group, goal, people.rows_of(named), here, world.steps)
    show(world)


def refuse_amid(world: Roster, said: str) -> None:
    """Raise `BadInput` while a step is being decided: all decide from one snapshot."""
    if world._deciding:
        raise BadInput(f"{said} while units decide, only between steps")


def show(world: Roster) -> None:
    """Have what was worked out from the units of a world worked out anew."""
    world._snapshot = None
    world.forget()
