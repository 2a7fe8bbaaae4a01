"""Whether the parts of a goal are such as units can be sent by."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.errors import BadInput, shortened
from sim.core.limits import check_flag, is_row, positive, within_reach

if TYPE_CHECKING:
    from sim.orders.goal import Goal

GO = "go"
"""The kind of all goals that are places, and name no group."""
WAYS_TO_STAY = 4
"""See `orders.stays`."""


def check_goal(goal: Goal) -> None:
    """Raise `BadInput` that names the part of a goal which is not what it must be."""
    for name, what in (("kind", "a text"), ("target", "the name of a group")):
        if not isinstance(getattr(goal, name), str):
            raise _wrong(goal, name, what)
    if goal.kind != GO and not goal.target:
        raise BadInput(f"goal.{goal.kind}: which group? Goal({goal.kind!r}, NAME) names it")
    for name in ("loop", "leave", "nearest"):
        check_flag(getattr(goal, name), f"goal.{name}")
    if not _is_ways(goal.routes, 2):
        raise _wrong(goal, "routes", "ways of one or more points (x, y) of finite numbers")
    for name, count in (("mirror", 2), ("region", 4)):
        value = getattr(goal, name)
        if value is not None and not (is_row(value, count) and within_reach(value)):
            raise _wrong(goal, name, f"{count} finite numbers")
    if goal.region is not None and not (np.array(goal.region[:2]) < goal.region[2:]).all():
        raise _wrong(goal, "region", "left, top, right, bottom, with left < right, top < bottom")
    if goal.tolerance is not None:
        positive(goal.tolerance, "goal.tolerance")
    if goal.stays and not _are_stays(goal):
        raise _wrong(goal, "stays", "seconds, how and a heading for each point of all routes")


def _is_ways(ways: Any, wide: int) -> bool:
    """Whether these are tuples of one or more tuples of `wide` finite numbers."""
    if not (isinstance(ways, tuple) and all(isinstance(way, tuple) and way for way in ways)):
        return False
    try:
        every = np.array([*chain.from_iterable(ways)])
    except ValueError:  # some are longer than others
        return False
    numbers = every.dtype.kind in "iuf" and every.shape[1:] == (wide,)
    return not ways or (numbers and within_reach(every))


def _are_stays(goal: Goal) -> bool:
    if not _is_ways(goal.stays, 3) or len(goal.stays) != len(goal.routes):
        return False
    if any(len(a) != len(b) for a, b in zip(goal.stays, goal.routes, strict=True)):
        return False
    seconds, how, _ = np.array([*chain.from_iterable(goal.stays)]).T
    return bool((seconds >= 0).all() and np.isin(how, np.arange(WAYS_TO_STAY)).all())


def _wrong(goal: Goal, name: str, must: str) -> BadInput:
    return BadInput(f"goal.{name} = {shortened(getattr(goal, name))}: must be {must}")
