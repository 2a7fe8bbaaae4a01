"""What drives a unit: its own engine, or the hand of a player."""

from __future__ import annotations

import numpy as np

from sim.behaviours.table import Terms, rule
from sim.perception.percepts import Percepts


@rule("propulsion")
def cruise(me: Percepts) -> Terms:
    """Full thrust ahead, always: drag decides the speed (rule A1)."""
    terms = np.zeros(me.velocity.shape)
    terms[:, 0] = 1.0
    return terms


@rule("propulsion")
def march(me: Percepts) -> Terms:
    """March straight on, for want of a goal; whoever has one leaves it to the rule that serves it.

    By its weight soldiers march at so much of their desired speed, and have some left to catch up.
    """
    terms = np.zeros(me.velocity.shape)
    if me.aim is None and me.quarry is None:
        terms[:, 0] = 1.0
    return terms


@rule("propulsion")
def thrusters(me: Percepts) -> Terms:
    """Bow thrusters and engine, as a player or a script sets them (rule A10).

    The port thruster sits on the port corner of the bow and pushes it to starboard, and the other
    way round.
    """
    port, starboard, thrust = me.controls.T
    return np.stack([thrust, port - starboard], axis=1)
