"""Units at rest make way for others that want to pass."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.avoidance.nearest import NEAREST, nearest_seen
from sim.behaviours.commands import VELOCITY
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel, leaf
from sim.core.own import Amount, own
from sim.orders.minds import PATIENCE, rests
from sim.perception.percepts import Percepts, Seen

Pace = Annotated[Amount, Within(0, 1, "how fast units at rest make way, desired speeds")]
Near = Annotated[Amount, Within(0, 10, "gap up to which units count, at the own desired speed, s")]


@rule("avoidance", looks="each", view="all", range=6.0, gives=VELOCITY)
def step_aside(me: Percepts, seen: Seen, *, pace: Pace = 0.5, near: Near = 0.6) -> Terms:
    """Off a unit that has waited to pass, for units at rest.

    The rule of `keep_clear` for units at rest, for models that avoid by other rules: straight away
    from the nearest one near by that is on its way elsewhere and has hardly got on for a second; or
    from one that rests too and has such a one on its far side. Such units stand off by what they
    walk before they could stop, so how near counts is a time.
    """
    out = np.zeros(me.velocity.shape)
    _step_aside(out, seen.each, me.minds, me.bodies, pace, near * me.speeds)
    return out


@Kernel
def _step_aside(begin, end, out, each, minds, bodies, pace, near_by):  # type: ignore[no-untyped-def]
    nearest = np.empty(NEAREST, np.int64)
    for i in range(begin, end):
        me = bodies.start + i
        if not rests(minds, me):
            continue
        found = nearest_seen(i, each, nearest)
        k = stands_before(i, each, nearest, found, minds, me, bodies.reach, near_by[i])
        if k >= 0:
            off = own(pace, i) / each.distance[i, k]
            out[i, 0], out[i, 1] = -off * each.ahead[i, k], -off * each.starboard[i, k]
    return 0


@leaf
def stands_before(i, each, near, found, minds, me, radii, near_by):  # type: ignore[no-untyped-def]
    """Place in list i of the nearest unit that a unit at rest makes way for; -1 for none.

    That is a unit near by, on its way elsewhere, that has waited; or one near by that rests too,
    and has such a one near by on its far side: it can only make way if it is made way for. Gaps
    between hulls of up to `near_by` count.
    """
    index, distance = each.index[i], each.distance[i]
    ahead, starboard = each.ahead[i], each.starboard[i]
    for n in range(found):
        k = near[n]
        gap = distance[k] - radii[me] - radii[index[k]]
        if gap < near_by and _has_waited(index[k], minds, me):
            return k
    for n in range(found):
        k, j = near[n], index[near[n]]
        if not rests(minds, j) or distance[k] - radii[me] - radii[j] >= near_by:
            continue
        for m in range(found):
            far = near[m]
            x, y = ahead[far] - ahead[k], starboard[far] - starboard[k]
            gap = np.sqrt(x * x + y * y) - radii[j] - radii[index[far]]
            beyond = x * ahead[k] + y * starboard[k] > 0.0
            if beyond and gap < near_by and _has_waited(index[far], minds, me):
                return k
    return -1


@leaf
def _has_waited(j, minds, me):  # type: ignore[no-untyped-def]
    """Whether unit j is on its way elsewhere than unit `me`, and has long been blocked."""
    on = minds.moving[j] and not minds.arrived[j] and minds.blocked[j] > PATIENCE
    return on and minds.end[j] != minds.end[me]
