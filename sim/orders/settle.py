"""Coming to rest where many are sent to one place: who can come no nearer stops (rules C9, E4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from sim.compiled import Kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STRIDE, CREEP = 0.25, 0.15
"""Hull radii that a unit must come nearer for it to count as getting on, at no less than such a
share of its speed."""
ADRIFT = 4.0
"""Hull radii: who is so much farther off than it was, has been led another way or pushed away."""
LEAST, MOST = 0.3, 0.8
"""Seconds without getting on after which a unit may rest: as long as it has still to go, between
these; who has been there rests after the least."""
GAP, CHAINED, LOOK_UP = 0.4, 0.45, 0.5
"""Hull radii between one that rests and one that may rest at it, and up to which they are one pack
(an arrival bridges half of one); how often those of a pack look up, s."""


class Patience:
    """How long each of N units has not got on."""

    def __init__(self, units: int) -> None:
        self.best = np.full(units, np.inf)
        """(N,) the least way that was left, world units."""
        self.since = np.zeros(units)
        """(N,) s since it was."""

    def watch(
        self, remaining: Floats, moving: Bools, radius: Floats, speed: Floats, dt: float
    ) -> None:
        """Take note of what is left of the way of each."""
        _watch(remaining, moving, radius, speed, dt, self.best, self.since)

    def spent(self, remaining: Floats, speed: Floats, arrived: Bools) -> Bools:
        """(N,) who has not got on for so long that it may rest."""
        longer: Bools = self.since > np.clip(np.where(arrived, 0.0, remaining / speed), LEAST, MOST)
        return longer

    def renew(self, rows: slice | Bools) -> None:
        """Some are sent somewhere anew."""
        self.best[rows], self.since[rows] = np.inf, 0.0


def at_rest(position: Floats, radius: Floats, end: Ints, some: Bools, resting: Bools) -> Bools:
    """(N,) which of some stand at another that rests and has been sent to the same `end` (N,)."""
    found = np.zeros(len(position), np.bool_)
    who, there = np.flatnonzero(some), np.flatnonzero(resting)
    if len(who) and len(there):
        places = _layered(position, radius, end)
        near, which = cKDTree(places[there]).query(places[who], k=2)
        other = there[np.minimum(which, len(there) - 1)]
        touch = radius[who, None] + radius[other] + GAP * radius[who, None]
        found[who] = ((near <= touch) & (other != who[:, None])).any(axis=1)
    return found


def adrift(position: Floats, radius: Floats, end: Ints, resting: Bools, there: Bools) -> Bools:
    """(N,) who rests in a pack that has nobody in it who is there, where all of it were sent."""
    found, rows = np.zeros(len(position), np.bool_), np.flatnonzero(resting)
    if not (resting & ~there).any():
        return found
    places = _layered(position, radius, end)[rows]
    within = (2 + CHAINED) * float(radius[rows].max())
    pairs = cKDTree(places).query_pairs(within, output_type="ndarray")
    i, j = rows[pairs].T
    apart = np.hypot(*(position[i] - position[j]).T) - radius[i] - radius[j]
    pairs = pairs[apart <= CHAINED * np.minimum(radius[i], radius[j])]
    links = coo_array((np.ones(len(pairs), np.bool_), pairs.T), shape=(len(rows), len(rows)))
    packs, pack = connected_components(links, directed=False)
    held = np.zeros(packs, np.bool_)
    held[pack[there[rows]]] = True
    found[rows] = ~held[pack]
    return found


def _layered(position: Floats, radius: Floats, end: Ints) -> Floats:
    """(N, 3) places: those of another end count as far above or below."""
    return np.column_stack([position, 10 * float(radius.max()) * end])


@Kernel
def _watch(begin, end, remaining, moving, radius, speed, dt, best, since):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        left = remaining[i]
        on = best[i] - max(STRIDE * radius[i], CREEP * speed[i] * since[i])
        off = best[i] + ADRIFT * radius[i]
        if not moving[i] or left < on or left > off:
            best[i], since[i] = left, 0.0
        else:
            since[i] += dt
    return 0
