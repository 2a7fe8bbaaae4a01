"""Ways of single units that a change of the ground touches are asked for anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.paths import Path
from sim.orders.party import WAYS

if TYPE_CHECKING:
    from sim.orders.party import Party


ROUNDABOUT = 1.1
"""A way is planned anew if one by what has opened might be shorter; ways along eight directions are
up to this many times as long as the straight ones."""


class Change(NamedTuple):
    """One solid that came or went."""

    solids: Solids
    came: bool


def renew_ways(
    party: Party, step: int, position: Floats, changes: Sequence[Change], plane: Plane
) -> None:
    """Ask anew for those ways of a party, now at `position` (n, 2), that changes may touch."""
    party.renewed = True
    stop = party.stop
    own = ~party.shared[party.place[stop]] & ~party.asked
    ways = [
        way
        for way in np.flatnonzero(own).tolist()
        if (known := party.ways[way]) is None
        or any(_touches(known, party.radius, change, plane) for change in changes)
    ]
    if ways:
        goals = party.places[party.place[stop[ways]], :2]
        party.asked[ways] = True
        starts = _starts(party, position)[ways]
        ticket = party.planner.ask_paths(step, starts, goals, party.radius, crossings=False)
        party.pending[ticket.order] = WAYS, np.array(ways)


def _starts(party: Party, position: Floats) -> Floats:
    """Where each way begins, (w, 2), now that the units are at `position` (n, 2)."""
    stops = party.places[party.place, :2]
    ends = stops[party.first[1:] - 1][: len(party.ways) - len(stops)]
    starts = np.concatenate([np.roll(stops, 1, axis=0), ends])
    back = party.lapped & (party.at == party.first[:-1])
    starts[np.where(back, len(stops) + np.arange(len(back)), party.at)] = position
    return starts


def _touches(path: Path, radius: float, change: Change, plane: Plane) -> bool:
    """Whether a change may make another way of this one."""
    if plane.wraps:
        return True
    low, high = change.solids.extent
    if not change.came:
        ends = path.points[[0, -1]]
        by = np.hypot(*np.maximum(np.maximum(low - ends, ends - high), 0.0).T).sum()
        return bool(by <= ROUNDABOUT * path.length)
    parts = []
    for a, b in zip(path.points[:-1], path.points[1:], strict=True):
        count = int(np.ceil(2 * np.hypot(*(b - a)) / radius)) + 1
        parts.append(a + np.linspace(0, 1, count)[:, None] * (b - a))
    places = np.concatenate(parts)
    near = ((places > low - 2 * radius) & (places < high + 2 * radius)).all(axis=1)
    return bool(near.any()) and bool(change.solids.depth(places[near], plane).max() > -1.5 * radius)
