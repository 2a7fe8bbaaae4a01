"""Response curves that rules share: which side, and how hard."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray

from sim.compiled import Kernel, inlined

Floats = NDArray[np.float64]
DEAD_AHEAD = 1e-9
"""Closer to the keel line than this share of the distance, a thing is exactly ahead: it counts as being to port.

All units decide so, hence a pair that meets exactly head-on passes port to port. It is far above rounding noise, so
a rotated world decides the same.
"""


@inlined
def side_of(starboard: float, distance: float) -> float:
    """+1 for what lies to starboard, -1 for port; exactly ahead (or astern) counts as port."""
    return 1.0 if starboard > DEAD_AHEAD * distance else -1.0


@inlined
def turn(ahead: float, starboard: float, gain: float) -> float:
    """Steering toward a direction: min(1, gain x angle / pi) toward its side; 0 for no direction at all.

    What lies exactly astern is turned to by port, what lies exactly ahead needs no turn.
    """
    distance = np.sqrt(ahead * ahead + starboard * starboard)
    if distance == 0.0:
        return 0.0
    angle = np.arctan2(abs(starboard), ahead)
    return side_of(starboard, distance) * min(1.0, gain * angle / np.pi)


@Kernel
def turn_toward(offset, gain, out):  # type: ignore[no-untyped-def]
    """out[i] = (0, turn toward offset[i]) for (n, 2) offsets in the own frame."""
    for i in prange(len(offset)):
        out[i, 0] = 0.0
        out[i, 1] = turn(offset[i, 0], offset[i, 1], gain)


def toward(offset: Floats, gain: float = 1.0) -> Floats:
    """Steering terms (n, 2) toward (n, 2) offsets in the own frame; zero offsets give zero."""
    out = np.empty(offset.shape)
    turn_toward(offset, gain, out)
    return out
