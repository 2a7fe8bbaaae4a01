"""Which of many places are clear of each other: what scattering units takes.

Plain numpy and scipy: it runs only when a world is set up, and compiling a kernel took seconds.
"""

from __future__ import annotations

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints

CAUTION = 1 + 1e-9
"""Pairs are looked for so much farther apart than they may be: then they are measured exactly."""


def clear_of(
    darts: Floats, standing: Floats, reaches: Floats, reach: Floats, size: Floats
) -> Bools:
    """Which darts (n, 2) are clear of those standing (m, 2) and of the darts before them, (n,).

    `reaches` (m,) are how far the hulls of those standing reach, `reach` (n,) the darts'; `size`
    (2,) is a torus's, zeros where nothing wraps.
    """
    kept = np.ones(len(darts), np.bool_)
    if not len(darts):
        return kept
    mine = _tree(darts, size)
    if len(standing):
        far = (float(reach.max()) + float(reaches.max())) * CAUTION
        near = mine.sparse_distance_matrix(_tree(standing, size), far, output_type="ndarray")
        a, b = near["i"], near["j"]
        kept[a[_touch(darts[a], standing[b], reach[a] + reaches[b], size)]] = False
    pairs = mine.query_pairs(2 * float(reach.max()) * CAUTION, output_type="ndarray")
    pairs = pairs[kept[pairs].all(axis=1)]
    gaps = reach[pairs[:, 1]] + reach[pairs[:, 0]]
    pairs = pairs[_touch(darts[pairs[:, 1]], darts[pairs[:, 0]], gaps, size)]
    for before, after in pairs[np.argsort(pairs[:, 1], kind="stable")].tolist():
        if kept[before]:
            kept[after] = False
    return kept


def dealt(darts: Floats, wanted: Floats) -> tuple[Ints, Ints]:
    """Which darts go to which of those that wait for one, (k,) each: of the same reach, in order.

    `darts` (n,) and `wanted` (m,) are how far their hulls reach.
    """
    kinds = np.unique(wanted)
    one, other = _numbered(darts, kinds), _numbered(wanted, kinds)
    _, given, to = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return given, to


def _numbered(values: Floats, kinds: Floats) -> Ints:
    """(n,) a number for each value of some kinds, in which equal ones are counted."""
    kind = np.searchsorted(kinds, values)
    order = np.argsort(kind, kind="stable")
    found = np.empty(len(values), np.int64)
    count = np.arange(len(values)) - np.searchsorted(kind[order], kind[order])
    found[order] = kind[order] * 2**32 + count
    return found


def _tree(places: Floats, size: Floats) -> scipy.spatial.cKDTree:
    """A tree of places, within the bounds of a torus."""
    if not size.any():
        return scipy.spatial.cKDTree(places)
    inside = np.mod(places, size)
    return scipy.spatial.cKDTree(np.where(inside < size, inside, 0.0), boxsize=size)


def _touch(places: Floats, others: Floats, gap: Floats | float, size: Floats) -> Bools:
    """Whether each place (n, 2) is nearer to the other than the gap."""
    off = places - others
    if size.any():
        off -= size * np.rint(off / size)
    touch: Bools = off[:, 0] ** 2 + off[:, 1] ** 2 < np.square(gap)
    return touch
