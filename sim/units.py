"""The units' state as a struct of arrays: one row a unit, in file order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LONGEST_STEP = 0.25
"""The longest time step, s: helms lag less than that, and nobody looks but once a step."""


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
    present: NDArray[np.bool_]
    """(N,) False for units that left the world; their rows are NaN."""
    group: NDArray[np.int64]
    """(N,) index of each unit's group."""

    def __len__(self) -> int:
        return len(self.angle)

    @classmethod
    def unfilled(cls, group: NDArray[np.int64]) -> Units:
        """Rows for units of the given groups, with anything in them: to be filled in."""
        n = len(group)
        position, velocity, heading = np.empty((3, n, 2))
        return cls(
            position, velocity, np.empty(n), np.empty(n), heading, np.empty(n, np.bool_), group
        )

    @classmethod
    def blank(cls, group: NDArray[np.int64]) -> Units:
        """Rows for units of the given groups, at the origin."""
        n = len(group)
        position, velocity, heading = np.zeros((3, n, 2))
        heading[:, 0] = 1.0
        return cls(
            position, velocity, np.zeros(n), np.zeros(n), heading, np.ones(n, np.bool_), group
        )
