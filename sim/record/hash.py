"""A run's fingerprint: two runs with the same one are the same run, bit for bit."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.record.numbered import moment

if TYPE_CHECKING:
    from sim.world import World


class TrajectoryHash:
    """A watcher: SHA-256 over x, y and angle of every unit, at the start and after every step.

    The bytes are those of (steps, N, 3) float64, little-endian, row by row; a unit that left is NaN
    (the one with the bits 0x7ff8000000000000). Units have rows in the order of their ids, from the
    first step on at which they are there.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def observe(self, world: World) -> None:
        """Add the units as they are now."""
        units = moment(world).units
        self.add(units.position, units.angle, units.present)

    def add(self, position: Floats, angle: Floats, present: Bools) -> None:
        """Add a frame: position (N, 2), angle (N,), present (N,)."""
        rows = np.column_stack([position, angle])
        rows[~present] = np.nan
        self._sha.update(rows.astype("<f8").tobytes())

    def close(self) -> None:
        """Nothing to finish: the fingerprint can be asked for at any time."""

    def hexdigest(self) -> str:
        """64 hexadecimal digits."""
        return self._sha.hexdigest()
