"""Copies of what a world carries from step to step: what changes is copied, the rest is shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting
from sim.core.overlap import Outlines
from sim.core.units import read_only
from sim.models import Model
from sim.navigation import FlowField, Grid, Planner
from sim.navigation.chart import Chart
from sim.saving.kinds import LASTING

SHARED = (*LASTING, Setting, Model, FlowField, Grid, Planner, Chart, Outlines)
"""Shared by a world and its copies: what never changes, and `Outlines`, which are worked out at
each step and mean nothing between two."""
MANY = 100
"""Rows from which it pays to look whether all are alike."""
Copy = Callable[[NDArray[Any]], NDArray[Any]]
PLAIN = (type(None), bool, int, float, str, bytes, slice, np.generic)


def copied(value: Any, known: dict[int, Any], copy: Copy = np.ndarray.copy) -> Any:
    """A copy in which arrays, lists, tables and objects of ours are new.

    What is the same twice is so in the copy: `known` holds the copies by the id of what they are
    of. Arrays are copied by `copy`.
    """
    if isinstance(value, PLAIN):
        return value
    if id(value) in known:
        return known[id(value)][0]
    if isinstance(value, SHARED):
        return value
    made: Any
    if isinstance(value, np.ndarray):
        made = copy(value)
    elif isinstance(value, tuple):
        parts = [copied(each, known, copy) for each in value]
        made = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif isinstance(value, list | set | frozenset):
        made = type(value)(copied(each, known, copy) for each in value)
    elif isinstance(value, dict):
        made = type(value)()
        known[id(value)] = made, value
        made.update((k, copied(each, known, copy)) for k, each in value.items())
    elif callable(value) or not type(value).__module__.startswith("sim."):
        return value  # a helm that a user wrote, a function
    else:
        made = object.__new__(type(value))
        known[id(value)] = made, value
        for name, each in vars(value).items():
            object.__setattr__(made, name, copied(each, known, copy))
    known[id(value)] = made, value  # kept alive, so that no other can have its id
    return made


def frozen(value: NDArray[Any]) -> NDArray[Any]:
    """A copy that cannot be written to; of rows that are all alike, to the bit, it keeps one.

    Most of what units may be about is nothing in most worlds: a third of the memory is left.
    """
    plain = value.dtype.kind in "fiub" and value.itemsize in (1, 2, 4, 8)
    if plain and value.flags.c_contiguous and value.ndim and len(value) >= MANY:
        bits, row = value.reshape(-1).view(f"u{value.itemsize}"), value[:1].size
        if row and bits[-1] == bits[row - 1] and (bits[row:] == bits[:-row]).all():
            return np.broadcast_to(read_only(value[:1].copy()), value.shape)
    return read_only(value.copy())


def kept_of(held: object, but: set[str]) -> dict[str, Any]:
    """What an object holds, but for what is named and for functions."""
    return {
        name: value for name, value in vars(held).items() if name not in but and not callable(value)
    }
