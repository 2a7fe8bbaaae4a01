"""Keeping to starboard: so that streams that meet between walls pass each other in lanes."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.clearance import free_way
from sim.behaviours.avoidance.nearest import NEAREST
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_own_frame, to_world
from sim.core.own import Amount, own
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.orders.minds import FREE, Minds, rests
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Turn = Annotated[Amount, Within(0, 1.5, "how far the way wanted is turned to starboard, rad")]
AGAINST = -0.5
"""Cosine of the angle between the way wanted and a heading: beyond it the other comes against."""
ASIDE = 4.0
"""Hull lengths to either side of the way within which others that come against count."""
WIDEST, STEP = 10.0, 0.5
"""Hull lengths on each side in which what is solid is looked for (in a corridor it is on both), and
between two looks."""


class _Streams(NamedTuple):
    """What the rule goes by, of all N units and of the n of the group."""

    minds: Minds
    narrow: Bools
    """(n,) which units come to a narrow place within `NARROW_AHEAD`, are inside one, or have to do
    with its turns."""
    turn: Amount
    length: float
    """Of the group's hull, world units."""
    origin: Floats
    """(2,) the corner of a torus from which its places count."""


@rule("errands", serves=GO, looks="each", view="all", range=8.0, nearest=NEAREST, gives=VELOCITY)
def keep_to_starboard(
    me: Percepts, seen: Seen, aim: Aim, wanted: Terms, *, turn: Turn = 0.9
) -> Terms:
    """Turn the way wanted by `turn` to starboard in a corridor in which others come against one.

    Others count that are ahead, among the nearest 14, on their way and not at a halt, headed at
    least 120 degrees off the way wanted, and at most four hull lengths to one side of it. A
    corridor is where something solid stands on both sides, each within ten lengths of the unit,
    square to the way wanted. The way is turned as long as there is less room to port than to
    starboard, so each stream fills its own half. Near a narrow place the turns decide, and the rule
    has no say.

    Streams as wide as the corridor stand face to face without end: no unit of either can go aside.
    That people keep to one side where they meet: Moussaid et al. (2009).
    """
    out = np.zeros(me.velocity.shape)
    if len(me.faces.rows) + len(me.discs.rows):
        far = float(me.bodies.reach[me.rows].max(initial=0.0))
        ground = tuple(ground_of(me, far))
        narrow = aim.narrow | (me.minds.stance[me.rows] != FREE)
        streams = _Streams(me.minds, narrow, turn, me.hull.length, me.plane.origin)
        _keep(out, wanted, tuple(seen.each), tuple(me.bodies), ground, streams)
    return out


@Kernel
def _keep(begin, end, out, wanted, each, bodies, ground, streams):  # type: ignore[no-untyped-def]
    each, bodies, ground = Neighbours(*each), Bodies(*bodies), Ground(*ground)
    for i in range(begin, end):
        me, wx, wy = bodies.start + i, wanted[i, 0], wanted[i, 1]
        speed = np.sqrt(wx * wx + wy * wy)
        if rests(streams.minds, me) or streams.narrow[i] or speed == 0.0:
            continue
        u, v = wx / speed, wy / speed
        if not _meets(i, each, bodies, streams, u, v):
            continue
        port = _room(me, bodies, ground, streams, v, -u)
        starboard = _room(me, bodies, ground, streams, -v, u)
        if port < starboard < WIDEST * streams.length:
            turn = own(streams.turn, i)
            x, y = to_world(wx, wy, np.cos(turn), np.sin(turn))
            out[i, 0], out[i, 1] = x - wx, y - wy


@leaf
def _meets(i, each, bodies, streams, u, v):  # type: ignore[no-untyped-def]
    """Whether another comes against the way (u, v), own frame."""
    me, heading, aside = bodies.start + i, bodies.heading, ASIDE * streams.length
    for k in range(each.count[i]):
        j, x, y = each.index[i, k], each.ahead[i, k], each.starboard[i, k]
        if not sees(each, i, k) or rests(streams.minds, j) or u * x + v * y <= 0.0:
            continue
        hx, hy = to_own_frame(heading[j, 0], heading[j, 1], heading[me, 0], heading[me, 1])
        if hx * u + hy * v < AGAINST and abs(u * y - v * x) < aside:
            return True
    return False


@leaf
def _room(me, bodies, ground, streams, x, y):  # type: ignore[no-untyped-def]
    """How far the hull may go in the direction (x, y), own frame, world units."""
    length, reach = streams.length, bodies.reach[me]
    way = to_world(x, y, bodies.heading[me, 0], bodies.heading[me, 1])
    hull = bodies.position[me, 0], bodies.position[me, 1], reach
    return free_way(ground, streams.origin, hull, way, (STEP * length, WIDEST * length))
