"""What drives a unit: its own engine, or the hand of a player."""

from __future__ import annotations

import numpy as np

from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import directions
from sim.behaviours.table import NOTHING, Terms, rule
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

NEAR, LEAST = 0.5, 0.2
"""From how many seconds at the desired speed a place is near; the least thrust while turning."""
USUAL = 17.7
"""Hull lengths / s, the book's craft's: to this a faster one slows down as it nears its last place.
The force at the bow is the same at any speed, so the way round grows with the square of it."""


@rule("propulsion", gives=STEERING)
def cruise(me: Percepts) -> Terms:
    """Full thrust ahead: drag decides the speed (rule A1).

    A craft that has its place near by, but not ahead, takes thrust away: at full speed it could not
    turn so tightly, and would go round it without end. A craft quicker than the book's comes down
    to the speed of that one as it nears its last place.
    """
    terms = np.zeros(me.velocity.shape)
    terms[:, 0] = 1.0
    if me.aim is not None:
        away = np.hypot(*me.aim.offset.T)
        aligned = directions(me.aim.offset, nowhere=1.0)[:, 0]
        slower = np.minimum(USUAL * me.hull.length / me.speeds, 1.0)
        near = NEAR * slower * me.speeds
        share = np.maximum(aligned, np.clip(away / near, LEAST, 1.0))
        share *= np.minimum(slower**2 * np.fmax(me.aim.remaining / near, 1.0), 1.0)
        terms[me.aim.moving, 0] = share[me.aim.moving]
    return terms


@rule(
    "propulsion", looks="each", view="all", range=4.0, whom="friends", serves=NOTHING,
    gives=VELOCITY,
)  # fmt: skip
def march(me: Percepts, seen: Seen) -> Terms:
    """March straight on without a goal; with one this is left to the rule that serves it.

    By its weight soldiers march at so much of their desired speed, and have some left to catch up.
    One that has no friend ahead within the range keeps the mean course of itself and of those on
    either side of it. Other rules heed those ahead alone (rule B1): of the first rank each would go
    its own way, and those behind with one or the other.
    """
    terms = np.zeros(me.velocity.shape)
    _keep_course(terms, tuple(seen.each), me.units.heading, me.rows.start)
    return terms


@Kernel
def _keep_course(begin, end, out, each, heading, start):  # type: ignore[no-untyped-def]
    each = Neighbours(*each)
    for i in range(begin, end):
        leads, (x, y) = True, heading[start + i]
        for k in range(each.count[i]):
            if sees(each, i, k):
                leads = leads and each.ahead[i, k] <= 0.0
                if each.ahead[i, k] > -abs(each.starboard[i, k]):
                    x += heading[each.index[i, k], 0]
                    y += heading[each.index[i, k], 1]
        out[i, 0], out[i, 1] = 1.0, 0.0
        length = np.sqrt(x * x + y * y)
        if leads and length > 0.0:
            x, y = to_own_frame(x, y, heading[start + i, 0], heading[start + i, 1])
            out[i, 0], out[i, 1] = x / length, y / length


@rule("propulsion", gives=STEERING)
def thrusters(me: Percepts) -> Terms:
    """Bow thrusters and engine, as a player or a script sets them (rule A10).

    The port thruster sits on the port corner of the bow and pushes it to starboard, and the other
    way round.
    """
    port, starboard, thrust = me.controls.T
    return np.stack([thrust, port - starboard], axis=1)
