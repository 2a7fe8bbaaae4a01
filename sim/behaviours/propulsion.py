"""What drives a unit: its own engine, or the hand of a player."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.table import Terms, Within, rule
from sim.perception.percepts import Percepts

Damping = Annotated[float, Within(0, 10, "steering against each rad/s of turning")]


@rule("propulsion")
def cruise(me: Percepts) -> Terms:
    """Full thrust ahead, always: drag decides the speed (rule A1)."""
    terms = np.zeros(me.velocity.shape)
    terms[:, 0] = 1.0
    return terms


@rule("propulsion")
def thrusters(me: Percepts) -> Terms:
    """Port and starboard bow thrusters and the engine, as a player or a script sets them (rule A10).

    The port thruster sits on the port corner of the bow and pushes it to starboard, and the other way round.
    """
    port, starboard, thrust = me.controls.T
    return np.stack([thrust, port - starboard], axis=1)


@rule("propulsion")
def steady(me: Percepts, *, damping: Damping = 0.2) -> Terms:
    """Steer against one's own turning, as a helmsman meets the swing of the bow.

    Drag quadratic in the turn rate hardly damps small swings; without this a settled flock never stops wagging.
    """
    terms = np.zeros(me.velocity.shape)
    terms[:, 1] = -damping * me.units.spin[me.rows]
    return terms
