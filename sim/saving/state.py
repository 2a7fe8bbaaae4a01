"""The whole state of a world: taken from one, and put into one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.core.limits import check_kind
from sim.core.overlap import Outlines
from sim.core.units import read_only
from sim.engine.owners import owners
from sim.engine.saved import Engine, read_engine
from sim.group import Group
from sim.living.events import Happened
from sim.living.roster import Roster
from sim.living.site import Site
from sim.living.sources import Source
from sim.saving.copies import copied, frozen, kept_of
from sim.saving.ground import (
    planner_of,
    put_planner,
    put_terrain,
    take_planner,
    take_terrain,
)
from sim.saving.spaces import move_into, space_for

OUTPUTS = {"_decided", "_before", "figures", "_leads", "_ranked", "_home"}
"""Of a group: what its last step showed, what is worked out from the rest, and its home."""
FUNCTIONS = {"acting", "_who_leads"}
OF_SEAM: dict[str, tuple[Any, tuple[int, ...]]] = {
    "group": (np.int64, ()), "key": (np.int64, ()), "row": (np.int64, ()), "shift": (float, (2,)),
    "size": (float, ()),
}  # fmt: skip
"""Arrays of the seam of a torus, a row a twin: each with its type and the shape of a row."""


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """A world between two steps, as `World.save` returns it. Good for any number of loads.

    Its arrays are read-only: compiled code goes by them. `time` is in seconds. The rest is for code
    that stores it: what the world stands on, its parts by name, the state of the engine, and whose
    its bodies are: (b,) the row of a unit, or -1 less the number of a twin across a seam, or
    `FOREIGN` for a part of the ground.
    """

    time: float
    ground: Mapping[str, Any]
    parts: Mapping[str, Any]
    engine: Engine
    owner: Ints
    about: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from, as its author says."""

    def __repr__(self) -> str:
        """When it was taken, and of how many units: all that it holds would fill pages."""
        return f"State(time={self.time:g}, units={int((self.owner >= 0).sum())})"

    def __deepcopy__(self, _: object) -> State:
        """Itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """How it comes to another process: as the bytes of its file."""
        from sim.saving import file

        return file.unpack, (file.packed(self),)


def take(roster: Roster, site: Site, about: Mapping[str, Any]) -> State:
    """The state of a world. Raises `BadInput` where there is something that cannot be saved."""
    roster.turn.check("save: cannot be done")
    if not roster.own_space:
        raise BadInput("save: the world stands in a space of your own, which is not saved")
    check_kind(about, Mapping, "about", "{'level': 2}")
    orders = roster.orders_now()  # goals just given are taken down first
    engine, ids = read_engine(roster.space, roster.people.times_sorted)
    owner = owners(roster.bridge, ids)
    terrain, places = take_terrain(site, owner, ids)
    seam = roster.bridge.seam
    parts: dict[str, Any] = {
        **take_planner(orders.planner),
        "terrain": terrain,
        "places": places,
        "events": list(roster.agenda.events),
        "steps": roster.steps,
        "units": roster.people.kept,
        "sources": [source.kept for source in roster.agenda.sources],
        "happened": roster.happened.kept,
        "orders": orders,
        "seam": {name: getattr(seam, name) for name in (*OF_SEAM, "in_use")},
        "groups": [kept_of(group, OUTPUTS) for group in roster.groups],
    }
    # kernels trust what they are given
    held = copied(parts, {}, frozen)
    engine, owner = read_only((engine, owner))
    return State(roster.time, roster.basis.shown, held, engine, owner, dict(about))


def put(roster: Roster, site: Site, state: State) -> None:
    """Put a world into a state. Raises `BadInput` for one of another world, and leaves it then."""
    try:
        _put(roster, site, state)
    except BadInput:
        raise
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise BadInput(f"load: not a state of such a world: {error}") from None


def _put(roster: Roster, site: Site, state: State) -> None:
    for name, own in (("seed", roster.basis.seed), ("time_step", roster.time_step)):
        if state.ground[name] != own:
            raise BadInput(f"load: {name} = {state.ground[name]}: this world has {own}")
    if not roster.own_space:
        raise BadInput("load: the world stands in a space of your own, which cannot be put back")
    roster.turn.check("load: cannot be done")
    if not _same_ground(roster, state.ground):
        raise BadInput("load: the state is of a world with other solids")
    theirs = state.parts["orders"].guide
    planner = planner_of(roster, state.parts["orders"].planner)
    # ways are planned by this world's planner
    known = {} if theirs is None else {id(theirs.planner): (planner, theirs)}
    parts = copied(state.parts, known)
    engine, owner = copied((state.engine, state.owner), {})
    state = replace(state, engine=engine, owner=owner)  # kernels take no read-only arrays
    hulls, of = [g["hull"] for g in parts["groups"]], parts["units"]["group_of"]
    laid = space_for(roster, site, state, hulls)
    groups = [_group_of(roster, k, kept) for k, kept in enumerate(parts["groups"])]
    roster.groups[:] = groups
    move_into(roster, state, laid, hulls, len(of))
    orders = parts["orders"]
    roster.resume(laid.ground, orders)
    roster.people.resume(laid.ground, roster.bridge, orders, parts["units"])
    orders.outlines = Outlines(hulls, of, roster.people.sizes)
    roster.steps, roster.happened = parts["steps"], Happened.of(parts["happened"])
    roster.agenda.resume(parts["events"], [Source.of(each) for each in parts["sources"]])
    put_planner(planner, parts)
    put_terrain(site, parts["terrain"], parts["places"], laid.bodies)
    roster.show()


def _group_of(roster: Roster, index: int, kept: dict[str, Any]) -> Group:
    """The world's group of that name, or a new one, as it was."""
    found = next((g for g in roster.groups if g.name == kept["name"]), None)
    fresh = Group(
        kept["name"], index, kept["model"], kept["rows"], kept["hull"], kept["settings"], roster
    )
    return _filled(fresh if found is None else found, fresh, kept)


def _filled(group: Group, fresh: Group, kept: dict[str, Any]) -> Group:
    """The group with what was kept; the rest as in a `fresh` one."""
    vars(group).update({name: vars(fresh)[name] for name in (*OUTPUTS, *FUNCTIONS)})
    vars(group).update(kept)
    return group


def _same_ground(roster: Roster, ground: Mapping[str, Any]) -> bool:
    """Whether a world has the bounds, the solids and the map of a state."""
    maps = [each for each in (roster.basis.map, ground["map"]) if each is not None]
    plane = roster.plane.bounds, roster.plane.edges
    return (
        plane == (ground["plane"].bounds, ground["plane"].edges)
        and roster.ground.added.alike(ground["added"])
        and len(maps) != 1
        and all(np.array_equal(each.boxes, maps[0].boxes) for each in maps)
    )
