"""What is to happen to a world at given times: events, and units that enter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, is_number
from sim.living.sources import SOON, Source

if TYPE_CHECKING:
    from sim.living.roster import Roster


@dataclass(frozen=True)
class Event:
    """Something that is done at a time (s), before the step that begins then.

    `act` is a `sim.living.deeds.Deed`, or any function that takes the world.
    """

    at: float
    act: Callable[[Any], object]
    name: str = ""


@dataclass
class Agenda:
    """The events to come, and the sources of units."""

    events: list[Event] = field(default_factory=list)
    """In the order of time; those of one time in the order in which they are given."""
    sources: list[Source] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Put in an event, behind all others of its time."""
        self.events.append(event)
        self.events.sort(key=lambda each: each.at)

    def at(self, time: float, act: Callable[[Any], object]) -> None:
        """Call `act` with the world at a time (s), before the step that begins then.

        Raises `BadInput`.
        """
        if not is_number(time) or not 0 <= time <= LARGEST:
            raise BadInput(f"time = {shortened(time)}: must be seconds, from 0 to {LARGEST:g}")
        if not callable(act):
            raise BadInput(f"act = {shortened(act)}: must be a function that takes the world")
        self.add(Event(time, act))

    @property
    def done(self) -> bool:
        """Whether nothing is to happen any more, and no unit is to enter."""
        return not self.events and all(source.done for source in self.sources)

    def follow(self, world: Any, roster: Roster) -> None:
        """Do to a world, with this roster, what is due by its time."""
        now = roster.time + SOON
        due = [event for event in self.events if event.at <= now]
        self.events = self.events[len(due) :]  # events put in meanwhile are for the next step
        for event in due:
            event.act(world)
        for number, source in enumerate(self.sources):
            source.follow(roster, number)
