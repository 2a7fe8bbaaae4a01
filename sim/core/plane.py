"""The plane units live on: open, walled, or a torus whose opposite edges are one seam."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Literal

import numpy as np

from sim.core.arrays import Floats, plain
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, SMALLEST, is_row, within_reach

Edges = Literal["open", "wall", "wrap"]
Bounds = tuple[float, float, float, float]
MOST_ROUNDS = 100
"""How often a ray may go round a torus: it is asked for over and over."""


@dataclass(frozen=True)
class Plane:
    """Bounds (left, top, right, bottom) and what happens at them.

    Raises `BadInput` for bounds without an inside, or for edges that need bounds and have none.
    """

    bounds: Bounds | None = None
    edges: Edges = "open"

    def __post_init__(self) -> None:
        edges = f"edges = {shortened(self.edges)}"
        if not isinstance(self.edges, str) or self.edges not in ("open", "wall", "wrap"):
            raise BadInput(f"{edges}: must be 'open', 'wall' or 'wrap'")
        if self.bounds is None:
            if self.edges != "open":
                raise BadInput(f"{edges} needs bounds = (left, top, right, bottom)")
            return
        said = f"bounds = {shortened(self.bounds)}: must be"
        if not is_row(self.bounds, 4):
            raise BadInput(f"{said} left, top, right, bottom")
        object.__setattr__(self, "bounds", plain(tuple(self.bounds)))
        left, top, right, bottom = self.bounds
        if not (-inf < left < right < inf and -inf < top < bottom < inf):
            given = shortened(self.bounds)
            raise BadInput(f"bounds = {given}: must have left < right and top < bottom")
        if not (within_reach(self.bounds) and min(right - left, bottom - top) >= SMALLEST):
            raise BadInput(f"{said} from {-LARGEST:g} to {LARGEST:g}, sides at least {SMALLEST:g}")

    @property
    def shown(self) -> Plane:
        """The same, for others to read: its arrays are its own."""
        return replace(self)

    @property
    def wraps(self) -> bool:
        """Whether this is a torus."""
        return self.edges == "wrap"

    @property
    def walls(self) -> Bounds | None:
        """The bounds, if they are walls."""
        return self.bounds if self.edges == "wall" else None

    @cached_property
    def origin(self) -> Floats:
        """(left, top), or zeros without bounds."""
        return np.array(self.bounds[:2] if self.bounds else (0.0, 0.0), dtype=float)

    @cached_property
    def size(self) -> Floats:
        """Width and height of the torus; zeros where nothing wraps (what the kernels take)."""
        if not (self.wraps and self.bounds):
            return np.zeros(2)
        left, top, right, bottom = self.bounds
        return np.array([right - left, bottom - top], dtype=float)

    @property
    def period(self) -> Floats:
        """Width and height of the torus; infinite where nothing wraps."""
        return np.where(self.size > 0, self.size, np.inf)

    @property
    def shifts(self) -> Floats:
        """(k, 2) how far the images of a thing lie from it; none but itself where nothing wraps."""
        if not self.wraps:
            return np.zeros((1, 2))
        return self.size * [(i, j) for i in (0, -1, 1) for j in (0, -1, 1)]

    def check_reach(self, starts: Floats, ends: Floats, where: str) -> None:
        """Raise `BadInput` for ways (k, 2) that go round a torus more than `MOST_ROUNDS` times."""
        if not self.wraps:
            return
        with np.errstate(invalid="ignore"):
            rounds = np.abs(ends - starts) / self.size
        if rounds[np.isfinite(rounds)].max(initial=0.0) > MOST_ROUNDS:
            raise BadInput(f"{where}: must go round the torus at most {MOST_ROUNDS} times")

    def nearest(self, offset: Floats) -> Floats:
        """The shortest of an offset's images, (..., 2)."""
        if not self.wraps:
            return offset
        return offset - self.size * np.rint(offset / self.size)

    def images_near(self, places: Floats, middle: Floats) -> Floats:
        """The images of places (..., 2) that are nearest to `middle`, one place or one for each."""
        if not self.wraps:
            return places
        return places - self.size * np.rint((places - middle) / self.size)
