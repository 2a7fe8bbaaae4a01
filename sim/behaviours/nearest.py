"""The nearest of those that one sees: whom a walker heeds, and what it knows of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.compiled import leaf
from sim.orders.minds import Minds
from sim.overlap import Shapes

Floats = NDArray[np.float64]

NEAREST = 14
"""How many neighbours count: the nearest."""
X, Y, APART, VX, VY, HX, HY, HULL, PACE, JOINED, KNOWN = range(11)
"""Rows of a table (KNOWN, NEAREST) of these, in one's own frame: place, distance, velocity,
heading, hull radius, and the desired speed; or `RESTING`. Whether one joins it: it has arrived
where one is bound for."""
RESTING = -1.0


class Crowd(NamedTuple):
    """What a kernel looks up of all N units."""

    position: Floats
    velocity: Floats
    heading: Floats
    reach: Floats
    """(N,) how far each hull reaches from its centre, world units."""
    minds: Minds
    shapes: Shapes


@leaf
def nearest_seen(i, each, sight, near):  # type: ignore[no-untyped-def]
    """Fill `near` with the places in list i of the nearest that are seen; how many they are."""
    found, distance = 0, each.distance
    for k in range(each.count[i]):
        apart = distance[i, k]
        if not each.seen[i, k] >> sight & 1 or apart <= 0.0:
            continue
        at = min(found, NEAREST - 1)
        if found == NEAREST and apart >= distance[i, near[at]]:
            continue
        while at > 0 and distance[i, near[at - 1]] > apart:
            near[at] = near[at - 1]
            at -= 1
        near[at] = k
        found = min(found + 1, NEAREST)
    return found


@leaf
def know(i, me, each, near, found, crowd, c, s, met):  # type: ignore[no-untyped-def]
    """Fill the table `met` with the nearest, whose numbers in list i are given."""
    minds = crowd.minds
    for n in range(found):
        k = near[n]
        j = each.index[i, k]
        met[X, n], met[Y, n] = each.ahead[i, k], each.starboard[i, k]
        met[APART, n] = each.distance[i, k]
        x, y = crowd.velocity[j, 0], crowd.velocity[j, 1]
        met[VX, n], met[VY, n] = c * x + s * y, c * y - s * x
        x, y = crowd.heading[j, 0], crowd.heading[j, 1]
        met[HX, n], met[HY, n] = c * x + s * y, c * y - s * x
        met[HULL, n] = crowd.reach[j]
        met[PACE, n] = minds.speed[j] if minds.moving[j] else RESTING
        met[JOINED, n] = minds.arrived[j] and minds.end[j] == minds.end[me]
