"""What changes while a scenario runs: units that enter, events, and the unit that one steers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, PlainValidator, model_validator
from pydantic_core import PydanticCustomError

from sim.core.errors import suggest
from sim.living.sources import MOST_POINTS
from sim.scenario import checks
from sim.scenario.checks import refuse, rows
from sim.scenario.parts import Goal, Script, Spawn, Table, exactly_one, one_of
from sim.scenario.values import Count, Flag, Name, NotNegative, Rate

if TYPE_CHECKING:
    from sim.scenario.schema import Group

RATES = ("rate", "poisson", "times")


def _rising(times: tuple[float, ...]) -> tuple[float, ...]:
    for index in range(1, len(times)):
        if times[index] < times[index - 1]:
            raise refuse(f"must not be less than {times[index - 1]:g}, the one before", index)
    return times


Times = Annotated[tuple[NotNegative, ...], rows("times (s)"), AfterValidator(_rising)]


class Source(Table):
    """Where units of a group enter, and when; exactly one of rate, poisson and times says that."""

    model_config = ConfigDict(json_schema_extra=one_of(RATES))

    group: Name
    """The group that they join."""
    spawn: Spawn | None = None
    """Where they enter: a region, points or an object of the map; the group's own unless given."""
    rate: Rate | None = None
    """Units a second, evenly, the first at the start."""
    poisson: Rate | None = None
    """Units a second in the mean, at random times from the run's seed."""
    times: Times | None = None
    """The time of each, seconds."""
    start: NotNegative = 0.0
    """Seconds from which on they enter."""
    end: NotNegative | None = None
    """Seconds before which they are due; without it to the end of the run."""
    total: Count | None = None
    """How many at most."""

    @model_validator(mode="after")
    def _says_when(self) -> Self:
        exactly_one(self, RATES)
        if self.end is not None and not self.end > self.start:
            raise refuse(f"must be greater than start = {self.start:g}", "end")
        if self.spawn is not None and self.spawn.circle is not None:
            raise refuse("a source has a region, points or an object", "spawn", "circle")
        return self


