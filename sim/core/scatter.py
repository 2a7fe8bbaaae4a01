"""Which of many places are clear of each other: what scattering units takes.

Mostly numpy: much of it runs only when a world is set up, and compiling a kernel takes longer than
that.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import inlined
from sim.core.geometry import floored, short_way
from sim.core.shared_cache import njit

WIDER = 1.01
"""Cells are so much wider than hulls are apart that touch."""
MARKS, EACH, STRIDE = 1 << 16, 128, 40503
"""Marks for cells at most, a power of 2; how many there are for each dart if these are fewer; and
how far apart those of neighbouring rows are: 0.618 of the most."""


class Taken:
    """Places (m, 2) where hulls stand that reach so far, (m,); on a torus of a `size` (2,).

    The size is zeros where nothing wraps.
    """

    def __init__(self, places: Floats, reaches: Floats, size: Floats) -> None:
        self._places, self._reaches, self.size = places, reaches, size
        self._widest = float(reaches.max(initial=0.0))

    def forbid(self, darts: Floats, reach: Floats, kept: Bools, own: bool = False) -> None:
        """Write False to `kept` (n,) for darts (n, 2) that touch a hull.

        `reach` (n,) is how far their hulls reach. Where the places are the darts' `own`, each that
        is kept forbids those after it.
        """
        far = (float(reach.max()) + self._widest) * WIDER
        along = np.where(self.size > 0, np.maximum(self.size // far, 1.0), 0.0).astype(np.int64)
        width = np.where(self.size > 0, self.size / np.maximum(along, 1), far)
        taken = self._places, self._reaches
        _forbid(darts, reach, taken, self.size, (1 / width, along), kept, own)


@njit(cache=True)
def _forbid(darts, reach, taken, size, lattice, kept, own):  # type: ignore[no-untyped-def]
    """Write False to `kept` (n,) for darts that touch a hull at one of the places taken.

    Darts lie in cells, of which there are `fine` (2,) in a world unit, and (2,) `along` a torus;
    those round a dart are marked. Many cells share a mark, so that marks are few however wide
    the ground is.
    """
    (places, reaches), (fine, along) = taken, lattice
    marks = 1
    while marks < min(MARKS, EACH * len(darts)):
        marks *= 2
    near, first = np.zeros(marks, np.bool_), np.full(marks, -1, np.int32)
    following = np.empty(len(darts), np.int32)
    cells = fine[0], fine[1], along[0], along[1], marks - 1
    for d in range(len(darts)):
        mark = _mark(darts[d, 0], darts[d, 1], cells, 0, 0)
        following[d], first[mark] = first[mark], d
        for column in range(-1, 2):
            for row in range(-1, 2):
                near[_mark(darts[d, 0], darts[d, 1], cells, column, row)] = True
    for i in range(len(places)):
        if not near[_mark(places[i, 0], places[i, 1], cells, 0, 0)] or (own and not kept[i]):
            continue
        for column in range(-1, 2):
            for row in range(-1, 2):
                d = first[_mark(places[i, 0], places[i, 1], cells, column, row)]
                while d >= 0:
                    if kept[d] and not (own and d <= i):
                        kept[d] = not _touches(darts, d, places, i, reach[d] + reaches[i], size)
                    d = following[d]


@inlined
def _touches(darts, d, places, i, gap, size):  # type: ignore[no-untyped-def]
    """Whether a dart is nearer to a place than the gap."""
    x, y = short_way(darts[d, 0] - places[i, 0], darts[d, 1] - places[i, 1], size)
    return x * x + y * y < gap * gap


@inlined
def _mark(x, y, cells, columns, rows):  # type: ignore[no-untyped-def]
    """Which mark stands for the cell that is some columns and rows from that of a place."""
    column, row = floored(x * cells[0]) + columns, floored(y * cells[1]) + rows
    if cells[2] > 0 and not (0 <= column < cells[2] and 0 <= row < cells[3]):
        column, row = column % cells[2], row % cells[3]
    return (column + STRIDE * row) & cells[4]


def clear_of(darts: Floats, taken: Sequence[Taken], reach: Floats) -> Bools:
    """Which darts (n, 2) are clear of what is taken and of the darts before them, (n,).

    `reach` (n,) is how far the hulls of the darts reach; `taken` is one or more, on one plane.
    """
    kept = np.ones(len(darts), np.bool_)
    if not len(darts):
        return kept
    for each in taken:
        each.forbid(darts, reach, kept)
    Taken(darts, reach, taken[0].size).forbid(darts, reach, kept, own=True)
    return kept


def dealt(darts: Floats, wanted: Floats) -> tuple[Ints, Ints]:
    """Which darts go to which unit that waits for one, (k,) each: of the same reach, in order.

    `darts` (n,) and `wanted` (m,) are how far their hulls reach.
    """
    kinds = np.unique(wanted)
    if len(kinds) == 1 and (darts == kinds).all():
        both = np.arange(min(len(darts), len(wanted)))
        return both, both
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
