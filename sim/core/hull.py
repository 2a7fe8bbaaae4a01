"""Hulls: the rigid outline of a unit, its mass and its moment of inertia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, inf, pi
from typing import Any, Literal, NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints, make_plain
from sim.core.draws import Spread, spread_of, times
from sim.core.errors import BadInput, shortened
from sim.core.limits import positive
from sim.core.units import read_only

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
    spread: Spread | None = None
    """By what the radius of each unit is drawn; None where all are alike. The length and the width
    are then those of the middle radius, in proportion; the mass is the same for all."""

    def __post_init__(self) -> None:
        if isinstance(self.length, Spread | list | tuple):
            call = "disc(RADIUS)" if self.shape == "disc" else f"{self.shape}(LENGTH, WIDTH)"
            raise BadInput(
                f"hull.length = {shortened(self.length)}: must be a number; for sizes that differ "
                f"from unit to unit write Hull.{call}"
            )
        make_plain(self)
        for name in ("length", "width", "mass"):
            # A float also for a whole number: kernels would be compiled anew for that.
            object.__setattr__(self, name, positive(getattr(self, name), f"hull.{name}"))
        if not isinstance(self.shape, str) or self.shape not in ("wedge", "box", "disc"):
            said = f"hull.shape = {shortened(self.shape)}"
            raise BadInput(f"{said}: must be 'wedge', 'box' or 'disc'")
        if not isinstance(self.spread, Spread | None):
            said = f"hull.spread = {shortened(self.spread)}"
            raise BadInput(f"{said}: must be such as Uniform(0.2, 0.3)")

    @classmethod
    def disc(cls, radius: float | Spread | Sequence[float], mass: float = 1.0) -> Hull:
        """A round hull; its radius may be a distribution, or a list with a number for each unit."""
        given = spread_of(radius, "hull.radius")
        middle = given if isinstance(given, float) else given.typical
        spread = None if isinstance(given, float) else given
        return cls("disc", 2 * middle, 2 * middle, mass, spread=spread)

    @classmethod
    def box(cls, length: float | Spread | Sequence[float], width: float, mass: float = 1.0) -> Hull:
        """A rectangle; its length may be a distribution, or a list with a number for each unit.

        The `width` is then that of the middle length: longer ones are as much wider.
        """
        return cls._cornered("box", length, width, mass)

    @classmethod
    def wedge(
        cls, length: float | Spread | Sequence[float], width: float, mass: float = 1.0
    ) -> Hull:
        """The book's pointed craft; its length may be drawn as that of a `box`."""
        return cls._cornered("wedge", length, width, mass)

    @classmethod
    def _cornered(
        cls, shape: Shape, length: float | Spread | Sequence[float], width: float, mass: float
    ) -> Hull:
        given = spread_of(length, "hull.length")
        if isinstance(given, float):
            return cls(shape, given, width, mass)
        middle = cls(shape, given.typical, width, mass)
        return replace(middle, spread=times(given, middle.radius / middle.length))

    def of(self, radius: float) -> Hull:
        """The hull of one unit: of this radius where radii are drawn, else this one."""
        return self if self.spread is None else self.sized(radius)

    def sized(self, radius: float) -> Hull:
        """The same hull, in proportion, of another radius."""
        if self.shape == "disc":
            return replace(self, length=2 * radius, width=2 * radius, spread=None)
        share = radius / self.radius
        return replace(self, length=share * self.length, width=share * self.width, spread=None)

    def check_count(self, units: int) -> None:
        """Raise `BadInput` for a list that has not one number for each of the `units`."""
        if self.spread is not None:
            spread_of(self.spread, f"hull.{'radius' if self.shape == 'disc' else 'length'}", units)

    @property
    def smallest(self) -> Hull:
        """The smallest hull that may be drawn."""
        return self if self.spread is None else self.of(self.spread.bounds[0])

    @property
    def largest(self) -> Hull:
        """The largest hull that may be drawn: ways are planned for it."""
        return self if self.spread is None else self.of(self.spread.bounds[1])

    @cached_property
    def radius(self) -> float:
        """A disc's radius; half the shorter side of the others."""
        return min(self.length, self.width) / 2

    @property
    def inner(self) -> float:
        """The radius of the largest disc round the centre that lies within the hull."""
        if self.shape == "wedge":  # its bow has two sides, from the middle of either flank
            return self.length * self.width / 2 / hypot(self.length, self.width)
        return self.radius

    @property
    def area(self) -> float:
        """World units^2; corners that are rounded off count."""
        if self.shape == "disc":
            return pi * self.radius**2
        return (1.0 if self.shape == "box" else 0.75) * self.length * self.width

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

        What is swept around it by `rounding` is the hull. Read-only.
        """
        fore, side = self.length / 2 - self.rounding, self.width / 2 - self.rounding
        corners = [(-fore, -side), (fore, -side), (fore, side), (-fore, side)]
        if self.shape == "disc":
            corners = [(0.0, 0.0)]
        if self.shape == "wedge":
            corners = [(-fore, -side), (0, -side), (fore, 0), (0, side), (-fore, side)]
        return read_only(np.array(corners))

    @cached_property
    def rounding(self) -> float:
        """The radius swept around the outline: a disc's radius, 0 for hulls with corners.

        Those of a box held upright are rounded off: it cannot turn to get clear of the corner of a
        wall that it hangs on.
        """
        if self.shape == "disc":
            return self.radius
        return ROUNDED * self.radius if self.upright and self.shape == "box" else 0.0

    @cached_property
    def reach(self) -> float:
        """The farthest any part of the hull lies from its centre."""
        if self.shape == "disc":
            return self.radius
        sharp = 2 * self.rounding
        return hypot(self.length - sharp, self.width - sharp) / 2 + self.rounding


class Sizes(NamedTuple):
    """How large the hulls of N units are, world units, each (N,)."""

    radius: Floats
    reach: Floats
    rounding: Floats
    half: Floats
    """(N, 2): half the length, half the width."""
    share: Floats
    """How many times as large as its group's hull that of each unit is."""


def sizes(hulls: Sequence[Hull], group: Ints, radius: Floats | None = None) -> Sizes:
    """From the hull of each group, the group of each unit, and their radii where these differ.

    Each is as large as its own `radius` (N,) says, in proportion to its group's hull.
    """
    kinds: Any = [(h.radius, h.reach, h.rounding, h.length / 2, h.width / 2) for h in hulls]
    of_groups = np.array(kinds, dtype=float).reshape(-1, 5).T
    radii, reach, rounding, fore, side = of_groups.take(group, axis=1)
    if radius is None:
        return Sizes(radii, reach, rounding, np.stack((fore, side), axis=1), np.ones(len(radii)))
    share, discs = radius / radii, np.array([hull.shape == "disc" for hull in hulls], np.bool_)
    if discs.all():
        half = np.stack((radius, radius), axis=1)
        return Sizes(radius.copy(), radius.copy(), radius.copy(), half, share)
    discs = discs[group]
    return Sizes(
        radius.copy(),
        np.where(discs, radius, share * reach),
        np.where(discs, radius, share * rounding),
        np.where(discs, radius, share * (fore, side)).T.copy(),
        share,
    )
