"""The bodies of a world's own space changed over for those of a state.

Bodies that are the same stay: so a load takes little where a few units came, went or changed group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.hull import Hull
from sim.engine.build import Body
from sim.engine.inside import remove
from sim.engine.numbers import give_own_filter
from sim.engine.owners import FOREIGN, known_by_id, owners, take_over
from sim.engine.placing import put_in
from sim.engine.rewinding import bodies_now
from sim.living.roster import Roster

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

    They stand anywhere, and nothing else is as it was then.
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
    theirs = owned(
        state.owner, state.parts["units"]["group_of"], radii_of(state.parts["groups"]),
        state.parts["seam"],
    )  # fmt: skip
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
