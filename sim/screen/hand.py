"""The hand on the picture: which tool the mouse has, and what keys do to what is under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from sim.core.errors import plural
from sim.group import Group
from sim.screen.builders import BUILDERS, NEAR, Builder, Units
from sim.screen.land import paint_outline
from sim.screen.picture import WorldPicture
from sim.screen.plate import plate
from sim.screen.pointer import Pixel, Pointer
from sim.screen.squad import Squad
from sim.screen.theme import Theme
from sim.screen.tools import Select, Send, Tool, telling
from sim.screen.workbench import Workbench

AWAY = 10
"""Pixels between the list of what can be built and the upper edge."""


class Hand:
    """Has a tool, and tells it what the mouse does; `say` shows a message."""

    def __init__(self, picture: WorldPicture, say: Callable[[str], None], bench: Workbench) -> None:
        self.picture, self.say, self.bench = picture, say, bench
        self.sends: Sequence[Group] = ()
        """Groups that the mouse sends: the first by its left button, the second by its right."""
        self.building = False
        """Whether the mouse builds."""
        self.builder = 0
        """What it builds: the number of its tool in `BUILDERS`."""
        self.like: Callable[[], str | None] = lambda: None
        """The name of the group that new units are to be like."""
        self._select, self._send = Select(picture, say, bench), Send(picture, say, bench)
        self._builders: list[Builder] = [
            make(picture, say, bench, name) for name, make in BUILDERS.items()
        ]
        self.pointer = Pointer(
            lambda *at: self.tool.click(*at), picture.pan, picture.zoom, self._drag
        )

    @property
    def tool(self) -> Tool:
        """The tool that the mouse has now."""
        if self.building:
            return self._builders[self.builder]
        self._send.sends = self.sends
        return self._send if self.sends else self._select

    @property
    def squad(self) -> Squad:
        """The selected units."""
        return self.picture.scene.squad

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What can be asked for by name."""
        return {
            "remove": lambda: self._try(self._remove),
            "next_unit": lambda: self._look_inside(1),
            "last_unit": lambda: self._look_inside(-1),
            "nobody": lambda: self._look_inside(None),
            "build": self._build,
            "undo": lambda: self._try(lambda: self.bench.undo(self.picture.world)),
            "redo": lambda: self._try(lambda: self.bench.redo(self.picture.world)),
            "save": lambda: self._try(lambda: self.bench.save(self.picture.world)),
        }

    @property
    def numbered(self) -> dict[str, Callable[[int], bool]]:
        """What can be asked for by name and number; each says whether there was anything to do."""
        return {"store": self._store, "digit": self._digit, "operate": self._operate}

    def paint(self, surface: pygame.Surface, theme: Theme) -> None:
        """Paint what the tool has under way, and while one builds all that it may be."""
        camera = self.picture.camera
        for part in self.picture.world.parts.values():
            if not part.closed:
                paint_outline(surface, part.solids, camera, theme.faint)
        self.tool.paint(surface, theme)
        if self.building:
            row = [("Build:", theme.faint)]
            for number, builder in enumerate(self._builders):
                chosen = number == self.builder
                color = theme.selected if chosen else theme.faint
                row.append((f"  {number + 1} {builder.name}", color))
            image = plate([row], theme)
            surface.blit(image, ((surface.get_width() - image.get_width()) // 2, AWAY))

    def _drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        tool = self.tool
        if isinstance(tool, Units):
            tool.like = self.like()
        tool.drag(start, now, done)

    def _try(self, act: Callable[[], str]) -> None:
        """Do something and say what came of it, or why it cannot be done."""
        with telling(self.say, self.picture.world):
            self.say(act())

    def _build(self) -> None:
        self.building = not self.building

    def _digit(self, number: int) -> bool:
        """Choose what is built, or select what was stored."""
        if self.building and number <= len(self._builders):
            self.builder = number - 1
            return True
        return self.squad.recall(number)

    def _operate(self, _: int) -> bool:
        """Open or close the part under the mouse; whether there is one."""
        place, near = self.picture.place(self.pointer.at), NEAR / self.picture.camera.scale
        with telling(self.say, self.picture.world):
            return self.bench.operate(self.picture.world, place, near)
        return True

    def _look_inside(self, step: int | None) -> None:
        """The unit that is looked inside is selected, too."""
        self.picture.look_inside(step)
        row = self.picture.scene.selected
        self.squad.take([] if row is None else self.picture.world.ids[[row]])

    def _store(self, number: int) -> bool:
        count = self.squad.store(number)
        self.say(f"stored under {number}: {count} {plural(count, 'unit')}")
        return True

    def _remove(self) -> str:
        world = self.picture.world
        ids = self.squad.there(world)
        if len(ids):
            self.bench.remove(world, ids)
            self.squad.take([])
        return ""
