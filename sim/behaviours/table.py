"""The table of rules: what a rule is, what it asks to perceive, and what it gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from sim.behaviours.commands import Command
from sim.behaviours.forms import asked, check_family, check_looks, name_of, needs_of, words
from sim.behaviours.parameters import SPREADS, Parameter, amount, parameters_of
from sim.behaviours.setting import LOOKING, RANGE, WEIGHT, Setting
from sim.core.arrays import Floats
from sim.core.draws import Spread
from sim.core.errors import BadInput, shortened, suggest
from sim.core.limits import check_text, one_of, whole
from sim.perception.sights import WHOM, Feel, Hunting, Weighed, Whom
from sim.perception.views import FARTHEST, VIEWS

Terms = Floats
"""What a rule returns: (n, 2) as (ahead, starboard); what 1 stands for is a `Command`."""

F = TypeVar("F", bound=Callable[..., Any])


class Told(NamedTuple):
    """Terms, with figures that led to them, for pictures: a rule may return this instead."""

    terms: Terms
    figures: Mapping[str, Floats]
    """(n, ...) by name, own frame; NaN where there is nothing to show."""


Looks = Literal["nobody", "summary", "each"]
NOTHING = "nothing"
"""What a rule serves that is asked only while its group is after nothing."""
MOST_NEAREST = 1_000_000
"""The largest number of neighbours that `nearest` may ask for."""


@dataclass(frozen=True)
class Rule:
    """A behaviour: a pure function of percepts with a name, and what it needs to perceive."""

    name: str
    function: Callable[..., Terms | Told]
    family: str
    parameters: Mapping[str, Parameter]
    looks: Looks = "nobody"
    view: str | None = None
    range: float | None = None
    whom: Whom = "everyone"
    nearest: int = 0
    serves: frozenset[str] = frozenset()
    """The kinds of goals."""
    unsent: bool = False
    """Whether it serves groups that are after nothing."""
    gives: frozenset[Command] = frozenset()
    """What its terms may stand for; empty for a rule that fits every helm."""
    needs: tuple[str, ...] = ()
    """The parts of the percepts that it is handed, in order; of `NEEDS`."""
    feels: Feel | None = None
    hunting: Hunting | None = None
    weighed: Weighed | None = None

    @cached_property
    def touches(self) -> bool:
        """Whether it reads contacts."""
        return "contacts" in self.needs

    @cached_property
    def amends(self) -> bool:
        """Whether it is asked after all others, and changes their sum."""
        return "wanted" in self.needs

    @property
    def led(self) -> bool:
        """Whether it goes to its quarry by ways round what is solid."""
        return self.hunting is not None and self.hunting.led

    def answers(self, kinds: frozenset[str]) -> bool:
        """Whether it is asked in a group that is after such kinds of goals, or after nothing.

        One that serves neither a kind nor nothing is asked whatever a group is after.
        """
        if self.serves or self.unsent:
            return not self.serves.isdisjoint(kinds) or (self.unsent and not kinds)
        return True

    def fits(self, takes: Command) -> bool:
        """Whether a helm that takes such commands can follow its terms."""
        return not self.gives or takes in self.gives

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def of_ours(self) -> bool:
        """Whether it came with the package. Others are handed arrays that are read-only."""
        return self.function.__module__.partition(".")[0] == "sim"

    def configure(self, given: Mapping[str, Any] | bool, where: str = "") -> Setting:
        """The rule with some parameters changed.

        `given` holds weight, view, range, `whom`, `nearest` (these four only for rules that look)
        and the rule's own parameters; False stands for weight 0, True for the rule as it is. Raises
        `BadInput` for anything else.
        """
        if isinstance(given, bool):
            given = {} if given else {"weight": 0.0}
        if not isinstance(given, Mapping):
            raise BadInput(
                f"{where} = {shortened(given)}: must be a table of parameters, true or false"
            )
        common = {"weight"} | (set(LOOKING) if self.looks != "nobody" else set())
        values: dict[str, Any] = {n: p.default for n, p in self.parameters.items()}
        values[WEIGHT], view, nearest = 1.0, self.view, self.nearest
        reach: float | Spread | None = self.range
        whom: Whom = self.whom
        for name, value in given.items():
            path = f"{where}.{name}" if where else name
            if name == WEIGHT:
                values[name] = amount(value, path, -inf, inf)
            elif name == "view" and name in common:
                view = one_of(value, VIEWS, path)
            elif name == "whom" and name in common:
                whom = one_of(value, WHOM, path)
            elif name == RANGE and name in common:
                reach = amount(value, path, 0.0, FARTHEST)
            elif name == "nearest" and name in common:
                nearest = whole(value, path, 0, MOST_NEAREST)
            elif name in self.parameters:
                if not self.parameters[name].drawn:
                    self._alike(value, path)
                values[name] = self.parameters[name].check(value, path)
            else:
                allowed = sorted(common | set(self.parameters))
                raise BadInput(f"{path}: unknown parameter; {suggest(name, allowed)}")
        drawn = {n: value for n, value in values.items() if isinstance(value, Spread)}
        numbers = values | {n: spread.typical for n, spread in drawn.items()}
        weight = numbers.pop(WEIGHT)
        if isinstance(reach, Spread):
            drawn[RANGE], reach = reach, reach.bounds[1]
        return Setting(self, weight, view, reach, MappingProxyType(numbers), whom, nearest, drawn)

    def _alike(self, value: Any, where: str) -> Any:
        """The same. Raises `BadInput` for numbers that differ from unit to unit."""
        if isinstance(value, SPREADS):
            looks = [] if self.looks == "nobody" else [RANGE]
            may = ", ".join([WEIGHT, *looks, *(n for n, p in self.parameters.items() if p.drawn)])
            said = "must be alike for all units of a group; what may be drawn for each"
            raise BadInput(f"{where}: {said}: {may}")
        return value


RULES: dict[str, Rule] = {}
"""Every rule by name. `rule` adds to it."""


def rule(
    family: str,
    *,
    looks: Looks = "nobody",
    view: str | None = None,
    range: float | None = None,
    whom: Whom = "everyone",
    nearest: int = 0,
    serves: str | Sequence[str] = (),
    gives: Command | Sequence[Command] = (),
) -> Callable[[F], F]:
    """Register a function as a rule of a family (families are switched on and off together).

    The function takes `Percepts`, then any parts of them that it needs (see below), and its own
    keyword-only parameters, each annotated `Annotated[float, Within(low, high, "meaning")]` with a
    default. It returns (n, 2); `gives` says what these stand for, one `Command` or several that
    the term serves alike; without it the rule fits every helm. `looks` says whether it reads
    `seen.summary`, or `seen.each`; `view` and `range` (in hull lengths) default to those of the
    group; one that looks at the `nearest` sees no others. A rule that `serves` a kind of
    goal, or several, is asked only while its group has a goal of such a kind; one that serves
    "nothing", while it has none. The first line of the function's docstring is shown as what the
    rule is `about`; without one there is nothing to show.

    Parts: `seen`, if need be `Annotated[Seen, Weighed(...)]`; `felt: Annotated[Felt, Feel(...)]`,
    rays ahead, whose figures may be names of the rule's parameters; `aim`, for rules that serve
    "go"; `quarry`, for rules that serve other goals, if need be `Annotated[Quarry, Hunting(...)]`;
    `contacts`; `wanted`, the sum of all other rules' terms: a rule with this is asked last, and its
    term changes that sum. Raises `TypeError` or `BadInput` for what is no such function.
    """
    check_family(family)
    check_text(family, "family")
    one_of(looks, get_args(Looks), "looks")
    one_of(whom, WHOM, "whom")
    whole(nearest, "nearest", 0, MOST_NEAREST)
    kinds, given = words(serves, "serves"), words(gives, "gives")

    def register(function: F) -> F:
        name, hints = name_of(function), get_type_hints(function, include_extras=True)
        check_looks(name, view, range)
        taken = RULES.get(name)
        if taken and taken.of_ours and taken.function.__module__ != function.__module__:
            raise TypeError(f"{name}: a rule of the package has this name; choose another")
        parameters, needs = parameters_of(function, hints), needs_of(function)
        feels, hunting = asked(hints, "felt", Feel), asked(hints, "quarry", Hunting)
        weighed = asked(hints, "seen", Weighed)
        if unknown := feels.names - set(parameters) if feels else ():
            raise TypeError(f"{name}: feels by {', '.join(sorted(unknown))}, no parameter of it")
        if "seen" in needs and looks == "nobody":
            raise TypeError(f"{name}: asks for what is seen, but looks at no unit")
        if "felt" in needs and feels is None:
            raise TypeError(f"{name}: asks for what is felt, but not what: Annotated[Felt, Feel()]")
        if hunting and hunting.engage is not None and hunting.engage not in parameters:
            raise TypeError(f"{name}: pairs by {hunting.engage}, no parameter of it")
        if weighed and weighed.by not in parameters:
            raise TypeError(f"{name}: weighs by {weighed.by}, no parameter of it")
        if hunting and hunting.engage and parameters[hunting.engage].drawn:
            raise TypeError(f"{name}: {hunting.engage} is no Amount: all of a group pair off by it")
        RULES[name] = Rule(
            name, function, family, parameters, looks, view, range, whom, nearest,
            kinds - {NOTHING}, NOTHING in kinds, given, needs, feels, hunting, weighed,
        )  # fmt: skip
        return function

    return register


def lookup(name: str, where: str = "") -> Rule:
    """The rule of that name. Raises `BadInput` with the nearest name."""
    check_text(name, where or "behaviour")
    if name not in RULES:
        raise BadInput(f"{where or name}: unknown behaviour; {suggest(name, RULES)}")
    return RULES[name]
