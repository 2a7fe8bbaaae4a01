"""Hulls: the rigid outline of a unit, its mass and its moment of inertia."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot, inf
from typing import Literal

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.limits import positive

ROUNDED = 0.05
"""How far the corners of a box held upright are rounded off, as a share of its radius."""

Shape = Literal["wedge", "box", "disc"]


@dataclass(frozen=True)
class Hull:
    """A convex outline around a unit's centre, in its own frame (ahead, starboard).

    "wedge" is the book's pointed craft, "box" a rectangle, "disc" a circle. Lengths are world
    units, the mass is in kilograms. Use `Hull.disc` for discs: there length and width are both
    twice the radius.

    Raises `BadInput` for a size or mass that is not positive and finite, or out of `limits`.
    """

    shape: Shape
    length: float
    width: float
    mass: float = 1.0
    upright: bool = False
    """Held upright: nothing turns it."""

    def __post_init__(self) -> None:
        for name in ("length", "width", "mass"):
            positive(getattr(self, name), f"hull.{name}")
        if not isinstance(self.shape, str) or self.shape not in ("wedge", "box", "disc"):
            raise BadInput(f"hull.shape = {self.shape!r}: must be 'wedge', 'box' or 'disc'")

    @classmethod
    def disc(cls, radius: float, mass: float = 1.0) -> Hull:
        """A round hull."""
        radius = positive(radius, "hull.radius")
        return cls("disc", 2 * radius, 2 * radius, mass)

    @property
    def radius(self) -> float:
        """A disc's radius; half the shorter side of the others."""
        return min(self.length, self.width) / 2

    @property
    def bow(self) -> float:
        """How far ahead of the centre the bow lies, where steering forces act."""
        return self.length / 2

    @cached_property
    def moment(self) -> float:
        """Moment of inertia about the centre, mass x length^2.

        A wedge has the book's radius of gyration, a quarter of its length (10 for mass 10 and
        length 4). That of a hull held upright is infinite.
        """
        if self.upright:
            return inf
        if self.shape == "disc":
            return self.mass * self.radius**2 / 2
        if self.shape == "box":
            return self.mass * (self.length**2 + self.width**2) / 12
        return self.mass * (self.length / 4) ** 2

    @cached_property
    def outline(self) -> Floats:
        """Corners (k, 2) as (ahead, starboard), clockwise on screen; a disc is its centre alone.

        What is swept around it by `rounding` is the hull.
        """
        fore, side = self.length / 2 - self.rounding, self.width / 2 - self.rounding
        if self.shape == "disc":
            return np.zeros((1, 2))
        if self.shape == "box":
            return np.array([(-fore, -side), (fore, -side), (fore, side), (-fore, side)])
        return np.array([(-fore, -side), (0, -side), (fore, 0), (0, side), (-fore, side)])

    @property
    def rounding(self) -> float:
        """The radius swept around the outline: a disc's radius, 0 for hulls with corners.

        Those of a box held upright are rounded off: it cannot turn to get clear of the corner of a
        wall that it hangs on.
        """
        if self.shape == "disc":
            return self.radius
        return ROUNDED * self.radius if self.upright and self.shape == "box" else 0.0

    @property
    def reach(self) -> float:
        """The farthest any part of the hull lies from its centre."""
        if self.shape == "disc":
            return self.radius
        sharp = 2 * self.rounding
        return hypot(self.length - sharp, self.width - sharp) / 2 + self.rounding
