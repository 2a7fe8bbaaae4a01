"""The three rules of flocking (AI for Game Developers, ch. 4.2; Reynolds 1987)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numba import prange

from sim.behaviours.curves import side_of, toward
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.perception.percepts import Percepts

Gain = Annotated[float, Within(0, 1e3, "steepness: full steering from pi / gain radians")]


@rule("flocking", looks="summary", whom="mates")
def cohesion(me: Percepts, *, gain: Gain = 1.0) -> Terms:
    """Steer toward the neighbours' mean position: angle to it / pi, toward its side (rule A6)."""
    assert me.seen is not None
    return toward(me.seen.summary.offset, gain)


@rule("flocking", looks="summary", whom="mates")
def alignment(me: Percepts, *, gain: Gain = 1.0) -> Terms:
    """Steer toward the neighbours' mean velocity: angle to it / pi, toward its side (rule A7)."""
    assert me.seen is not None
    return toward(me.seen.summary.velocity, gain)


@rule("flocking", looks="each", range=5.0)
def separation(me: Percepts) -> Terms:
    """Steer away from the side of each neighbour within range: sum of range / distance (rule A8).

    Bounded at contact: nobody counts as nearer than one hull width. A neighbour exactly ahead counts as being to
    port. Give it a `view` of its own (wide) where the group's view is narrow: the book warns that narrow views fail side
    to side.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty((len(me.velocity), 2))
    contact, reach = 2 * me.hull.radius, me.seen.range
    _separate(
        each.count, each.starboard, each.distance, each.seen, me.seen.sight, reach, contact, out
    )
    return out


@Kernel
def _separate(count, starboard, distance, seen, sight, reach, contact, out):  # type: ignore[no-untyped-def]
    for i in prange(len(count)):
        total = 0.0
        for k in range(count[i]):
            if seen[i, k] >> sight & 1:
                total -= (
                    side_of(starboard[i, k], distance[i, k]) * reach / max(distance[i, k], contact)
                )
        out[i, 0], out[i, 1] = 0.0, total
