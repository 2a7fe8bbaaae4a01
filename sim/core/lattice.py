"""From places to rows and columns, safely: what every compiled kernel indexes arrays by."""

from __future__ import annotations

from math import floor

from sim.core.compiled import leaf

FARTHEST = 1 << 52
"""No row or column is beyond this; so far, whole numbers and their neighbours are exact."""


@leaf
def floored(value: float) -> int:
    """The whole number at or below a value, from -FARTHEST to FARTHEST; -FARTHEST for NaN.

    A bare `int(...)` of NaN, of infinity or of 1e300 is anything at all in compiled code, and an
    array indexed by it is read or written outside its memory.
    """
    if -FARTHEST < value < FARTHEST:
        return floor(value)
    return FARTHEST if value > 0 else -FARTHEST


@leaf
def cell_of(value: float, count: int) -> int:
    """The cell from 0 to count - 1 that a value lies in, counted in cells; else the nearest."""
    cell: int = min(max(floored(value), 0), count - 1)
    return cell
