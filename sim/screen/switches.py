"""What the controls of both windows share: keys that are held, pace, pause, help and the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame

from sim.screen.keys import HELD, Keyboard
from sim.screen.picture import Picture

SLOWEST, FASTEST = 0.25, 8.0
"""Seconds of the run to a second of the clock."""


class Switches:
    """The state of a window's switches; `keyboard` says which key has which action."""

    def __init__(self, keyboard: Keyboard, picture: Picture[Any, Any]) -> None:
        self.paused, self.ended = False, False
        self.help, self.pages = 0, 1
        """The page of the help that is shown, 0 for none, and how many there are."""
        self.speed = 1.0
        self._keyboard, self._picture = keyboard, picture
        self._held: set[str] = set()
        self._begun: set[str] = set()
        """Held since the last picture, perhaps let go again: a short tap counts too."""
        self._actions: dict[str, Callable[[], None]] = {
            "pause": lambda: self._flip("paused"),
            "help": self._turn_page,
            "quit": lambda: self._flip("ended"),
            "faster": lambda: self._pace(2.0),
            "slower": lambda: self._pace(0.5),
            **picture.actions,
        }

    def handle(self, event: pygame.event.Event) -> None:
        """Do what an event asks for."""
        if event.type == pygame.QUIT:
            self.ended = True
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._let_go()
        elif event.type == pygame.KEYDOWN:
            mod = getattr(event, "mod", 0)
            self._press(event.key, bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_CTRL))
        elif event.type == pygame.KEYUP:
            self._release(set(self._keyboard.actions_of(event.key)))
        else:
            self._point(event)

    def act(self, action: str) -> None:
        """Do what a key of this action does; one that lasts does so until its key comes up."""
        if action in HELD:
            self._held.add(action)
            self._begun.add(action)
        else:
            self._actions[action]()

    def pass_time(self, elapsed: float) -> None:
        """Go on with the actions that last, for some seconds of the clock."""
        self._picture.glide(self._held | self._begun, elapsed)
        self._begun.clear()

    def _press(self, code: int, shift: bool, _ctrl: bool) -> None:
        key = self._keyboard.key_of(code, shift)
        if key is not None:
            self.act(key.action)

    def _point(self, event: pygame.event.Event) -> None:
        """Do what the mouse asks for."""
        raise NotImplementedError

    def _release(self, actions: set[str]) -> None:
        self._held -= actions

    def _let_go(self) -> None:
        """Keys that come up while another window has the keyboard are never reported."""
        self._release(set(self._held))

    def _flip(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _turn_page(self) -> None:
        self.help = (self.help + 1) % (self.pages + 1)

    def _pace(self, factor: float) -> None:
        self.speed = min(max(self.speed * factor, SLOWEST), FASTEST)
