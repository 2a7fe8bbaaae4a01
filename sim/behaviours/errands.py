"""Going where one has been sent."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import toward
from sim.behaviours.table import Terms, Within, rule
from sim.orders.goal import GO
from sim.perception.percepts import Percepts

Slowing = Annotated[
    float, Within(0, 100, "time to go below which a unit slows down for its last place, s")
]


@rule("errands", serves=GO)
def arrive(me: Percepts, *, slowing: Slowing = 0.5) -> Terms:
    """The velocity that leads to the place one is bound for, slower near the last (rules E2, E3).

    Reynolds, Steering Behaviors for Autonomous Characters (1999), "arrival". Who is not on its way
    wants to stand still.
    """
    assert me.aim is not None
    distance = np.hypot(me.aim.offset[:, 0], me.aim.offset[:, 1])
    toward = np.divide(me.aim.offset, distance[:, None], where=distance[:, None] > 0,
                       out=np.zeros_like(me.aim.offset))  # fmt: skip
    left = me.aim.remaining / me.speed
    share = np.minimum(1.0, left / slowing) if slowing > 0 else np.ones(len(left))
    terms: Terms = toward * np.where(me.aim.moving, share, 0.0)[:, None]
    return np.nan_to_num(terms)


Gain = Annotated[float, Within(0, 1e3, "steepness: full steering from pi / gain radians")]


@rule("errands", serves=GO)
def head_for(me: Percepts, *, gain: Gain = 4.0, slowing: Slowing = 0.5) -> Terms:
    """Steer for the place one is bound for, and take thrust away near the last.

    For craft that cruise at full thrust. Who is not on its way brakes.
    """
    assert me.aim is not None
    terms = toward(me.aim.offset, gain)
    left = np.nan_to_num(me.aim.remaining) / me.speed
    share = np.minimum(1.0, left / slowing) if slowing > 0 else np.ones(len(left))
    terms[:, 0] = share - 1.0
    brake = np.clip(me.velocity[:, 0] / me.speed, -1.0, 1.0)
    stopped = ~me.aim.moving
    terms[stopped, 0] = -1.0 - brake[stopped]
    terms[stopped, 1] = 0.0
    return terms
