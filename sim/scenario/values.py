"""The kinds of single values in a scenario file: how each is checked, and told to an editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_plain_validator_function

from sim.core.limits import LARGEST, LEAST_STEP, LONGEST_STEP, MOST_RATE, MOST_UNITS, SMALLEST
from sim.orders.formation import LEAST, MOST
from sim.orders.formation import SHAPES as FORMATIONS
from sim.orders.stop import Stop
from sim.perception.views import FARTHEST
from sim.scenario import checks
from sim.scenario.checks import below, between, choice, number, positive, refuse, row, rows, up_to


def stop(value: Any) -> tuple[float, ...]:
    """A place [x, y] of a route, or a stop: a table with `at`, and `wait` or `serve`."""
    if not isinstance(value, dict):
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise refuse("must be an array [x, y], or { at = [x, y], wait = seconds }")
        return tuple(_number_at(each, index) for index, each in enumerate(value))
    for key in value:
        if key not in ("at", "wait", "serve"):
            raise refuse("unknown key; allowed: at, wait, serve", key)
    at, kinds = value.get("at"), [key for key in ("wait", "serve") if key in value]
    if not isinstance(at, list | tuple) or len(at) != 2:
        raise refuse("must be an array [x, y]", "at")
    if len(kinds) != 1:
        raise refuse("must have exactly one of wait, serve")
    x, y = (_number_at(each, "at", index) for index, each in enumerate(at))
    with below(kinds[0]):
        return Stop(x, y, **{kinds[0]: positive(value[kinds[0]])})


def _number_at(value: Any, *at: str | int) -> float:
    with below(*at):
        return number(value)


@dataclass(frozen=True, eq=False)
class Kind:
    """How a value is checked, and what an editor is told of it, in the words of JSON Schema."""

    check: Callable[[Any], Any]
    told: dict[str, Any]

    def __get_pydantic_core_schema__(self, *_: object) -> CoreSchema:
        """How pydantic checks it."""
        return no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, *_: object) -> dict[str, Any]:
        """What it says of it."""
        return dict(self.told)


def _kind(check: Callable[[Any], Any], kind: str, **bounds: Any) -> Kind:
    return Kind(check, {"type": kind, **bounds})


def numbers(low: float, high: float) -> Kind:
    """Numbers within bounds."""
    return _kind(between(low, high), "number", minimum=low, maximum=high)


def _up_to(most: float) -> Kind:
    return _kind(up_to(most), "number", exclusiveMinimum=0, maximum=most)


def _whole(low: int, high: int) -> Kind:
    return _kind(checks.whole(low, high), "integer", minimum=low, maximum=high)


def _words(*allowed: str) -> Kind:
    return _kind(choice(*allowed), "string", enum=list(allowed))


_BOUNDS = {"minimum": -LARGEST, "maximum": LARGEST}
_TURN = {"anyOf": [{"type": "number", **_BOUNDS}, {"const": "random"}]}
Number = Annotated[float, _kind(number, "number", **_BOUNDS)]
NotNegative = Annotated[float, _kind(checks.not_negative, "number", minimum=0, maximum=LARGEST)]
Positive = Annotated[float, _kind(positive, "number", minimum=SMALLEST, maximum=LARGEST)]
Rate = Annotated[
    float,
    _kind(positive, "number", minimum=SMALLEST, maximum=MOST_RATE),
    AfterValidator(up_to(MOST_RATE)),
]
Step = Annotated[float, _kind(checks.step, "number", minimum=LEAST_STEP, maximum=LONGEST_STEP)]
Share = Annotated[float, numbers(0, 1)]
Count = Annotated[int, _whole(1, MOST_UNITS)]
CountOrNone = Annotated[int, _whole(0, MOST_UNITS)]
Seed = Annotated[int, _whole(0, 2**63 - 1)]
Flag = Annotated[bool, _kind(checks.flag, "boolean")]
Text = Annotated[str, _kind(checks.text, "string")]
Name = Annotated[str, _kind(checks.name, "string", minLength=1)]
Heading = Annotated[float | str, Kind(checks.heading, _TURN)]
Color = Annotated[str, _kind(checks.color, "string", minLength=1)]
Edges = Annotated[Literal["open", "wall", "wrap"], _words("open", "wall", "wrap")]
VIEWS = ("wide", "limited", "narrow", "all")
View = Annotated[Literal["wide", "limited", "narrow", "all"], _words(*VIEWS)]
ViewAngle = Annotated[float, _up_to(360)]
ViewRadius = Annotated[float, _up_to(FARTHEST)]
Shape = Annotated[Literal["disc", "box", "wedge"], _words("disc", "box", "wedge")]
Point = Annotated[tuple[Number, Number], row("x", "y")]
Points = Annotated[tuple[Point, ...], rows("points [x, y]")]
FormationShape = Annotated[str, _words(*FORMATIONS)]
Spacing = Annotated[float, numbers(LEAST, MOST)]
Length = Annotated[float, numbers(-MOST, MOST)]
Offset = Annotated[tuple[Length, Length], row("ahead", "starboard")]
Offsets = Annotated[tuple[Offset, ...], rows("places [ahead, starboard]")]
_SECONDS = {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}
_PLACE = {"type": "array", "items": {"type": "number", **_BOUNDS}, "minItems": 2, "maxItems": 2}
_STOP = {
    "type": "object",
    "properties": {"at": _PLACE, "wait": _SECONDS, "serve": _SECONDS},
    "required": ["at"],
    "oneOf": [{"required": ["wait"]}, {"required": ["serve"]}],
    "additionalProperties": False,
}
Place = Annotated[tuple[float, ...], Kind(stop, {"anyOf": [_PLACE, _STOP]})]
"""A place of a route [x, y], or a stop { at = [x, y], wait = s } or { at = [x, y], serve = s }."""
Route = Annotated[tuple[Place, ...], rows("points [x, y]")]
Routes = Annotated[tuple[Route, ...], rows("routes [[x, y], ...]")]
Box = Annotated[
    tuple[Number, Number, Number, Number],
    row("left", "top", "right", "bottom"),
    AfterValidator(checks.in_order),
]
Wall = Annotated[
    tuple[Number, Number, Number, Number], row("x1", "y1", "x2", "y2"), AfterValidator(checks.apart)
]
Circle = Annotated[tuple[Number, Number, Positive], row("x", "y", "radius")]
Thrusters = Annotated[
    tuple[NotNegative, Share, Share, Share], row("t", "port", "starboard", "thrust")
]

_NAMES = {"items": {"type": "string"}, "minItems": 1, "maxItems": 2}
Mouse = Annotated[tuple[str, ...], _kind(checks.one_or_two, "array", **_NAMES)]
