"""What is known of narrow places, of units that come to them, and of turns there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf
from sim.core.plane import Plane

NOWHERE = -1


class Places(NamedTuple):
    """The G narrow places of a world."""

    exits: Ints
    """(G,) how many directions each has."""
    room: Ints
    """(G,) how many units may be in each at a time."""
    lanes: Ints
    """(G,) how many units go through each abreast."""
    off: Floats
    """(G,) how far off units wait, hull lengths."""
    gone: Floats
    """(G,) how far out a unit has gone through, hull lengths."""
    in_order: Bools
    """(G,) whether units go in in the order in which they came; else the nearest goes first."""
    last: Ints
    """(G,) the direction whose turn it is, or was last; -1 before any unit came."""


class Bound(NamedTuple):
    """The narrow place that each of N units comes to next on its way."""

    place: Ints
    """(N,) its number; -1 for none."""
    exit: Ints
    """(N,) the direction in which it goes through."""
    ahead: Floats
    """(N,) length of the way up to its mouth, world units; 0 inside."""
    mouth: Floats
    """(N, 2) the mouth where a unit enters; of units inside, where it leaves."""
    way_out: Floats
    """(N, 2) the mouth where it leaves."""

    @classmethod
    def nowhere(cls, units: int) -> Bound:
        """For units that come to none."""
        none = np.full(units, NOWHERE)
        points = np.zeros((2, units, 2))
        return cls(none, none.copy(), np.full(units, np.inf), points[0], points[1])


class Turns(NamedTuple):
    """What N units and G places carry from step to step."""

    turn: Ints
    """(N,) the place whose turn a unit has, until it is well out of its mouth; -1 for none."""
    exit: Ints
    """(N,) the direction for which it has it."""
    way_out: Floats
    """(N, 2) the mouth where it leaves, or has just left."""
    nearest: Floats
    """(N,) the least way up to the mouth since then; below 0: how far it was out of the other."""
    idle: Floats
    """(N,) s since it got on; of units without a turn, for which they have waited."""
    waiting: Bools
    """(N,) units that have to wait at a mouth."""

    @classmethod
    def none(cls, units: int) -> Turns:
        """Of units that have come to no place yet."""
        none = np.full(units, NOWHERE)
        return cls(
            none, none.copy(), np.zeros((units, 2)), np.full(units, np.inf), np.zeros(units),
            np.zeros(units, np.bool_),
        )  # fmt: skip


class Tally(NamedTuple):
    """What is known of the units of each of E directions at each of G places, (G, E)."""

    held: Ints
    """How many have a turn and bar the way of the others."""
    front: Floats
    """Of units with a turn on the way in, the least way up to the mouth."""
    stood: Floats
    """s since the first of these got on."""
    gets_on: Bools
    """Whether any on the way in has got on of late."""
    last: Floats
    """The longest way of such units."""
    asked: Ints
    """How many ask for a turn."""
    longest: Floats
    """s for which the first of these has asked."""
    first: Floats
    """(G, FEW) the least ranks of units that ask, in order."""


@leaf
def take_down(rank, first):  # type: ignore[no-untyped-def]
    """Keep the least ranks at a place, in order."""
    k = len(first) - 1
    if rank >= first[k]:
        return
    while k > 0 and first[k - 1] > rank:
        first[k] = first[k - 1]
        k -= 1
    first[k] = rank


@leaf
def others_ask(asked, mine):  # type: ignore[no-untyped-def]
    """Whether units wait for another direction."""
    others = 0
    for e in range(len(asked)):
        others += e != mine and asked[e] > 0
    return others > 0


@leaf
def waited(longest, mine):  # type: ignore[no-untyped-def]
    """How long units have waited for other directions."""
    waited = 0.0
    for e in range(len(longest)):
        if e != mine:
            waited = max(waited, longest[e])
    return waited


def bound_for(stops: Ints, position: Floats, points: Floats, clear: Floats, plane: Plane) -> Bound:
    """The narrow places of N units whose next stops, at `points` (N, 2), have the numbers `stops`.

    A unit is inside within `clear` (N,) of its stop, world units.
    """
    bound = Bound.nowhere(len(stops))
    some = np.flatnonzero(stops >= 0)
    at = plane.images_near(points[some], position[some])  # to the last bit the same for all
    off = at - position[some]
    bound.place[some], bound.exit[some] = stops[some], 0
    bound.ahead[some] = np.maximum(np.hypot(*off.T) - clear[some], 0.0)
    bound.mouth[some] = bound.way_out[some] = at
    return bound


def sooner(passages: Bound, stops: Bound, count: int) -> Bound:
    """What each unit comes to first: one of the `count` passages, or a stop, numbered after them.

    What is told of the passages is overwritten.
    """
    stop = stops.ahead < passages.ahead
    for one, other in zip(passages, stops, strict=True):
        one[stop] = other[stop]
    passages.place[stop] += count
    return passages