def _settings(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise refuse('must be a table of keys such as { "groups.east.speed" = 1.2 }')
    return {checks.name(key): item for key, item in value.items()}


Settings = Annotated[dict[str, Any], PlainValidator(_settings)]
ACTIONS = ("order", "hold", "remove", "regroup", "set", "open", "close")
"""What an event may do: each is a key of `Event`, and stands in `sim.living.deeds`."""
GROUPS = ("order", "hold", "remove", "regroup")
"""Those whose value is the name of a group."""


class Event(Table):
    """Something that is done at a time, before the step that begins then; exactly one action."""

    model_config = ConfigDict(json_schema_extra=one_of(ACTIONS))

    at: NotNegative
    """Seconds."""
    order: Name | None = None
    """The group that gets a new goal."""
    goal: Goal | None = None
    """What it is ordered."""
    queue: Flag = False
    """Whether each unit does first what it is doing."""
    hold: Name | None = None
    """The group that stops where it stands."""
    remove: Name | None = None
    """The group whose units are taken out."""
    regroup: Name | None = None
    """The group whose units join another."""
    to: Name | None = None
    """The group that these join."""
    set: Settings | None = None
    """Keys of groups, as for --set, with their new values."""
    open: Name | None = None
    """The part of the map that opens."""
    close: Name | None = None
    """The part of the map that closes, at the first moment when no unit stands there."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        action = exactly_one(self, ACTIONS)
        for key, owner in (("goal", "order"), ("to", "regroup")):
            if owner == action and getattr(self, key) is None:
                raise refuse(f"required beside {owner}", key)
            if owner != action and getattr(self, key) is not None:
                raise refuse(f"belongs to {owner}, not to {action}", key)
        if self.queue and action != "order":
            raise refuse(f"belongs to order, not to {action}", "queue")
        if self.regroup is not None and self.regroup == self.to:
            raise refuse("must be another group", "to")
        return self

    @property
    def action(self) -> str:
        """The key that says what is done: one of `ACTIONS`."""
        return self.said(*ACTIONS)[0]


def miscounts(goal: Goal, units: int, *at: str | int) -> Iterator[PydanticCustomError]:
    """Refusals of a goal at this path that has not a place for each of the units that it is for."""
    each, said = goal.one_a_unit, "has {} for {} units; must be one a unit"
    if each not in (None, units):
        yield refuse(said.format(each, units), *at, goal.kind)
    offsets = goal.formation.offsets if goal.formation is not None else None
    if offsets is not None and len(offsets) < units:
        yield refuse(said.format(len(offsets), units), *at, "formation", "offsets")


def _miscounted(
    sources: tuple[Source, ...], events: tuple[Event, ...], groups: Mapping[str, Group]
) -> Iterator[PydanticCustomError]:
    """Such refusals of orders, for groups of which no unit comes, leaves or changes before."""
    known = {name: group.size for name, group in groups.items() if not _leaves(group.goal)}
    for source in sources:
        known.pop(source.group, None)
    for index, event in sorted(enumerate(events), key=lambda each: each[1].at):
        if event.goal is not None and event.order in known:
            yield from miscounts(event.goal, known[event.order], "events", index, "goal")
        left = event.order if _leaves(event.goal) else None
        for name in (left, event.remove, event.regroup, event.to):
            known.pop(name or "", None)


def _leaves(goal: Goal | None) -> bool:
    """Whether it takes units out of the world."""
    return goal is not None and goal.leave


def misfits(
    sources: tuple[Source, ...], events: tuple[Event, ...], groups: Mapping[str, Group],
    players: Sequence[str] = (),
) -> Iterator[PydanticCustomError]:  # fmt: skip
    """Refusals of groups that are named and are not there, and of what does not fit them.

    `groups` has each group by name. Units may be ordered after `players` too, by their names.
    """

    def check(
        name: str | None, *at: str | int, others: Sequence[str] = ()
    ) -> Iterator[PydanticCustomError]:
        if name is not None and name not in (allowed := [*groups, *others]):
            yield refuse(f"no such group: {name!r}; {suggest(name, allowed)}", *at)

    for index, source in enumerate(sources):
        yield from check(source.group, "sources", index, "group")
        own = groups[source.group].spawn if source.group in groups else None
        if source.spawn is None and (own is None or own.circle is not None):
            said = f"required: {source.group!r} has no region, points or object to enter at"
            yield refuse(said, "sources", index, "spawn")
        spawn = own if source.spawn is None else source.spawn
        count = len((spawn.points if spawn is not None else None) or ())
        if count > MOST_POINTS:
            said = f"{count:,} points to enter at; must be at most {MOST_POINTS:,}"
            where = ("spawn",) if source.spawn is None else ("spawn", "points")
            yield refuse(said, "sources", index, *where)
    for index, event in enumerate(events):
        for key in (*GROUPS, "to"):
            yield from check(getattr(event, key), "events", index, key)
        if event.goal is not None:
            at = "events", index, "goal", event.goal.kind
            yield from check(event.goal.target, *at, others=players)
            if event.goal.target == event.order:
                said = f"a group cannot {event.goal.kind} itself"
                yield refuse(said, "events", index, "goal", event.goal.kind)
    yield from _miscounted(sources, events, groups)


class Player(Table):
    """The unit that a person steers, or a script: rows of (seconds, port, starboard, thrust)."""

    spawn: Spawn
    """Where the unit starts: one place."""
    script: Script = ()
    """Rows [seconds, port, starboard, thrust], each from 0 to 1; in the order of time."""

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        if self.spawn.points is not None and len(self.spawn.points) != 1:
            raise refuse("must be one point: the player is one unit", "spawn", "points")
        return self
