"""What of a planning grid is walkable, measured exactly, by compiled code.

Everything here is in world units; `limit` is the clearance below which a hull would overlap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined, leaf
from sim.core.geometry import floored
from sim.core.shared_cache import njit
from sim.navigation.distances import from_cell, from_point, from_segment

Bytes = NDArray[np.uint8]

ACROSS = np.array([1, 1, 0, -1, -1, -1, 0, 1])
DOWN = np.array([0, 1, 1, 1, 0, -1, -1, -1])
"""The eight neighbours of a node, clockwise from east; bit k of its exits is the way to k."""


@inlined
def cells_round(solid, limit, origin, step, columns, rows):  # type: ignore[no-untyped-def]
    """Columns from and to, rows from and to, of cells that may be within `limit` of a solid."""
    wide = solid[4] + limit
    x0 = floored((min(solid[0], solid[2], solid[6]) - wide - origin[0]) / step[0]) - 1
    x1 = floored((max(solid[0], solid[2], solid[6]) + wide - origin[0]) / step[0]) + 1
    y0 = floored((min(solid[1], solid[3], solid[7]) - wide - origin[1]) / step[1]) - 1
    y1 = floored((max(solid[1], solid[3], solid[7]) + wide - origin[1]) / step[1]) + 1
    return max(x0, 0), min(x1, columns - 1) + 1, max(y0, 0), min(y1, rows - 1) + 1


@njit(cache=True, error_model="numpy", nogil=True)
def near_cells(
    origin: Floats, step: Floats, columns: int, rows: int, solids: Floats, limit: float
) -> tuple[Ints, Ints]:
    """Which solids come nearer than `limit` to each of columns x rows cells.

    Cell (x, y) has items[first[c]:first[c + 1]] with c = y * columns + x.
    """
    first = np.zeros(columns * rows + 1, np.int64)
    items, used = np.empty(0, np.int64), np.empty(0, np.int64)
    for fill in (False, True):
        if fill:
            total = 0
            for c in range(columns * rows + 1):
                total, first[c] = total + first[c], total
            items, used = np.empty(total, np.int64), first.copy()
        for s in range(len(solids)):
            solid = solids[s]
            x0, x1, y0, y1 = cells_round(solid, limit, origin, step, columns, rows)
            for y in range(y0, y1):
                top = origin[1] + y * step[1]
                for x in range(x0, x1):
                    left = origin[0] + x * step[0]
                    if from_cell(left, top, left + step[0], top + step[1], solid) >= limit:
                        continue
                    c = y * columns + x
                    if fill:
                        items[used[c]] = s
                        used[c] += 1
                    else:
                        first[c] += 1
    return first, items


class Marking(NamedTuple):
    """What nodes are marked by: their lattice, and the solids near each of its cells."""

    origin: Floats
    step: Floats
    solids: Floats
    bounds: Floats
    limit: float
    first: Ints
    items: Ints
    """As `near_cells` gives them."""


@leaf
def has_room(marking, x, y, rows, columns) -> bool:  # type: ignore[no-untyped-def]
    """Whether a node, of rows x columns, keeps clear of all solids and of the bounds."""
    origin, step, bounds, limit = marking.origin, marking.step, marking.bounds, marking.limit
    px, py = origin[0] + x * step[0], origin[1] + y * step[1]
    inside = min(min(px - bounds[0], bounds[2] - px), min(py - bounds[1], bounds[3] - py))
    if not inside >= limit:
        return False
    c = min(y, rows - 2) * (columns - 1) + min(x, columns - 2)
    for k in range(marking.first[c], marking.first[c + 1]):
        if from_point(px, py, marking.solids[marking.items[k]]) < limit:
            return False
    return True


@leaf
def mark_edge(marking, free, exits, x, y, k):  # type: ignore[no-untyped-def]
    """Mark the way from a node to its neighbour k, of 0 to 3, and back, if a hull may go it."""
    ny, nx = free.shape
    u, v = x + ACROSS[k], y + DOWN[k]
    if not (free[y, x] and free[v, u]):
        return
    origin, step, first = marking.origin, marking.step, marking.first
    c = min(y, ny - 2) * (nx - 1) + min(min(x, u), nx - 2)
    ax, ay = origin[0] + x * step[0], origin[1] + y * step[1]
    bx, by = origin[0] + u * step[0], origin[1] + v * step[1]
    for n in range(first[c], first[c + 1]):
        if from_segment(ax, ay, bx, by, marking.solids[marking.items[n]]) < marking.limit:
            return
    exits[y, x] |= 1 << k
    exits[v, u] |= 1 << (k + 4)


@njit(cache=True, error_model="numpy", nogil=True)
def mark(marking: Marking, free: Bytes, exits: Bytes) -> None:
    """Fill `free` (rows, columns) of nodes and `exits`: a bit for each neighbour it leads to."""
    ny, nx = free.shape
    for y in range(ny):
        for x in range(nx):
            free[y, x] = has_room(marking, x, y, ny, nx)
    for y in range(ny):
        for x in range(nx):
            for k in range(4):
                if 0 <= x + ACROSS[k] < nx and y + DOWN[k] < ny:
                    mark_edge(marking, free, exits, x, y, k)


@njit(cache=True, error_model="numpy", nogil=True)
def differing(free, free_now, exits, exits_now) -> Ints:  # type: ignore[no-untyped-def]
    """The nodes, in order, at which `free` or `exits` (rows, columns) are not what they were."""
    ny, nx = free.shape
    found, count = np.empty(16, np.int64), 0
    for y in range(ny):
        differ = 0
        for x in range(nx):
            differ |= (free[y, x] ^ free_now[y, x]) | (exits[y, x] ^ exits_now[y, x])
        for x in range(nx if differ else 0):
            if free[y, x] != free_now[y, x] or exits[y, x] != exits_now[y, x]:
                if count == len(found):
                    found = np.concatenate((found, np.empty_like(found)))
                found[count], count = y * nx + x, count + 1
    return found[:count].copy()
