"""Ground that changes, as part of a state: parts with their bodies, areas, and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Ints
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.engine.build import Body
from sim.engine.movers import make_part
from sim.engine.owners import FOREIGN
from sim.engine.saved import Made
from sim.living.roster import Roster
from sim.living.site import Site
from sim.navigation import Planner

OF_PLANNER = {"chart": "chart", "latest": "latest", "open": "_open", "asked": "_asked"}
"""What a planner carries, by name in a state."""


def take_terrain(
    site: Site, owner: Ints, ids: NDArray[np.uint64]
) -> tuple[dict[str, Any] | None, Ints]:
    """What a world's parts and areas carry, and the place of each part's body among all (p,).

    That is -1 for a part that is open. `owner` and `ids` (b,) are those of the bodies. Raises
    `BadInput` for bodies of the user's own, and for a part whose body was taken out of the space.
    """
    terrain = site.terrain
    if terrain is not None and terrain.there:
        raise BadInput("save: the world has bodies of your own that are seen, which are not saved")
    bodies = [] if terrain is None else [part.body for part in terrain.parts.values()]
    places = np.full(len(bodies), -1)
    for k, body in enumerate(bodies):
        if body is not None:
            found = np.flatnonzero(ids == body.id)
            if not len(found):
                name = list(site.parts)[k]
                raise BadInput(f"save: the body of part {name!r} is not in the world's space")
            places[k] = found[0]
    if (owner == FOREIGN).sum() > (places >= 0).sum():
        raise BadInput("save: its space holds bodies that are no units, which are not saved")
    return None if terrain is None else terrain.kept, places


def put_terrain(
    site: Site, kept: Mapping[str, Any] | None, places: Ints, bodies: Mapping[int, Body]
) -> None:
    """Have a world's ground change from now on as was kept; `bodies` of parts are by place."""
    if kept is None:
        if site.terrain is not None:
            site.forget_parts()
        return
    own = [None if place < 0 else bodies[place] for place in places.tolist()]
    site.begin_changes().resume(kept, own)


def part_makers(
    kept: Mapping[str, Any] | None, places: Ints, plane: Plane
) -> dict[int, Callable[[], Made]]:
    """What makes the body of each part, by its place among all."""
    parts = [] if kept is None else kept["parts"]
    return {
        place: lambda part=part: make_part(part["shape"].solids, plane)  # type: ignore[misc]
        for place, part in zip(places.tolist(), parts, strict=True)
        if place >= 0
    }


def planner_of(roster: Roster, theirs: Planner | None) -> Planner | None:
    """The planner that plans for a world in a state with this one: its own, or a new one."""
    ours = roster.orders.planner
    if theirs is None:
        if ours is not None:
            ours.close()
        return None
    if ours is not None:
        return ours
    return Planner(roster.ground.bare, roster.plane, roster.basis.map)


def take_planner(planner: Planner | None) -> dict[str, Any]:
    """What a planner carries, by name in a state."""
    if planner is None:
        return {"open": [], "asked": 0}
    planner.revive()
    planner.worker.begin()
    return {name: getattr(planner, held) for name, held in OF_PLANNER.items()}


def put_planner(planner: Planner | None, parts: Mapping[str, Any]) -> None:
    """Have a planner go on with what one carried."""
    if planner is not None:
        for name, held in OF_PLANNER.items():
            setattr(planner, held, parts[name])
