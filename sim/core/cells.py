"""A grid of cells over the units, rebuilt each step: units near by stand in one of nine cells.

Units are held in an order that does not know their numbers (by cell, then by x, then by y), so sums
over neighbours come out the same to the last bit when units are renumbered. Where units are only
listed, they stand by number within a cell: for what does not depend on that order.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import cell_of, floored
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units

CELLS_PER_UNIT = 4
"""An open plane may be large and empty: cells grow until there are at most this many a unit."""
ROOMY = 1.25
"""Cells are narrowed when they hold more than this many times what they are to hold."""
NARROWER = 8.0
"""Cells become narrower by this factor at most at a time: from a knot of units in one cell nothing
is known of how they stand in it."""
WORTH = 0.9
"""Narrower cells are kept when they hold less than this part of what the wider ones held."""
SHORT = 24
"""Cells of more units than this are sorted with wider gaps first, shorter ones by insertion."""
NO_STATE = np.empty((4, 0))
Numbers = NDArray[np.uint32]
"""Of rows, cells and groups. Unsigned: compiled code need not look for a negative index."""


class Cells(NamedTuple):
    """Which units stand in which cell.

    `first` (cells + 1,) is where each cell begins in `order` (N,), the units by cell. `state`
    (4, N) holds their x, y, cosine and sine of the angle in that order, so that cells side by side
    are one stretch of memory. `who` (N,) is the group, likewise. Both are empty where units are
    only listed.
    """

    columns: int
    rows: int
    side: float
    """The shorter side of a cell, world units."""
    size: Floats
    """(2,) periods of a torus; zeros else."""
    first: Ints
    order: Numbers
    cell: Numbers
    state: Floats
    who: Numbers


def list_by_cell(units: Units, plane: Plane, reach: float) -> Cells:
    """List the units that are present by cells at least `reach` wide (world units)."""
    found = _list_by_cell(units.position, units.present, plane.origin, plane.size, reach)
    columns, rows, side, first, order, cell = found
    return Cells(columns, rows, side, plane.size, first, order, cell, NO_STATE, order[:0])


def sort_into_cells(units: Units, plane: Plane, reach: float, held: float = 0.0) -> Cells:
    """Sort the units that are present into cells at least `reach` wide (world units).

    With `held` all become narrower where units crowd, until the cell of a unit holds about that
    number on the average.
    """
    where = units.position, units.present, plane.origin, plane.size
    found = _list_narrowly(*where, reach, held) if held else _list_by_cell(*where, reach)
    columns, rows, side, first, order, cell = found
    state, who = np.empty((4, len(order))), np.empty(len(order), np.uint32)
    cells = Cells(columns, rows, side, plane.size, first, order, cell, state, who)
    _arrange(cells.first[:-1], tuple(cells), units.position, units.heading, units.group, SHORT)
    return cells


@njit(cache=True, nogil=True)
def _list_narrowly(position, present, origin, size, reach, held):  # type: ignore[no-untyped-def]
    """The same as `_list_by_cell`, by cells that are narrower where units crowd."""
    found = _list_by_cell(position, present, origin, size, reach)
    sharing = _sharing(found[3])
    while sharing > ROOMY * held:
        reach *= max(sqrt(held / sharing), 1 / NARROWER)
        finer = _list_by_cell(position, present, origin, size, reach)
        before, sharing = sharing, _sharing(finer[3])
        if sharing > WORTH * before:
            break
        found = finer
    return found


@njit(cache=True, error_model="numpy", nogil=True)
def _list_by_cell(position, present, origin, size, reach):  # type: ignore[no-untyped-def]
    """Columns, rows, the shorter side of a cell, and `first`, `order` and `cell` of `Cells`.

    On a plane that is no torus, of no `size`, the cells cover all units.
    """
    left, top, width, height = origin[0], origin[1], size[0], size[1]
    if width == 0.0:
        left, top, right, bottom = _extent(position, present)
        width, height = max(right - left, reach), max(bottom - top, reach)
        width, height = width if width > 0.0 else 1.0, height if height > 0.0 else 1.0
    limit = max(1.0, np.sqrt(CELLS_PER_UNIT * len(position)))
    # A reach of 0 sees only units at the very same point: cells of any width will do.
    columns = max(1, floored(min(width / reach, limit) if reach > 0.0 else limit))
    rows = max(1, floored(min(height / reach, limit) if reach > 0.0 else limit))
    per_x, per_y = 1 / (width / columns), 1 / (height / rows)
    first, order, cell = _count_out(position, present, (left, top), per_x, per_y, columns, rows)
    return columns, rows, min(width / columns, height / rows), first, order, cell


@njit(cache=True, nogil=True)
def _sharing(first):  # type: ignore[no-untyped-def]
    """How many units stand in the cell of a unit, on the average of all units; 0 without any."""
    total = 0
    for c in range(len(first) - 1):
        total += (first[c + 1] - first[c]) ** 2
    return total / max(first[len(first) - 1], 1)


@njit(cache=True, nogil=True)
def _extent(position, present):  # type: ignore[no-untyped-def]
    """Left, top, right and bottom of the smallest box round all units."""
    left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
    for i in range(len(position)):
        if present[i]:
            left, right = min(left, position[i, 0]), max(right, position[i, 0])
            top, bottom = min(top, position[i, 1]), max(bottom, position[i, 1])
    if left > right:
        return 0.0, 0.0, 0.0, 0.0
    return left, top, right, bottom


@njit(cache=True, error_model="numpy", nogil=True)
def _count_out(position, present, corner, per_x, per_y, columns, rows):  # type: ignore[no-untyped-def]
    """Counting sort by cell: where each begins, which units are in them, and which cell that is."""
    n = len(position)
    first = np.zeros(columns * rows + 1, np.int64)
    home = np.empty(n, np.int64)
    for i in range(n):
        home[i] = -1
        if present[i]:
            column = cell_of((position[i, 0] - corner[0]) * per_x, columns)
            row = cell_of((position[i, 1] - corner[1]) * per_y, rows)
            home[i] = row * columns + column
            first[home[i] + 1] += 1
    for c in range(columns * rows):
        first[c + 1] += first[c]
    seen = first[columns * rows]
    order, cell = np.empty(seen, np.uint32), np.empty(seen, np.uint32)
    free = first.copy()
    for i in range(n):
        if home[i] >= 0:
            slot = free[home[i]]
            order[slot], cell[slot] = i, home[i]
            free[home[i]] += 1
    return first, order, cell


@Kernel
def _arrange(begin, end, start, cells, position, heading, group, short):  # type: ignore[no-untyped-def]
    """Order each cell by (x, y), and lay out the state of all in that order."""
    cells = Cells(*cells)
    order, state, who = cells.order, cells.state, cells.who
    for c in range(begin, end):
        stop = cells.first[c + 1]
        _sort_one(order, start[c], stop, position, short)
        for slot in range(start[c], stop):
            i = order[slot]
            state[0, slot], state[1, slot] = position[i, 0], position[i, 1]
            state[2, slot], state[3, slot] = heading[i, 0], heading[i, 1]
            who[slot] = group[i]


@leaf
def _sort_one(slots, begin, end, position, short):  # type: ignore[no-untyped-def]
    """Order the units of one cell, `slots[begin:end]`, by (x, y), in place; level: by number.

    Shell's sort (D. L. Shell, 1959) with Knuth's gaps; short cells take the last pass alone.
    """
    gap = 1
    while end - begin > short and 3 * gap < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(begin + gap, end):
            i, b = slots[a], a - gap
            x, y = position[i, 0], position[i, 1]
            while b >= begin:
                j = slots[b]
                u = position[j, 0]
                v = position[j, 1]
                if u < x or (u == x and (v < y or (v == y and j < i))):
                    break
                slots[b + gap] = j
                b -= gap
            slots[b + gap] = i
        gap //= 3
