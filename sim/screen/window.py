"""The window: a run at the pace of the clock, to look at and to interfere with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pygame

from sim.core.errors import BadInput, NotDone
from sim.run import Watcher
from sim.saving import State
from sim.scenario.playlist import Playlist
from sim.screen import hud
from sim.screen.camera import Size
from sim.screen.capture import Filming
from sim.screen.compiling import announced
from sim.screen.course import Course, Deadline
from sim.screen.pane import Pane, events, open_window, window_size
from sim.screen.panel import WIDE
from sim.screen.picture import Picture
from sim.screen.plate import AWAY, Corner
from sim.screen.plays import Play, Plays
from sim.screen.scene import Scene
from sim.screen.squad import Squad
from sim.screen.status import figures, status
from sim.screen.theme import DARK, Theme
from sim.screen.timeline import LOW, Timeline, paint_past
from sim.screen.tools import saying
from sim.screen.wiring import wired
from sim.screen.workbench import Workbench
from sim.world import World

HALTED = "the end: Space goes on, R again, N with another seed, V the next scenario"


class Window(Pane):
    """Shows a world, and steps it.

    The run ends with the window, or after `duration` seconds of it. Watchers observe the start and
    every step, also of worlds that take this one's place, and are closed at the end, however it
    comes. Films that G starts are called `record_as`-1.gif and so on. `ways` shows all planned ways
    from the start, `views` what one unit of each group sees, `panel` the panel. With a `playlist`
    the run may begin anew or give place to another scenario, and unless it `ends` stands still
    after `duration`; without it there is this world alone. Ctrl S saves its scenario to `save_as`,
    or to a file of its own. Raises `BadInput` where no window can be opened.
    """

    def __init__(
        self,
        world: World,
        title: str = "",
        *,
        watchers: Sequence[Watcher] = (),
        duration: float | None = None,
        size: Size | None = None,
        record_as: str | Path = "recording",
        theme: Theme = DARK,
        ways: bool = False,
        views: bool = False,
        panel: bool = False,
        playlist: Playlist | None = None,
        ends: bool = False,
        save_as: Path | None = None,
    ) -> None:
        super().__init__()
        self.save_as = save_as
        self.world, self.title, self.plays = world, title, Plays(playlist)
        self.scene = Scene(theme, ways=ways, views=views)
        self.filming = Filming(record_as, self.scene)
        self.picture = Picture(self.scene, world, lambda: self.room.size)
        self.controls, self.panel = wired(self)
        deadline = Deadline(duration, ends or playlist is None)
        self.course = Course(world, deadline, watchers, lambda: self.bench.mark)
        self.bar = Timeline(0.0, 0.0, LOW)
        self._size = size
        self._corner = Corner()
        self.panel.shown = panel

    def open(self) -> None:
        """Open the window and show the start, with what to look for in a scenario."""
        beside, below = (WIDE, LOW) if self.panel.shown else (0, hud.STRIP + LOW)
        size = self._size or window_size(self.world, beside, below)
        self._surface = open_window(self.title or "sim", size)
        self.course.note()
        self._draw("getting ready (the very first start compiles the rules)")

    def frame(self, elapsed: float) -> bool:
        """Handle what happened, advance by the seconds elapsed on the clock, and draw.

        False at the end.
        """
        for event in events():
            with saying(self.say):
                if not (self.panel.takes(event) or self.bar.takes(event, self._go_back)):
                    self.controls.handle(event)
        self.controls.pass_time(elapsed)
        self.panel.pass_time(elapsed)
        if not self._over and not self.bar.held:
            self._advance(elapsed)
        self._notice_left -= elapsed
        self._draw(self.notice if self._notice_left > 0 else "")
        return not self._over

    def close(self) -> None:
        """Close films, watchers and the window."""
        self.say(self.filming.stop())
        try:
            self.course.close()
        finally:
            pygame.display.quit()
            self._surface = None

    def show(self, play: Play, as_seen: bool = False) -> None:
        """Go on with another world; that of another scenario has switches of its own.

        It is framed anew unless it is to be seen as the one before.
        """
        self.say(self.filming.stop())
        if not as_seen:
            self.scene.forget()
        if play.title is not None:
            self.scene.squad = Squad()
        self.world = self.picture.world = play.world
        if play.title is None:
            self.controls.take_over(play.world)
        else:
            self.title, self.save_as = play.title, None
            self.course.deadline = Deadline(play.duration, ends=False)
            shown = self.panel.shown
            self.controls, self.panel = wired(self)
            self.panel.shown = shown
            pygame.display.set_caption(play.title)
        self.course.begin(play.world)
        self.say(play.words)

    @property
    def bench(self) -> Workbench:
        """What is built, done and undone."""
        return self.controls.hand.bench

    @property
    def room(self) -> pygame.Rect:
        """The part of the window that is the picture; its upper left corner is the window's."""
        left = self.panel.split(self._whole.get_size())
        left.height -= 0 if self.panel.area.width else hud.STRIP
        return self.bar.split(left)

    def run(self) -> None:
        """Open the window and run until the end; whatever is compiled meanwhile is announced."""
        with announced(self._tell):
            super().run()

    @property
    def _over(self) -> bool:
        return self.controls.ended or self.course.over

    def _advance(self, elapsed: float) -> None:
        controls = self.controls
        if controls.paused:
            steps, controls.single_steps = controls.single_steps, 0
        else:
            steps = self.course.due(elapsed, controls.speed)
        try:
            halts = self.course.advance(steps, lambda: self.say(self.filming.observe(self.world)))
        except NotDone as bad:  # an event, such as an order to where something was built
            self.say(str(bad))
            return
        if halts:
            controls.paused = True
            self.say(HALTED)

    def _go_back(self, time: float) -> None:
        self.go_to(self.course.past.nearest(time))

    def go_to(self, state: State | None) -> None:
        """Go on from an earlier state; the film ends, for it shows one run."""
        if state is None:
            self.say(self.course.past.why or "there is nothing later: the run goes on from here")
            return
        said = self.filming.stop()
        try:
            self.course.go_to(state)
            self.bench.go_to(self.course.past.marked(state))
        except BadInput as bad:
            self.say(str(bad))
        else:
            self.say(f"{said}  at {self.world.time:.1f} s".strip())

    def _draw(self, notice: str) -> None:
        surface = self._whole
        picture = surface.subsurface(self.room)
        self.scene.paint(picture, self.world)
        paint_past(surface, self.bar, self.world, self.course.past, self.scene.theme)
        state, theme = status(self), self.scene.theme
        self.controls.hand.paint(picture, theme)
        row = self.scene.looked_inside(self.world)
        hud.paint(picture, self.world, state, row, theme, self._corner, self.picture.spots)
        if self.controls.help:
            rows = hud.help_rows(theme, state.sends)
            self.controls.pages = hud.paint_help(picture, rows, self.controls.help, theme)
        if self.panel.area.width:
            self.panel.paint(surface, theme, state, figures(self.world, state))
        else:
            hud.paint_bar(surface, self.world, state, theme)
        self._flip(notice)

    def _tell(self, words: str) -> None:
        """Show a message at once, over the picture as it is: this may be amid a step."""
        if self._surface is not None:
            self._flip(words)

    def _flip(self, notice: str) -> None:
        """Show what was painted, with a message over it that the next one takes the place of."""
        if not notice:
            pygame.display.flip()
            return
        picture = self._whole.subsurface(self.room)
        plain, wide = picture.copy(), picture.get_width() - 2 * AWAY
        hud.put(picture, hud.notice(notice, wide, self.scene.theme), 0.5, 1.0)
        pygame.display.flip()
        picture.blit(plain, (0, 0))

    def begin(self, play: Callable[[], Play]) -> None:
        """Go on with a play; what keeps it from being made is said."""
        with saying(self.say):
            self.show(play())
