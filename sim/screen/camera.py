"""Where the world lands on the screen."""

from __future__ import annotations

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
