"""Parameters of rules: bounds, meaning and refusal in one place."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin

import numpy as np

from sim.behaviours.setting import LOOKING, WEIGHT
from sim.core.arrays import plain
from sim.core.draws import Each, Normal, Spread, Uniform, spread_of
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, check_text, in_range, is_number
from sim.core.own import Amount

Value = float | bool | str | None


@dataclass(frozen=True)
class Within:
    """The bounds of a parameter, both allowed, and what it means."""

    low: float
    high: float
    about: str

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            if not in_range(getattr(self, name), -inf, inf):
                given = shortened(getattr(self, name))
                raise BadInput(f"Within.{name} = {given}: must be a number")
        check_text(self.about, "Within.about")
        if not self.low <= self.high:
            said = f"Within({self.low}, {self.high}): the least must be at most the greatest"
            raise BadInput(said)


@dataclass(frozen=True)
class Parameter:
    """One number or switch of a rule."""

    name: str
    default: Value
    within: Within
    drawn: bool = False
    """Whether units may differ in it: the rule then gets (n,) numbers instead of one."""

    def check(self, value: Any, where: str) -> float | bool | Spread:
        """The value, or `BadInput` that says where, what was given and what is allowed."""
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise BadInput(f"{where} = {shortened(value)}: must be true or false")
        if self.drawn:
            return amount(value, where, self.within.low, self.within.high)
        return number(value, where, self.within.low, self.within.high)


def parameters_of(
    function: Callable[..., Any], hints: Mapping[str, Any]
) -> Mapping[str, Parameter]:
    """The keyword-only parameters of a rule by name.

    Raises `TypeError` for one without bounds, and for one named like what rules are given besides.
    One that is annotated as an `Amount` may be drawn for each unit.
    """
    found = {}
    for name, item in inspect.signature(function).parameters.items():
        if item.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        if name in (WEIGHT, *LOOKING):
            said = "rules are given one besides their own; choose another name"
            raise TypeError(f"{function.__name__}: {name}: {said}")
        bounds = [x for x in get_args(hints.get(name)) if isinstance(x, Within)]
        if get_origin(hints.get(name)) is not Annotated or not bounds or item.default is item.empty:
            raise TypeError(
                f"{function.__name__}: {name} needs Annotated[..., Within(...)] and a default"
            )
        drawn = get_args(hints[name])[0] == Amount
        found[name] = Parameter(name, item.default, bounds[0], drawn)
        try:
            found[name].check(item.default, f"{function.__name__}: {name}")
        except BadInput as error:
            raise TypeError(str(error)) from None
    return MappingProxyType(found)


def number(value: Any, where: str, low: float, high: float) -> float:
    """The value as a float. Raises `BadInput` unless it is a number from `low` to `high`."""
    if not is_number(value):
        raise BadInput(f"{where} = {shortened(value)}: must be a number")
    value = plain(value)
    if not (low <= value <= high and abs(value) <= LARGEST):
        span = "a finite number" if (low, high) == (-inf, inf) else f"between {low:g} and {high:g}"
        raise BadInput(f"{where} = {shortened(value)}: must be {span}")
    return float(value)


def amount(value: Any, where: str, low: float, high: float) -> float | Spread:
    """A number from `low` to `high`, or how units differ in it. Raises `BadInput` for others."""
    if not isinstance(value, SPREADS):
        return number(value, where, low, high)
    spread = spread_of(value, where, least=-LARGEST)
    if isinstance(spread, float):  # an array of no dimension
        return number(spread, where, low, high)
    least, most = spread.bounds
    if not low <= least <= most <= high:
        raise BadInput(
            f"{where}: is drawn from {least:g} to {most:g}: must be between {low:g} and {high:g}"
        )
    return spread


SPREADS = (Uniform, Normal, Each, list, tuple, np.ndarray)
"""What stands for numbers that differ from unit to unit."""
