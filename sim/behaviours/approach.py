"""Coming up to an opponent, and stopping face to face."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import toward
from sim.behaviours.table import Terms, Within, rule
from sim.perception.percepts import Percepts

Distance = Annotated[float, Within(0, 1e4, "where to stop: distance of the centres, hull lengths")]
Engage = Annotated[float, Within(0, 1e6, "from where on opponents pair off, hull lengths")]
Reserve = Annotated[float, Within(0, 1e4, "how far off those stop that found nobody, hull lengths")]
Slowing = Annotated[float, Within(1e-3, 1e4, "nearer to that than this the speed fades, lengths")]
Lead = Annotated[float, Within(0, 60, "how far ahead the opponent's way is foreseen, s")]
ASTERN = 0.5
"""Who is too near steps back no faster than this share of the desired speed."""


@rule("pursuit", serves="approach", pairs="engage", led=True)
def approach(
    me: Percepts,
    *,
    distance: Distance = 2.0,
    slowing: Slowing = 3.0,
    lead: Lead = 1.0,
    engage: Engage = 15.0,  # noqa: ARG001 - read where opponents pair off
    reserve: Reserve = 4.0,
) -> Terms:
    """Go to meet an opponent and stop facing it at a given distance (rule B5).

    The aim is where it will be, the speed falls linearly with the gap, and a unit that must turn
    far turns first: nobody is orbited. Opponents that both have nobody yet pair off, the nearest
    first; until then, and where there is one too many, a unit heads for the nearest: along the way
    there, while nobody is in straight free sight.
    """
    assert me.quarry is not None
    led = me.quarry.led
    offset, velocity = me.quarry.offset, np.where(led[:, None], 0.0, me.quarry.velocity)
    stop = np.where(me.quarry.paired, distance, distance + reserve) * me.hull.length
    gap = np.where(led, me.quarry.left, np.hypot(offset[:, 0], offset[:, 1]) - stop)
    offset = np.where(led[:, None], me.quarry.way, offset)
    pace = np.clip(gap / (slowing * me.hull.length), -ASTERN, 1.0)
    # Foreseen no further than half the way there: who comes past does not turn anybody's back.
    ahead = np.minimum(lead, np.maximum(gap, 0.0) / (2 * me.speed))
    aim = offset + velocity * ahead[:, None]
    far = np.hypot(aim[:, 0], aim[:, 1])
    facing = np.divide(aim[:, 0], far, out=np.zeros_like(far), where=far > 0)
    terms = toward(aim, gain=2.0)
    terms[:, 0] = pace * np.maximum(facing, 0.0)
    terms[me.pursued < 0] = 0.0
    return terms
