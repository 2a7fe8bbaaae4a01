"""Which units are near each other, and how far each one's nearest neighbour is."""

from __future__ import annotations

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit

FEW = 160
"""Up to this many units all pairs are looked at; beyond, a k-d tree is quicker (measured)."""


@njit(cache=True, error_model="numpy")
def short_way(dx: float, dy: float, size: Floats) -> tuple[float, float]:
    """An offset on a torus of a size (2,), the short way; 0 does not wrap."""
    if size[0] > 0:
        dx -= size[0] * np.rint(dx / size[0])
    if size[1] > 0:
        dy -= size[1] * np.rint(dy / size[1])
    return dx, dy


@njit(cache=True, error_model="numpy")
def on_tile(x: float, y: float, size: Floats) -> tuple[float, float]:
    """A place on a torus of a size (2,) as it lies from 0 to `size`; 0 does not wrap."""
    if size[0] > 0:
        x -= size[0] * np.floor(x / size[0])
    if size[1] > 0:
        y -= size[1] * np.floor(y / size[1])
    return x, y


def short_ways(offset: Floats, size: Floats) -> Floats:
    """As `short_way`, of many offsets (..., 2)."""
    return offset - size * np.rint(offset / np.where(size > 0, size, np.inf))


def on_tiles(places: Floats, size: Floats) -> Floats:
    """As `on_tile`, of many places (n, 2): below `size`, as a k-d tree of scipy's takes them."""
    found: Floats = np.where(size > 0, np.mod(places, np.where(size > 0, size, 1.0)), places)
    return np.where((size > 0) & (found >= size), 0.0, found)  # remainders may round up to it


@njit(cache=True, error_model="numpy")
def all_pairs(
    position: Floats, present: Bools, size: Floats, within: Floats, nearest: Floats
) -> Ints:
    """Pairs i < j nearer than within[i] + within[j], (m, 2); fills `nearest` (N,), NaN for none."""
    n = len(position)
    found = np.empty((n * (n - 1) // 2, 2), dtype=np.int64)
    m = 0
    nearest[:] = np.inf
    for i in range(n):
        if not present[i]:
            continue
        for j in range(i + 1, n):
            if not present[j]:
                continue
            dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            dx, dy = short_way(dx, dy, size)
            square = dx * dx + dy * dy
            nearest[i] = min(nearest[i], square)
            nearest[j] = min(nearest[j], square)
            if square <= (within[i] + within[j]) ** 2:
                found[m, 0], found[m, 1] = i, j
                m += 1
    for i in range(n):
        nearest[i] = np.sqrt(nearest[i]) if nearest[i] < np.inf else np.nan
    return found[:m]


def tree_pairs(
    position: Floats, present: Bools, size: Floats, within: Floats, nearest: Floats
) -> Ints:
    """The same from a k-d tree; in no particular order, and some beyond the sum of their ranges."""
    rows = np.flatnonzero(present)
    nearest[:] = np.nan
    if len(rows) < 2:
        return np.empty((0, 2), dtype=np.int64)
    points = on_tiles(position[rows], size)
    tree = scipy.spatial.cKDTree(
        points, boxsize=size if size.any() else None, compact_nodes=False, balanced_tree=False
    )
    nearest[rows] = tree.query(points, k=2)[0][:, 1]
    found = tree.query_pairs(2 * float(within[rows].max()), output_type="ndarray")
    pairs: Ints = rows[found]
    return pairs


def near_pairs(
    position: Floats, present: Bools, size: Floats, within: Floats, nearest: Floats
) -> Ints:
    """Candidates (m, 2), i < j, for whatever happens within within[i] + within[j] of two centres.

    `size` (2,) is a torus's, 0 where nothing wraps. Fills `nearest` (N,) with the distance of each
    unit's nearest neighbour, NaN where it has none.
    """
    find = all_pairs if len(position) <= FEW else tree_pairs
    return find(position, present, size, within, nearest)
