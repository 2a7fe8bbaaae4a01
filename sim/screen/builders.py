"""Tools that build: each turns a drag over the picture into a change of the scenario."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, hypot, log10
from typing import Any

import pygame

from sim.scenario.editing import Edit, added, free_name
from sim.screen.erasing import found_at
from sim.screen.picture import WorldPicture
from sim.screen.pointer import Pixel
from sim.screen.theme import Theme
from sim.screen.tools import Tool, saying
from sim.screen.workbench import Workbench

SLOW = 0.5
"""Speed on an area that is drawn."""
ROOM = 3.0
"""Squares of a hull's length that a unit gets in a region that is drawn."""
MOST = 500
"""Units that one drag makes."""
NEAR = 6
"""Pixels beside a thing at which a click still means it."""

Place = tuple[float, float]


class Builder(Tool):
    """A tool whose drag from one place to another makes something; `name` is what."""

    name = ""

    def __init__(self, picture: WorldPicture, say: Callable[[str], None], bench: Workbench) -> None:
        super().__init__(picture, say)
        self.bench = bench
        self.drawn: tuple[Pixel, Pixel] | None = None
        """Where the drag that is under way began, and is now."""

    def drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        """Show what will be there; when the button comes up, make it."""
        self.drawn = None if done else (start, now)
        if done:
            self.make(lambda: [self.edit(self.place(start), self.place(now))])

    def paint(self, surface: pygame.Surface, theme: Theme) -> None:
        """Paint the outline of what is drawn."""
        if self.drawn is not None:
            self.outline(surface, theme, *self.drawn)

    def outline(self, surface: pygame.Surface, theme: Theme, start: Pixel, now: Pixel) -> None:
        """Paint the outline for a drag."""
        pygame.draw.rect(surface, theme.selected, _rect(start, now), 1)

    def edit(self, start: Place, end: Place) -> Edit:
        """The change that a drag between two places of the world makes."""
        raise NotImplementedError

    def make(self, edits: Callable[[], list[Edit]]) -> None:
        """Do changes, or say why they cannot be done."""
        with saying(self.say):
            self.bench.do(self.picture.world, edits())

    def place(self, pixel: Pixel) -> Place:
        """The place under a pixel, in no more digits than a pixel is worth."""
        digits = max(0, ceil(log10(self.picture.scale)))
        x, y = self.picture.place(pixel).round(digits).tolist()
        return x, y


class Disc(Builder):
    """A disc by its centre and its rim."""

    name = "disc"

    def edit(self, start: Place, end: Place) -> Edit:
        """Put a disc in."""
        radius = round(hypot(end[0] - start[0], end[1] - start[1]), 3)
        return added(self.bench.document, ("map", "circles"), [*start, radius])

    def outline(self, surface: pygame.Surface, theme: Theme, start: Pixel, now: Pixel) -> None:
        """Paint a circle."""
        radius = hypot(now[0] - start[0], now[1] - start[1])
        pygame.draw.circle(surface, theme.selected, start, radius, 1)


class Box(Builder):
    """A box from corner to corner."""

    name = "box"

    def edit(self, start: Place, end: Place) -> Edit:
        """Put a box in."""
        return added(self.bench.document, ("map", "boxes"), _box(start, end))


class Wall(Builder):
    """A wall from end to end."""

    name = "wall"

    def edit(self, start: Place, end: Place) -> Edit:
        """Put a wall in."""
        return added(self.bench.document, ("map", "walls"), [*start, *end])

    def outline(self, surface: pygame.Surface, theme: Theme, start: Pixel, now: Pixel) -> None:
        """Paint a line."""
        pygame.draw.line(surface, theme.selected, start, now, 2)


class Door(Builder):
    """A box that can be opened and closed."""

    name = "door"

    def edit(self, start: Place, end: Place) -> Edit:
        """Put a part in, closed."""
        name = free_name(self.bench.document, ("map", "parts"), "door")
        return Edit(("map", "parts"), name, None, {"box": _box(start, end)})


class Area(Builder):
    """Ground that slows units."""

    name = "area"

    def edit(self, start: Place, end: Place) -> Edit:
        """Put an area in."""
        area = {"region": _box(start, end), "speed": SLOW}
        return added(self.bench.document, ("areas",), area)


class Units(Builder):
    """A group of units in a region: like those of the group that the panel has chosen."""

    name = "units"
    like: str | None = None
    """The name of that group."""

    def edit(self, start: Place, end: Place) -> Edit:
        """Put a group in; one without units is filled."""
        document, world = self.bench.document, self.picture.world
        region = _box(start, end)
        tables = document["groups"]
        index = next((k for k, t in enumerate(tables) if t["name"] == self.like), 0)
        like: dict[str, Any] = tables[index]
        length = world.group(like["name"]).hull.length
        room = (region[2] - region[0]) * (region[3] - region[1]) / (ROOM * length**2)
        made = {key: value for key, value in like.items() if key not in ("goal", "spawn")}
        made |= {"count": min(MOST, max(1, int(room))), "spawn": {"region": region}}
        if self.bench.owns(world) and like.get("count") == 0 and "spawn" not in like:
            return Edit(("groups",), index, like, made)
        word = like["name"].rstrip(" 0123456789") or like["name"]
        return added(document, ("groups",), made | {"name": free_name(document, ("groups",), word)})


class Erase(Builder):
    """Takes out what is under a click: a unit, a part, a solid or an area."""

    name = "erase"

    def click(self, pixel: Pixel, button: int) -> None:
        """Take it out."""
        if button == pygame.BUTTON_LEFT:
            row, world = self.picture.unit_at(pixel), self.picture.world
            if row is not None:
                with saying(self.say):
                    self.bench.remove(world, world.ids[[row]])
                return
            place, near = self.picture.place(pixel), NEAR / self.picture.scale
            self.make(lambda: found_at(self.bench.document, place, near))

    def drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        """A drag erases nothing more than its click did."""


BUILDERS = (Disc, Box, Wall, Door, Area, Units, Erase)
"""All, in the order of their digits."""


def _rect(start: Pixel, now: Pixel) -> pygame.Rect:
    rect = pygame.Rect(start, (now[0] - start[0], now[1] - start[1]))
    rect.normalize()
    return rect


def _box(start: Place, end: Place) -> list[float]:
    """Left, top, right, bottom."""
    (left, right), (top, bottom) = (sorted(pair) for pair in zip(start, end, strict=True))
    return [left, top, right, bottom]
