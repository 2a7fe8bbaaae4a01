"""Rows of words on a plate, dark or light as the theme is, and which corner one may cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from textwrap import wrap

import numpy as np
import pygame

from sim.core.arrays import Floats
from sim.screen import shapes
from sim.screen.camera import Size
from sim.screen.theme import RGB, Theme

LETTERS, ROW = 17, 19
"""Heights of letters and of a row, pixels."""
PAD, GUTTER = 10, 16
"""Pixels round the rows, and between columns."""
AWAY = 10
"""Pixels between plates and the edges of the picture."""
OPAQUE, SOLID = 190, 240
"""How much a plate hides of what is under it, of 255."""

Row = Sequence[tuple[str, RGB]]
"""Pieces of text from left to right."""


def plate(
    rows: Sequence[Row], theme: Theme, table: bool = False, hides: int = OPAQUE
) -> pygame.Surface:
    """A plate with rows of text; the pieces of a table stand in columns, each as wide as it needs.

    A row of one piece belongs to no column.
    """
    images = [[shapes.text(words, color, LETTERS) for words, color in row] for row in rows]
    stops = _stops(images) if table else None
    places = [_places(row, stops) for row in images]
    width = max(
        place + image.get_width()
        for row, at in zip(images, places, strict=True)
        for image, place in zip(row, at, strict=True)
    )
    image = pygame.Surface((width + 2 * PAD, len(rows) * ROW + 2 * PAD - 5), pygame.SRCALPHA)
    pygame.draw.rect(image, (*theme.panel, hides), image.get_rect(), border_radius=8)
    for k, (row, at) in enumerate(zip(images, places, strict=True)):
        image.blits([(words, (PAD + x, PAD + k * ROW)) for words, x in zip(row, at, strict=True)])
    return image


def fitted(image: pygame.Surface, room: pygame.Rect) -> pygame.Surface:
    """The image, scaled down where it does not fit."""
    share = min(1.0, room.width / image.get_width(), room.height / image.get_height())
    return image if share == 1.0 else pygame.transform.smoothscale_by(image, share)


def placed(room: Size, plate: Size, corner: tuple[float, float]) -> pygame.Rect:
    """What a plate covers of a picture; a corner is across and down, each from 0 to 1."""
    x, y = (
        AWAY + max(0, round((whole - 2 * AWAY - part) * share))
        for whole, part, share in zip(room, plate, corner, strict=True)
    )
    return pygame.Rect((x, y), plate)


def letters(wide: float) -> int:
    """About how many letters fit into `wide` pixels."""
    return max(10, int(wide / (LETTERS * 0.42)))


def wrapped(words: str, most: int) -> list[str]:
    """A text in lines of at most `most` letters, but for longer words."""
    flowing = " ".join(words.split())
    return wrap(flowing, most, break_long_words=False, break_on_hyphens=False) or [""]


def _stops(images: Sequence[Sequence[pygame.Surface]]) -> list[int]:
    """Where the columns begin."""
    rows = [row for row in images if len(row) > 1]
    stops = [0]
    for column in range(max(map(len, rows), default=0)):
        widest = max(row[column].get_width() for row in rows if len(row) > column)
        stops.append(stops[-1] + widest + GUTTER)
    return stops


def _places(row: Sequence[pygame.Surface], stops: list[int] | None) -> list[int]:
    """Where each piece of a row begins: at the columns, or one after the other."""
    if stops is not None:
        return stops[: len(row)]
    return [*accumulate((image.get_width() for image in row), initial=0)][: len(row)]


CORNERS = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
"""Across and down, from 0 (left, top) to 1 (right, bottom); the first ones are liked best."""
BESIDE = 60
"""Pixels round the unit that a plate is about which it leaves free."""
HULL = 16
"""Pixels from the middle of a hull to its edge, about."""
WORTH = 3
"""A plate moves to where it hides no unit, or this many hulls fewer, and not for one of many."""


class Corner:
    """Keeps to a corner until another one hides clearly less."""

    def __init__(self) -> None:
        self._at = CORNERS[0]
        self._told_at = CORNERS[-1]
        self._told: tuple[str, Size] | None = None

    def choose(
        self, room: Size, plate: Size, hulls: Floats, about: int,
        taken: Sequence[pygame.Rect] = (),
    ) -> tuple[float, float]:  # fmt: skip
        """The corner of a picture for a plate, given the pixels (n, 2) of all hulls.

        `about` is the row of the unit that the plate is about: it is never covered if that can be
        avoided, nor is what is `taken` by other plates.
        """
        hidden = {}
        for corner in CORNERS:
            covered = placed(room, plate, corner)
            hidden[corner] = _within(covered, hulls, HULL)
            blocked = covered.collidelist(list(taken)) >= 0
            near = _within(covered, hulls[about : about + 1], BESIDE)
            hidden[corner] += (near + blocked) * (len(hulls) + WORTH)
        self._at = _better(hidden, self._at)
        return self._at

    def settle(self, text: str, room: Size, plate: Size, hulls: Floats) -> tuple[float, float]:
        """The corner for a plate with a text, which stays there until the text or the room changes.

        It is the upper left one unless another hides clearly less at first.
        """
        if self._told != (text, room):
            self._told = text, room
            hidden = {at: _within(placed(room, plate, at), hulls, HULL) for at in reversed(CORNERS)}
            self._told_at = _better(hidden, CORNERS[-1])
        return self._told_at

    def settle_anew(self) -> None:
        """The text is hidden: shown again it may stand elsewhere."""
        self._told = None


def _better(
    hidden: Mapping[tuple[float, float], int], now: tuple[float, float]
) -> tuple[float, float]:
    """The corner where the fewest hulls are hidden, if it is worth it to leave this one."""
    best = min(hidden, key=lambda corner: hidden[corner])
    least = hidden[best]
    return best if hidden[now] >= least + WORTH or hidden[now] > least == 0 else now


def _within(covered: pygame.Rect, hulls: Floats, beside: int) -> int:
    """How many hulls are in a rectangle or so near; absent units (NaN) are nowhere."""
    low, high = np.array(covered.topleft) - beside, np.array(covered.bottomright) + beside
    return int(((hulls > low) & (hulls < high)).all(axis=1).sum())
