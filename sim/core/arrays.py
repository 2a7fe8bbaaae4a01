"""Names of the array types that are used everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NO_ROW = -1
"""Stands for the row of a unit where there is none."""
NO_ROWS: Ints = np.zeros(0, np.int64)


def filled(rows: int, value: float) -> Floats:
    """(rows,) of one value, in a third of the time that `np.full` takes: steps make many."""
    found = np.empty(rows)
    found.fill(value)
    return found
