"""The nearest neighbours that a unit sees, and what it knows of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import NO_ROW, Floats
from sim.core.compiled import inlined, leaf
from sim.core.geometry import to_own_frame
from sim.core.overlap import Shapes
from sim.orders.minds import Minds, rests
from sim.perception.bodies import Bodies
from sim.perception.lists import sees
from sim.perception.percepts import Percepts

NEAREST = 14
"""How many neighbours count: the nearest."""
WIDE = 16
"""Room in a table for each thing that is known of them: whole lanes, so that one instruction takes
several neighbours."""
X, Y, APART, VX, VY, HX, HY, HULL, PACE, JOINED, SHARED, STANCE, LATER = range(0, 13 * WIDE, WIDE)
"""Where what is known begins in a table (KNOWN,), in one's own frame: place, distance, velocity,
heading, hull radius, and the desired speed; or `RESTING`. Whether one joins it: it has arrived
where one is bound for. Whether both are bound for one place; its stance at a narrow place. How much
further one has to the mouth by which both go in and need not wait; NaN if there is none."""
AWAY_X, AWAY_Y, SLACK, FIRST, NX, NY, BOUND, AGAINST, QUEUES, KNOWN = range(
    13 * WIDE, 23 * WIDE, WIDE
)
"""Where what follows from that begins: see `foreseen.weigh_up`."""
RESTING = -1.0


class Crowd(NamedTuple):
    """What a kernel looks up of all N units."""

    bodies: Bodies
    minds: Minds
    shapes: Shapes
    bound_for: Floats
    """(N, 2) the place each heads for now; NaN for none."""
    remaining: Floats
    """(N,) length of the way that each has before it, world units; NaN for none."""
    size: Floats
    """(2,) `Plane.size`."""
    origin: Floats
    """(2,) `Plane.origin`."""


def crowd_of(me: Percepts) -> tuple[object, ...]:
    """`Crowd` as a kernel takes it, with its records as tuples."""
    bodies, minds, shapes = tuple(me.bodies), tuple(me.minds), tuple(me.shapes)
    return bodies, minds, shapes, me.bound_for, me.remaining, me.plane.size, me.plane.origin


@inlined
def crowd_again(plain):  # type: ignore[no-untyped-def]
    """`Crowd`, in a kernel, from what `crowd_of` returned."""
    return Crowd(Bodies(*plain[0]), Minds(*plain[1]), Shapes(*plain[2]), *plain[3:])


@leaf
def nearest_seen(i, each, near):  # type: ignore[no-untyped-def]
    """Fill `near` with the places in list i of the nearest that are seen; how many they are."""
    found, distance, last = 0, each.distance, 0.0
    for k in range(each.count[i]):
        apart = distance[i, k]
        if not sees(each, i, k) or apart <= 0.0 or (found == NEAREST and apart >= last):
            continue
        if apart >= last:  # they mostly come in order
            near[found], last = k, apart
            found += 1
            continue
        at = min(found, NEAREST - 1)
        while at > 0 and distance[i, near[at - 1]] > apart:
            near[at] = near[at - 1]
            at -= 1
        near[at] = k
        found = min(found + 1, NEAREST)
        last = distance[i, near[found - 1]]
    return found


@leaf
def number_of(row, i, each, near, found):  # type: ignore[no-untyped-def]
    """Which of the nearest of unit i is the one of that row; `NO_ROW` where none is."""
    for n in range(found if row != NO_ROW else 0):
        if each.index[i, near[n]] == row:
            return n
    return NO_ROW


@leaf
def know(i, me, each, near, found, crowd, met):  # type: ignore[no-untyped-def]
    """Fill the table `met` with the nearest, whose numbers in list i are given.

    Returns whether one joins any of them.
    """
    minds, bodies = crowd.minds, crowd.bodies
    velocity, heading = bodies.velocity, bodies.heading
    c, s, joins = heading[me, 0], heading[me, 1], False
    for n in range(found):
        k = near[n]
        j = each.index[i, k]
        met[X + n], met[Y + n] = each.ahead[i, k], each.starboard[i, k]
        met[APART + n] = each.distance[i, k]
        met[VX + n], met[VY + n] = to_own_frame(velocity[j, 0], velocity[j, 1], c, s)
        met[HX + n], met[HY + n] = to_own_frame(heading[j, 0], heading[j, 1], c, s)
        met[HULL + n] = bodies.reach[j]
        met[PACE + n] = RESTING if rests(minds, j) else minds.speed[j]
        shared = minds.end[j] == minds.end[me]
        met[JOINED + n], met[SHARED + n] = minds.arrived[j] & shared, shared
        met[STANCE + n] = minds.stance[j]
        mine, other = minds.ahead[me], minds.ahead[j]
        go_in = (minds.gate[j] == minds.gate[me]) & (minds.gate[j] >= 0) & (mine + other > 0.0)
        met[LATER + n] = mine - other if go_in else np.nan
        joins = joins | (met[JOINED + n] > 0.0)
    return joins
