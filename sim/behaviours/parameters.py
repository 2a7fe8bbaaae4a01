"""Parameters of rules: bounds, meaning and refusal in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin

from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, is_number

Value = float | bool | str | None


@dataclass(frozen=True)
class Within:
    """The bounds of a parameter, both allowed, and what it means."""

    low: float
    high: float
    about: str


@dataclass(frozen=True)
class Parameter:
    """One number or switch of a rule."""

    name: str
    default: Value
    within: Within

    def check(self, value: Any, where: str) -> float | bool:
        """The value, or `BadInput` that says where, what was given and what is allowed."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise BadInput(f"{where} = {value!r}: must be true or false")
        return number(value, where, self.within.low, self.within.high)


def parameters_of(
    function: Callable[..., Any], hints: Mapping[str, Any]
) -> Mapping[str, Parameter]:
    """The keyword-only parameters of a rule by name. Raises `TypeError` for one without bounds."""
    found = {}
    for name, item in inspect.signature(function).parameters.items():
        if item.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        bounds = [x for x in get_args(hints.get(name)) if isinstance(x, Within)]
        if get_origin(hints.get(name)) is not Annotated or not bounds or item.default is item.empty:
            raise TypeError(
                f"{function.__name__}: {name} needs Annotated[..., Within(...)] and a default"
            )
        found[name] = Parameter(name, item.default, bounds[0])
    return MappingProxyType(found)


def number(value: Any, where: str, low: float, high: float) -> float:
    """The value as a float. Raises `BadInput` unless it is a number from `low` to `high`."""
    if not is_number(value):
        raise BadInput(f"{where} = {shortened(value)}: must be a number")
    if not (low <= value <= high and abs(value) <= LARGEST):
        span = "a finite number" if (low, high) == (-inf, inf) else f"between {low:g} and {high:g}"
        raise BadInput(f"{where} = {value!r}: must be {span}")
    return float(value)
