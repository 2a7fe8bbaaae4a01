"""The space of a world that is put into a state: its own once more, or a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.hull import Hull
from sim.engine.build import Body, Space, make_body
from sim.engine.ground import Ground
from sim.engine.numbers import give_own_filter
from sim.engine.owners import FOREIGN, hand_over, known_by_id, owners, take_over
from sim.engine.placing import put_in, remove
from sim.engine.rewinding import bodies_by_number, bodies_now, can_rewind, rewind
from sim.engine.saved import Made, fill
from sim.living.roster import Roster
from sim.living.site import Site
from sim.saving.copies import copied
from sim.saving.ground import part_makers

if TYPE_CHECKING:
    from sim.saving.state import State


class Owned(NamedTuple):
    """What bodies (b,) are: `group` -1 for parts of the ground."""

    group: Ints
    radius: Floats
    twin: NDArray[np.bool_]


def owned(owner: Ints, group_of: Ints, radii: Floats, seam: Mapping[str, Any]) -> Owned:
    """What they are, by whose they are: units' with groups and radii (N,), or twins' of a seam."""
    units = owner >= 0
    twins = ~units & (owner != FOREIGN)
    group, radius = np.full(len(owner), -1), np.zeros(len(owner))
    own, other = owner[units], -1 - owner[twins]
    group[units], radius[units] = group_of[own], radii[own]
    group[twins], radius[twins] = seam["group"][other], seam["size"][other]
    return Owned(group, radius, twins)


def owned_in(state: State) -> Owned:
    """What the bodies of a state are."""
    parts = state.parts
    radii = radii_of(parts["groups"])
    return owned(state.owner, parts["units"]["group_of"], radii, parts["seam"])


def radii_of(groups: Sequence[Mapping[str, Any]]) -> Floats:
    """(N,) the radii of the hulls of all units of some groups."""
    return np.concatenate([np.zeros(0), *(kept["_radii"] for kept in groups)])


def as_then(roster: Roster, state: State, hulls: list[Hull]) -> bool:
    """Whether groups, units and twins are those of a state: then their bodies may be, too."""
    parts, seam = state.parts, roster.bridge.seam
    return (
        [group.hull for group in roster.groups] == hulls
        and np.array_equal(roster.people.group_of, parts["units"]["group_of"])
        and np.array_equal(seam.group, parts["seam"]["group"])
        and np.array_equal(seam.size, parts["seam"]["size"])
        and np.array_equal(radii_of(list(map(vars, roster.groups))), radii_of(parts["groups"]))
    )


def change_over(roster: Roster, state: State, hulls: list[Hull]) -> bool:
    """Have the space hold the bodies of a state, of groups with these hulls; whether it does now.

    They stand anywhere, and nothing else is as it was then. Bodies that are the same stay: so a
    load takes little where a few units came, went or changed group.
    """
    bridge, now = roster.bridge, bodies_now(roster.space)
    if now is None:
        return False
    number, shapes, ids = now
    before = [group.hull for group in roster.groups]
    owner = owners(bridge, ids)
    mine = owned(
        owner, roster.people.group_of, radii_of(list(map(vars, roster.groups))), vars(bridge.seam)
    )
    theirs = owned_in(state)
    _, one, other = np.intersect1d(
        number, state.engine.number, assume_unique=True, return_indices=True
    )
    same = _kinds(mine, before, hulls)[one] == _kinds(theirs, hulls, before)[other]
    same &= (mine.radius[one] == theirs.radius[other]) & (mine.twin[one] == theirs.twin[other])
    same &= shapes[one] == state.engine.shapes[other]
    gone, come = np.ones(len(number), np.bool_), np.ones(len(state.owner), np.bool_)
    gone[one[same]] = come[other[same]] = False
    if (owner[gone] == FOREIGN).any() or (state.owner[come] == FOREIGN).any():
        return False
    all_ids = np.zeros(len(state.owner), np.uint64)
    all_ids[other[same]] = ids[one[same]]
    known = known_by_id(bridge)
    _take_out(roster, [known.pop(n) for n in ids[gone].tolist()], mine.group[gone], before)
    for k in np.flatnonzero(come)[np.argsort(state.engine.number[come])].tolist():
        hull = hulls[theirs.group[k]].of(float(theirs.radius[k]))
        body = put_in(roster.space, hull, roster.spare, int(state.engine.number[k]))
        known[body.id], all_ids[k] = body, body.id
        if not theirs.twin[k]:
            give_own_filter(body)
    take_over(bridge, all_ids, state.owner, len(state.parts["units"]["group_of"]), known)
    return True


def _kinds(what: Owned, hulls: list[Hull], others: list[Hull]) -> Ints:
    """(b,) a number for the hull of each body's group, alike for the same in either list."""
    number = {hull: k for k, hull in enumerate(sorted({*hulls, *others}, key=repr))}
    of: Ints = np.array([*(number[hull] for hull in hulls), -1])
    return of[what.group]


def _take_out(roster: Roster, bodies: list[Body], groups: Ints, hulls: list[Hull]) -> None:
    """Take bodies of units and twins out of the space: they serve others to come."""
    remove(roster.space, bodies)
    for body, group in zip(bodies, groups.tolist(), strict=True):
        roster.spare.keep(hulls[group], body)


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
    vars(seam).update(copied(state.parts["seam"], {}))


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
    each = owned_in(state)
    parts = [lambda: laid.append(Ground(space, roster.plane, kept.added, roster.basis.map))]
    parts += [partial(lambda hull: laid[0].suit(hull), hull) for hull in hulls]
    makers = part_makers(state.parts["terrain"], state.parts["places"], roster.plane)

    def make(k: int) -> Made:
        if k in makers:
            return makers[k]()
        body, shape = make_body(hulls[each.group[k]].of(float(each.radius[k])))
        return body, (shape,)

    bodies = fill(space, state.engine, parts, make)
    return Laid(space, laid[0], dict(enumerate(bodies)), new=True)
