"""Groups are founded, and units come, go and change their group, between two steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.draws import Spread, spread_of
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.limits import MOST_GROUPS, check_another, check_kind, check_text
from sim.core.spawn import Spawn
from sim.group import Group
from sim.living.entry import Entry, check_crowd, entry_of
from sim.living.lookup import group_of
from sim.living.ordering import take_down_orders
from sim.models import DEFAULT_MODEL
from sim.models import model as model_named
from sim.orders import Goal

if TYPE_CHECKING:
    from sim.living.roster import Roster


def add_group(
    roster: Roster,
    name: str,
    spawn: Spawn | ArrayLike,
    *,
    count: int | None = None,
    model: str = DEFAULT_MODEL,
    hull: Hull | None = None,
    view: str | None = None,
    view_angle: float | None = None,
    view_radius: float | None = None,
    speed: float | Spread | list[float] | None = None,
    heading: float | str | ArrayLike | None = None,
    facing: ArrayLike | None = None,
    behaviours: Mapping[str, Any] | None = None,
    goal: Goal | None = None,
    color: str | None = None,
) -> Group:
    """Add a group of units and return it.

    `spawn` is a `Region`, `Ring` or `Points`, or simply points (n, 2). `view_angle` is in
    radians, `view_radius` in hull lengths. `heading` is in radians, one for all or for each unit
    (n,), or "random"; without it units face the point `facing`, if there is one, and units that are
    held upright stand at 0. The rest is the model's unless given; `behaviours` changes its rules.
    Raises `BadInput`.
    """
    roster.turn.check(f"group {name!r}: cannot be added")
    check_text(name, "name")
    if any(g.name == name for g in roster.groups):
        raise BadInput(f"group {name!r}: there is one of that name already")
    check_another(len(roster.groups), MOST_GROUPS, f"group {name!r}", "groups")
    made_of = model_named(model)
    check_kind(hull, Hull, "hull", "Hull.disc(0.5)")
    check_kind(goal, Goal, "goal", "Goal.to((3, 4))")
    hull = made_of.hull if hull is None else replace(hull, upright=made_of.hull.upright)
    settings = made_of.compose(behaviours)
    end = len(roster.ids)
    group = Group(name, len(roster.groups), made_of, slice(end, end), hull, settings, roster)
    entry = entry_of(roster, group, spawn, goal, count=count, heading=heading, facing=facing)
    hull.check_count(len(entry.places))
    for setting in settings.values():
        setting.check_count(len(entry.places))
    group.color = made_of.color if color is None else color
    group.view = made_of.view if view is None else view
    if view_angle is not None:
        group.view_angle = view_angle
    if view_radius is not None:
        group.view_radius = view_radius
    group.goal = goal
    if speed is not None:
        group.speed = spread_of(speed, "speed", len(entry.places))
    roster.orders.check(group, goal, entry.places)
    roster.people.found(group, entry)
    roster.show()
    return group


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
    roster.happened.note("Added", ids)
    roster.show()
    return ids


def remove(roster: Roster, ids: ArrayLike | Group, of: Group | None = None) -> None:
    """Take units out of the world, all `of` one group if it is given."""
    with roster.turn.change("units: cannot be removed"):
        people = roster.population
        rows = people.rows_of(ids, of)
        named = people.ids[rows]
        if take_down_orders(roster):
            rows = people.rows_now(named)
        people.remove(rows)
        roster.happened.note("Removed", named)
        roster.show()


def regroup(roster: Roster, ids: ArrayLike | Group, group: Group | str) -> None:
    """Have units, by their ids (k,) or all of a group, join a group: its hull, rules and goal.

    They keep their places and their ids; units that are in it already stay as they are. Raises
    `BadInput` for an id that no unit in the world has, for a goal that one cannot get to, and where
    a larger hull has no room.
    """
    group = group_of(roster.groups, group)
    with roster.turn.change("units: cannot change their group"):
        people, orders, goal = roster.people, roster.orders, group.standing_goal
        rows = people.rows_of(ids)
        rows = rows[people.group_of[rows] != group.index]
        here, named = roster.snapshot().position[rows], people.ids[rows]
        orders.check(group, goal, here)
        check_crowd(roster, rows, group)
        take_down_orders(roster)
        people.regroup(rows, group)
        orders.send(group, goal, people.rows_of(named), here, roster.steps)
        roster.show()
