"""Where the world lands on the screen; and zoom and pan, what a user makes of that."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor, log
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.screen.theme import Theme

Size = tuple[int, int]

ZOOM = 1.01
"""Cameras that follow change their scale in steps of this ratio, so that pre-turned sprites last
for a while."""


class Camera(NamedTuple):
    """A view of the world.

    `centre` in world units, `scale` in pixels per world unit, `size` in pixels.

    x grows to the right and y down in both, so nothing is ever flipped.
    """

    centre: tuple[float, float]
    scale: float
    size: Size

    @classmethod
    def framing(
        cls,
        centre: ArrayLike,
        half: ArrayLike,
        size: Size,
        margin: float = 0.0,
        steps: bool = False,
    ) -> Camera:
        """The camera that shows a rectangle whole, its aspect kept.

        `half` is half the rectangle's width and height, `margin` pixels are spared all round. With
        `steps` the scale is rounded down to a power of `ZOOM`.
        """
        room = np.maximum(np.array(size) - 2 * margin, 1.0)
        scale = float((room / (2 * np.asarray(half, dtype=float))).min())
        if steps:
            scale = ZOOM ** floor(log(scale, ZOOM))
        x, y = np.asarray(centre, dtype=float).tolist()
        return cls((x, y), scale, size)

    def to_screen(self, places: ArrayLike) -> Floats:
        """World places (..., 2) as pixels, fractions kept."""
        offset = np.asarray(places, dtype=float) - self.centre
        pixels: Floats = offset * self.scale + np.array(self.size) / 2
        return pixels

    def to_world(self, pixels: ArrayLike) -> Floats:
        """Pixels (..., 2) as world places."""
        offset = np.asarray(pixels, dtype=float) - np.array(self.size) / 2
        places: Floats = offset / self.scale + self.centre
        return places

    @property
    def seen(self) -> tuple[float, float, float, float]:
        """What of the world is on the screen: left, top, right, bottom."""
        half = np.array(self.size) / (2 * self.scale)
        left, top = (np.array(self.centre) - half).tolist()
        right, bottom = (np.array(self.centre) + half).tolist()
        return left, top, right, bottom


class Canvas(NamedTuple):
    """What a picture is painted on, where the world is on it, and its colours."""

    surface: pygame.Surface
    camera: Camera
    theme: Theme


WIDEST = 0.5
"""The least zoom: how much smaller than framed the world may be shown."""
NOTCH = 1.2
"""Zoom of one notch of the wheel."""
CLOSEST = 240.0
"""The longest that a hull may become by zooming in, pixels: sprites stay sharp and small."""


@dataclass
class Lens:
    """How many times larger than framed, and how far beside the middle of it.

    The camera underneath goes on framing or following, so one that follows is followed zoomed in.
    """

    zoom: float = 1.0
    offset: Floats = field(default_factory=lambda: np.zeros(2))
    """(2,) world units from the framed middle to that of the picture."""

    def through(self, framed: Camera) -> Camera:
        """The camera seen through it."""
        if self.whole:
            return framed
        x, y = (framed.centre + self.offset).tolist()
        return Camera((x, y), framed.scale * self.zoom, framed.size)

    @property
    def whole(self) -> bool:
        """Whether the picture is the one that was framed."""
        return self.zoom == 1.0 and not self.offset.any()

    def reset(self) -> None:
        """Show what is framed, all of it."""
        self.zoom, self.offset = 1.0, np.zeros(2)

    def magnify(self, framed: Camera, factor: float, pixel: ArrayLike, hull: float) -> None:
        """Zoom by a factor; what is under the pixel stays there.

        `hull` is the length of the longest hull, world units, or 0: it bounds how close one may
        come.
        """
        most = max(1.0, CLOSEST / (hull * framed.scale)) if hull > 0 else 100.0
        place = self.through(framed).to_world(pixel)
        self.zoom = float(np.clip(self.zoom * factor, WIDEST, most))
        if abs(self.zoom - 1) < 1e-6:
            self.zoom = 1.0
        self.offset = self.offset + place - self.through(framed).to_world(pixel)

    def pan(self, framed: Camera, pixels: ArrayLike) -> None:
        """Move the picture by pixels (2,): the world under the pointer goes with it.

        The middle never leaves what is framed.
        """
        self.offset = self.offset - np.asarray(pixels, dtype=float) / (framed.scale * self.zoom)
        half = np.array(framed.size) / (2 * framed.scale)
        self.offset = np.clip(self.offset, -half, half)
