"""What changes while a scenario runs, as the agenda of its world has it."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, radians
from typing import TYPE_CHECKING, Any

from sim.core.spawn import Points, Region, Ring
from sim.living.agenda import Due
from sim.living.deeds import Deed, Setting
from sim.living.sources import Source as Entering
from sim.orders import Goal as Order
from sim.scenario.drawn import drawn, parameter, rule
from sim.scenario.living import Event, Source
from sim.scenario.overrides import steps_of

if TYPE_CHECKING:
    from sim.world import World

Start = Points | Ring | Region
READ: dict[str, Callable[[Any], Any]] = {"view_angle": radians, "speed": drawn}
"""How what a file says is read, where it is not taken as it is."""


def due(world: World, event: Event, number: int, goal: Order | None) -> Due:
    """An event as the agenda of a world has it; refusals say which it was."""
    action = event.action
    name = "" if event.set is not None else getattr(event, action)
    names: dict[str, Any] = {"groups": [{"name": group.name} for group in world.groups]}
    settings = tuple(
        _setting(tuple(steps_of(key, names))[1:], value) for key, value in (event.set or {}).items()
    )
    deed = Deed(
        action, name, goal, event.queue, event.to or "", settings, f"events[{number}].{action}"
    )
    return Due(event.at, deed, action)


def _setting(steps: tuple[str, ...], value: Any) -> Setting:
    read, to_rule = READ.get(steps[1]), steps[1:2] == ("behaviours",)
    if to_rule and len(steps) == 2:
        return steps, {name: rule(said) for name, said in value.items()}
    if to_rule:
        return steps, parameter(value) if len(steps) == 4 else rule(value)
    return steps, value if read is None else read(value)


def entering(source: Source, start: Start, heading: float | str | None) -> Entering:
    """A source as the agenda of a world has it."""
    assert not isinstance(start, Ring)
    end = inf if source.end is None else source.end
    return Entering(
        source.group, start, source.rate, source.poisson, source.times, source.start, end,
        source.total, heading,
    )  # fmt: skip
