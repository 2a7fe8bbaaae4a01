"""What keys and mouse change about a recorded run that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from sim.screen.keys import MOVES, PICTURE, RUN, Key, Keyboard
from sim.screen.picture import Picture
from sim.screen.pointer import Pointer
from sim.screen.replay import Replay
from sim.screen.scene import PlainScene
from sim.screen.switches import Switches
from sim.screen.timeline import Timeline

_SHARED = {"pause", "faster", "slower"}
_LIVE = {"contacts", "ways", "forces", "panel", "about"}
"""What a recorded run has no data for, and the panel, whose switches are of rules."""

SEEK = (
    Key((pygame.K_LEFT,), "Left", "second_back", "a second back"),
    Key((pygame.K_RIGHT,), "Right", "second_on", "a second on"),
    Key((pygame.K_LEFTBRACKET,), "[", "leap_back", "ten seconds back"),
    Key((pygame.K_RIGHTBRACKET,), "]", "leap_on", "ten seconds on"),
    Key((pygame.K_COMMA,), ",", "frame_back", "pause, and a frame back"),
    Key((pygame.K_PERIOD, pygame.K_KP_PERIOD), ".", "frame_on", "pause, and a frame on"),
    Key((pygame.K_r,), "R", "start", "from the start"),
    Key((pygame.K_e,), "E", "end", "to the end"),
)
"""Where in the run one is."""

KEYS: tuple[Key, ...] = (
    *(key for key in RUN if key.action in _SHARED),
    *SEEK,
    *(key for key in PICTURE if key.action not in {*_LIVE, "theme"}),
    Key((pygame.K_b,), "B", "theme", "dark or light"),
)
MOUSE = (
    ("Click", "select a unit; on empty ground: none"),
    ("Bar", "click or drag: go there"),
    *MOVES,
)
"""What the mouse does."""

KEYBOARD = Keyboard(KEYS)
"""That of a recorded run."""


SECOND, LEAP = 1.0, 10.0
"""Seconds that a key goes back or on."""


class ReplayControls(Switches):
    """Where in the run one is to be, how fast it goes on, and what each action does.

    A drag along the bar goes through the run; `wanted` (s) is where to, None where no drag
    has asked. `actions` are those of others.
    """

    def __init__(
        self,
        replay: Replay,
        picture: Picture[PlainScene[Replay], Replay],
        timeline: Timeline,
        actions: Mapping[str, Callable[[], None]],
    ) -> None:
        super().__init__(KEYBOARD, picture)
        self.wanted: float | None = None
        self._replay, self._timeline = replay, timeline
        self._pointer = Pointer(lambda pixel, _: picture.select(pixel), picture.pan, picture.zoom)
        self._actions |= {**self._own(), **actions}

    def pass_time(self, elapsed: float) -> None:
        """Go on with the actions that last, and with the run, for some seconds of the clock."""
        super().pass_time(elapsed)
        if not (self.paused or self._timeline.held) and self.wanted is None:
            self.wanted = self._replay.time + elapsed * self.speed
            self.paused = self.wanted >= self._replay.end

    def _own(self) -> dict[str, Callable[[], None]]:
        return {
            "pause": self._pause,
            "second_back": lambda: self._go(-SECOND),
            "second_on": lambda: self._go(SECOND),
            "leap_back": lambda: self._go(-LEAP),
            "leap_on": lambda: self._go(LEAP),
            "frame_back": lambda: self._step(-1),
            "frame_on": lambda: self._step(1),
            "start": lambda: self._seek(self._replay.start),
            "end": lambda: self._seek(self._replay.end),
        }

    def _point(self, event: pygame.event.Event) -> None:
        if not self._timeline.takes(event, self._seek):
            self._pointer.handle(event)

    def _let_go(self) -> None:
        self._timeline.held = False
        self._pointer.let_go()
        super()._let_go()

    def _pause(self) -> None:
        """Or go on: at the end from the start."""
        if self.paused and self._replay.time >= self._replay.end:
            self._seek(self._replay.start)
        self._flip("paused")

    def _go(self, seconds: float) -> None:
        self._seek((self._replay.time if self.wanted is None else self.wanted) + seconds)

    def _step(self, frames: int) -> None:
        self.paused = True
        self._seek(self._replay.beside(frames))

    def _seek(self, time: float) -> None:
        self.wanted = min(max(time, self._replay.start), self._replay.end)
