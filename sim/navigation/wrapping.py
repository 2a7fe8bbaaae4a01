"""The planning grid of a torus: its lattice closes at the seam.

The nodes of its last column are those of the first over again, a period further on, and so with the
rows: cells then are as many as columns and rows of different nodes. Searches go by the first of the
two alone; both hold the same values. Places may be given in any image.
"""

from __future__ import annotations

from math import floor
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats
from sim.core.compiled import leaf, leaf_and_function
from sim.navigation.distances import extents
from sim.navigation.marking import ACROSS, DOWN, Bytes

SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""The images of a plane round itself, in periods."""


def with_images(rows: Floats, origin: Floats, size: Floats, margin: float) -> Floats:
    """Solids (k, 8), as in `distances`, and those images of them that come so near to a torus."""
    copies = []
    for shift in SHIFTS:
        moved = rows.copy()
        for pair in (slice(0, 2), slice(2, 4), slice(6, 8)):
            moved[:, pair] += size * shift
        low, high = extents(moved, margin)
        copies.append(moved[((high > origin) & (low < origin + size)).all(axis=1)])
    return np.concatenate(copies)


def close(free: Bytes, exits: Bytes) -> None:
    """Join what was marked on both sides of the seams."""
    for along in (free, free.T):
        along[0] &= along[-1]
        along[-1] = along[0]
    for along in (exits, exits.T):
        along[0] |= along[-1]
        along[-1] = along[0]
    exits[free == 0] = 0


def repeat(values: NDArray[Any]) -> None:
    """Give the nodes beyond the seams, of (rows, columns), the values of those they are."""
    values[-1] = values[0]
    values[:, -1] = values[:, 0]


def gaps(clear: Bools) -> NDArray[np.int32]:
    """As `Grid.gap`, across the seams too, for cells that are clear or not."""
    rows, columns = clear.shape
    around = [(n - n // 2, n // 2) for n in clear.shape]
    wide = np.pad(clear, around, mode="wrap")
    far = scipy.ndimage.distance_transform_cdt(wide, "chessboard")
    top, left = around[0][0], around[1][0]
    return np.ascontiguousarray(far[top : top + rows, left : left + columns], np.int32)


def nearest_offset(grid: Any, offset: Floats) -> Floats:
    """The shortest image of each offset (..., 2) on the plane of a grid."""
    period = grid.period
    if period[0] == 0:
        return offset
    shorter: Floats = offset - period * np.rint(offset / period)
    return shorter


@leaf
def image(d: float, period: float) -> float:
    """The shortest image of an offset along one axis; period 0 does not wrap."""
    return float(d - period * np.rint(d / period)) if period > 0 else d


@leaf_and_function
def inside(grid, x, y):  # type: ignore[no-untyped-def]
    """The image of a place on the lattice of a torus; the place itself where nothing wraps."""
    if grid.period[0] > 0:
        x -= grid.period[0] * floor((x - grid.origin[0]) / grid.period[0])
        y -= grid.period[1] * floor((y - grid.origin[1]) / grid.period[1])
    return x, y


@leaf
def same(node: int, rows: int, columns: int, wraps: bool) -> int:
    """The number of a node; of one beyond a seam the one that it is."""
    if not wraps:
        return node
    return int(node // columns % (rows - 1) * columns + node % columns % (columns - 1))


@leaf
def beside(node: int, k: int, rows: int, columns: int, wraps: bool) -> int:
    """The neighbour of a node in direction k, across a seam if need be."""
    if not wraps:
        return int(node + DOWN[k] * columns + ACROSS[k])
    row = (node // columns + DOWN[k] + rows - 1) % (rows - 1)
    column = (node % columns + ACROSS[k] + columns - 1) % (columns - 1)
    return int(row * columns + column)
