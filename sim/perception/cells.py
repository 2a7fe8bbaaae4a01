"""A grid of cells over the units, rebuilt each step: whoever is near stands in one of nine cells.

Units are held in an order that does not know their numbers (by cell, then by x, then by y), so sums
over neighbours come out the same to the last bit when units are renumbered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.plane import Plane
from sim.units import Units

CELLS_PER_UNIT = 4
"""An open plane may be large and empty: cells grow until there are at most this many a unit."""
SHORT = 24
"""Cells longer than this are sorted by merging, shorter ones by insertion."""


@dataclass(frozen=True)
class Cells:
    """Which units stand in which cell.

    `first` (cells + 1,) is where each cell begins in `order` (N,), the units by cell. `state`
    (6, N) holds their x, y, velocity x, velocity y, cosine and sine of the angle in that order, so
    that cells side by side are one stretch of memory. `who` (N,) is the group, likewise.
    """

    columns: int
    rows: int
    side: float
    """The shorter side of a cell, world units."""
    first: NDArray[np.int64]
    order: NDArray[np.int64]
    cell: NDArray[np.int64]
    state: NDArray[np.float64]
    who: NDArray[np.int64]


def sort_into_cells(units: Units, plane: Plane, reach: float) -> Cells:
    """Sort the units that are present into cells at least `reach` wide (world units)."""
    origin, columns, rows, width, height = _layout(units, plane, reach)
    first, order, cell, state, who = _sort(
        units.position, units.velocity, units.heading, units.group, units.present,
        origin[0], origin[1], 1 / width, 1 / height, columns, rows, SHORT,
    )  # fmt: skip
    return Cells(columns, rows, float(min(width, height)), first, order, cell, state, who)


def _layout(
    units: Units, plane: Plane, reach: float
) -> tuple[NDArray[np.float64], int, int, float, float]:
    """Origin, columns, rows, cell width, cell height."""
    if plane.wraps:
        origin, size = plane.origin, plane.size
    else:
        low, high = _extent(units.position, units.present)
        origin, size = low, np.maximum(high - low, reach)
        size[size == 0] = 1.0
    limit = max(1.0, np.sqrt(CELLS_PER_UNIT * max(1, len(units))))
    # A reach of 0 sees only who stands at the very same point: cells of any width will do.
    across = np.minimum(size / reach, limit) if reach > 0 else np.full(2, limit)
    across = np.maximum(1, np.floor(across))
    return origin, int(across[0]), int(across[1]), size[0] / across[0], size[1] / across[1]


@njit(cache=True)
def _extent(position, present):  # type: ignore[no-untyped-def]
    """The corners of the smallest box round all units."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for i in range(len(position)):
        if present[i]:
            for k in range(2):
                low[k] = min(low[k], position[i, k])
                high[k] = max(high[k], position[i, k])
    if low[0] > high[0]:
        low[:], high[:] = 0.0, 0.0
    return low, high


@njit(cache=True, error_model="numpy")
def _sort(  # type: ignore[no-untyped-def]
    position, velocity, heading, group, present, left, top, per_x, per_y, columns, rows, short
):
    """Counting sort by cell, then each cell by (x, y)."""
    n = len(position)
    first = np.zeros(columns * rows + 1, np.int64)
    home = np.empty(n, np.int64)
    for i in range(n):
        home[i] = -1
        if present[i]:
            column = min(max(int((position[i, 0] - left) * per_x), 0), columns - 1)
            row = min(max(int((position[i, 1] - top) * per_y), 0), rows - 1)
            home[i] = row * columns + column
            first[home[i] + 1] += 1
    for c in range(columns * rows):
        first[c + 1] += first[c]
    seen = first[columns * rows]
    order = np.empty(seen, np.int64)
    free = first[:-1].copy()
    for i in range(n):
        if home[i] >= 0:
            order[free[home[i]]] = i
            free[home[i]] += 1
    for c in range(columns * rows):
        _sort_one(order[first[c] : first[c + 1]], position, short)
    state, cell, who = np.empty((6, seen)), np.empty(seen, np.int64), np.empty(seen, np.int64)
    for s in range(seen):
        i = order[s]
        state[0, s], state[1, s] = position[i, 0], position[i, 1]
        state[2, s], state[3, s] = velocity[i, 0], velocity[i, 1]
        state[4, s], state[5, s] = heading[i, 0], heading[i, 1]
        cell[s], who[s] = home[i], group[i]
    return first, order, cell, state, who


@njit(cache=True)
def _sort_one(slots, position, short):  # type: ignore[no-untyped-def]
    """Order one cell's units by (x, y), in place."""
    if len(slots) > short:
        slots[:] = slots[np.argsort(position[slots, 0], kind="mergesort")]
    for a in range(1, len(slots)):
        i = slots[a]
        x, y = position[i, 0], position[i, 1]
        b = a - 1
        while b >= 0 and (
            position[slots[b], 0] > x or (position[slots[b], 0] == x and position[slots[b], 1] > y)
        ):
            slots[b + 1] = slots[b]
            b -= 1
        slots[b + 1] = i
