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
