"""What a run reckons with: arrays of 64 bits, and numbers of numpy's own kinds made Python's."""

from __future__ import annotations

from typing import Any

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


def plain(value: Any) -> Any:
    """The same with Python's own numbers: one, or those in tuples and lists.

    A number of another width cannot be compared with what a length may be, or is handed on to
    compiled code that does not know it.
    """
    if isinstance(value, np.floating):
        return float(value)
    if isinstance(value, np.integer) and not isinstance(value, np.timedelta64):  # a kind of integer
        return int(value)
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    return value


def make_plain(made: object) -> None:
    """Make the fields of a new dataclass `plain`, frozen or not."""
    for name, value in vars(made).items():
        object.__setattr__(made, name, plain(value))
