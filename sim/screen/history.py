"""Where units have been of late, sampled as pictures are painted: what trails and heat are of."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.screen.replay import Shown

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
        self._world: Shown | None = None
        self._ids = np.zeros(0, np.int64)
        self._places = np.zeros((0, 0, 2))
        self.time, self.since = 0.0, EVERY
        """When the last sample was, and how long after the one before it, seconds."""
        self.samples = 0
        """How many there have been."""
        self._forget(0)

    def observe(self, world: Shown) -> bool:
        """Take a sample if one is due; whether it was."""
        units = world.units
        count = len(units)
        if world is not self._world or world.time < self.time:
            self._forget(count)
            self._world, self._ids = world, world.ids
        elif world.ids is not self._ids:
            self._follow(world.ids)
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

    def _follow(self, ids: Ints) -> None:
        """Units came, went or changed their rows: units that were there keep their trails."""
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        places = np.full((len(self._places), len(ids), 2), np.nan)
        places[:, now] = self._places[:, before]
        self._places, self._ids = places, ids

    def _forget(self, count: int) -> None:
        depth = int(np.clip(MOST // max(count, 1), 2, SAMPLES))
        self._places = np.zeros((depth, count, 2))
        self.samples, self.time, self.since = 0, 0.0, EVERY
