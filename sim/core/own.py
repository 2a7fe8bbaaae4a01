"""A number for all units of a group, or one for each: how rules and their kernels read it.

Kernels are compiled once for numbers and once for arrays. Where all units have the same number the
compiled code is what it would be without any of this.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from sim.core.arrays import Floats

Amount = float | Floats
"""A number, or (n,) one for each unit of a group."""


def as_amount(value: Amount | str) -> Amount:
    """A number as a float, numbers of units as they are. Raises `ValueError` for a word."""
    return value if isinstance(value, np.ndarray) else float(value)


def own(value: Amount, i: int) -> Any:
    """What unit i has of an amount. For kernels and plain Python."""
    return value[i] if isinstance(value, np.ndarray) else value


def of_unit(amounts: Any, i: int) -> Any:
    """A named tuple of amounts as unit i has them: the same tuple of numbers.

    For kernels and plain Python.
    """
    return type(amounts)(*(own(value, i) for value in amounts))


def above_zero(amount: Amount) -> bool:
    """Whether an amount is above 0 for any unit."""
    return bool((amount > 0).any()) if isinstance(amount, np.ndarray) else amount > 0


def most(amount: Amount) -> float:
    """The most that any unit has of an amount; 0 for an array of no units."""
    return float(amount.max(initial=0.0)) if isinstance(amount, np.ndarray) else amount


@overload(own)
def _own(value, i):  # type: ignore[no-untyped-def]  # noqa: ARG001 - numba matches the names
    if isinstance(value, types.Array):
        return lambda value, i: value[i]
    return lambda value, i: value  # noqa: ARG005 - the same


@overload(of_unit)
def _of_unit(amounts, i):  # type: ignore[no-untyped-def]  # noqa: ARG001 - as above
    parts = ", ".join(f"own(amounts[{k}], i)" for k in range(len(amounts)))
    known: dict[str, Any] = {"made": amounts.instance_class, "own": own}
    # Tuples of parts of different types cannot be gone through by a loop in compiled code.
    exec(f"def read(amounts, i): return made({parts})", known)
    return known["read"]
