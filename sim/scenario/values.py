"""The kinds of single values in a scenario file: how each is checked, and told to an editor."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from sim.core.limits import LARGEST, LEAST_STEP, LONGEST_STEP, MOST_RATE, MOST_UNITS, SMALLEST
from sim.orders.formation import LEAST, MOST
from sim.orders.formation import SHAPES as FORMATIONS
from sim.orders.stop import Stop
from sim.perception.views import FARTHEST
from sim.scenario import checks
from sim.scenario.checks import between, choice, number, positive, refuse, row, rows, up_to


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
    try:
        seconds = positive(value[kinds[0]])
    except PydanticCustomError as error:
        raise refuse(str((error.context or {})["said"]), kinds[0]) from None
    return Stop(x, y, **{kinds[0]: seconds})


def _number_at(value: Any, *at: str | int) -> float:
    try:
        return number(value)
    except PydanticCustomError as error:
        raise refuse(str((error.context or {})["said"]), *at) from None


def _as(kind: str, **bounds: Any) -> WithJsonSchema:
    """What an editor is told of a kind of value, in the words of JSON Schema."""
    return WithJsonSchema({"type": kind, **bounds})


_BOUNDS = {"minimum": -LARGEST, "maximum": LARGEST}
_TURN = {"anyOf": [{"type": "number", **_BOUNDS}, {"const": "random"}]}
Number = Annotated[float, PlainValidator(number), _as("number", **_BOUNDS)]
NotNegative = Annotated[
    float, PlainValidator(checks.not_negative), _as("number", minimum=0, maximum=LARGEST)
]
Positive = Annotated[
    float, PlainValidator(positive), _as("number", minimum=SMALLEST, maximum=LARGEST)
]
Rate = Annotated[
    float,
    PlainValidator(positive),
    AfterValidator(up_to(MOST_RATE)),
    _as("number", minimum=SMALLEST, maximum=MOST_RATE),
]
Step = Annotated[
    float, PlainValidator(checks.step), _as("number", minimum=LEAST_STEP, maximum=LONGEST_STEP)
]
Share = Annotated[float, PlainValidator(between(0, 1)), _as("number", minimum=0, maximum=1)]
Count = Annotated[
    int,
    PlainValidator(checks.whole(1, MOST_UNITS)),
    _as("integer", minimum=1, maximum=MOST_UNITS),
]
CountOrNone = Annotated[
    int,
    PlainValidator(checks.whole(0, MOST_UNITS)),
    _as("integer", minimum=0, maximum=MOST_UNITS),
]
MOST_SEED = 2**63 - 1
Seed = Annotated[
    int, PlainValidator(checks.whole(0, MOST_SEED)), _as("integer", minimum=0, maximum=MOST_SEED)
]
Flag = Annotated[bool, PlainValidator(checks.flag), _as("boolean")]
Text = Annotated[str, PlainValidator(checks.text), _as("string")]
Name = Annotated[str, PlainValidator(checks.name), _as("string", minLength=1)]
Heading = Annotated[float | str, PlainValidator(checks.heading), WithJsonSchema(_TURN)]
Color = Annotated[str, PlainValidator(checks.color), _as("string", minLength=1)]
EDGES = ("open", "wall", "wrap")
Edges = Annotated[
    Literal["open", "wall", "wrap"], PlainValidator(choice(*EDGES)), _as("string", enum=list(EDGES))
]
VIEWS = ("wide", "limited", "narrow", "all")
View = Annotated[
    Literal["wide", "limited", "narrow", "all"],
    PlainValidator(choice(*VIEWS)),
    _as("string", enum=list(VIEWS)),
]
ViewAngle = Annotated[
    float, PlainValidator(up_to(360.0)), _as("number", exclusiveMinimum=0, maximum=360)
]
ViewRadius = Annotated[
    float, PlainValidator(up_to(FARTHEST)), _as("number", exclusiveMinimum=0, maximum=FARTHEST)
]
SHAPES = ("disc", "box", "wedge")
Shape = Annotated[
    Literal["disc", "box", "wedge"],
    PlainValidator(choice(*SHAPES)),
    _as("string", enum=list(SHAPES)),
]

Point = Annotated[tuple[Number, Number], row("x", "y")]
Points = Annotated[tuple[Point, ...], rows("points [x, y]")]
FormationShape = Annotated[
    str, PlainValidator(choice(*FORMATIONS)), _as("string", enum=list(FORMATIONS))
]
Spacing = Annotated[
    float, PlainValidator(between(LEAST, MOST)), _as("number", minimum=LEAST, maximum=MOST)
]
Length = Annotated[
    float, PlainValidator(between(-MOST, MOST)), _as("number", minimum=-MOST, maximum=MOST)
]
Offset = Annotated[tuple[Length, Length], row("ahead", "starboard")]
Offsets = Annotated[tuple[Offset, ...], rows("places [ahead, starboard]")]
_STOP = {
    "type": "object",
    "properties": {
        "at": {
            "type": "array",
            "items": {"type": "number", **_BOUNDS},
            "minItems": 2,
            "maxItems": 2,
        },
        "wait": {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST},
        "serve": {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST},
    },
    "required": ["at"],
    "oneOf": [{"required": ["wait"]}, {"required": ["serve"]}],
    "additionalProperties": False,
}
_PLACE = {"type": "array", "items": {"type": "number", **_BOUNDS}, "minItems": 2, "maxItems": 2}
Place = Annotated[
    tuple[float, ...], PlainValidator(stop), WithJsonSchema({"anyOf": [_PLACE, _STOP]})
]
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
Mouse = Annotated[tuple[str, ...], PlainValidator(checks.one_or_two), _as("array", **_NAMES)]
