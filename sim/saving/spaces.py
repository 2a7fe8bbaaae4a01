"""The space of a world that is put into a state: its own once more, or a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.hull import Hull
from sim.engine.build import Body, Space, make_body
from sim.engine.ground import Ground
from sim.engine.owners import hand_over, owners
from sim.engine.rewinding import bodies_by_number, can_rewind, rewind
from sim.engine.saved import Made, fill
from sim.living.roster import Roster
from sim.living.site import Site
from sim.saving.changing_over import as_then, change_over, owned, radii_of
from sim.saving.ground import part_makers

if TYPE_CHECKING:
    from sim.saving.state import State


class Laid(NamedTuple):
    """A space in the state that is wanted, with its ground."""

    space: Space
    ground: Ground
    bodies: dict[int, Body]
    """By place in the state: all in a new space, in one that was rewound those of parts."""
    new: bool


def space_for(roster: Roster, site: Site, state: State, hulls: list[Hull]) -> Laid:
    """A space in a state: the world's own where its bodies are the same, which is quick."""
    return _own(roster, site, state, hulls) or _fresh(roster, state, hulls)


def move_into(roster: Roster, state: State, laid: Laid, hulls: list[Hull], units: int) -> None:
    """Have a world go on in a space that is in a state."""
    if laid.new:
        bridge = roster.move_to(laid.space)
        hand_over(bridge, [laid.bodies[k] for k in range(len(laid.bodies))], state.owner, units)
    seam = roster.bridge.seam
    seam.hulls, seam.reach = [], 0.0
    for hull in hulls:
        seam.add_group(hull)
    roster.bridge.forget_order()
    vars(seam).update({k: _own_copy(v) for k, v in state.parts["seam"].items()})


def _own_copy(value: object) -> object:
    return value.copy() if isinstance(value, np.ndarray) else value


def _own(roster: Roster, site: Site, state: State, hulls: list[Hull]) -> Laid | None:
    """The world's own space put back, if it has the ground of a state."""
    parts, seam = state.parts, roster.bridge.seam
    if not can_rewind(roster.space, state.engine, roster.people.times_sorted):
        return None
    found = _found(roster, state) if as_then(roster, state, hulls) else None
    if found is None and change_over(roster, state, hulls):
        found = _found(roster, state)
    if found is None:
        return None
    places, ids = found
    moving = {} if site.terrain is None else site.terrain.parts
    standing = {p.body.id: p for p in moving.values() if p.body is not None}
    kept = [] if parts["terrain"] is None else parts["terrain"]["parts"]
    bodies: dict[int, Body] = {}
    for held, place in zip(kept, parts["places"].tolist(), strict=True):
        part = standing.get(int(ids[place])) if place >= 0 else None
        if place >= 0:
            if part is None or part.body is None or part.shape is not held["shape"]:
                return None
            bodies[place] = part.body
    there = int(roster.bridge.present.sum()) + len(seam.bodies) + len(bodies)
    if there != len(ids) or not rewind(roster.space, state.engine, places):
        return None
    return Laid(roster.space, roster.ground, bodies, new=False)


def _found(roster: Roster, state: State) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
    """Where the bodies of a state lie, and their ids; None if others are there, or of others."""
    found = bodies_by_number(roster.space, state.engine)
    if found is None or not np.array_equal(owners(roster.bridge, found[1]), state.owner):
        return None
    return found


def _fresh(roster: Roster, state: State, hulls: list[Hull]) -> Laid:
    """A space with everything in it."""
    space, kept = Space(), roster.ground
    laid: list[Ground] = []
    each = owned(
        state.owner, state.parts["units"]["group_of"], radii_of(state.parts["groups"]),
        state.parts["seam"],
    )  # fmt: skip
    parts = [lambda: laid.append(Ground(space, roster.plane, kept.added, roster.basis.map))]
    if hulls:
        parts.append(lambda: laid[0].suit(hulls[0].largest.radius))
    makers = part_makers(state.parts["terrain"], state.parts["places"], roster.plane)

    def make(k: int) -> Made:
        if k in makers:
            return makers[k]()
        body, shape = make_body(hulls[each.group[k]].of(float(each.radius[k])))
        return body, (shape,)

    bodies = fill(space, state.engine, parts, make)
    return Laid(space, laid[0], dict(enumerate(bodies)), new=True)
