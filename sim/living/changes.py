"""Units come, go and change group while a world runs, between two of its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.core.spawn import Spawn
from sim.living.entry import Entry, entry_of
from sim.living.events import Added, Removed
from sim.orders import GO, Goal

if TYPE_CHECKING:
    from sim.group import Group
    from sim.roster import Roster


def add(world: Roster, group: Group, spawn: Spawn | ArrayLike, **options: Any) -> Ints:
    """Add units to a group, and return their ids (k,): what `Group.add` does."""
    refuse_amid(world, f"group {group.name!r}: no unit can be added")
    entry = entry_of(world, group, spawn, group.standing_goal, **options)
    return enter(world, group, entry)


def enter(world: Roster, group: Group, entry: Entry) -> Ints:
    """Units enter and go where their group goes; their ids (k,)."""
    goal, orders = group.standing_goal, world._orders
    orders.check(group, goal, entry.places)
    world.take_down_orders()
    ids = world.people.add(group, entry)
    orders.send(group, goal, world.people.rows_of(ids), entry.places, world.steps)
    world.happened.note(Added, ids)
    show(world)
    return ids


def remove(world: Roster, ids: ArrayLike, of: Group | None = None) -> None:
    """Take units out of the world, all `of` one group if it is given."""
    refuse_amid(world, "units: cannot be removed")
    rows = world.people.rows_of(ids, of)
    world.take_down_orders()
    named = world.ids[rows]
    world.people.remove(rows)
    world.happened.note(Removed, named)
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


def order(world: Roster, group: Group, rows: Ints, goal: Goal | None, queue: bool) -> None:
    """Send units of a group, in some rows, somewhere: at once, or after what they are doing.

    With None they stop. An order for the whole group, at once, is the group's goal from then on.
    """
    refuse_amid(world, f"group {group.name!r}: cannot be ordered")
    orders, every = world._orders, len(rows) == len(rows_there(world, group))
    if every and not queue:
        group.goal = goal
        return
    if goal is not None:
        _check_part(group, goal)
        orders.check(group, goal, world._state.position[rows])
    world.take_down_orders()
    if queue and goal is not None:
        orders.queue.add(group.index, goal, rows, len(world.ids))
    else:
        orders.queue.clear(rows)
        orders.send(group, goal, rows, world._state.position[rows], world.steps)
    group.parted = True
    world.forget()


def _check_part(group: Group, goal: Goal) -> None:
    """Raise `BadInput` for a goal that some of a group cannot have by themselves."""
    group.check_kind(goal)
    pursues = group.goal is not None and group.goal.kind != GO
    if goal.kind != GO or pursues:
        raise BadInput(
            f"goal.{goal.kind}: all units of group {group.name!r} pursue, or none of them: "
            "have some join another group (world.regroup), or order the whole group"
        )


def rows_there(world: Roster, group: Group) -> Ints:
    """The rows of the units of a group that have not left."""
    here = world._state.present[group.rows]
    found: Ints = group.rows.start + np.flatnonzero(here)
    return found


def follow_queue(world: Roster) -> None:
    """Units that have done what they were doing take up what comes next."""
    orders = world._orders
    sent = np.diff(orders.first) > 0
    idle = world._state.present & (orders.minds.arrived | ~sent)
    for entry, rows in orders.queue.due(idle):
        here = world._state.position[rows]
        orders.send(world.groups[entry.group], entry.goal, rows, here, world.steps)


def refuse_amid(world: Roster, said: str) -> None:
    """Raise `BadInput` while a step is being decided: all decide from one snapshot."""
    if world._deciding:
        raise BadInput(f"{said} while units decide, only between steps")


def show(world: Roster) -> None:
    """Have what was worked out from the units of a world worked out anew."""
    world._snapshot = None
    world.forget()
