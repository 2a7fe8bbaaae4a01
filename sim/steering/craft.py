"""What every helm can do: from a command of its group to forces on the units."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sim.hull import Hull
from sim.units import Units

Floats = NDArray[np.float64]


class Helm(Protocol):
    """A craft's controls and its resistance. Frozen; a group has one for all its units."""

    def terminal_speed(self, length: float, command: float = 1.0) -> float:
        """The speed that a command ahead ends at, for a hull of this length, world units / s."""

    def for_speed(self, speed: float, length: float) -> Helm:
        """The same helm for another desired speed, world units / s."""

    def steer(
        self, units: Units, rows: slice, command: Floats, hull: Hull, dt: float, out: Floats
    ) -> None:
        """Write each unit's force (2) and torque over the next dt s to its row of `out` (N, 3).

        `command` (n, 2) is the arbiter's, in (ahead, starboard).
        """
