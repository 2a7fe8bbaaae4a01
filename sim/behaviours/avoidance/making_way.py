"""Units at rest make way for others that want to pass."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.avoidance.nearest import NEAREST, crowd_again, crowd_of, nearest_seen
from sim.behaviours.avoidance.off_the_way import MARGIN, has_waited, off_its_way, off_the_way
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_own_frame, to_world
from sim.core.own import Amount
from sim.orders.minds import PATIENCE, rests
from sim.perception.lists import Neighbours
from sim.perception.percepts import Percepts, Seen

RELAYS = 16
"""How many units at rest one after another pass on that one has to make way."""

Pace = Annotated[Amount, Within(0, 1, "how fast units at rest make way, desired speeds")]
Near = Annotated[Amount, Within(0, 10, "gap up to which units count, at the own desired speed, s")]


@rule("avoidance", looks="each", view="all", range=6.0, gives=VELOCITY)
def step_aside(me: Percepts, seen: Seen, *, pace: Pace = 0.5, near: Near = 0.6) -> Terms:
    """Off the way of a unit that has waited to pass, for units at rest.

    The rule of `keep_clear` for units at rest, for models that avoid by other rules. A unit makes
    way for one near by that is on its way elsewhere and has hardly got on for a second: for the
    nearest for which it has to move. On its way, it goes to the side on which it stands until the
    hulls have room, or to the other side if something solid bars that; from near by also on along
    the way. Elsewhere it goes straight away, while the other has far to go. It leaves room to
    others at rest between the two, so that these can make way as well; and what bars it makes way
    too. Units that walk stand off by what they walk before they could stop, so how near counts is a
    time.
    """
    return np.reshape(pace, (-1, 1)) * ways_off(me, seen, near * me.speeds)


def ways_off(me: Percepts, seen: Seen, near: Floats) -> Floats:
    """(n, 2) in which direction each unit makes way: (ahead, starboard), of length 1 or 0.

    Gaps of up to `near` (n,), world units, count. What bars a unit that makes way, close before it,
    makes way for the same one, and so on: so a pack opens from its edge inward.
    """
    out, minds = np.zeros(me.velocity.shape), me.minds
    if not (minds.moving & (minds.blocked > PATIENCE)).any():
        return out
    each, crowd = tuple(seen.each), crowd_of(me)
    far = float(me.bodies.reach[me.rows].max(initial=0.0))
    ground = tuple(ground_of(me, far))
    whose = np.full(len(out), -1)  # the unit for which each makes way
    more = sum(_ask(out, whose, each, crowd, ground, near))
    for _ in range(RELAYS):
        if not more:
            break
        more = sum(_pass_on(out, whose, (out.copy(), whose.copy()), each, crowd, ground))
    return out


@Kernel.making_arrays
def _ask(begin, end, out, whose, each, crowd, ground, near_by):  # type: ignore[no-untyped-def]
    """Units at rest make way for those near by; how many do."""
    nearest = np.empty(NEAREST, np.int64)
    return _ask_rows(begin, end, (out, whose), each, crowd, ground, (near_by, nearest))


@leaf
def _ask_rows(begin, end, written, each, crowd, ground, memory):  # type: ignore[no-untyped-def]
    (out, whose), (near_by, nearest), more = written, memory, 0
    each, ground, crowd = Neighbours(*each), Ground(*ground), crowd_again(crowd)
    for i in range(begin, end):
        if rests(crowd.minds, crowd.bodies.start + i):
            found = nearest_seen(i, each, nearest)
            x, y, whose[i] = off_the_way(i, each, nearest, found, crowd, ground, near_by[i])
            out[i, 0], out[i, 1] = x, y
            more += whose[i] >= 0
    return more


@Kernel.making_arrays
def _pass_on(begin, end, out, whose, before, each, crowd, ground):  # type: ignore[no-untyped-def]
    """Units at rest make way that bar one of the group that did `before`; how many more."""
    nearest = np.empty(NEAREST, np.int64)
    return _pass_on_rows(begin, end, (out, whose), each, crowd, ground, (before, nearest))


@leaf
def _pass_on_rows(begin, end, written, each, crowd, ground, memory):  # type: ignore[no-untyped-def]
    (out, whose), ((ways, asked), nearest), more = written, memory, 0
    each, ground, crowd = Neighbours(*each), Ground(*ground), crowd_again(crowd)
    for i in range(begin, end):
        me = crowd.bodies.start + i
        if not rests(crowd.minds, me) or asked[i] >= 0:
            continue
        for n in range(nearest_seen(i, each, nearest)):
            k = nearest[n]
            row = each.index[i, k] - crowd.bodies.start
            if not 0 <= row < len(asked) or asked[row] < 0:
                continue
            late = has_waited(asked[row], crowd.minds, me)
            if late and _bars(i, k, each, crowd.bodies, ways[row]):
                x, y = off_its_way(me, asked[row], crowd, ground)
                if x != 0.0 or y != 0.0:
                    out[i, 0], out[i, 1], whose[i] = x, y, asked[row]
                    more += 1
                    break
    return more


@leaf
def _bars(i, k, each, bodies, way):  # type: ignore[no-untyped-def]
    """Whether unit i stands close before the one at place k in its list, on its way, own frame."""
    me, j, heading = bodies.start + i, each.index[i, k], bodies.heading
    both = bodies.reach[me] + bodies.reach[j]
    u, v = to_world(way[0], way[1], heading[j, 0], heading[j, 1])
    u, v = to_own_frame(u, v, heading[me, 0], heading[me, 1])
    x, y = -each.ahead[i, k], -each.starboard[i, k]
    close = each.distance[i, k] <= both + MARGIN * bodies.reach[me]
    return close and u * x + v * y > 0.0 and abs(u * y - v * x) < both
