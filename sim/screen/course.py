"""The course of a run: steps at the pace of the clock, its end, the watchers, and the way back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from sim.core.errors import BadInput
from sim.run import Watcher
from sim.saving import State
from sim.world import World

MOST = 0.1
"""Seconds of the clock that one frame may make up for; whatever is lost beyond is not simulated."""


class Pacer:
    """Turns elapsed seconds of the clock into whole time steps; the remainder is carried over."""

    def __init__(self, time_step: float) -> None:
        self._time_step = time_step
        self._owed = 0.0

    def steps(self, elapsed: float, speed: float) -> int:
        """Steps due after `elapsed` more seconds of the clock; `speed` 2 is twice as fast."""
        self._owed += min(elapsed, MOST) * speed
        steps = int(self._owed / self._time_step + 1e-9)
        self._owed = max(0.0, self._owed - steps * self._time_step)
        return steps

    def forgive(self) -> None:
        """Forget what is owed: the machine cannot keep up."""
        self._owed = 0.0


class Deadline:
    """When a run has lasted as long as it was to: then it ends, or halts once and may go on."""

    def __init__(self, duration: float | None, ends: bool) -> None:
        self._duration, self._ends, self._halted = duration, ends, False

    def ends_at(self, world: World) -> bool:
        """Whether the run is over."""
        return self._ends and self._due(world)

    def halts_at(self, world: World) -> bool:
        """Whether the run is to stand still now; never twice."""
        if self._ends or self._halted or not self._due(world):
            return False
        self._halted = True
        return True

    def renew(self) -> None:
        """The run begins anew."""
        self._halted = False

    def _due(self, world: World) -> bool:
        half = world.time_step / 2
        return self._duration is not None and world.time >= self._duration - half


SPAN = 60.0
"""Seconds of the run that one can go back."""
EVERY, RARELY = 1.0, 5.0
"""Seconds of the run between two states, and of a world of more than `MANY` units."""
MANY = 2000
AGO = 0.5
"""To go back leads to a state at least so long ago, s: the run goes on between two presses."""


class Past:
    """The states of a run, in the order of time. Reads the world, and never changes it."""

    def __init__(self, mark: Callable[[], Any] = lambda: None) -> None:
        self.why = ""
        """Why the world cannot be saved; "" where it can."""
        self._mark = mark
        self._kept: list[tuple[State, Any]] = []
        """Each state, and what `mark` gave with it."""

    def note(self, world: World) -> None:
        """Keep the state of a world after a step, or at its start, if one is due.

        States of a time that has not come (again) yet are dropped: the run may go another way.
        """
        del self._kept[self._before(world.time - world.time_step / 2) :]
        pause = EVERY if len(world.units) <= MANY else RARELY
        if self._kept and world.steps % max(1, round(pause / world.time_step)):
            return
        try:
            self._kept.append((world.save(), self._mark()))
            self.why = ""
        except BadInput as bad:
            self.why = str(bad)
        del self._kept[: self._before(world.time - SPAN - world.time_step / 2)]

    def marked(self, state: State) -> Any:
        """What was marked with one of the states."""
        return next(mark for each, mark in self._kept if each is state)

    def nearest(self, time: float) -> State | None:
        """The last state that is not later than a time, or the first; None where there is none."""
        if not self._kept:
            return None
        return self._kept[max(0, self._before(time + 1e-9) - 1)][0]

    def next(self, time: float) -> State | None:
        """The first state that is later than a time; None where there is none."""
        k = self._before(time + 1e-9)
        return self._kept[k][0] if k < len(self._kept) else None

    @property
    def times(self) -> list[float]:
        """The times (s) of all states."""
        return [state.time for state, _ in self._kept]

    def _before(self, time: float) -> int:
        """How many states are of that time or an earlier one."""
        return bisect_right(self.times, time)


BUDGET = 0.05
"""Seconds of the clock that a frame may spend on steps: keys are answered even if the machine
cannot keep up."""


class Course:
    """Steps a world, shows each step to watchers, and keeps its last minute.

    The deadline ends the run, unless it is one at which the run halts.
    """

    def __init__(
        self, world: World, deadline: Deadline, watchers: Sequence[Watcher],
        mark: Callable[[], Any] = lambda: None,
    ) -> None:  # fmt: skip
        self.world, self.deadline, self._mark, self.past = world, deadline, mark, Past(mark)
        self.budget = BUDGET
        self._watchers = list(watchers)
        self._pacer = Pacer(world.time_step)

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.deadline.ends_at(self.world)

    def begin(self, world: World) -> None:
        """Begin with a world at its start."""
        self.world, self.past, self._pacer = world, Past(self._mark), Pacer(world.time_step)
        self.deadline.renew()
        self.note()

    def note(self) -> None:
        """Have watchers see the world as it is now, and keep its state if that is due."""
        for watcher in self._watchers:
            watcher.observe(self.world)
        self.past.note(self.world)

    def due(self, elapsed: float, speed: float) -> int:
        """The steps that are due after these seconds of the clock."""
        return self._pacer.steps(elapsed, speed)

    def advance(self, steps: int, seen: Callable[[], None]) -> bool:
        """Take steps, as many as there is time for; `seen` is called after each.

        Whether the run has come to where it is to halt.
        """
        begun = perf_counter()
        for _ in range(steps):
            self.world.step()
            self.note()
            seen()
            if self.deadline.halts_at(self.world):
                return True
            if self.over:
                break
            if perf_counter() - begun > self.budget:
                self._pacer.forgive()
                break
        return False

    def go_to(self, state: State) -> None:
        """Go on from an earlier state. Raises `BadInput` where the world cannot be put there."""
        self.world.load(state)
        self._pacer.forgive()
        self.deadline.renew()

    def close(self) -> None:
        """Close the watchers, once."""
        watchers, self._watchers = self._watchers, []
        for watcher in watchers:
            watcher.close()
