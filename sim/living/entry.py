"""Where units enter the world, and which way they are turned then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats, Ints
from sim.core.errors import BadInput, NoRoom
from sim.core.limits import MOST_UNITS
from sim.core.plane import Plane
from sim.core.scatter import Taken, clear_of
from sim.core.solids import rows
from sim.core.spawn import (
    Points,
    Region,
    Spawn,
    Standing,
    check_places,
    check_room,
    count_of,
    headings,
    place,
    scatter,
)
from sim.engine.placing import TOUCH
from sim.living.lookup import reborn
from sim.orders import GO, Goal

if TYPE_CHECKING:
    from sim.group import Group
    from sim.living.roster import Roster


class Entry(NamedTuple):
    """Where n units enter."""

    places: Floats
    """(n, 2)."""
    angles: Floats
    """(n,) radians."""
    given: bool
    """Whether the places were given, and may overlap others: they are to be checked."""


def check_start(roster: Roster, group: Group, spawn: Region | Points) -> None:
    """Raise `BadInput` for a start at which no unit of a group will ever have room."""
    plane, solids, reach = roster.plane, roster.ground.bare, group.hull.smallest.reach
    if isinstance(spawn, Points):
        check_places(rows(spawn.places, 2, "spawn.points"), plane, solids)
        return
    check_room(spawn, reach)
    rng, no_unit = np.random.Generator(np.random.PCG64(0)), Standing(np.zeros((0, 2)), np.zeros(0))
    if np.isnan(scatter(spawn, np.array([reach]), plane, solids, no_unit, rng)).any():
        why = "it seems to lie in a solid, or outside the walls"
        raise BadInput(f"{spawn.said}: no room was found for a hull that reaches {reach:g}: {why}")


def entry_of(
    roster: Roster,
    group: Group,
    spawn: Spawn | ArrayLike,
    goal: Goal | None,
    *,
    count: int | None = None,
    heading: float | str | ArrayLike | None = None,
    facing: ArrayLike | None = None,
) -> Entry:
    """The entry of new units of a group that are sent by a goal.

    Each entry draws from random numbers of its own, by the group's name and the first id that its
    units get. Raises `BadInput` where there is no room.
    """
    hull = group.hull
    if not isinstance(spawn, Spawn):
        spawn = Points(spawn)
    count = count_of(spawn, count)
    if count > roster.population.room:
        said = f"the world has {len(roster.ids):,} units; must be at most {MOST_UNITS:,} in all"
        raise BadInput(f"count = {count:,}: {said}")
    if heading is None and hull.upright:
        heading = 0.0  # a unit that never turns has none: sides along the axes, as tiles have them
    later = f" {roster.population.given}" if group.index < len(roster.groups) else ""
    rng = roster.rng(f"spawn {group.name}{later}")
    reach, solids = group.coming(count).reach, roster.ground.solids
    places = place(spawn, reach, roster.plane, solids, roster.standing, rng)
    if facing is None and goal is not None and goal.kind == GO:
        facing = goal.first(places)
    angles = headings(places, spawn, heading, facing, roster.plane, rng)
    return Entry(places, angles, given=not isinstance(spawn, Region))


def free_points(spawn: Points, reach: Floats, roster: Roster, others: Standing) -> Floats:
    """(k, 2) those of the points, in their order, where there is room for hulls of `reach` (n,).

    The first goes to the first hull, and so on; n at most.
    """
    places, plane, ground = rows(spawn.places, 2, "spawn.points"), roster.plane, roster.ground
    outside = ground.bare.depth(places, plane) <= 0
    room = -ground.parts.depth(places, plane if plane.wraps else Plane())
    chosen, size = np.empty((0, 2)), plane.size
    there = [Taken(others.position, others.reach, size)]
    for at, far in zip(places[outside], room[outside], strict=True):
        own = reach[len(chosen) : len(chosen) + 1]
        if not len(own):
            break
        if own[0] <= far and clear_of(at[None], there, own).any():
            chosen = np.concatenate([chosen, at[None]])
            there[1:] = [Taken(chosen, reach[: len(chosen)], size)]
    return chosen


def check_crowd(roster: Roster, rows: Ints, group: Group) -> None:
    """Raise `NoRoom` where units in some rows (k,) have no room for the hulls of a group.

    Only discs within the hulls are looked at: no body is made for one that surely has none. Where
    hulls touch by their corners alone, the engine tells.
    """
    people, state, hull = roster.people, roster.snapshot(), group.hull
    fresh = np.sort(reborn(roster.groups, people.group_of, rows, group))
    inner = np.array([each.hull.inner / each.hull.radius for each in roster.groups])
    others = np.setdiff1d(np.flatnonzero(state.present), fresh)
    there = people.sizes.radius[others] * inner[people.group_of[others]]
    own = group.coming(len(fresh)).radius * inner[group.index] - 2 * TOUCH * hull.radius
    taken = Taken(state.position[others], there, roster.plane.size)
    clear = clear_of(state.position[fresh], [taken], np.maximum(own, 0.0))
    if not clear.all():
        row = fresh[np.flatnonzero(~clear)[0]]
        x, y = state.position[row]
        said = f"has no room for the hull of '{group.name}': it overlaps another"
        raise NoRoom(f"regroup: unit {people.ids[row]} at ({x:g}, {y:g}) {said}")
