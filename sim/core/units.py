"""The units' state as a struct of arrays: one row a unit, in file order."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints

T = TypeVar("T")
NUMBERS = "biufc"
"""Kinds of arrays (`dtype.kind`) of numbers, truth among them."""


@dataclass(frozen=True)
class Units:
    """One snapshot of all N units; every decision of a step is made from one of these.

    Positions and velocities are world units (a second), angles radians clockwise on screen from +x.
    """

    position: Floats
    """(N, 2) centres."""
    velocity: Floats
    """(N, 2)."""
    angle: Floats
    """(N,) of the bodies: where the bows point, not where the units drift."""
    spin: Floats
    """(N,) rad/s, positive clockwise on screen."""
    heading: Floats
    """(N, 2) unit vectors of the angles."""
    present: Bools
    """(N,) False for units that left the world; their rows are NaN."""
    group: Ints
    """(N,) index of each unit's group."""

    def __len__(self) -> int:
        return len(self.angle)

    def copy(self) -> Units:
        """The same in arrays of its own, which may be written to and handed to kernels."""
        return Units(*(getattr(self, each.name).copy() for each in fields(self)))

    @classmethod
    def unfilled(cls, group: Ints) -> Units:
        """Rows for units of the given groups, with anything in them: to be filled in."""
        n = len(group)
        return cls(
            np.empty((n, 2)), np.empty((n, 2)), np.empty(n), np.empty(n), np.empty((n, 2)),
            np.empty(n, np.bool_), group,
        )  # fmt: skip

    @classmethod
    def blank(cls, group: Ints) -> Units:
        """Rows for units of the given groups, at the origin."""
        n = len(group)
        position, velocity, heading = np.zeros((3, n, 2))
        heading[:, 0] = 1.0
        return cls(
            position, velocity, np.zeros(n), np.zeros(n), heading, np.ones(n, np.bool_), group
        )


def read_only(value: T) -> T:
    """The same with every array in it, at any depth of tuples and dataclasses, read-only.

    They stay so. numpy lets a view be switched back where what it shows can be written to: numbers
    are shown through a buffer that cannot, anything else is copied. What a dataclass works out and
    keeps, it works out anew from these. What has a method `for_readers` is shown by what that
    returns. Kernels are not to be handed them: numba takes an array that is read-only for another
    type, and compiles anew.
    """
    given: Any = value
    if isinstance(given, np.ndarray):
        if given.dtype.kind in NUMBERS:
            seen: Any = np.asarray(given.data.toreadonly())
        else:
            seen = given.copy()
            seen.flags.writeable = False
        return seen  # type: ignore[no-any-return]
    if hasattr(given, "for_readers"):
        return given.for_readers()  # type: ignore[no-any-return]
    if isinstance(given, tuple):
        parts = map(read_only, given)
        rebuilt: Any = type(given)(*parts) if hasattr(given, "_fields") else type(given)(parts)
        return rebuilt  # type: ignore[no-any-return]
    if is_dataclass(given) and any(isinstance(each, np.ndarray) for each in vars(given).values()):
        made: Any = object.__new__(type(given))
        for each in fields(given):
            object.__setattr__(made, each.name, read_only(getattr(given, each.name)))
        return made  # type: ignore[no-any-return]
    return value
