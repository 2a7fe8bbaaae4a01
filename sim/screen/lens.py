"""Zoom and pan: what a user makes of the camera that frames the world."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.screen.camera import Camera

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
