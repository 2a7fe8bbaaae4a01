"""Numbers of numpy's own kinds made Python's: what a run reckons with are floats of 64 bits.

A number of another width cannot be compared with what a length may be, or is handed on to compiled
code that does not know it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The same with Python's own numbers: one, or those in tuples and lists."""
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
