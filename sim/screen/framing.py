"""What to point the camera at: the bounds, or, where there are none, the units."""

from __future__ import annotations

from math import exp

import numpy as np

from sim.core.arrays import Floats
from sim.core.solids import Solids
from sim.screen.camera import Camera, Size
from sim.screen.replay import Shown

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


def picture_size(world: Shown, box: Size, least: int = 160) -> Size:
    """Width and height in pixels, both even, of a picture in the shape of the world's bounds.

    It fits into the box, but no side is shorter than `least`: a long corridor gets ground above and
    below. Planes without bounds get 16 : 9.
    """
    if world.plane.bounds is None:
        return fitted((16.0, 9.0), box, least)
    left, top, right, bottom = world.plane.bounds
    return fitted((right - left, bottom - top), box, least)


def fitted(sides: tuple[float, float], box: Size, least: int = 160) -> Size:
    """Width and height in pixels, both even, in the shape of `sides`, as large as a box allows.

    No side is shorter than `least`.
    """
    scale = min(box[0] / sides[0], box[1] / sides[1])
    width, height = (2 * round(max(least, side * scale) / 2) for side in sides)
    return width, height
