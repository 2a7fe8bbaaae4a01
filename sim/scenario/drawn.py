"""What of a scenario file may differ from unit to unit: a number, or how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema

from sim.core.draws import Each, Normal, Spread, Uniform, too_low
from sim.core.errors import BadInput, suggest
from sim.core.limits import LARGEST, SMALLEST
from sim.scenario import checks
from sim.scenario.checks import below, refuse

KINDS = ("normal", "uniform", "each")
OF = {
    "normal": ("numbers [mean, deviation]", 2),
    "within": ("numbers [low, high]", 2),
    "uniform": ("numbers [low, high]", 2),
    "each": ("number for each unit, one or more", 0),
}
"""What the array behind each key holds, and how many; 0: any number."""
KEYS = tuple(OF)
Check = Callable[[Any], float]
"""Of one number: what is not allowed is refused."""
ANY = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
_PAIR = {"type": "array", "items": ANY, "minItems": 2, "maxItems": 2}
DRAWN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "normal": {**_PAIR, "description": "Mean and deviation, cut off at `within`."},
        "within": {**_PAIR, "description": "Bounds; the mean lies in them. Three deviations"
                   " either side unless given."},
        "uniform": {**_PAIR, "description": "The least and the most."},
        "each": {"type": "array", "items": ANY, "minItems": 1,
                 "description": "A number for each unit, in the order they enter."},
    },
    "oneOf": [{"required": [kind]} for kind in KINDS],
    "dependentRequired": {"within": ["normal"]},
    "additionalProperties": False,
}  # fmt: skip
"""JSON Schema of a table that says how a number is drawn."""


def drawn(value: Any) -> float | Spread:
    """A number above 0, or a table that says how it is drawn a unit."""
    if not isinstance(value, dict):
        if isinstance(value, list | tuple):
            raise refuse("must be a number or a table such as { each = [1.2, 1.3] }")
        return checks.positive(value)
    spread = _table(value, checks.positive)
    if fault := too_low(spread, SMALLEST):
        raise refuse(fault, "normal")
    return spread


def _table(value: dict[str, Any], check: Check) -> Spread:
    """How a table says that a number is drawn a unit; each number in it is checked."""
    for key in value:
        if key not in KEYS:
            raise refuse(f"unknown key; {suggest(str(key), KEYS)}", key)
    said = [kind for kind in KINDS if kind in value]
    if len(said) != 1:
        amount = f"says {' and '.join(said)}; must say only one" if said else "must say one"
        raise refuse(f"{amount} of: {', '.join(KINDS)}")
    if "within" in value and said != ["normal"]:
        raise refuse("belongs to normal = [mean, deviation]", "within")
    try:
        return _spread(said[0], value, check)
    except BadInput as bad:
        key = str(bad).partition(" ")[0]
        raise refuse(str(bad).partition(": ")[2], key) from None


def parameter(value: Any) -> Any:
    """A value that one parameter of a rule is given: as it is, or how it is drawn a unit."""
    return _table(value, checks.number) if isinstance(value, dict) else value


def rule(value: Any) -> bool | dict[str, Any]:
    """True, false, or a rule's parameters, of which each may be drawn a unit."""
    said = checks.switch(value)
    if isinstance(said, bool):
        return said
    given = {}
    for name, one in said.items():
        with below(name):
            given[name] = parameter(one)
    return given


def exact(number: float, same: Callable[[float], bool] | None = None) -> str:
    """A number in no more digits than it takes to read the same again, or one as good."""
    good = same or (lambda read: read == number)
    said = [f"{number:.{digits}g}" for digits in (6, 9, 12, 15, 16, 17)]
    return next((each for each in said if good(float(each))), said[-1])


def as_toml(spread: Spread) -> str:
    """How a scenario file says that a number is drawn so."""
    if isinstance(spread, Each):
        return f"{{ each = {_row(spread.values)} }}"
    if isinstance(spread, Uniform):
        return f"{{ uniform = {_row((spread.low, spread.high))} }}"
    within = "" if spread.within is None else f", within = {_row(spread.within)}"
    return f"{{ normal = {_row((spread.mean, spread.deviation))}{within} }}"


def _row(numbers: Sequence[float]) -> str:
    return f"[{', '.join(map(exact, numbers))}]"


def check_count(value: object, units: int, *at: str) -> None:
    """Refuse a list that has not a number for each unit of a group that starts with some."""
    if isinstance(value, Each) and units not in (0, len(value.values)):
        said = f"has {len(value.values)} for {units} units; must be one a unit"
        raise refuse(said, *at, "each")


def check_rule_counts(rules: Mapping[str, Any], units: int) -> None:
    """Refuse such lists in the tables of rules."""
    for rule, given in rules.items():
        for name, value in given.items() if isinstance(given, dict) else ():
            check_count(value, units, "behaviours", rule, name)


def _spread(kind: str, value: dict[str, Any], check: Check) -> Spread:
    given = {key: _numbers(value[key], key, check) for key in value}
    if kind == "each":
        return Each(given[kind])
    if kind == "uniform":
        return Uniform(given[kind][0], given[kind][1])
    within = given.get("within")
    mean, deviation = given[kind]
    return Normal(mean, deviation, None if within is None else (within[0], within[1]))


def _numbers(given: Any, key: str, check: Check) -> tuple[float, ...]:
    of, count = OF[key]
    if not isinstance(given, list | tuple) or not given or (count and len(given) != count):
        raise refuse(f"must be an array of {f'{count} ' if count else 'a '}{of}", key)
    for row, each in enumerate(given):
        with below(key, row):
            check(each)
    return tuple(map(float, given))


Drawn = Annotated[
    float | Normal | Uniform | Each,
    PlainValidator(drawn),
    WithJsonSchema({"anyOf": [{**ANY, "minimum": SMALLEST}, DRAWN]}),
]
"""A number above 0, or how it is drawn: a table with normal, uniform or each."""
Switch = Annotated[bool | dict[str, Any], PlainValidator(rule)]
"""What stands behind a rule's name."""
