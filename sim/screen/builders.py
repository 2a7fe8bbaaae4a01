"""Tools that build: each turns a drag over the picture into a change of the scenario."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, hypot, log10
from typing import Any

import pygame

from sim.scenario.editing import Document, Edit, added, for_any, free_name
from sim.screen.edits import found_at
from sim.screen.picture import WorldPicture
from sim.screen.pointer import Pixel
from sim.screen.theme import RGB, Theme
from sim.screen.tools import Tool, box_of, saying, telling
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

    def __init__(
        self, picture: WorldPicture, say: Callable[[str], None], bench: Workbench, name: str
    ) -> None:
        super().__init__(picture, say, bench)
        self.name = name
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
            OUTLINES.get(self.name, _rectangle)(surface, theme.selected, *self.drawn)

    def edit(self, start: Place, end: Place) -> Edit:
        """The change that a drag between two places of the world makes."""
        return SHAPES[self.name](self.bench.document, start, end)

    def make(self, edits: Callable[[], list[Edit]]) -> None:
        """Do changes, or say why they cannot be done."""
        with telling(self.say, self.picture.world):
            self.bench.do(self.picture.world, edits())

    def place(self, pixel: Pixel) -> Place:
        """The place under a pixel, in no more digits than a pixel is worth."""
        digits = max(0, ceil(log10(self.picture.camera.scale)))
        x, y = self.picture.place(pixel).round(digits).tolist()
        return x, y


def disc(document: Document, start: Place, end: Place) -> Edit:
    """A disc by its centre and its rim."""
    radius = round(hypot(end[0] - start[0], end[1] - start[1]), 3)
    return added(document, ("map", "circles"), [*start, radius])


def box(document: Document, start: Place, end: Place) -> Edit:
    """A box from corner to corner."""
    return added(document, ("map", "boxes"), _box(start, end))


def wall(document: Document, start: Place, end: Place) -> Edit:
    """A wall from end to end."""
    return added(document, ("map", "walls"), [*start, *end])


def door(document: Document, start: Place, end: Place) -> Edit:
    """A box that can be opened and closed; it is closed at first."""
    name = free_name(document, ("map", "parts"), "door")
    return Edit(("map", "parts"), name, None, {"box": _box(start, end)})


def area(document: Document, start: Place, end: Place) -> Edit:
    """Ground that slows units."""
    return added(document, ("areas",), {"region": _box(start, end), "speed": SLOW})


SHAPES = {"disc": disc, "box": box, "wall": wall, "door": door, "area": area}
"""What a plain builder makes of a drag from one place to another."""


class Units(Builder):
    """A group of units in a region: like those of the group that the panel has chosen."""

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
        made = for_any({k: value for k, value in like.items() if k not in ("goal", "spawn")})
        made |= {"count": min(MOST, max(1, int(room))), "spawn": {"region": region}}
        if self.bench.owns(world) and like.get("count") == 0 and "spawn" not in like:
            return Edit(("groups",), index, like, made)
        word = like["name"].rstrip(" 0123456789") or like["name"]
        return added(document, ("groups",), made | {"name": free_name(document, ("groups",), word)})


class Erase(Builder):
    """Takes out what is under a click: a unit, a part, a solid or an area."""

    def click(self, pixel: Pixel, button: int) -> None:
        """Take it out."""
        if button == pygame.BUTTON_LEFT:
            row, world = self.picture.unit_at(pixel), self.picture.world
            if row is not None:
                with saying(self.say):
                    self.bench.remove(world, world.ids[[row]])
                return
            place, near = self.picture.place(pixel), NEAR / self.picture.camera.scale
            self.make(lambda: found_at(self.bench.document, place, near))

    def drag(self, start: Pixel, now: Pixel, done: bool) -> None:
        """A drag erases nothing more than its click did."""


BUILDERS: dict[str, type[Builder]] = {
    **dict.fromkeys(SHAPES, Builder), "units": Units, "erase": Erase,
}  # fmt: skip
"""All by name, in the order of their digits."""


def _rectangle(surface: pygame.Surface, color: RGB, start: Pixel, now: Pixel) -> None:
    pygame.draw.rect(surface, color, box_of(start, now), 1)


def _circle(surface: pygame.Surface, color: RGB, start: Pixel, now: Pixel) -> None:
    pygame.draw.circle(surface, color, start, hypot(now[0] - start[0], now[1] - start[1]), 1)


def _line(surface: pygame.Surface, color: RGB, start: Pixel, now: Pixel) -> None:
    pygame.draw.line(surface, color, start, now, 2)


OUTLINES = {"disc": _circle, "wall": _line}
"""What is painted of a drag; of others a rectangle."""


def _box(start: Place, end: Place) -> list[float]:
    """Left, top, right, bottom."""
    (left, right), (top, bottom) = (sorted(pair) for pair in zip(start, end, strict=True))
    return [left, top, right, bottom]
