"""Stops of a route: where units stay for a time, or are served one at a time."""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticCustomError

from sim.orders.goal import Stop
from sim.scenario.checks import number, positive, refuse


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
