"""The whole state of a world: taken from one, and put into one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.core.overlap import Outlines
from sim.engine.owners import owners
from sim.engine.saved import Engine, read_engine
from sim.group import Group
from sim.living.changes import show
from sim.living.events import Happened
from sim.living.sources import Source
from sim.saving.copies import copied, kept_of
from sim.saving.ground import (
    planner_of,
    put_planner,
    put_terrain,
    take_planner,
    take_terrain,
)
from sim.saving.spaces import move_into, radii_of, space_for

if TYPE_CHECKING:
    from sim.resuming import Resuming

OUTPUTS = {"terms", "figures", "command", "_leads", "_ranked", "_world"}
"""Of a group: what its last step showed, what is worked out from the rest, and its world."""
FUNCTIONS = {"acting", "_who_leads"}
OF_SEAM = ("_group", "_key", "row", "shift", "_size", "_in_use")
"""What the seam of a torus carries, its bodies apart."""


@dataclass(frozen=True, eq=False)
class State:
    """A world between two steps, as `World.save` returns it. Good for any number of loads.

    `time` is in seconds. The rest is for those that store it: what the world stands on, its parts
    by name, the state of the engine, and whose its bodies are: (b,) the row of a unit, or -1 less
    the number of a twin across a seam, or `FOREIGN` for a part of the ground.
    """

    time: float
    ground: Mapping[str, Any]
    parts: Mapping[str, Any]
    engine: Engine
    owner: Ints
    about: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from, as whoever saved it says."""


def take(world: Resuming, about: Mapping[str, Any]) -> State:
    """The state of a world. Raises `BadInput` where there is something that cannot be saved."""
    if world._deciding:
        raise BadInput("save: only between steps, not while units decide")
    if not world._own_space:
        raise BadInput("save: the world stands in a space of your own, which is not saved")
    orders = world.orders  # goals just given are taken down first
    engine, ids = read_engine(world.space, world.people.times_sorted)
    owner = owners(world._bridge, ids)
    terrain, places = take_terrain(world, owner, ids)
    seam = world._bridge.seam
    parts: dict[str, Any] = {
        **take_planner(None if orders.guide is None else orders.guide.planner),
        "terrain": terrain,
        "places": places,
        "events": world.agenda.events,
        "steps": world.steps,
        "units": world.people.kept,
        "sources": [source.kept for source in world.agenda.sources],
        "happened": world.happened.kept,
        "orders": orders,
        "seam": {name: getattr(seam, name) for name in OF_SEAM},
        "groups": [kept_of(group, OUTPUTS) for group in world.groups],
    }
    ground = {
        "seed": world.seed, "time_step": world.time_step, "plane": world.plane, "map": world.map,
        "added": world._ground.added, "neighbour_search": world._searched,
        "contact_cells": world.people.cells,
    }  # fmt: skip
    return State(world.time, ground, copied(parts, {}), engine, owner, dict(about))


def put(world: Resuming, state: State) -> None:
    """Put a world into a state. Raises `BadInput` for one of another world, and leaves it then."""
    try:
        _put(world, state)
    except BadInput:
        raise
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise BadInput(f"load: not a state of such a world: {error}") from None


def _put(world: Resuming, state: State) -> None:
    for name, own in (("seed", world.seed), ("time_step", world.time_step)):
        if state.ground[name] != own:
            raise BadInput(f"load: {name} = {state.ground[name]}: this world has {own}")
    if not world._own_space:
        raise BadInput("load: the world stands in a space of your own, which cannot be put back")
    if world._deciding:
        raise BadInput("load: only between steps, not while units decide")
    if not _same_ground(world, state.ground):
        raise BadInput("load: the state is of a world with other solids")
    theirs = state.parts["orders"].guide
    planner = planner_of(world, None if theirs is None else theirs.planner)
    # ways are planned by this world's planner
    known = {} if theirs is None else {id(theirs.planner): (planner, theirs)}
    parts = copied(state.parts, known)
    hulls, of = [g["hull"] for g in parts["groups"]], parts["units"]["group_of"]
    laid = space_for(world, state, hulls)
    groups = [_group_of(world, k, kept) for k, kept in enumerate(parts["groups"])]
    world.groups[:] = groups
    move_into(world, state, laid, hulls, len(of))
    world._orders = orders = parts["orders"]
    orders.outlines = Outlines(hulls, of, radii_of(parts))
    world.people.resume(laid.ground, world._bridge, orders, parts["units"])
    world.steps, world.happened = parts["steps"], Happened.of(parts["happened"])
    world.agenda.events = parts["events"]
    world.agenda.sources[:] = [Source.of(each) for each in parts["sources"]]
    put_planner(planner, parts)
    put_terrain(world, parts["terrain"], parts["places"], laid.bodies)
    show(world)


def _group_of(world: Resuming, index: int, kept: dict[str, Any]) -> Group:
    """The world's group of that name, or a new one, as it was."""
    found = next((g for g in world.groups if g.name == kept["name"]), None)
    fresh = Group(
        kept["name"], index, kept["model"], kept["rows"], kept["hull"], kept["settings"], world
    )
    return _filled(fresh if found is None else found, fresh, kept)


def _filled(group: Group, fresh: Group, kept: dict[str, Any]) -> Group:
    """The group with what was kept; the rest as in a `fresh` one."""
    vars(group).update({name: getattr(fresh, name) for name in (*OUTPUTS, *FUNCTIONS)})
    vars(group).update(kept)
    return group


def _same_ground(world: Resuming, ground: Mapping[str, Any]) -> bool:
    """Whether a world has the bounds, the solids and the map of a state."""
    mine, theirs = world._ground.added, ground["added"]
    pairs = [(getattr(mine, name), getattr(theirs, name)) for name in ("discs", "boxes", "walls")]
    tiles = [None if each is None else each.boxes for each in (world.map, ground["map"])]
    if (tiles[0] is None) != (tiles[1] is None):
        return False
    pairs += [] if tiles[0] is None else [(tiles[0], tiles[1])]
    plane = world.plane.bounds, world.plane.edges
    return plane == (ground["plane"].bounds, ground["plane"].edges) and all(
        np.array_equal(one, other) for one, other in pairs
    )
