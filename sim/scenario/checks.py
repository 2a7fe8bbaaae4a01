"""Checks of single values in a scenario file, each refused with the interval it must be in.

They replace pydantic's own checks: those take true for 1 and "3" for 3, and their messages name
one bound at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from math import inf, isfinite
from typing import Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from sim.core.colors import misnamed
from sim.core.errors import hint
from sim.core.limits import LARGEST, LEAST_STEP, LONGEST_STEP, SMALLEST, is_text


def refuse(said: str, *at: str | int) -> PydanticCustomError:
    """A refusal in our words, of the value at the path `at` below the one being checked."""
    return PydanticCustomError("refused", "{said}", {"said": said, "at": at})


@contextmanager
def below(*at: str | int) -> Iterator[None]:
    """Within, refusals are of what stands at the path `at` below the value being checked."""
    try:
        yield
    except PydanticCustomError as refused:
        said: dict[str, Any] = refused.context or {}
        raise refuse(said["said"], *at, *said["at"]) from None


def number(value: Any, allowed: str = "must be from -1e12 to 1e12") -> float:
    """A finite number within reach, as a float; refused with `allowed` where it is too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse("must be a number")
    # whole numbers may be too long for a float, so their size is asked first
    if not -LARGEST <= value <= LARGEST:
        long = isinstance(value, int) or isfinite(value)
        raise refuse(allowed if long else "must be a finite number")
    return float(value)


def that_is(said: str, good: Callable[[float], bool]) -> Callable[[Any], float]:
    """A check for numbers that are good; others are refused with what is said."""

    def check(value: Any) -> float:
        found = number(value, said)
        if not good(found):
            raise refuse(said)
        return found

    return check


not_negative = that_is("must be from 0 to 1e12", lambda found: found >= 0)
"""A number from 0."""


def positive(value: Any) -> float:
    """A number that is more than 0."""
    found = number(value, "must be greater than 0 and at most 1e12")
    if found <= 0:
        raise refuse("must be greater than 0")
    if found < SMALLEST:
        raise refuse("must be at least 1e-12")
    return found


def step(value: Any) -> float:
    """A time step, s."""
    found = positive(value)
    if found < LEAST_STEP:
        raise refuse(f"must be at least {LEAST_STEP:g} s")
    if found > LONGEST_STEP:
        raise refuse(f"must be at most {LONGEST_STEP:g} s")
    return found


def up_to(most: float) -> Callable[[Any], float]:
    """A check for numbers above 0 and up to `most`."""
    said = f"must be greater than 0 and at most {most:g}"
    return that_is(said, lambda found: 0 < found <= most)


def between(least: float, most: float) -> Callable[[Any], float]:
    """A check for numbers from `least` to `most`."""
    return that_is(f"must be from {least:g} to {most:g}", lambda found: least <= found <= most)


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A check for whole numbers from `least` to `most`; 1.0 is not written like one."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise refuse("must be a whole number")
        if not least <= value <= most:
            raise refuse(f"must be a whole number from {least} to {most}")
        return value

    return check


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise refuse("must be true or false")
    return value


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise refuse("must be a text in quotes")
    return value


def name(value: Any) -> str:
    """A text on one line, not empty."""
    given = text(value)
    if not is_text(given):
        raise refuse("must be a name on one line, not empty")
    return given


def choice(*allowed: str) -> Callable[[Any], str]:
    """A check for one of a few words."""

    def check(value: Any) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        words = ", ".join(f"'{word}'" for word in allowed)
        meant = hint(value, allowed) if isinstance(value, str) else ""
        raise refuse(f"must be one of {words}{meant}")

    return check


def row(*columns: str) -> BeforeValidator:
    """A check for an array of exactly these columns, before each is checked by itself."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(columns):
            raise refuse(f"must be an array [{', '.join(columns)}]")
        return tuple(value)

    return BeforeValidator(check)


def rows(of: str, least: int = 1, most: float = inf) -> BeforeValidator:
    """A check for an array of `least` to `most` items, before each is checked by itself."""

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise refuse(f"must be an array of {of}")
        if len(value) < least:
            raise refuse(f"must be an array of at least {least} {of}")
        few_enough(value, of, most)
        return tuple(value)

    return BeforeValidator(check)


def few_enough(value: Collection[Any], of: str, most: float, *at: str) -> None:
    """Refuse more than `most` of something, at the path `at`."""
    if len(value) > most:
        raise refuse(f"there are {len(value):,} {of}; must be at most {most:,}", *at)


def at_most_one(value: Any) -> Any:
    """An array of one table at most."""
    if not isinstance(value, list | tuple):
        raise refuse("must be written [[player]]")
    if len(value) > 1:
        raise refuse("there must be at most one [[player]]")
    return tuple(value)


def in_order(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """A box whose sides are the right way round."""
    left, top, right, bottom = box
    if not left < right:
        raise refuse("left must be less than right")
    if not top < bottom:
        raise refuse("top must be less than bottom (y grows downwards)")
    return box


def apart(wall: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """A wall that has a length."""
    if wall[:2] == wall[2:]:
        raise refuse("must end elsewhere than where it starts")
    return wall


def heading(value: Any) -> float | str:
    """Degrees, or 'random'."""
    if value == "random":
        return "random"
    if isinstance(value, str):
        raise refuse("must be a number of degrees or 'random'")
    return number(value)


def color(value: Any) -> str:
    """A colour by name or as '#rrggbb'."""
    given = text(value)
    if said := misnamed(given):
        raise refuse(said)
    return given


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


def switch(value: Any) -> bool | dict[str, Any]:
    """True, false, or a table of parameters that are finite."""
    if not isinstance(value, bool | dict):
        raise refuse("must be true, false or a table of parameters such as { weight = 0.5 }")
    _finite(value)
    return value


def one_or_two(value: Any) -> tuple[str, ...]:
    """Names of groups: the first for the left button, the second for the right."""
    named = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    if not named or not 1 <= len(value) <= 2 or len(set(value)) < len(value):
        raise refuse("must be a list of the names of one or two groups")
    return tuple(value)
