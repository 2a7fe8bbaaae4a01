"""Keeping one's lane round a bend: so a throng does not go round each corner in single file.

The rule knows no lanes: units that go the same way turn alike, and so stay beside each other.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.clearance import free_way
from sim.behaviours.avoidance.nearest import NEAREST
from sim.behaviours.avoidance.right_of_way import SAME_WAY
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import ground_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_own_frame, to_world
from sim.core.own import Amount, own
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.orders.minds import Minds, rests
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Pull = Annotated[Amount, Within(0, 100, "weight of the headings of others; the own way has 1")]
BESIDE = 3.0
"""Others up to this many hull lengths away count; the rule sees as far as `keep_clear`, and so both
read one list. (With 6 lengths a tenth fewer get round a corner at a time.)"""
MANY = 4
"""From this number of others on they have their whole weight: two of a pair go as they like."""
AHEAD, WIDE = 10, 2.0
"""For 10 hull lengths nothing solid may stand nearer than two radii to the lane, looked at once a
length: by a door most lanes are barred then. (With 6 lengths more get round a corner at a
time, but the mean time of 200 through doors of 2 and 2.5 hulls is 5 % longer.)"""
UNDER_WAY = 0.5
"""A unit that is slower than this share of its desired speed keeps its lane less, and others that
are slower than that count for less: in a queue all make for the way out."""


class _Lane(NamedTuple):
    """Which of the n units come to a bend, and what the rule goes by."""

    bends: Bools
    """(n,)"""
    minds: Minds
    pull: Amount
    length: float
    """Of the group's hull, world units."""
    origin: Floats
    """(2,) the corner of a torus from which its places count."""


@rule("errands", serves=GO, looks="each", view="all", range=8.0, nearest=NEAREST, gives=VELOCITY)
def keep_lane(me: Percepts, seen: Seen, aim: Aim, wanted: Terms, *, pull: Pull = 3.0) -> Terms:
    """Turn the way wanted toward the mean heading of those near that go the same way.

    Along w + pull min(1, 2 v / v0) h, with the speed wanted (at weight 1): w is the way wanted, of
    length 1, v the own speed, v0 the desired one. h is the sum of the headings of the m others that
    count, each times min(1, (2 vj / v0)^2), over m, or over 4 where they are fewer: vj is the speed
    of the other. Those count of the nearest 14 that are on their way and not at a halt, within
    three lengths, headed at most 72 degrees off w. Only where the way bends before the next stop,
    or has just bent, and nothing solid stands in the way so found for ten lengths.

    Shortest ways all touch the inner corner of a bend: a throng in which each unit made straight
    for it would go round in single file, with room beside it. By a door lanes lead into the wall
    beside it: there all make for the door.
    """
    out = np.zeros(me.velocity.shape)
    if aim.bends.any():
        far = WIDE * me.hull.largest.radius
        ground = ground_of(me, far)
        lane = _Lane(aim.bends, me.minds, pull, me.hull.length, me.plane.origin)
        _keep(out, wanted, tuple(seen.each), tuple(me.bodies), ground, lane)
    return out


@Kernel
def _keep(begin, end, out, wanted, each, bodies, ground, lane):  # type: ignore[no-untyped-def]
    each, bodies = Neighbours(*each), Bodies(*bodies)
    for i in range(begin, end):
        wx, wy = wanted[i, 0], wanted[i, 1]
        speed = np.sqrt(wx * wx + wy * wy)
        if not lane.bends[i] or speed == 0.0:
            continue
        wx, wy = wx / speed, wy / speed
        hx, hy = _along(i, each, bodies, lane, wx, wy)
        pace = np.sqrt(bodies.own[i, 0] ** 2 + bodies.own[i, 1] ** 2) / bodies.speeds[i]
        share = own(lane.pull, i) * min(1.0, pace / UNDER_WAY)
        x, y = wx + share * hx, wy + share * hy
        turned = np.sqrt(x * x + y * y)
        x, y = x / turned, y / turned
        if (hx != 0.0 or hy != 0.0) and _open(bodies.start + i, bodies, ground, lane, x, y):
            out[i, 0], out[i, 1] = speed * (x - wx), speed * (y - wy)


@leaf
def _along(i, each, bodies, lane, wx, wy):  # type: ignore[no-untyped-def]
    """The mean heading of all that go the way (wx, wy), own frame; shorter where they are few."""
    me, heading, near = bodies.start + i, bodies.heading, BESIDE * lane.length
    x, y, count = 0.0, 0.0, 0
    for k in range(each.count[i]):
        j = each.index[i, k]
        if sees(each, i, k) and each.distance[i, k] < near and not rests(lane.minds, j):
            hx, hy = to_own_frame(heading[j, 0], heading[j, 1], heading[me, 0], heading[me, 1])
            if hx * wx + hy * wy > SAME_WAY:
                square = bodies.velocity[j, 0] ** 2 + bodies.velocity[j, 1] ** 2
                pace = min(1.0, square / (UNDER_WAY * bodies.speeds[i]) ** 2)
                x, y, count = x + pace * hx, y + pace * hy, count + 1
    return x / max(count, MANY), y / max(count, MANY)


@leaf
def _open(me, bodies, ground, lane, x, y):  # type: ignore[no-untyped-def]
    """Whether nothing solid stands ahead of a unit in the direction (x, y), own frame."""
    way = to_world(x, y, bodies.heading[me, 0], bodies.heading[me, 1])
    hull = bodies.position[me, 0], bodies.position[me, 1], WIDE * bodies.reach[me]
    far = AHEAD * lane.length
    return free_way(ground, lane.origin, hull, way, (lane.length, far)) >= far
