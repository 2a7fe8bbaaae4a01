"""Where the world lands on the screen: framed or followed, zoomed and panned; picture sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, floor, log
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.plane import Bounds
from sim.core.solids import Solids
from sim.screen.replay import Shown
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
        return offset * self.scale + np.array(self.size) / 2

    def to_world(self, pixels: ArrayLike) -> Floats:
        """Pixels (..., 2) as world places."""
        offset = np.asarray(pixels, dtype=float) - np.array(self.size) / 2
        return offset / self.scale + self.centre

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


MARGIN = 0.03
"""Room round bounds that are not a torus, as a share of the picture's shorter side."""
EASE = 1.0
"""Seconds of the run in which a camera that follows makes good most of what it lags behind."""
AIR, LEAST = 1.3, 12.0
"""Room round the units: a factor, and the least half width in lengths of the largest hull."""


class Framing:
    """Makes the camera for each picture.

    A camera that follows moves with the run's time, never with the clock's.
    """

    def __init__(self) -> None:
        self._time = 0.0
        self._centre = np.zeros(2)
        self._half = np.zeros(2)

    def camera(self, world: Shown, size: Size) -> Camera:
        """The camera for the world as it is now; `size` is (width, height) in pixels."""
        if world.plane.bounds is not None:
            box = np.array(world.plane.bounds).reshape(2, 2)
            margin = 0.0 if world.plane.wraps else max(4.0, MARGIN * min(size))
            return Camera.framing(box.mean(axis=0), (box[1] - box[0]) / 2, size, margin)
        self._follow(world)
        return Camera.framing(self._centre, self._half, size, steps=True)

    def _follow(self, world: Shown) -> None:
        units = world.units
        here = units.position[units.present]
        if not len(here) and self._half.any():
            return
        reach = max((group.hull.reach for group in world.groups), default=1.0)
        tight, drift = _extent(here, world.solids, units.velocity[units.present], reach)
        middle, half = tight.mean(axis=0), (tight[1] - tight[0]) / 2
        roomy = np.maximum(half * AIR, LEAST * 2 * reach)
        elapsed, self._time = world.time - self._time, world.time
        if elapsed < 0 or not self._half.any():
            self._centre, self._half = middle, roomy
            return
        # Carried along by the units' own motion, the camera does not trail behind a flock.
        kept = exp(-elapsed / EASE)
        self._centre = middle + (self._centre + drift * elapsed - middle) * kept
        self._half = roomy + (self._half - roomy) * kept
        self._half = np.maximum(self._half, np.abs(self._centre - middle) + half)


def _extent(here: Floats, solids: Solids, velocity: Floats, reach: float) -> tuple[Floats, Floats]:
    """Corners (2, 2) of what is to be seen, and how fast it drifts.

    The units, and the solids while one is near.
    """
    still = np.stack(solids.extent)
    if not len(here):
        return (still if not solids.empty else np.array([[-1.0, -1.0], [1.0, 1.0]])), np.zeros(2)
    tight = np.stack([here.min(axis=0) - reach, here.max(axis=0) + reach])
    if not solids.empty:
        near = (still[1] - still[0]) / 2 + reach
        if (np.abs(here - still.mean(axis=0)) < 2 * near).all(axis=1).any():
            both = np.concatenate([tight, still])
            return np.stack([both.min(axis=0), both.max(axis=0)]), np.zeros(2)
    return tight, velocity.mean(axis=0)


def picture_size(shown: Bounds | None, box: Size, least: int = 160) -> Size:
    """Width and height in pixels, both even, of a picture in the shape of what it shows.

    It fits into the box, but no side is shorter than `least`: a long corridor gets ground above and
    below. Planes without bounds get 16 : 9.
    """
    left, top, right, bottom = shown or (0.0, 0.0, 16.0, 9.0)
    scale = min(box[0] / (right - left), box[1] / (bottom - top))
    width, height = (
        2 * round(max(least, side * scale) / 2) for side in (right - left, bottom - top)
    )
    return width, height
