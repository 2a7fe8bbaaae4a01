"""Going round things that stand still (AI for Game Developers, ch. 4.3)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numba import prange

from sim.behaviours.curves import side_of
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.perception.percepts import Percepts

Ahead = Annotated[float, Within(0, 1e4, "how far ahead a disc matters, hull lengths")]
Clear = Annotated[float, Within(0, 1e4, "room kept round a disc, hull lengths")]


@rule("obstacles")
def avoid_discs(me: Percepts, *, ahead: Ahead = 25.0, clearance: Clear = 1.0) -> Terms:
    """Steer off the centre line of each disc on course: sum of look-ahead / distance (rule A9).

    A disc is on course when the heading passes it closer than its radius plus the clearance, and its closest approach
    lies within the look-ahead. The distance is to its centre, and no less than its radius.
    """
    out = np.empty((len(me.velocity), 2))
    length = me.hull.length
    position, heading = me.units.position[me.rows], me.units.heading[me.rows]
    _avoid(position, heading, me.discs, me.plane.size, ahead * length, clearance * length, out)
    return out


@Kernel
def _avoid(position, heading, discs, size, look_ahead, clearance, out):  # type: ignore[no-untyped-def]
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    for i in prange(len(position)):
        cosine, sine = heading[i, 0], heading[i, 1]
        total = 0.0
        for k in range(len(discs)):
            dx, dy = discs[k, 0] - position[i, 0], discs[k, 1] - position[i, 1]
            dx -= width * np.rint(dx * per_width)
            dy -= height * np.rint(dy * per_height)
            along, across = cosine * dx + sine * dy, cosine * dy - sine * dx
            if 0.0 < along < look_ahead and abs(across) < discs[k, 2] + clearance:
                distance = np.sqrt(dx * dx + dy * dy)
                total -= side_of(across, distance) * look_ahead / max(distance, discs[k, 2])
        out[i, 0], out[i, 1] = 0.0, total
