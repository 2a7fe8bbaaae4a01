"""Orders as a world shows them: what can be read, and not be written to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, NoReturn, TypeVar

import numpy as np

from sim.core.units import read_only

T = TypeVar("T")
HOMES = (
    "sim.orders.", "sim.navigation.chart", "sim.navigation.flow", "sim.navigation.jams",
    "sim.navigation.planner", "sim.core.overlap", "sim.core.plane", "sim.core.solids",
)  # fmt: skip
"""Objects of these modules hold the state of units and their ways: they are shown by objects of
their kind."""


def shown(held: T) -> T:
    """The same as of now: every array in it, at any depth of what holds state, is read-only.

    No array is copied. What is shown is not the world's, and none of its attributes can be set.
    """
    made: T = _shown(held, {})
    return made


def _shown(value: Any, known: dict[int, Any]) -> Any:
    """What shows a value; `known` has by id what shows each that was met before."""
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, np.ndarray):
        return read_only(value)
    kind: Any = type(value)
    if isinstance(value, dict):
        items = list(value.items())  # copied first: the planner's thread may add keys meanwhile
        return kind((key, _shown(each, known)) for key, each in items)
    if isinstance(value, list | tuple):
        parts = [_shown(each, known) for each in value]
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
    if not (kind.__module__.startswith(HOMES) and hasattr(value, "__dict__")):
        return value
    made = known[id(value)] = object.__new__(_unset(kind))
    for name, each in vars(value).items():
        object.__setattr__(made, name, _shown(each, known))
    return made


@cache
def _unset(kind: Any) -> Any:
    """The same kind of object with attributes that cannot be set.

    What it works out when asked, and keeps, is shown too.
    """
    made: dict[str, Any] = {"__setattr__": _refuse, "__module__": kind.__module__}
    for name in dir(kind):
        if isinstance(kept := inspect.getattr_static(kind, name), cached_property):
            made[name] = cached_property(_showing(kept.func))
    return type(kind.__name__, (kind,), made)


def _showing(work_out: Callable[[Any], T]) -> Callable[[Any], T]:
    """The same function, whose result is shown."""
    return lambda me: shown(work_out(me))


def _refuse(_: object, name: str, __: object) -> NoReturn:
    raise AttributeError(f"{name} cannot be set: a world's orders are shown, not handed out")
