"""The last minute of a run, kept as states of its world, and how the time bar shows it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import pygame

from sim.core.errors import BadInput
from sim.saving import State
from sim.screen import shapes
from sim.screen.theme import Theme
from sim.screen.timeline import LETTERS, Timeline
from sim.world import World

SPAN = 60.0
"""Seconds of the run that one can go back."""
EVERY, RARELY = 1.0, 5.0
"""Seconds of the run between two states, and of a world of more than `MANY` units."""
MANY = 2000
AGO = 0.5
"""To go back leads to a state at least so long ago, s: the run goes on between two presses."""
HIGH = 22
"""Pixels of the bar."""


class Past:
    """The states of a run, in the order of time. Reads the world, and never changes it."""

    def __init__(self, mark: Callable[[], Any] = lambda: None) -> None:
        self.why = ""
        """Why the world cannot be saved; "" where it can."""
        self._mark = mark
        self._states: list[State] = []
        self._marks: list[Any] = []
        """What `mark` gave with each of them."""

    def note(self, world: World) -> None:
        """Keep the state of a world after a step, or at its start, if one is due.

        States of a time that has not come (again) yet are dropped: the run may go another way.
        """
        self._keep(0, self._before(world.time - world.time_step / 2))
        pause = EVERY if len(world.units) <= MANY else RARELY
        if self._states and world.steps % max(1, round(pause / world.time_step)):
            return
        try:
            self._states.append(world.save())
            self._marks.append(self._mark())
            self.why = ""
        except BadInput as bad:
            self.why = str(bad)
        first = self._before(world.time - SPAN - world.time_step / 2)
        self._keep(first, len(self._states))

    def marked(self, state: State) -> Any:
        """What was marked with one of the states."""
        return next(m for s, m in zip(self._states, self._marks, strict=True) if s is state)

    def nearest(self, time: float) -> State | None:
        """The last state that is not later than a time, or the first; None where there is none."""
        if not self._states:
            return None
        return self._states[max(0, self._before(time + 1e-9) - 1)]

    def next(self, time: float) -> State | None:
        """The first state that is later than a time; None where there is none."""
        k = self._before(time + 1e-9)
        return self._states[k] if k < len(self._states) else None

    @property
    def times(self) -> list[float]:
        """The times (s) of all states."""
        return [state.time for state in self._states]

    def _keep(self, first: int, end: int) -> None:
        self._states, self._marks = self._states[first:end], self._marks[first:end]

    def _before(self, time: float) -> int:
        """How many states are of that time or an earlier one."""
        return bisect_right(self.times, time)


def paint_bar(
    surface: pygame.Surface, bar: Timeline, world: World, past: Past, theme: Theme
) -> None:
    """Paint a bar of the minute that is kept, a mark for each state; or why none can be kept."""
    times = past.times
    if past.why:
        surface.fill(theme.panel, bar.area)
        words = shapes.text(f"no way back: {past.why}", theme.faint, LETTERS)
        surface.set_clip(bar.area)
        surface.blit(words, (bar.area.left + 10, bar.area.centery - words.get_height() // 2))
        surface.set_clip(None)
        return
    bar.start = times[0] if times else world.time
    bar.end = max(world.time, *times) if times else world.time
    bar.paint(surface, world.time, theme)
    for time in times:
        x = round(bar.x_of(time))
        pygame.draw.line(surface, theme.faint, (x, bar.area.bottom - 5), (x, bar.area.bottom))
