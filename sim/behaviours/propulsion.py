"""What drives a unit: its own engine, or the hand of a player."""

from __future__ import annotations

import numpy as np

from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import directions
from sim.behaviours.table import Terms, rule
from sim.perception.percepts import Percepts

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


@rule("propulsion", gives=VELOCITY)
def march(me: Percepts) -> Terms:
    """March straight on without a goal; with one this is left to the rule that serves it.

    By its weight soldiers march at so much of their desired speed, and have some left to catch up.
    """
    terms = np.zeros(me.velocity.shape)
    if me.aim is None and me.quarry is None:
        terms[:, 0] = 1.0
    return terms


@rule("propulsion", gives=STEERING)
def thrusters(me: Percepts) -> Terms:
    """Bow thrusters and engine, as a player or a script sets them (rule A10).

    The port thruster sits on the port corner of the bow and pushes it to starboard, and the other
    way round.
    """
    port, starboard, thrust = me.controls.T
    return np.stack([thrust, port - starboard], axis=1)
