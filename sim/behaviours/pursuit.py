"""Going after another group: chase, intercept, follow the leader.

After AI for Game Developers, ch. 2 and 4.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import Floats, toward
from sim.behaviours.table import Terms, Within, rule
from sim.perception.percepts import Percepts

Gain = Annotated[float, Within(0, 1e3, "steepness: full steering from pi / gain radians")]
Leaders = Annotated[
    bool, Within(0, 1, "only units that see no mate ahead pursue; the rest follow them")
]


@rule("pursuit", serves="chase")
def chase(me: Percepts, *, gain: Gain = 4.0, leaders_only: Leaders = True) -> Terms:
    """Steer at the quarry where it is now (rules A11, A12)."""
    assert me.quarry is not None
    return _led(me, toward(me.quarry.offset, gain), leaders_only)


@rule("pursuit", serves="intercept")
def intercept(me: Percepts, *, gain: Gain = 4.0, leaders_only: Leaders = False) -> Terms:
    """Steer at where the quarry will be at closing time, range / closing speed (rule A11)."""
    assert me.quarry is not None
    return _led(me, toward(meeting_point(me), gain), leaders_only)


def meeting_point(me: Percepts) -> Floats:
    """Own-frame offsets (n, 2) to where the quarry will be after range / closing speed.

    Without any closing speed there is no such time: then it is where the quarry is now.
    """
    assert me.quarry is not None
    offset, velocity = me.quarry
    distance = np.hypot(offset[:, 0], offset[:, 1])
    relative = velocity - me.velocity
    speed = np.hypot(relative[:, 0], relative[:, 1])
    time = np.divide(distance, speed, out=np.zeros_like(distance), where=speed > 0)
    return offset + velocity * time[:, None]


def _led(me: Percepts, terms: Terms, leaders_only: bool) -> Terms:
    if leaders_only:
        terms[~me.leads] = 0.0
    return terms
