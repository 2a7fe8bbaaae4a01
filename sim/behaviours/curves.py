"""Response curves that rules share: which side, and how hard."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.parameters import Within
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, inlined
from sim.core.own import Amount, own

Gain = Annotated[Amount, Within(0, 1e3, "steepness: full steering from pi / gain radians")]

DEAD_AHEAD = 1e-9
"""Closer to the keel line than this share of the distance, a thing is exactly ahead: it counts as
being to port.

All units decide so, hence a pair that meets exactly head-on passes port to port. It is far above
rounding noise, so a rotated world decides the same.
"""


@inlined
def side_of(starboard: float, distance: float) -> float:
    """+1 for what lies to starboard, -1 for port; exactly ahead (or astern) counts as port."""
    return 1.0 if starboard > DEAD_AHEAD * distance else -1.0


@inlined
def turn(ahead: float, starboard: float, gain: float) -> float:
    """Steering toward a direction: min(1, gain x angle / pi) to its side; 0 for no direction.

    What lies exactly astern is turned to by starboard, as a pair that meets head-on does to pass
    port to port; what lies exactly ahead needs no turn.
    """
    distance = np.sqrt(ahead * ahead + starboard * starboard)
    if distance == 0.0:
        return 0.0
    if ahead < 0.0 and abs(starboard) <= DEAD_AHEAD * distance:
        return min(1.0, gain)
    angle = np.arctan2(abs(starboard), ahead)
    steering: float = side_of(starboard, distance) * min(1.0, gain * angle / np.pi)
    return steering


@inlined
def foresee(
    x: float, y: float, apart: float, closing_x: float, closing_y: float, time: float
) -> tuple[float, float, float]:
    """Offset and distance at the closest approach within `time` (s), at a steady closing speed.

    One that would be met dead ahead counts as touching in its present direction: on which side it
    would pass is rounding noise.
    """
    square = closing_x * closing_x + closing_y * closing_y
    if square == 0.0:
        return x, y, apart
    when = min(max(-(x * closing_x + y * closing_y) / square, 0.0), time)
    then_x, then_y = x + closing_x * when, y + closing_y * when
    then_apart = np.sqrt(then_x * then_x + then_y * then_y)
    if then_apart <= DEAD_AHEAD * apart:
        return DEAD_AHEAD * x, DEAD_AHEAD * y, DEAD_AHEAD * apart
    return then_x, then_y, then_apart


@Kernel
def turn_toward(begin, end, offset, gain, out):  # type: ignore[no-untyped-def]
    """out[i] = (0, turn toward offset[i]) for (n, 2) offsets in the own frame."""
    for i in range(begin, end):
        out[i, 0] = 0.0
        out[i, 1] = turn(offset[i, 0], offset[i, 1], own(gain, i))


def toward(offset: Floats, gain: Amount = 1.0) -> Floats:
    """Steering terms (n, 2) toward (n, 2) offsets in the own frame; zero offsets give zero."""
    out = np.empty(offset.shape)
    turn_toward(offset, gain, out)
    return out


def directions(offset: Floats, nowhere: float = 0.0) -> Floats:
    """(n, 2) of length 1 along offsets (n, 2); (`nowhere`, 0) for an offset of no length."""
    found = np.zeros_like(offset)
    found[:, 0] = nowhere
    away = np.hypot(offset[:, 0], offset[:, 1])[:, None]
    return np.divide(offset, away, out=found, where=away > 0)
