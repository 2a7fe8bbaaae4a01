"""A rule as one group uses it, with the figures that the group has given to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.arrays import Floats
from sim.core.draws import Spread, spread_of
from sim.core.limits import LARGEST
from sim.core.own import above_zero
from sim.perception.sights import Feel, Sight, Whom

if TYPE_CHECKING:
    from sim.behaviours.table import Rule

WEIGHT, RANGE = "weight", "range"
LOOKING = ("view", RANGE, "whom", "nearest")
"""What every rule that looks at others can be given."""


@dataclass(frozen=True)
class Setting:
    """A rule as one group uses it. `view` and `range` are None where the group's view decides."""

    rule: Rule
    weight: float = 1.0
    view: str | None = None
    range: float | None = None
    """Hull lengths; the greatest where units differ in it."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """By name: a number, or true or false."""
    whom: Whom = "everyone"
    nearest: int = 0
    """How many neighbours count, the nearest of those seen; 0: all."""
    drawn: Mapping[str, Spread] = field(default_factory=dict)
    """By what the weight, the range and the parameters that differ from unit to unit are drawn. The
    weight and the parameters above are then the typical ones."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", MappingProxyType(dict(self.drawn)))

    @property
    def off(self) -> bool:
        """Whether no unit heeds the rule: its weight is 0 for all."""
        return self.weight == 0 and WEIGHT not in self.drawn

    @property
    def given(self) -> dict[str, Any]:
        """The weight and the parameters by name, as they were given: numbers, or how drawn."""
        return {WEIGHT: self.weight, **self.parameters, **self.drawn}

    @property
    def told(self) -> dict[str, Any]:
        """All that a file may say of the rule, without what the group's view decides."""
        if self.sight is None:
            return self.given
        looks = {"view": self.view, "range": self.range, "whom": self.whom, "nearest": self.nearest}
        return {name: value for name, value in looks.items() if value is not None} | self.given

    def check_count(self, units: int) -> None:
        """Raise `BadInput` for a list that has not one number for each of the `units`."""
        for name, spread in self.drawn.items():
            spread_of(spread, f"behaviours.{self.rule.name}.{name}", units, -LARGEST)

    def of_units(self, own: Mapping[str, Floats]) -> Setting:
        """The same with what each of n units has drawn, (n,) by name.

        Where any parameter is, all that may be drawn are then arrays: kernels take either numbers
        or arrays.
        """
        parameters = dict(self.parameters)
        if not own.keys().isdisjoint(parameters):
            size = len(next(iter(own.values())))
            for name in (n for n, each in self.rule.parameters.items() if each.drawn):
                parameters[name] = own[name] if name in own else np.full(size, parameters[name])
        weight: Any = own.get(WEIGHT, self.weight)
        return replace(self, weight=weight, parameters=MappingProxyType(parameters))

    @property
    def sight(self) -> Sight | None:
        """What the rule has to see, or None."""
        if self.rule.looks == "nobody":
            return None
        weighed = self.rule.weighed
        each = self.rule.looks == "each" or (
            weighed is not None and above_zero(self.parameters[weighed.by])
        )
        of = self.rule.name if RANGE in self.drawn else ""
        return Sight(self.view, self.range, self.whom, each, self.nearest, of)

    @property
    def feel(self) -> Feel | None:
        """What the rule has to feel, by this setting's own figures, or None."""
        return None if self.rule.feels is None else self.rule.feels.of(self.parameters)

    @property
    def pairs(self) -> float | None:
        """From how far off the rule pairs units off with their quarry, hull lengths, or None."""
        hunting = self.rule.hunting
        engage = hunting.engage if hunting else None
        return None if engage is None else float(self.parameters[engage])
