"""What is to happen to a world at given times: events, and units that enter."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.core.arrays import make_plain
from sim.core.errors import BadInput, shortened
from sim.core.guarded import Checked, Guarded, shown
from sim.core.limits import LARGEST, MOST_SOURCES, check_another, in_range
from sim.living.entry import check_start
from sim.living.sources import SOON, Source

if TYPE_CHECKING:
    from sim.living.roster import Roster


@dataclass(frozen=True)
class Due:
    """Something that is done at a time (s), before the step that begins then.

    `act` is a `sim.living.deeds.Deed`, or any function that takes the world.
    """

    at: float
    act: Callable[[Any], object]
    name: str = ""

    def __post_init__(self) -> None:
        make_plain(self)
        if not in_range(self.at, 0, LARGEST):
            said = f"must be seconds, from 0 to {LARGEST:g}"
            raise BadInput(f"time = {shortened(self.at)}: {said}")
        if not callable(self.act):
            said = "must be a function that takes the world"
            raise BadInput(f"act = {shortened(self.act)}: {said}")


def _time(event: Due) -> float:
    return event.at


class Agenda(Guarded):
    """The events to come, and the sources of units."""

    events: Sequence[Due] = shown()
    """In the order of time; those of one time in the order in which they are given. `add` adds."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self.events = []
        self._sources: list[Source] = Checked([], self._check_sources)
        self._seal(Agenda)

    @property
    def sources(self) -> list[Source]:
        """The sources of units; others can be put in.

        Raises `BadInput` for what is none, and where its group is not there or never has room.
        """
        return self._sources

    @sources.setter
    def sources(self, sources: list[Source]) -> None:
        self._sources = Checked(sources, self._check_sources)

    def resume(self, events: Sequence[Due], sources: Sequence[Source]) -> None:
        """Go on with what was kept of a world like this; a state has been checked as a whole."""
        self.events = events
        list.__setitem__(self._sources, slice(None), sources)

    def _check_sources(self, sources: Sequence[Any], count: int) -> None:
        check_another(count - 1, MOST_SOURCES, "agenda.sources", "sources")
        for source in sources:
            if not isinstance(source, Source):
                said = "must be a Source(group, spawn, ...)"
                raise BadInput(f"sources = {shortened(source)}: {said}")
            check_start(self._roster, self._roster.group(source.group), source.spawn)

    def add(self, event: Due) -> None:
        """Put in an event, behind all others of its time. Raises `BadInput` for what is none."""
        if not isinstance(event, Due):
            raise BadInput(f"event = {shortened(event)}: must be a Due(time, act)")
        insort(vars(self)["events"], event, key=_time)

    def at(self, time: float, act: Callable[[Any], object]) -> None:
        """Call `act` with the world at a time (s), before the step that begins then.

        Raises `BadInput`.
        """
        self.add(Due(time, act))

    @property
    def done(self) -> bool:
        """Whether nothing is to happen any more, and no unit is to enter."""
        return not vars(self)["events"] and all(source.done for source in self.sources)

    def due(self, time: float) -> Sequence[Due]:
        """The events that are due by a time (s) and have not been done."""
        events: list[Due] = vars(self)["events"]
        return events[: bisect_right(events, time + SOON, key=_time)]

    def follow(self, world: Any, roster: Roster) -> None:
        """Do to a world, with this roster, what is due by its time.

        Where one of them raises an error, those behind it are done before the next step.
        """
        due = self.due(roster.time)
        del vars(self)["events"][: len(due)]  # events put in meanwhile are for the next step
        for done, event in enumerate(due, 1):
            try:
                event.act(world)
            except BaseException:
                vars(self)["events"] = sorted([*due[done:], *self.events], key=_time)
                raise
        for number, source in enumerate(self.sources):
            source.follow(roster, number)
