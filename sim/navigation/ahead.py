"""Looking along a flow field: a place some way off, instead of the next node."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.navigation.flow import FlowField
from sim.navigation.sight import in_sight

LOOKS = 8
"""A unit looks along a field this many times at most."""


def look_along(field: FlowField, position: Floats, far: float) -> tuple[Floats, Floats]:
    """The place (k, 2) a unit heads for from each position (k, 2), and what is left there (k,).

    A field names places a step or two of its lattice away: from each the next is asked for, until
    one is out of sight or `far` off (world units). A unit pressed into a corner would else turn to
    and fro with every nudge.
    """
    to, left = field.sample(position)
    left = left - np.hypot(*(to - position).T)
    on = np.arange(len(to))
    for _ in range(LOOKS):
        on = on[np.hypot(*(to[on] - position[on]).T) < far]
        on = on[np.isfinite(left[on]) & (left[on] > 0)]
        if not len(on):
            break
        further, rest = field.sample(to[on])
        rest = rest - np.hypot(*(further - to[on]).T)
        seen = in_sight(field.grid, position[on], further)
        on, further, rest = on[seen], further[seen], rest[seen]
        to[on], left[on] = further, rest
    return to, left
