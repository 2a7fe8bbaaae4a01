"""Turning aside: what a unit does whose way has been blocked for a while, whatever it avoids by.

Units that wait for each other in a ring, each for the next, would stand without end. So a unit that
has hardly got on for `PATIENCE` seconds tries further and further to starboard, all the same way
round, for a fixed time (`sim.orders.minds`). In a queue it stays: there it has only to wait. Before
one at rest it first presses on, as that one may make way (`making_way`). In `keep_clear` it turns
to port, behind them, where the streams near it come mostly from there: to starboard it would go
along with them, and the two streams would jam.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.avoidance.right_of_way import SAME_WAY
from sim.behaviours.parameters import Within
from sim.core.compiled import inlined, leaf
from sim.core.geometry import short_way
from sim.core.own import Amount
from sim.orders.minds import ASIDE, PATIENCE, rests

Aside = Annotated[Amount, Within(0, 3.2, "how far to one side a blocked way is tried, rad")]
TURNED = 1.7
"""So far, unless given."""
FROM_PORT = 0.5
"""A unit turns to port if the mean sine of the angle from its own way to theirs is above this."""
PRESSING = 0.5
"""Time for which a unit that has waited presses on before one at rest, s; with more it would also
press into close packs, which have no room for it, and stand there."""
QUEUE = 0.5
"""Hull lengths of room up to which a unit stands behind the one before it."""


@inlined
def queues_behind(x, y, wx, wy, apart, radius, length):  # type: ignore[no-untyped-def]
    """Whether one at (x, y), so far `apart`, stands close ahead on the way (wx, wy), of length 1.

    `radius` is how near the two centres may come.
    """
    before, across = wx * x + wy * y > 0.0, x * wy - y * wx
    return before & (abs(across) < radius) & (apart - radius < QUEUE * length)


@inlined
def same_way(x, y, wx, wy):  # type: ignore[no-untyped-def]
    """Whether a heading (x, y) leads the way (wx, wy); both of length 1."""
    return x * wx + y * wy > SAME_WAY


@inlined
def falls_short(vx, vy, wx, wy, speed):  # type: ignore[no-untyped-def]
    """How much of a wish (wx, wy) a velocity falls short of, 0 to 1. `speed` is the desired one."""
    square = max(wx * wx + wy * wy, 1e-18 * speed * speed)
    return 1.0 - min(max((vx * wx + vy * wy) / square, 0.0), 1.0)


@inlined
def turns_aside(minds, i):  # type: ignore[no-untyped-def]
    """Whether unit i has waited long enough to turn aside.

    A unit that has arrived has nothing to get round: turned aside, it would back off.
    """
    return minds.blocked[i] > PATIENCE and not minds.arrived[i]


@inlined
def presses_on(minds, i):  # type: ignore[no-untyped-def]
    """Whether unit i, which has just waited, goes on before one at rest.

    From `PATIENCE` on, `blocked` is the time left for which the unit turns aside.
    """
    return minds.blocked[i] > PATIENCE + ASIDE - PRESSING


@leaf
def turns_to_port(i, each, near, found, crowd):  # type: ignore[no-untyped-def]
    """Whether those near that go another way go, in the mean, to starboard of the way of unit i.

    It compares directions only: those to the next places. Units at rest, those at a halt too, and
    units that are bound for no place do not count. `near` holds the places in list i of the `found`
    nearest.
    """
    me, at, to = crowd.bodies.start + i, crowd.bodies.position, crowd.bound_for
    x, y = short_way(to[me, 0] - at[me, 0], to[me, 1] - at[me, 1], crowd.size)
    own, port = x * x + y * y, 0.0
    for n in range(found):
        j = each.index[i, near[n]]
        u, v = short_way(to[j, 0] - at[j, 0], to[j, 1] - at[j, 1], crowd.size)
        both = np.sqrt(own * (u * u + v * v))
        if not rests(crowd.minds, j) and x * u + y * v < SAME_WAY * both:
            port += (x * v - y * u) / both - FROM_PORT
    return port > 0.0
