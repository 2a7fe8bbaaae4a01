"""Quantities that differ from unit to unit: distributions, and what is drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.arrays import Floats, Ints, make_plain
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, SMALLEST, check_range, is_number, positive

WITHIN = 3.0
"""A normal distribution is cut off this many deviations from its mean unless bounds are given."""
HOW = "a number, Normal(1.3, 0.2), Uniform(1, 1.6) or a list of numbers"


@dataclass(frozen=True)
class Uniform:
    """Any number from `low` to `high`, all equally likely. Raises `BadInput`."""

    low: float
    high: float

    def __post_init__(self) -> None:
        make_plain(self)
        _ascending(self.low, self.high, "uniform")

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that is drawn."""
        return float(self.low), float(self.high)

    @property
    def typical(self) -> float:
        """The middle."""
        return (self.low + self.high) / 2

    def at(self, share: Floats, number: Ints) -> Floats:  # noqa: ARG002 - as all draw
        """(n,) what is drawn by random numbers `share` (n,), from 0 to 1."""
        return np.clip(self.low + share * (self.high - self.low), self.low, self.high)


@dataclass(frozen=True)
class Normal:
    """A normal distribution, cut off at the bounds `within`: what lies outside is never drawn.

    Without bounds it is cut off three deviations from the mean. Raises `BadInput`.
    """

    mean: float
    deviation: float
    within: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        make_plain(self)
        mean = _amount(self.mean, "normal[0]", -LARGEST)
        positive(self.deviation, "normal[1]")
        if self.within is None:
            for bound in self.bounds:
                check_range(bound, "normal: a bound", -LARGEST, LARGEST)
            return
        if not isinstance(self.within, list | tuple | np.ndarray) or len(self.within) != 2:
            raise BadInput(f"within = {shortened(self.within)}: must be two numbers [low, high]")
        low, high = self.within
        _ascending(low, high, "within")
        if not low <= mean <= high:
            raise BadInput(f"within = [{low:g}, {high:g}]: must hold the mean, {mean:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that is drawn."""
        if self.within is not None:
            return float(self.within[0]), float(self.within[1])
        return self.mean - WITHIN * self.deviation, self.mean + WITHIN * self.deviation

    @property
    def typical(self) -> float:
        """The mean of the whole distribution."""
        return float(self.mean)

    def at(self, share: Floats, number: Ints) -> Floats:  # noqa: ARG002 - as all draw
        """(n,) what is drawn by random numbers `share` (n,), from 0 to 1: by the inverse."""
        from scipy.special import ndtr, ndtri

        low, high = self.bounds
        first, last = ndtr((np.array([low, high]) - self.mean) / self.deviation)
        drawn = self.mean + self.deviation * ndtri(first + share * (last - first))
        found: Floats = np.clip(drawn, low, high)
        return found


@dataclass(frozen=True)
class Each:
    """A value for each unit, in the order in which they enter; those beyond begin anew."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        make_plain(self)
        if not self.values:
            raise BadInput("each: must be one number or more")
        for row, value in enumerate(self.values):
            _amount(value, f"each[{row}]", -LARGEST)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most."""
        return float(min(self.values)), float(max(self.values))

    @property
    def typical(self) -> float:
        """The middle between the least and the most."""
        return (min(self.values) + max(self.values)) / 2

    def at(self, share: Floats, number: Ints) -> Floats:  # noqa: ARG002 - as all draw
        """(n,) the values of units `number` (n,)."""
        return np.array(self.values, dtype=float)[number % len(self.values)]


Spread = Uniform | Normal | Each


def times(spread: Spread, factor: float) -> Spread:
    """The draws of a number that is `factor` times as large."""
    if isinstance(spread, Uniform):
        return Uniform(factor * spread.low, factor * spread.high)
    if isinstance(spread, Each):
        return Each(tuple(factor * value for value in spread.values))
    low, high = spread.bounds
    return Normal(factor * spread.mean, factor * spread.deviation, (factor * low, factor * high))


def spread_of(value: Any, where: str, units: int = 0, least: float = SMALLEST) -> float | Spread:
    """A number, or how the units of a group differ; a list has a number for each of its `units`.

    No number is below `least`. A group that is founded without units takes a list of any length.
    Raises `BadInput` that begins with `where`.
    """
    if isinstance(value, Uniform | Normal):
        if fault := too_low(value, least):
            raise BadInput(f"{where}: {fault}")
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, list | tuple | np.ndarray | Each):
        given = value.values if isinstance(value, Each) else tuple(value)
        for row, one in enumerate(given):
            _amount(one, f"{where}[{row}]", least)
        if not given or (units and len(given) != units):
            wanted = f"one for each of {units} units" if units else "one or more"
            raise BadInput(f"{where}: {len(given)} numbers: must be {wanted}")
        return Each(tuple(map(float, given)))
    if not is_number(value):
        raise BadInput(f"{where} = {shortened(value)}: must be {HOW}")
    return _amount(value, where, least)


def too_low(spread: Spread, least: float) -> str:
    """What to say of a distribution that may draw numbers below `least`; nothing of others."""
    low, high = spread.bounds
    if low >= least:
        return ""
    must = "more than 0" if least == SMALLEST else f"{least:g} or more"
    ask = ""
    if isinstance(spread, Normal) and spread.within is None and spread.mean > 0:
        ask = f"; give it bounds, such as within = [{spread.mean / 2:g}, {high:g}]"
    return f"draws numbers from {low:g} to {high:g}: must be {must}{ask}"


def drawn(spread: Spread, rng: np.random.Generator, number: Ints) -> Floats:
    """(n,) what units draw that entered as number 0, 1 and so on: `number` (n,), in any order.

    A unit's draw depends on its number and the generator's seed alone, which is a fresh one of
    `PCG64`: each number of a unit is one step of it.
    """
    if not len(number):
        return np.zeros(0)
    first = int(number.min())
    bits: Any = rng.bit_generator
    bits.advance(first)
    return spread.at(rng.random(int(number.max()) - first + 1)[number - first], number)


def _amount(value: Any, where: str, least: float) -> float:
    """A number from `least` on. Raises `BadInput` that begins with `where`."""
    if least > 0:
        return positive(value, where, least)
    check_range(value, where, least, LARGEST)
    return float(value)


def _ascending(low: Any, high: Any, name: str) -> None:
    """Raise `BadInput` unless low < high, both numbers in reach."""
    for row, value in enumerate((low, high)):
        _amount(value, f"{name}[{row}]", -LARGEST)
    if not low < high:
        raise BadInput(f"{name} = [{low:g}, {high:g}]: must have low < high")
