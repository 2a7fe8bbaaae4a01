"""The kinds of single values in a scenario file, each refused with the interval it must be in.

The kinds replace pydantic's own checks: those take true for 1 and "3" for 3, and their messages
name one bound at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, PlainValidator
from pydantic_core import PydanticCustomError

from sim.errors import nearest
from sim.limits import LARGEST, LEAST_STEP, LONGEST_STEP, SMALLEST, is_text
from sim.perception.views import FARTHEST


def refuse(said: str, *at: str | int) -> PydanticCustomError:
    """A refusal in our words, of the value at the path `at` below the one being checked."""
    return PydanticCustomError("refused", "{said}", {"said": said, "at": at})


def _number(value: Any, allowed: str = "must be from -1e12 to 1e12") -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse("must be a number")
    # whole numbers may be too long for a float, so their size is asked first
    if not -LARGEST <= value <= LARGEST:
        long = isinstance(value, int) or isfinite(value)
        raise refuse(allowed if long else "must be a finite number")
    return float(value)


def _not_negative(value: Any) -> float:
    number = _number(value, "must be from 0 to 1e12")
    if number < 0:
        raise refuse("must be from 0 to 1e12")
    return number


def _positive(value: Any) -> float:
    number = _number(value, "must be greater than 0 and at most 1e12")
    if number <= 0:
        raise refuse("must be greater than 0")
    if number < SMALLEST:
        raise refuse("must be at least 1e-12")
    return number


def _step(value: Any) -> float:
    number = _positive(value)
    if number < LEAST_STEP:
        raise refuse(f"must be at least {LEAST_STEP:g} s")
    if number > LONGEST_STEP:
        raise refuse(f"must be at most {LONGEST_STEP:g} s")
    return number


def _share(value: Any) -> float:
    number = _number(value, "must be from 0 to 1")
    if not 0 <= number <= 1:
        raise refuse("must be from 0 to 1")
    return number


def up_to(most: float) -> Callable[[Any], float]:
    """A check for numbers above 0 and up to `most`."""

    def check(value: Any) -> float:
        said = f"must be greater than 0 and at most {most:g}"
        number = _number(value, said)
        if not 0 < number <= most:
            raise refuse(said)
        return number

    return check


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A check for whole numbers from `least` to `most`; 1.0 is not written like one."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise refuse("must be a whole number")
        if not least <= value <= most:
            raise refuse(f"must be a whole number from {least} to {most}")
        return value

    return check


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse("must be true or false")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise refuse("must be a text in quotes")
    return value


def _name(value: Any) -> str:
    text = _text(value)
    if not is_text(text):
        raise refuse("must be a name on one line, not empty")
    return text


def choice(*allowed: str) -> Callable[[Any], str]:
    """A check for one of a few words."""

    def check(value: Any) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        words = ", ".join(f"'{word}'" for word in allowed)
        near = nearest(value, allowed) if isinstance(value, str) else None
        hint = f"; did you mean '{near}'?" if near else ""
        raise refuse(f"must be one of {words}{hint}")

    return check


def row(*columns: str) -> BeforeValidator:
    """A check for an array of exactly these columns, before each is checked by itself."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(columns):
            raise refuse(f"must be an array [{', '.join(columns)}]")
        return tuple(value)

    return BeforeValidator(check)


def rows(of: str, least: int = 1) -> BeforeValidator:
    """A check for an array of at least so many items, before each is checked by itself."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise refuse(f"must be an array of {of}")
        if len(value) < least:
            raise refuse(f"must be an array of at least {least} {of}")
        return tuple(value)

    return BeforeValidator(check)


def _in_order(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    if not left < right:
        raise refuse("left must be less than right")
    if not top < bottom:
        raise refuse("top must be less than bottom (y grows downwards)")
    return box


def _apart(wall: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    if wall[:2] == wall[2:]:
        raise refuse("must end elsewhere than where it starts")
    return wall


def _heading(value: Any) -> float | str:
    if value == "random":
        return "random"
    if isinstance(value, str):
        raise refuse("must be a number of degrees or 'random'")
    return _number(value)


def _color(value: Any) -> str:
    # the screen is the one place that asks pygame; files without colours do without it
    from sim.screen.colors import is_color, nearest_color

    text = _text(value)
    if not is_color(text):
        near = nearest_color(text)
        hint = f"did you mean '{near}'?" if near else "such as 'red', 'steelblue' or '#4682b4'"
        raise refuse(f"must be the name of a colour or '#rrggbb'; {hint}")
    return text


def _finite(value: Any, at: Sequence[str | int] = ()) -> None:
    """Refuse nan, inf and numbers too large at any depth of a table of parameters."""
    if isinstance(value, dict):
        for key, item in value.items():
            _finite(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _finite(item, (*at, index))
    elif isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
        raise refuse("must be a finite number from -1e12 to 1e12", *at)


def _switch(value: Any) -> bool | dict[str, Any]:
    if not isinstance(value, bool | dict):
        raise refuse("must be true, false or a table of parameters such as { weight = 0.5 }")
    _finite(value)
    return value


Number = Annotated[float, PlainValidator(_number)]
NotNegative = Annotated[float, PlainValidator(_not_negative)]
Positive = Annotated[float, PlainValidator(_positive)]
Step = Annotated[float, PlainValidator(_step)]
Share = Annotated[float, PlainValidator(_share)]
Flag = Annotated[bool, PlainValidator(_flag)]
Text = Annotated[str, PlainValidator(_text)]
Name = Annotated[str, PlainValidator(_name)]
Heading = Annotated[float | str, PlainValidator(_heading)]
Color = Annotated[str, PlainValidator(_color)]
Switch = Annotated[bool | dict[str, Any], PlainValidator(_switch)]
Edges = Annotated[Literal["open", "wall", "wrap"], PlainValidator(choice("open", "wall", "wrap"))]
VIEWS = ("wide", "limited", "narrow", "all")
View = Annotated[Literal["wide", "limited", "narrow", "all"], PlainValidator(choice(*VIEWS))]
ViewAngle = Annotated[float, PlainValidator(up_to(360.0))]
ViewRadius = Annotated[float, PlainValidator(up_to(FARTHEST))]

Point = Annotated[tuple[Number, Number], row("x", "y")]
Points = Annotated[tuple[Point, ...], rows("points [x, y]")]
Routes = Annotated[tuple[Points, ...], rows("routes [[x, y], ...]")]
Box = Annotated[
    tuple[Number, Number, Number, Number],
    row("left", "top", "right", "bottom"),
    AfterValidator(_in_order),
]
Wall = Annotated[
    tuple[Number, Number, Number, Number], row("x1", "y1", "x2", "y2"), AfterValidator(_apart)
]
Circle = Annotated[tuple[Number, Number, Positive], row("x", "y", "radius")]
Thrusters = Annotated[
    tuple[NotNegative, Share, Share, Share], row("t", "port", "starboard", "thrust")
]


def _one_or_two(value: Any) -> tuple[str, ...]:
    """Names of groups: the first for the left button, the second for the right."""
    named = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    if not named or not 1 <= len(value) <= 2 or len(set(value)) < len(value):
        raise refuse("must be a list of the names of one or two groups")
    return tuple(value)


Mouse = Annotated[tuple[str, ...], PlainValidator(_one_or_two)]
