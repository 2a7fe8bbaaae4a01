"""Where units have been of late, sampled as pictures are painted: what trails and heat are of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.world import World

Floats = NDArray[np.float64]

EVERY = 0.1
"""Seconds of the run between two samples."""
SAMPLES = 60
"""How many are kept."""
MOST = 80_000
"""Places kept in all: of large crowds the last few samples."""
GAP = 1.0
"""Seconds of the run without a picture after which a trail begins anew."""


class History:
    """The last places of all units, at most `EVERY` s apart, the newest last.

    Reads the world and nothing else; a run that begins anew, or goes back in time, has none.
    """

    def __init__(self) -> None:
        self._world: World | None = None
        self.time, self.since = 0.0, EVERY
        """When the last sample was, and how long after the one before it, seconds."""
        self.samples = 0
        """How many there have been."""
        self._forget(0)

    def observe(self, world: World) -> bool:
        """Take a sample if one is due; whether it was."""
        units = world.units
        count = len(units)
        if world is not self._world or count != self._places.shape[1] or world.time < self.time:
            self._forget(count)
            self._world = world
        elapsed = world.time - self.time
        if self.samples and elapsed < EVERY - 1e-9:
            return False
        if elapsed > GAP:
            self._forget(count)
        depth = len(self._places)
        self._places[self.samples % depth] = units.position
        self.since, self.time = (elapsed if self.samples else EVERY), world.time
        self.samples += 1
        return True

    @property
    def places(self) -> Floats:
        """(k, N, 2) the samples, the oldest first; NaN for those absent."""
        depth = len(self._places)
        if self.samples <= depth:
            return self._places[: self.samples]
        return np.roll(self._places, -(self.samples % depth), axis=0)

    def _forget(self, count: int) -> None:
        depth = int(np.clip(MOST // max(count, 1), 2, SAMPLES))
        self._places = np.zeros((depth, count, 2))
        self.samples, self.time, self.since = 0, 0.0, EVERY
