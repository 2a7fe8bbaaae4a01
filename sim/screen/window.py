"""The window: a run at the pace of the clock, to look at and to interfere with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Protocol

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.errors import BadInput
from sim.screen import hud
from sim.screen.camera import Size
from sim.screen.capture import FilmRecorder
from sim.screen.controls import Controls
from sim.screen.display import has_display, open_window, room
from sim.screen.framing import picture_size
from sim.screen.pacing import Pacer
from sim.screen.scene import Scene
from sim.screen.theme import DARK, Theme
from sim.world import World

__all__ = ["Watcher", "Window", "has_display"]

FRAMES = 60
"""Frames a second."""
BUDGET = 0.05
"""Seconds of the clock that a frame may spend on steps: keys are answered even if the machine
cannot keep up."""
NOTICE = 4.0
"""Seconds of the clock for which a message stays."""


class Watcher(Protocol):
    """Reads the world at the start and after every step, and never writes to it."""

    def observe(self, world: World) -> None:
        """Look at the world."""

    def close(self) -> None:
        """Finish what was begun."""


class Window:
    """Shows a world, and steps it.

    The run ends with the window, after `duration` seconds of it, or when `until` says so. Watchers
    observe the start and every step, and are closed at the end, however it comes. Films that G
    starts are called `record_as`-1.gif and so on. `ways` shows all planned ways from the start.
    Raises `BadInput` where no window can be opened.
    """

    def __init__(
        self,
        world: World,
        title: str = "",
        *,
        watchers: Sequence[Watcher] = (),
        duration: float | None = None,
        until: Callable[[World], bool] | None = None,
        size: Size | None = None,
        record_as: str | Path = "recording",
        theme: Theme = DARK,
        ways: bool = False,
    ) -> None:
        self.world, self.title = world, title
        self.scene = Scene(theme, ways=ways)
        self.controls = Controls(
            world, self._toggle_recording, self._select, self._place, self._toggle_ways
        )
        self.recorder: FilmRecorder | None = None
        self.notice = ""
        self.budget = BUDGET
        self._watchers = list(watchers)
        self._duration, self._until = duration, until
        self._size, self._record_as = size, Path(record_as)
        self._pacer = Pacer(world.time_step)
        self._surface: pygame.Surface | None = None
        self._notice_left = 0.0

    def run(self) -> None:
        """Open the window and run until the end.

        A KeyboardInterrupt passes, after everything has been closed.
        """
        try:
            self.open()
            clock = pygame.time.Clock()
            clock.tick()
            while self.frame(clock.tick(FRAMES) / 1000):
                pass
        finally:
            self.close()

    def open(self) -> None:
        """Open the window and show the start."""
        size = self._size or picture_size(self.world, room(), least=320)
        self._surface = open_window(self.title or "sim", size)
        for watcher in self._watchers:
            watcher.observe(self.world)
        self._draw("getting ready (the very first start compiles the rules)")

    def frame(self, elapsed: float) -> bool:
        """Handle what happened, advance by the seconds elapsed on the clock, and draw.

        False at the end.
        """
        for event in pygame.event.get():
            self.controls.handle(event)
        if not self._over:
            self._advance(elapsed)
        self._notice_left -= elapsed
        self._draw(self.notice if self._notice_left > 0 else "")
        return not self._over

    def close(self) -> None:
        """Close films, watchers and the window."""
        self._stop_recording()
        watchers, self._watchers = self._watchers, []
        try:
            for watcher in watchers:
                watcher.close()
        finally:
            pygame.display.quit()
            self._surface = None

    @property
    def _over(self) -> bool:
        if (
            self._duration is not None
            and self.world.time >= self._duration - self.world.time_step / 2
        ):
            return True
        return self.controls.ended or (self._until is not None and self._until(self.world))

    def _advance(self, elapsed: float) -> None:
        controls = self.controls
        if controls.paused:
            steps, controls.single_steps = controls.single_steps, 0
        else:
            steps = self._pacer.steps(elapsed, controls.speed)
        begun = perf_counter()
        for _ in range(steps):
            self._step()
            if self._over:
                return
            if perf_counter() - begun > self.budget:
                self._pacer.forgive()
                return

    def _step(self) -> None:
        self.world.step()
        for watcher in self._watchers:
            watcher.observe(self.world)
        if self.recorder is not None:
            try:
                self.recorder.observe(self.world)
            except BadInput as error:  # a full disk ends the film, not the run
                self.recorder = None
                self._say(str(error))

    def _draw(self, notice: str) -> None:
        assert self._surface is not None, "open() comes first"
        surface = pygame.display.get_surface() or self._surface
        controls, recorder = self.controls, self.recorder
        self.scene.paint(surface, self.world)
        status = hud.Status(
            title=self.title,
            speed=controls.speed,
            paused=controls.paused,
            help=controls.help,
            recording=str(recorder.path) if recorder else None,
            notice=notice,
            flocking=controls.switch_is_on("flocking"),
            chase=controls.switch_is_on("chase"),
            sends=bool(controls.sends),
        )
        row = self.scene.looked_inside(self.world)
        hud.paint(surface, self.world, status, row, self.scene.theme)
        pygame.display.flip()

    def _select(self, pixel: tuple[int, int]) -> None:
        assert self._surface is not None, "open() comes first"
        surface = pygame.display.get_surface() or self._surface
        self.scene.select_at(self.world, pixel, surface.get_size())

    def _toggle_ways(self) -> None:
        self.scene.ways = not self.scene.ways

    def _place(self, pixel: tuple[int, int]) -> NDArray[np.float64]:
        assert self._surface is not None, "open() comes first"
        surface = pygame.display.get_surface() or self._surface
        return self.scene.place_at(self.world, pixel, surface.get_size())

    def _say(self, words: str) -> None:
        self.notice, self._notice_left = words, NOTICE

    def _toggle_recording(self) -> None:
        if self.recorder is not None:
            self._stop_recording()
            return
        try:
            self.recorder = FilmRecorder(self._free_name(), self.world, scene=self.scene)
            self.recorder.observe(self.world)
        except BadInput as error:
            self.recorder = None
            self._say(str(error))

    def _stop_recording(self) -> None:
        if self.recorder is None:
            return
        recorder, self.recorder = self.recorder, None
        try:
            recorder.close()
            self._say(f"wrote {recorder.path}")
        except BadInput as error:
            self._say(str(error))

    def _free_name(self) -> Path:
        """The first of NAME-1.gif, NAME-2.gif and so on that is not taken."""
        number = 1
        while (path := Path(f"{self._record_as}-{number}.gif")).exists():
            number += 1
        return path
