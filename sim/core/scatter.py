"""Which of many places are clear of each other: what scattering units takes.

Plain numpy and scipy: it runs only when a world is set up, and compiling a kernel took seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints

CAUTION = 1 + 1e-9
"""Pairs are looked for so much farther apart than they may be: then they are measured exactly."""
WIDER = 1.01
"""And cells are so much wider than that."""
MARKS, STRIDE = 1 << 16, 40503
"""Marks for cells, a power of 2, and how far apart those of neighbouring rows are: 0.618 of all."""


class Taken:
    """Places (m, 2) where hulls stand that reach so far, (m,); on a torus of a `size` (2,).

    The size is zeros where nothing wraps.
    """

    def __init__(self, places: Floats, reaches: Floats, size: Floats) -> None:
        self._places, self._reaches, self.size = places, reaches, size
        self._widest = float(reaches.max(initial=0.0))

    def forbid(
        self, darts: Floats, mine: scipy.spatial.cKDTree, reach: Floats, kept: Bools
    ) -> None:
        """Write False to `kept` (n,) for darts (n, 2) that touch a hull.

        `mine` is the darts' tree, `reach` (n,) how far their hulls reach.
        """
        far = (float(reach.max()) + self._widest) * CAUTION
        some = _maybe_near(self._places, darts, far, self.size)
        places, reaches = self._places[some], self._reaches[some]
        if not len(places):
            return
        found = _tree(places, self.size)
        near = mine.sparse_distance_matrix(found, far, output_type="ndarray")
        a, b = near["i"], near["j"]
        touch = _touch(darts[a], places[b], reach[a] + reaches[b], self.size)
        kept[a[touch]] = False


def _maybe_near(places: Floats, darts: Floats, far: float, size: Floats) -> Bools:
    """(m,) places that may be nearer than `far` to a dart: all that are, and a few others.

    All lie in cells at least so wide, which are marked round each dart. Many cells share a mark, so
    that marks are few however wide the ground is.
    """
    far *= WIDER
    along = np.maximum(size // far, 1.0).astype(np.int64)  # cells along a torus
    width = np.where(size > 0, size / along, far)
    marked, here = np.zeros(MARKS, np.bool_), np.floor(darts / width).astype(np.int64)
    for beside in np.argwhere(np.ones((3, 3))) - 1:
        marked[_mark(here + beside, along, size)] = True
    found: Bools = marked[_mark(np.floor(places / width).astype(np.int64), along, size)]
    return found


def _mark(cells: Ints, along: Ints, size: Floats) -> Ints:
    """(n,) which mark stands for cells (n, 2), by column and row."""
    column, row = (np.mod(cells, along) if size.any() else cells).T
    found: Ints = (column + STRIDE * row) & (MARKS - 1)
    return found


def clear_of(darts: Floats, taken: Sequence[Taken], reach: Floats) -> Bools:
    """Which darts (n, 2) are clear of what is taken and of the darts before them, (n,).

    `reach` (n,) is how far the hulls of the darts reach; `taken` is one or more, on one plane.
    """
    kept = np.ones(len(darts), np.bool_)
    if not len(darts):
        return kept
    size = taken[0].size
    mine = _tree(darts, size)
    for each in taken:
        each.forbid(darts, mine, reach, kept)
    pairs = mine.query_pairs(2 * float(reach.max()) * CAUTION, output_type="ndarray")
    pairs = pairs[kept[pairs].all(axis=1)]
    gaps = reach[pairs[:, 1]] + reach[pairs[:, 0]]
    pairs = pairs[_touch(darts[pairs[:, 1]], darts[pairs[:, 0]], gaps, size)]
    for before, after in pairs[np.argsort(pairs[:, 1], kind="stable")].tolist():
        if kept[before]:
            kept[after] = False
    return kept


def dealt(darts: Floats, wanted: Floats) -> tuple[Ints, Ints]:
    """Which darts go to which unit that waits for one, (k,) each: of the same reach, in order.

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
        return scipy.spatial.cKDTree(places, balanced_tree=False, compact_nodes=False)
    inside = np.mod(places, size)
    inside = np.where(inside < size, inside, 0.0)
    return scipy.spatial.cKDTree(inside, boxsize=size, balanced_tree=False, compact_nodes=False)


def _touch(places: Floats, others: Floats, gap: Floats | float, size: Floats) -> Bools:
    """Whether each place (n, 2) is nearer to the other than the gap."""
    off = places - others
    if size.any():
        off -= size * np.rint(off / size)
    touch: Bools = off[:, 0] ** 2 + off[:, 1] ** 2 < np.square(gap)
    return touch
