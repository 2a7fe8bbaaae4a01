"""What the events of a scenario do to its world: a handler for each action."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from sim.changing import Changing
from sim.core.errors import BadInput
from sim.core.spawn import Points, Region, Ring
from sim.living import changes
from sim.living.agenda import Event as Due
from sim.living.sources import Source as Entering
from sim.orders import Goal as Order
from sim.roster import Roster
from sim.scenario.living import Event, Source
from sim.scenario.settings import apply

Handler = Callable[[Roster, Event, Order | None], bool | None]
Start = Points | Ring | Region


def _order(world: Roster, event: Event, goal: Order | None) -> None:
    assert event.order is not None
    group = world.group(event.order)
    rows = changes.rows_there(world, group)
    changes.order(world, group, rows, goal, queue=event.queue)


def _hold(world: Roster, event: Event, _: Order | None) -> None:
    assert event.hold is not None
    world.group(event.hold).goal = None


def _remove(world: Roster, event: Event, _: Order | None) -> None:
    assert event.remove is not None
    changes.remove(world, _ids(world, event.remove))


def _regroup(world: Roster, event: Event, _: Order | None) -> None:
    assert event.regroup is not None
    assert event.to is not None
    changes.regroup(world, _ids(world, event.regroup), world.group(event.to))


def _set(world: Roster, event: Event, _: Order | None) -> None:
    for key, value in (event.set or {}).items():
        apply(world, key, value)


def _open(world: Roster, event: Event, _: Order | None) -> None:
    assert isinstance(world, Changing)
    world.parts[event.open or ""].open()


def _close(world: Roster, event: Event, _: Order | None) -> None:
    assert isinstance(world, Changing)
    world.parts[event.close or ""].close()


HANDLERS: dict[str, Handler] = {
    "order": _order, "hold": _hold, "remove": _remove, "regroup": _regroup, "set": _set,
    "open": _open, "close": _close,
}  # fmt: skip
"""By action: does it, and says False where it could not be done yet and is to be tried again."""


def due(event: Event, number: int, goal: Order | None) -> Due:
    """An event as the agenda of a world has it; refusals say which it was."""

    def act(world: Roster) -> bool | None:
        try:
            return HANDLERS[event.action](world, event, goal)
        except BadInput as bad:
            raise BadInput(f"events[{number}].{event.action}: {bad}") from None

    return Due(event.at, act, event.action)


def entering(source: Source, start: Start, heading: float | str | None) -> Entering:
    """A source as the agenda of a world has it."""
    assert not isinstance(start, Ring)
    end = inf if source.end is None else source.end
    return Entering(
        source.group, start, source.rate, source.poisson, source.times, source.start, end,
        source.total, heading,
    )  # fmt: skip


def _ids(world: Roster, name: str) -> list[int]:
    """The units of a group that are there."""
    found: list[int] = world.ids[changes.rows_there(world, world.group(name))].tolist()
    return found
