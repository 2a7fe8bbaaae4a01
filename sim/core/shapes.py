"""Shapes of solids and of areas, in world units: boxes, discs, walls and convex polygons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.core.arrays import make_plain
from sim.core.errors import BadInput, shortened
from sim.core.limits import is_row
from sim.core.solids import Solids, convex


class Shape:
    """What all shapes have in common: their fields are numbers, unless they say otherwise."""

    def __post_init__(self) -> None:
        make_plain(self)
        given = tuple(vars(self).values())
        if not is_row(given, len(given)):
            said = f"{type(self).__name__}{shortened(given)}"
            raise BadInput(f"{said}: must be {len(given)} numbers")
        _ = self.solids

    @cached_property
    def solids(self) -> Solids:
        """The shape as a solid."""
        raise NotImplementedError


@dataclass(frozen=True)
class Box(Shape):
    """A box with sides along the axes. Raises `BadInput` unless left < right and top < bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @cached_property
    def solids(self) -> Solids:
        """The box as a solid."""
        return Solids.of((), [(self.left, self.top, self.right, self.bottom)], ()).shown


@dataclass(frozen=True)
class Disc(Shape):
    """A disc. Raises `BadInput` unless the radius is greater than 0."""

    x: float
    y: float
    radius: float

    @cached_property
    def solids(self) -> Solids:
        """The disc as a solid."""
        return Solids.of([(self.x, self.y, self.radius)], (), ()).shown


@dataclass(frozen=True)
class Wall(Shape):
    """A wall without thickness, of some length. Raises `BadInput` for any other."""

    x1: float
    y1: float
    x2: float
    y2: float

    @cached_property
    def solids(self) -> Solids:
        """The wall as a solid."""
        if (self.x1, self.y1) == (self.x2, self.y2):
            raise BadInput(f"{self}: must end elsewhere than where it starts")
        return Solids.of((), (), [(self.x1, self.y1, self.x2, self.y2)]).shown


@dataclass(frozen=True)
class Polygon(Shape):
    """A convex polygon by its corners (x, y), in either order. Raises `BadInput` for any other."""

    points: Sequence[Sequence[float]]

    def __post_init__(self) -> None:
        corners = convex(self.points)
        object.__setattr__(self, "points", tuple(map(tuple, corners.tolist())))

    @cached_property
    def solids(self) -> Solids:
        """The polygon as a solid."""
        return Solids(polygons=(np.array(self.points),)).shown
