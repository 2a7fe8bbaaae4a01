"""Sources: units that enter a world while it runs, one after the other, where there is room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil, inf, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.arrays import Floats, make_plain
from sim.core.errors import BadInput, shortened
from sim.core.guarded import Guarded
from sim.core.limits import (
    LARGEST,
    MOST_RATE,
    SMALLEST,
    check_number_of_places,
    check_text,
    in_range,
    positive,
)
from sim.core.solids import rows
from sim.core.spawn import Points, Region, check_heading, headings, near, scatter
from sim.living import changes
from sim.living.entry import Entry, free_points
from sim.orders import GO

if TYPE_CHECKING:
    from sim.group import Group
    from sim.living.roster import Roster

MOST_DUE = 1 << 40
"""Units that may be due."""
TRIES = 5
"""Places tried at a step for each unit that waits to enter a region."""
HOPELESS = 128
"""Places tried at once: where no unit can have any of as many, they are the last of a step."""
FEW, MOST_AT_ONCE = 16, 1 << 16
"""Units that are counted one by one, and how many are drawn at once."""
MOST_POINTS = 1_000
"""Where units may enter one by one: each is looked at whenever some wait."""
SOON = 1e-9
"""Times that differ by less are the same, s."""


CHANGED_BY = dict.fromkeys(
    ("group", "spawn", "rate", "poisson", "times", "start", "end", "total", "heading"),
    "put another source in its place",
) | dict.fromkeys(("entered", "due"), "it follows from the steps taken")
"""What changes what cannot be set."""


@dataclass
class Source(Guarded, changed_by=CHANGED_BY):
    """Where units of a group enter, and when.

    One of `rate` (units a second, evenly, the first at `start`), `poisson` (units a second in the
    mean, from the run's seed) and `times` (s) says when; from `start` to `end` (s), `total` units
    at most. A unit enters at the first moment when there is room for it; until then it waits, and
    those behind it wait too.
    """

    group: str
    spawn: Region | Points
    rate: float | None = None
    poisson: float | None = None
    times: tuple[float, ...] | None = None
    start: float = 0.0
    end: float = inf
    total: int | None = None
    heading: float | str | None = None
    entered: int = 0
    """How many have entered."""
    due: int = 0
    """How many should have by now."""

    def __post_init__(self) -> None:
        make_plain(self)
        said = [name for name in ("rate", "poisson", "times") if getattr(self, name) is not None]
        if len(said) != 1:
            raise BadInput(f"source: must say one of rate, poisson, times, not {said or 'none'}")
        for name in ("rate", "poisson"):
            if getattr(self, name) is not None:
                positive(getattr(self, name), f"source.{name}", SMALLEST, MOST_RATE)
        check_text(self.group, "source.group")
        if not isinstance(self.spawn, Region | Points):
            raise BadInput(f"source.spawn = {shortened(self.spawn)}: must be a Region or Points")
        if isinstance(self.spawn, Points):
            count = len(rows(self.spawn.places, 2, "source.spawn"))
            check_number_of_places(count, "source.spawn", MOST_POINTS)
        self._check_times()
        self._check_counts()
        later = (time for time in self.times or () if self.start <= time < self.end)
        self._later = sorted(later)
        """The times that count."""
        self._rng: np.random.Generator | None = None
        self._next: float | None = None
        """When the next unit is due; infinite after the last, None before the first step."""
        self._seal(Source)

    def _check_times(self) -> None:
        """Raise `BadInput` for times that are none, and for a heading that is none."""
        if not is_time(self.start) or self.start == inf:
            raise BadInput(f"source.start = {shortened(self.start)}: must be seconds, 0 or more")
        if not is_time(self.end):
            raise BadInput(f"source.end = {shortened(self.end)}: must be seconds, 0 or more")
        if not self.end > self.start:
            limit = f"must be greater than start = {self.start:g}"
            raise BadInput(f"source.end = {self.end:g}: {limit}")
        given = () if self.times is None else self.times
        if not (isinstance(given, tuple | list) and all(map(is_time, given))):
            raise BadInput(f"source.times = {shortened(given)}: must be a list of seconds")
        check_heading(self.heading, "source.heading")

    def _check_counts(self) -> None:
        """Raise `BadInput` for numbers of units that are none."""
        for name in ("total", "entered", "due"):
            value = getattr(self, name)
            none = name == "total" and value is None
            if not (none or (type(value) is int and 0 <= value <= MOST_DUE)):
                raise BadInput(f"source.{name} = {shortened(value)}: must be a whole number")
        if self.entered > self.due:
            raise BadInput(f"source.entered = {self.entered}: must be at most due = {self.due}")

    @property
    def kept(self) -> dict[str, Any]:
        """All that it goes on with: what it was given, when the next is due, its random numbers."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        drawn = None if self._rng is None else self._rng.bit_generator.state
        return {"given": given, "next": self._next, "rng": drawn}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Source:
        """The same as it was `kept`. Raises `BadInput` and the like for what was not."""
        found = cls(**kept["given"])
        found._next = kept["next"]
        if kept["rng"] is not None:
            bits = np.random.PCG64(0)
            bits.state = kept["rng"]
            found._rng = np.random.Generator(bits)
        return found

    @property
    def waiting(self) -> int:
        """How many wait for room."""
        return self.due - self.entered

    @property
    def done(self) -> bool:
        """Whether no unit is to enter any more."""
        return self._next == inf and not self.waiting

    def follow(self, roster: Roster, number: int) -> None:
        """Have units enter that are due by the world's time; `number` is the source's own."""
        self._count(roster, number)
        if not self.waiting:
            return
        group = roster.group(self.group)
        rng = roster.rng(f"source {number} at {roster.steps}")
        places = self._places(roster, group, rng)
        if len(places):
            goal = group.standing_goal
            facing = goal.first(places) if goal is not None and goal.kind == GO else None
            asked = 0.0 if self.heading is None and group.hull.upright else self.heading
            angles = headings(places, self.spawn, asked, facing, roster.plane, rng)
            came = changes.enter(roster, group, Entry(places, angles, given=False))
            self.keep(entered=self.entered + len(came))

    def _count(self, roster: Roster, number: int) -> None:
        """Count the units that are due by now."""
        if self._next is None:
            self._rng = roster.rng(f"source {number} {self.group}")
            self._next = self._following(self.start)
        time = roster.time + SOON
        self._count_many(time)
        while self._next <= time:
            self.keep(due=self.due + 1)
            self._next = self._following(self._next)

    def _count_many(self, time: float) -> None:
        """Count most of many units due by a time (s), as if each were counted by itself."""
        assert self._next is not None
        if self.rate is not None and self._next <= time:
            sure = (min(time, self.end) - self.start) * self.rate * (1 - SOON) - FEW
            sure = min(sure, MOST_DUE if self.total is None else self.total)
            if sure > self.due:
                self.keep(due=int(sure))
                self._next = self._following(self._next)
        wanted = 0.0 if self.poisson is None else (time - self._next) * self.poisson
        while wanted > FEW:
            wanted = self._drawn(int(min(wanted, MOST_AT_ONCE)), time)

    def _drawn(self, count: int, time: float) -> float:
        """Draw when as many come at random, if all are due; how many to try next."""
        assert self._rng is not None
        assert self._next is not None
        assert self.poisson is not None
        before = self._rng.bit_generator.state
        gaps = self._rng.exponential(1 / self.poisson, count)
        last = float(np.add.accumulate(np.append(self._next, gaps))[-1])
        room = self.total is None or self.due + count < self.total
        if last > time or last >= self.end or not room:
            self._rng.bit_generator.state = before
            return count / 2
        self.keep(due=self.due + count, _next=last)
        return (time - last) * self.poisson

    def _following(self, last: float) -> float:
        """When the next unit is due, the last one being due then."""
        if self.total is not None and self.due >= self.total:
            return inf
        if self.rate is not None:
            coming = self.start + self.due / self.rate
        elif self.poisson is not None:
            assert self._rng is not None
            coming = last + float(self._rng.exponential(1 / self.poisson))
        else:
            coming = self._later[self.due] if self.due < len(self._later) else inf
        return coming if coming < self.end else inf

    def _places(self, roster: Roster, group: Group, rng: np.random.Generator) -> Floats:
        """(k, 2) where units that have room stand, k from 0 to as many as wait."""
        others, count = roster.standing, min(self.waiting, roster.population.room)
        if not count:
            return np.zeros((0, 2))
        if isinstance(self.spawn, Region):  # no more can stand in it, however tightly
            box, least = self.spawn, pi * group.hull.smallest.reach**2
            count = min(count, ceil((box.right - box.left) * (box.bottom - box.top) / least))
        reach = group.coming(count).reach
        if isinstance(self.spawn, Region):
            others = near(self.spawn, others, float(reach.max()), roster.plane)
            solids = roster.ground.solids
            found = scatter(self.spawn, reach, roster.plane, solids, others, rng, TRIES, HOPELESS)
            lost = np.flatnonzero(np.isnan(found[:, 0]))
            return found[: lost[0]] if len(lost) else found
        return free_points(self.spawn, reach, roster, others)


def is_time(value: object) -> bool:
    """Whether it is a number of seconds, 0 or more; infinite is never."""
    return in_range(value, 0, LARGEST) or in_range(value, inf, inf)
