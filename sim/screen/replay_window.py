"""The window that shows a recorded run: forwards, backwards, at any speed; its keys and mouse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import degrees, hypot
from pathlib import Path

import numpy as np
import pygame

from sim.screen import hud
from sim.screen.camera import Size
from sim.screen.capture import Filming
from sim.screen.keys import MOVES, PICTURE, RUN, Key, Keyboard
from sim.screen.pane import Pane, events, open_window, window_size
from sim.screen.picture import Picture
from sim.screen.plate import Row, plate
from sim.screen.pointer import Pointer
from sim.screen.replay import Replay
from sim.screen.scene import PlainScene
from sim.screen.status import counted, pace
from sim.screen.switches import Switches
from sim.screen.theme import DARK, Theme
from sim.screen.timeline import HIGH, Timeline
from sim.screen.trails import EVERY, SAMPLES

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


MOST, CELLS = 600, 100_000
"""Moments of the past that are looked up for heat after a leap: most moments and places."""


class ReplayWindow(Pane):
    """Shows a replay with a bar below it.

    Films that G starts are called `record_as`-1.gif and so on. Raises `BadInput` where no window
    can be opened.
    """

    def __init__(
        self,
        replay: Replay,
        title: str = "",
        *,
        size: Size | None = None,
        record_as: str | Path = "recording",
        theme: Theme = DARK,
    ) -> None:
        super().__init__()
        self.replay, self.title = replay, title
        self.scene: PlainScene[Replay] = PlainScene(theme)
        self.filming = Filming(record_as, self.scene)
        self.timeline = Timeline(replay.start, replay.end)
        picture = Picture(self.scene, self.replay, lambda: self.room.size)
        record = {"record": lambda: self.say(self.filming.toggle(self.replay))}
        self.controls = ReplayControls(replay, picture, self.timeline, record)
        self._size = size

    def open(self) -> None:
        """Open the window and show the start."""
        size = self._size
        if size is None:
            size = window_size(self.replay, below=HIGH)
        self._surface = open_window(self.title or "sim", size)
        self._draw()

    def frame(self, elapsed: float) -> bool:
        """Handle what happened, go on for the seconds elapsed on the clock, and draw.

        False at the end.
        """
        for event in events():
            self.controls.handle(event)
        self.controls.pass_time(elapsed)
        if self.controls.wanted is not None:
            self._go_to(self.controls.wanted)
            self.controls.wanted = None
            self.say(self.filming.observe(self.replay))
        self._notice_left -= elapsed
        self._draw()
        return not self.controls.ended

    def close(self) -> None:
        """Close films and the window."""
        self.say(self.filming.stop())
        pygame.display.quit()
        self._surface = None

    @property
    def room(self) -> pygame.Rect:
        """The part of the window that is the picture."""
        return self.timeline.split(self._whole.get_rect())

    def _go_to(self, time: float) -> None:
        """Show another moment; trails and heat are of the run up to then, not of what was shown."""
        replay = self.replay
        if not 0 <= time - replay.time <= EVERY:
            begin = replay.time if time > replay.time else replay.start
            late = max(begin, time - SAMPLES * EVERY)
            samples = min(MOST, max(SAMPLES, CELLS // len(replay.units)))
            step = max(EVERY, (late - begin) / samples)
            for moment in (*np.arange(begin, late, step), *np.arange(late, time, EVERY)):
                replay.time = float(moment)
                self.scene.note(self.replay)
        replay.time = time

    def _draw(self) -> None:
        surface = self._whole
        picture, theme = surface.subsurface(self.room), self.scene.theme
        self.scene.paint(picture, self.replay)
        hud.put(picture, plate(self._status(theme), theme), 0.0, 0.0)
        row = self.scene.selected = self.scene.looked_inside(self.replay)  # unless it has left
        if row is not None:
            hud.put(picture, plate(self._about(row, theme), theme), 0.0, 1.0)
        if self._notice_left > 0 and self.notice:
            hud.put(picture, plate([[(self.notice, theme.text)]], theme), 0.5, 1.0)
        if self.controls.help:
            rows = [(key.shown, key.about) for key in KEYS] + list(MOUSE)
            told = [[(shown, theme.text), (about, theme.faint)] for shown, about in rows]
            self.controls.pages = hud.paint_help(picture, told, self.controls.help, theme)
        self.timeline.paint(surface, self.replay.time, theme)
        pygame.display.flip()

    def _status(self, theme: Theme) -> list[Row]:
        """Title; how many, and how fast; that it is recorded."""
        rows: list[Row] = [[(self.title, theme.text)]] if self.title else []
        rows.append([(f"{counted(self.replay)}   recorded   {pace(self.controls)}", theme.faint)])
        if self.filming.recorder is not None:
            rows.append([(f"records {self.filming.recorder.path}", theme.recording)])
        return rows if self.controls.help else [*rows, [("H", theme.text), (" keys", theme.faint)]]

    def _about(self, row: int, theme: Theme) -> list[Row]:
        """What the recording tells of a unit."""
        units = self.replay.units
        group = self.replay.groups[int(units.group[row])]
        led = group.cast.part == "leads" and group.leads[row - group.rows.start]
        leads = ", leads" if led else ""
        (x, y), (vx, vy) = units.position[row].tolist(), units.velocity[row].tolist()
        return [
            [(f"unit {row} of {group.name}{leads}", theme.text)],
            [(f"at ({x:.4g}, {y:.4g}), {hypot(vx, vy):.3g} a second", theme.faint)],
            [(f"heading {degrees(float(units.angle[row])) % 360:.0f} degrees", theme.faint)],
        ]
