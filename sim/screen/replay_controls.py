"""What keys and mouse change about a recorded run that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from sim.screen.controls import FASTEST, SLOWEST
from sim.screen.keys import HELD
from sim.screen.picture import Picture
from sim.screen.plain_scene import PlainScene
from sim.screen.pointer import Pixel, Pointer
from sim.screen.replay import Replay
from sim.screen.replay_keys import KEYBOARD
from sim.screen.timeline import Timeline

SECOND, LEAP = 1.0, 10.0
"""Seconds that a key goes back or on."""


class ReplayControls:
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
        self.paused, self.help, self.ended = False, False, False
        self.speed = 1.0
        self.wanted: float | None = None
        self._replay, self._picture, self._timeline = replay, picture, timeline
        self._pointer = Pointer(lambda pixel, _: self._click(pixel), picture.pan, picture.zoom)
        self._scrubbing = False
        self._held: set[str] = set()
        self._begun: set[str] = set()
        self._actions = {**self._own(), **picture.actions, **actions}

    def handle(self, event: pygame.event.Event) -> None:
        """Do what an event asks for."""
        if event.type == pygame.QUIT:
            self.ended = True
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._scrubbing = False
            self._held.clear()
            self._pointer.let_go()
        elif event.type == pygame.KEYDOWN:
            key = KEYBOARD.key_of(event.key, bool(getattr(event, "mod", 0) & pygame.KMOD_SHIFT))
            if key is not None:
                self.act(key.action)
        elif event.type == pygame.KEYUP:
            self._held -= set(KEYBOARD.actions_of(event.key))
        elif not self._scrubs(event):
            self._pointer.handle(event)

    def act(self, action: str) -> None:
        """Do what a key of this action does; one that lasts does so until its key comes up."""
        if action in HELD:
            self._held.add(action)
            self._begun.add(action)
        else:
            self._actions[action]()

    def pass_time(self, elapsed: float) -> None:
        """Go on with the actions that last, and with the run, for some seconds of the clock."""
        self._picture.glide(self._held | self._begun, elapsed)
        self._begun.clear()
        if not (self.paused or self._scrubbing) and self.wanted is None:
            self.wanted = self._replay.time + elapsed * self.speed
            self.paused = self.wanted >= self._replay.end

    def _own(self) -> dict[str, Callable[[], None]]:
        return {
            "pause": self._pause,
            "help": lambda: self._flip("help"),
            "quit": lambda: self._flip("ended"),
            "faster": lambda: self._pace(2.0),
            "slower": lambda: self._pace(0.5),
            "second_back": lambda: self._go(-SECOND),
            "second_on": lambda: self._go(SECOND),
            "leap_back": lambda: self._go(-LEAP),
            "leap_on": lambda: self._go(LEAP),
            "frame_back": lambda: self._step(-1),
            "frame_on": lambda: self._step(1),
            "start": lambda: self._seek(self._replay.start),
            "end": lambda: self._seek(self._replay.end),
        }

    def _flip(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _pause(self) -> None:
        """Or go on: at the end from the start."""
        if self.paused and self._replay.time >= self._replay.end:
            self._seek(self._replay.start)
        self._flip("paused")

    def _pace(self, factor: float) -> None:
        self.speed = min(max(self.speed * factor, SLOWEST), FASTEST)

    def _go(self, seconds: float) -> None:
        self._seek((self._replay.time if self.wanted is None else self.wanted) + seconds)

    def _step(self, frames: int) -> None:
        self.paused = True
        self._seek(self._replay.beside(frames))

    def _seek(self, time: float) -> None:
        self.wanted = min(max(time, self._replay.start), self._replay.end)

    def _scrubs(self, event: pygame.event.Event) -> bool:
        """Go where the bar is clicked or dragged; whether the event was for the bar."""
        left = getattr(event, "button", None) == pygame.BUTTON_LEFT
        if event.type == pygame.MOUSEBUTTONDOWN and self._timeline.area.collidepoint(event.pos):
            self._scrubbing = left
        elif event.type == pygame.MOUSEBUTTONUP and self._scrubbing and left:
            self._scrubbing = False
            return True
        elif event.type != pygame.MOUSEMOTION or not self._scrubbing:
            return False
        if self._scrubbing:
            self._seek(self._timeline.time_at(event.pos[0]))
        return True

    def _click(self, pixel: Pixel) -> None:
        self._picture.select(pixel)
