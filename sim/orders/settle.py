"""Coming to rest where many are sent to one place: units that come no nearer stop (C9, E4)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.compiled import Kernel
from sim.core.geometry import short_way
from sim.core.overlap import Outlines, core_distance
from sim.core.plane import Plane
from sim.core.shared_cache import njit

STRIDE, CREEP, LATELY = 0.25, 0.15, 2.0
"""A unit gets on that comes nearer by this share of its hull radius, and by that share of its speed
over the time since it last did, at most `LATELY` s: long waits in a queue do not count."""
ADRIFT = 4.0
"""Hull radii: a unit this much farther off than it was has been led another way, or pushed."""
LEAST, MOST = 0.3, 0.8
"""Seconds without getting on after which a unit may rest: as long as it has still to go, between
these; a unit that has been there rests after the least."""
WALKS = 0.375
"""Hull radii that a unit might have walked in the least of these times: large slow hulls wait as
long as that takes, and as much longer at the most."""
ASKED = 8
"""Of how many hulls, by their centres, the nearest is looked for."""
GAP, CHAINED, LOOK_UP = 0.4, 0.45, 0.5
"""Hull radii between one that rests and one that may rest at it, and up to which they are one pack
(an arrival bridges half of one); how often those of a pack look up, s."""


class Patience(Columns):
    """How long each of N units has not got on."""

    columns: ClassVar = {"best": np.inf, "since": 0.0}

    def __init__(self, units: int) -> None:
        self.best = np.full(units, np.inf)
        """(N,) the least way that was left, world units."""
        self.since = np.zeros(units)
        """(N,) s since it was."""

    def watch(
        self, remaining: Floats, moving: Bools, radius: Floats, speed: Floats, dt: float
    ) -> bool:
        """Take note of what is left of the way of each; whether one may have waited long enough."""
        return any(_watch(self.since, self.best, (remaining, moving, radius, speed), dt))

    def spent(self, remaining: Floats, radius: Floats, speed: Floats, arrived: Bools) -> Bools:
        """(N,) whether a unit has come no nearer for long enough to rest."""
        least = least_wait(radius, speed)
        go = np.where(arrived, 0.0, remaining / speed)
        longer: Bools = self.since > np.clip(go, least, MOST / LEAST * least)
        return longer

    def renew(self, rows: slice | Bools | Ints) -> None:
        """Some are sent somewhere anew."""
        self.best[rows], self.since[rows] = np.inf, 0.0


def least_wait(radius: Floats, speed: Floats) -> Floats:
    """(N,) s without getting on before which no unit rests, or looks for room elsewhere."""
    least: Floats = np.maximum(LEAST, WALKS * radius / np.maximum(speed, 1e-300))
    return least


class Stand(NamedTuple):
    """Where N hulls stand; gaps are measured between the hulls, on a torus the short way."""

    position: Floats
    """(N, 2)."""
    radius: Floats
    """(N,) by which gaps are judged."""
    end: Ints
    """(N,) numbers of the places where they were sent."""
    plane: Plane
    outlines: Outlines

    def tree(self, rows: Ints) -> tuple[scipy.spatial.cKDTree, Floats]:
        """The places of some, and those of all (N, 3): of another end they are far off."""
        width, height = self.plane.size
        layer = 10 * float(self.outlines.reach.max()) * self.end
        places = np.column_stack([self.position - self.plane.origin, layer])
        return scipy.spatial.cKDTree(places[rows], boxsize=(width, height, 0.0)), places

    def touch(self, i: Ints, j: Ints, share: float) -> Bools:
        """(m,) whether gaps between hulls are no wider than a share of the smaller radius."""
        gap, lines = np.empty(len(i)), self.outlines.turned
        _gaps(i, j, self.position, self.plane.size, lines.corners, lines.count, lines.rounding, gap)
        near: Bools = gap <= share * np.minimum(self.radius[i], self.radius[j])
        return near


def at_rest(stand: Stand, some: Bools, there: Bools) -> Bools:
    """(N,) which of some stand at another that is there, and has been sent to the same end."""
    found = np.zeros(len(some), np.bool_)
    askers, others = np.flatnonzero(some), np.flatnonzero(there)
    if len(askers) and len(others):
        within = 2 * float(stand.outlines.reach.max()) + GAP * float(stand.radius.max())
        tree, places = stand.tree(others)
        apart, which = tree.query(places[askers], k=ASKED, distance_upper_bound=within)
        asker, place = np.nonzero(np.isfinite(apart))
        i, j = askers[asker], others[which[asker, place]]
        found[i[(i != j) & stand.touch(i, j, GAP)]] = True
    return found


def adrift(stand: Stand, resting: Bools, there: Bools) -> Bools:
    """(N,) whether a unit rests in a pack none of whose members has reached the goal they share."""
    found, rows = np.zeros(len(resting), np.bool_), np.flatnonzero(resting)
    if not (resting & ~there).any():
        return found
    within = 2 * float(stand.outlines.reach[rows].max()) + CHAINED * float(stand.radius[rows].max())
    pairs = stand.tree(rows)[0].query_pairs(within, output_type="ndarray")
    one, other = rows[pairs].T
    pairs = pairs[stand.touch(one, other, CHAINED)]
    links = scipy.sparse.coo_array(
        (np.ones(len(pairs), np.bool_), pairs.T), shape=(len(rows), len(rows))
    )
    packs, pack = scipy.sparse.csgraph.connected_components(links, directed=False)
    held = np.zeros(packs, np.bool_)
    held[pack[there[rows]]] = True
    found[rows] = ~held[pack]
    return found


@njit(cache=True, error_model="numpy")
def _gaps(i, j, position, size, corners, count, rounding, gap):  # type: ignore[no-untyped-def]
    for m in range(len(i)):
        a, b = i[m], j[m]
        dx, dy = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1]
        dx, dy = short_way(dx, dy, size)
        apart = core_distance(corners[a], count[a], corners[b], count[b], dx, dy, np.inf)
        gap[m] = apart - rounding[a] - rounding[b]


@Kernel
def _watch(begin, end, since, best, walk, dt):  # type: ignore[no-untyped-def]
    remaining, moving, radii, speed = walk
    late = False
    for i in range(begin, end):
        left, radius = remaining[i], radii[i]
        on = best[i] - max(STRIDE * radius, CREEP * speed[i] * min(since[i], LATELY))
        off = best[i] + ADRIFT * radius
        if not moving[i] or left < on or left > off:
            best[i], since[i] = left, 0.0
        else:
            since[i] += dt
            late |= since[i] > LEAST
    return late
