"""Shapes of solids and of areas, in world units: boxes, discs, walls and convex polygons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.core.errors import BadInput, shortened
from sim.core.limits import is_row
from sim.core.plain import make_plain
from sim.core.solids import Solids, convex


class Shape:
    """What all shapes have in common."""

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

    def __post_init__(self) -> None:
        _numbers(self, 4)
        _ = self.solids

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

    def __post_init__(self) -> None:
        _numbers(self, 3)
        _ = self.solids

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

    def __post_init__(self) -> None:
        _numbers(self, 4)
        if (self.x1, self.y1) == (self.x2, self.y2):
            raise BadInput(f"{self}: must end elsewhere than where it starts")
        _ = self.solids

    @cached_property
    def solids(self) -> Solids:
        """The wall as a solid."""
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


def _numbers(shape: Box | Disc | Wall, count: int) -> None:
    """Raise `BadInput` for a shape that is not made of numbers."""
    make_plain(shape)
    given = tuple(vars(shape).values())
    if not is_row(given, count):
        raise BadInput(f"{type(shape).__name__}{shortened(given)}: must be {count} numbers")
