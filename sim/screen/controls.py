"""What keys and mouse change: the only part of the screen that writes to a world."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.group import Group
from sim.screen.keys import HELD, KEY_OF, VIEW_KEYS
from sim.world import World

Floats = NDArray[np.float64]
Pixel = tuple[int, int]
SLOWEST, FASTEST = 0.25, 8.0
"""Seconds of the run to a second of the clock."""
SWITCHES = {"flocking": "flocking", "chase": "pursuit"}
"""Actions that switch a family of rules."""


class Controls:
    """The state of a run's switches, and what each event does to it.

    The player's engine is full on from the start, as the book's craft cruises, unless a script
    steers it; the first thruster key takes the craft out of the script's hands.
    """

    def __init__(
        self,
        world: World,
        record: Callable[[], None],
        select: Callable[[Pixel], None],
        place: Callable[[Pixel], Floats],
        show_ways: Callable[[], None] = lambda: None,
    ) -> None:
        self.paused, self.help, self.ended = False, False, False
        self.speed = 1.0
        self.single_steps = 0
        self.sends: Sequence[Group] = ()
        """Groups that the mouse sends: the first by its left button, the second by its right."""
        self._world, self._record = world, record
        self._select, self._place = select, place
        self._show_ways = show_ways
        self._held: set[str] = set()
        for group in self._players:
            if group.script is None:
                group.controls[:, 2] = 1.0

    def handle(self, event: pygame.event.Event) -> None:
        """Do what an event asks for."""
        if event.type == pygame.QUIT:
            self.ended = True
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._click(event.pos, event.button)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._let_go()
        elif event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key in KEY_OF:
            self._press(KEY_OF[event.key].action, event.type == pygame.KEYDOWN)

    def switch_is_on(self, action: str) -> bool | None:
        """Whether a switch ("flocking", "chase") is on for any group.

        None where no group has such rules in use.
        """
        groups = self._with_family(SWITCHES[action])
        if action == "chase":
            groups = [group for group in groups if group.goal is not None]
        if not groups:
            return None
        return any(SWITCHES[action] not in group.muted for group in groups)

    @property
    def _players(self) -> list[Group]:
        return [group for group in self._world.groups if group.model.name == "player"]

    def _with_family(self, family: str) -> list[Group]:
        return [
            group
            for group in self._world.groups
            if any(s.rule.family == family for s in group.settings.values())
        ]

    def _click(self, pixel: Pixel, button: int) -> None:
        """Send a group, or look inside a unit: by the middle button where the left one sends."""
        sent = {pygame.BUTTON_LEFT: 0, pygame.BUTTON_RIGHT: 1}.get(button, len(self.sends))
        if sent < len(self.sends):
            group = self.sends[sent]
            group.schedule = []
            group.go_to(self._place(pixel), nearest=True)
        elif button == (pygame.BUTTON_MIDDLE if self.sends else pygame.BUTTON_LEFT):
            self._select(pixel)

    def _press(self, action: str, down: bool) -> None:
        if action in HELD:
            (self._held.add if down else self._held.discard)(action)
            self._steer()
        elif down:
            self._act(action)

    def _act(self, action: str) -> None:
        if action in VIEW_KEYS:
            for group in self._world.groups:
                group.view = VIEW_KEYS[action]
        elif action in SWITCHES:
            self._switch(SWITCHES[action])
        elif action in ("full_thrust", "no_thrust"):
            self._thrust(1.0 if action == "full_thrust" else 0.0)
        elif action == "single_step":
            self.paused, self.single_steps = True, self.single_steps + 1
        elif action in ("faster", "slower"):
            factor = 2.0 if action == "faster" else 0.5
            self.speed = min(max(self.speed * factor, SLOWEST), FASTEST)
        elif action == "record":
            self._record()
        elif action == "ways":
            self._show_ways()
        elif action == "pause":
            self.paused = not self.paused
        elif action == "help":
            self.help = not self.help
        elif action == "quit":
            self.ended = True
        else:
            raise NotImplementedError(action)

    def _switch(self, family: str) -> None:
        groups = self._with_family(family)
        on = any(family not in group.muted for group in groups)
        for group in groups:
            group.switch(family, not on)

    def _take_over(self, group: Group) -> None:
        if group.script is not None:
            group.script = None
            group.controls[:] = (0.0, 0.0, 1.0)

    def _steer(self) -> None:
        for group in self._players:
            self._take_over(group)
            group.controls[:, 0] = float("turn_to_starboard" in self._held)
            group.controls[:, 1] = float("turn_to_port" in self._held)

    def _thrust(self, thrust: float) -> None:
        for group in self._players:
            self._take_over(group)
            group.controls[:, 2] = thrust

    def _let_go(self) -> None:
        """Keys that come up while another window has the keyboard are never reported."""
        if self._held:
            self._held.clear()
            self._steer()
