"""Whether values from a file are of the kinds that their class says; and what all checks say.

What a class is annotated with is checked when it is read: so no class needs a table of its own, and
none that comes later is forgotten. What numbers mean is for the classes themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, get_type_hints

import numpy as np

from sim.core.fits import fits
from sim.core.limits import is_number
from sim.core.overlap import Outlines


def need(good: Any, what: str) -> None:
    """Raise `ValueError` that names what cannot be so, unless it is good."""
    if not good:
        raise ValueError(f"{what}: cannot be what a world has")


def within(values: Any, low: Any, high: Any, what: str) -> None:
    """Raise `ValueError` unless low <= all values < high."""
    need(((values >= low) & (values < high)).all(), what)


@cache
def kinds_of(kind: type) -> dict[str, Any]:
    """What a class says that its parts are, by name."""
    from sim.saving.kinds import NAMED  # which knows all of these classes

    seen = set().union(*(vars(sys.modules[each.__module__]) for each in kind.__mro__))
    return get_type_hints(kind, localns={k: v for k, v in NAMED.items() if k not in seen})


def check_kinds(kind: type, parts: Mapping[str, Any]) -> None:
    """Raise `ValueError` for a part of another kind than its class says."""
    known = kinds_of(kind)
    for name, value in parts.items():
        if name in known and not fits(known[name], value):
            raise ValueError(f"{kind.__name__}.{name}: is of another kind")


def check_like(kind: type, model: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
    """Raise `ValueError` unless these are the parts of an object of a class, as a `model` has them.

    A part that the class annotates is of that kind, any other of the kind of the model's.
    """
    if set(model) != set(parts):
        raise ValueError(f"{kind.__name__}: has other parts than this version's")
    check_kinds(kind, parts)
    known = kinds_of(kind)
    for name, value in parts.items():
        if name not in known and not alike(model[name], value):
            raise ValueError(f"{kind.__name__}.{name}: is of another kind")


def alike(model: Any, value: Any) -> bool:
    """Whether a value is of the kind of another."""
    if isinstance(model, Outlines):
        return value is None  # not written down: they are worked out anew before a step
    if isinstance(model, slice) and isinstance(value, np.ndarray):
        return value.dtype == np.int64 and value.ndim == 1
    if isinstance(model, np.ndarray):
        return (
            isinstance(value, np.ndarray)
            and value.dtype == model.dtype
            and value.ndim == model.ndim
            and value.shape[1:] == model.shape[1:]
        )
    if isinstance(model, float):
        return is_number(value)
    if type(model) is not type(value):
        return False
    parts = getattr(model, "_fields", ())
    return all(alike(getattr(model, part), getattr(value, part)) for part in parts)
