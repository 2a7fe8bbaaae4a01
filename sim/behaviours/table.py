"""The table of rules: what a rule is, what it asks to see, and the bounds of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from sim.errors import BadInput, shortened, suggest
from sim.limits import LARGEST, check_text, is_number
from sim.perception.sights import WHOM, Feel, Sight, Whom
from sim.perception.views import VIEWS

Terms = NDArray[np.float64]
"""What a rule returns: (n, 2) as (ahead, starboard); 1 is the full thrust, the full steering
force."""

Value = float | bool | str | None
Looks = Literal["nobody", "summary", "each"]


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
        return _number(value, where, self.within.low, self.within.high)


@dataclass(frozen=True)
class Rule:
    """A behaviour: a pure function of percepts with a name, and what it needs to see."""

    name: str
    function: Callable[..., Terms]
    family: str
    looks: Looks
    view: str | None
    range: float | None
    whom: Whom
    serves: frozenset[str]
    touches: bool
    parameters: Mapping[str, Parameter]
    feels: Feel | None = None
    amends: bool = False
    pairs: str | None = None
    nearest: int = 0
    led: bool = False

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def of_ours(self) -> bool:
        """Whether it came with the package. Others are handed arrays that are read-only."""
        return self.function.__module__.partition(".")[0] == "sim"

    def configure(self, given: Mapping[str, Any] | bool, where: str = "") -> Setting:
        """The rule with some parameters changed.

        `given` holds weight, view, range, whom (these three only for rules that look) and the
        rule's own parameters; False stands for weight 0, True for the rule as it is. Raises
        `BadInput` for anything else.
        """
        if isinstance(given, bool):
            given = {} if given else {"weight": 0.0}
        if not isinstance(given, Mapping):
            raise BadInput(
                f"{where} = {shortened(given)}: must be a table of parameters, true or false"
            )
        common = {"weight"} | ({"view", "range", "whom"} if self.looks != "nobody" else set())
        values: dict[str, float | bool] = {n: p.default for n, p in self.parameters.items()}  # type: ignore[misc]
        weight, view, reach = 1.0, self.view, self.range
        whom: Whom = self.whom
        for name, value in given.items():
            path = f"{where}.{name}" if where else name
            if name == "weight":
                weight = _number(value, path, -inf, inf)
            elif name == "view" and name in common:
                if not (isinstance(value, str) and value in VIEWS):
                    raise BadInput(f"{path} = {value!r}: must be one of {', '.join(VIEWS)}")
                view = value
            elif name == "whom" and name in common:
                if value not in WHOM:
                    raise BadInput(f"{path} = {value!r}: must be one of {', '.join(WHOM)}")
                whom = value
            elif name == "range" and name in common:
                reach = _number(value, path, 0.0, 1e6)
            elif name in self.parameters:
                values[name] = self.parameters[name].check(value, path)
            else:
                allowed = sorted(common | set(self.parameters))
                raise BadInput(f"{path}: unknown parameter; {suggest(name, allowed)}")
        return Setting(self, weight, view, reach, MappingProxyType(values), whom)


@dataclass(frozen=True)
class Setting:
    """A rule as one group uses it. `view` and `range` are None where the group's view decides."""

    rule: Rule
    weight: float = 1.0
    view: str | None = None
    range: float | None = None
    parameters: Mapping[str, float | bool] = field(default_factory=dict)
    whom: Whom = "everyone"

    @property
    def sight(self) -> Sight | None:
        """What the rule has to see, or None."""
        if self.rule.looks == "nobody":
            return None
        each = self.rule.looks == "each"
        return Sight(self.view, self.range, self.whom, each, self.rule.nearest)

    @property
    def feel(self) -> Feel | None:
        """What the rule has to feel, by this setting's own figures, or None."""
        return None if self.rule.feels is None else self.rule.feels.of(self.parameters)

    @property
    def pairs(self) -> float | None:
        """From how far off the rule pairs units off with their quarry, hull lengths, or None."""
        return None if self.rule.pairs is None else float(self.parameters[self.rule.pairs])


RULES: dict[str, Rule] = {}
"""Every rule by name. `rule` adds to it."""


def rule(
    family: str,
    *,
    looks: Looks = "nobody",
    view: str | None = None,
    range: float | None = None,
    whom: Whom = "everyone",
    serves: str | Sequence[str] = (),
    touches: bool = False,
    feels: Feel | None = None,
    amends: bool = False,
    pairs: str | None = None,
    nearest: int = 0,
    led: bool = False,
) -> Callable[[Callable[..., Terms]], Callable[..., Terms]]:
    """Register a function as a rule of a family (families are switched on and off together).

    The function takes `Percepts` and its own keyword-only parameters, each annotated
    `Annotated[float, Within(low, high, "meaning")]` with a default, and returns (n, 2). `looks`
    says whether it reads `seen.summary`, or `seen.each`; `view` and `range` (in hull lengths)
    default to those of the group. `feels` asks for rays ahead, read as `felt`; its figures may be
    names of the rule's parameters. A rule that `serves` a kind of goal, or several, is asked only
    while its group has a goal of such a kind. One that `touches` reads `contacts`. One that
    `amends` is asked after all others and changes their sum, read as `wanted`, by what it returns.
    One that `pairs` gives each unit a quarry of its own, where there are enough; the parameter of
    that name says from how far off. One that looks at the `nearest` so many sees no others. One
    that is `led` goes to its quarry by ways round what is solid.
    """
    kinds = frozenset([serves] if isinstance(serves, str) else serves)

    def register(function: Callable[..., Terms]) -> Callable[..., Terms]:
        name, parameters = function.__name__, _parameters(function)
        if unknown := feels.names - set(parameters) if feels else ():
            raise TypeError(f"{name}: feels by {', '.join(sorted(unknown))}, no parameter of it")
        if nearest and looks != "each":
            raise TypeError(f"{name}: only rules that look at each see the nearest alone")
        if pairs is not None and pairs not in parameters:
            raise TypeError(f"{name}: pairs by {pairs}, no parameter of it")
        RULES[name] = Rule(
            name, function, family, looks, view, range, whom, kinds, touches, parameters, feels,
            amends, pairs, nearest, led,
        )  # fmt: skip
        return function

    return register


def lookup(name: str, where: str = "") -> Rule:
    """The rule of that name. Raises `BadInput` with the nearest name."""
    check_text(name, where or "behaviour")
    if name not in RULES:
        raise BadInput(f"{where or name}: unknown behaviour; {suggest(name, RULES)}")
    return RULES[name]


def _parameters(function: Callable[..., Terms]) -> Mapping[str, Parameter]:
    hints = get_type_hints(function, include_extras=True)
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


def _number(value: Any, where: str, low: float, high: float) -> float:
    if not is_number(value):
        raise BadInput(f"{where} = {shortened(value)}: must be a number")
    if not (low <= value <= high and abs(value) <= LARGEST):
        span = "a finite number" if (low, high) == (-inf, inf) else f"between {low:g} and {high:g}"
        raise BadInput(f"{where} = {value!r}: must be {span}")
    return float(value)
