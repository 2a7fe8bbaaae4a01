"""Where ways bend when the ground changes: units elsewhere need not look along their field at once.

The way from a node leads down the slope of the distances. Where a change makes all distances longer
by the same, ways lead where they led.
"""

from __future__ import annotations

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel
from sim.core.geometry import floored
from sim.core.shared_cache import njit
from sim.navigation.flow import FlowField
from sim.navigation.grid import Grid, same_lattice
from sim.navigation.marking import ACROSS, DOWN, Bytes

SQUARE = 8
"""Nodes a side of the squares. Until it looks again a unit goes a quarter of the way that it sees
at most, and sees 16 nodes ahead at most: it stays in the squares beside its own."""
BEND = 0.05
"""A slope that changes by less turns ways by 3 degrees at most."""
ANYWHERE: Bytes = np.zeros((0, 0), np.uint8)
"""Stands for the squares where nothing is known of what was before."""


def bends(before: FlowField, now: FlowField) -> Bytes:
    """(rows, columns) 1 for squares from where ways may lead elsewhere than before, or beside one.

    `ANYWHERE` on a torus, and where the nodes do not lie where they lay.
    """
    was, grid = before.grid, now.grid
    if grid.period[0] > 0 or not same_lattice(was, grid):
        return ANYWHERE
    ways = was.exits, grid.exits
    found = np.zeros(squares_of(grid), np.uint8)
    _mark(before.distance, now.distance, ways, BEND * grid.step, found)
    wider: Bytes = scipy.ndimage.maximum_filter(found, 3, mode="constant")
    return wider


def squares_of(grid: Grid) -> tuple[int, ...]:
    """How many squares the nodes of a grid have, down and across."""
    return tuple((count - 1) // SQUARE + 1 for count in grid.free.shape)


def bent(squares: Bytes, field: FlowField, places: Floats) -> Bools:
    """(k,) from which places (k, 2) ways may bend, as `bends` found; all beyond the lattice."""
    found = np.ones(len(places), np.bool_)
    if squares.size:
        grid = field.grid
        _bent(places, squares, (grid.origin, grid.step, grid.free.shape), found)
    return found


@Kernel
def _bent(begin, end, places, squares, lattice, found):  # type: ignore[no-untyped-def]
    origin, step, (rows, columns) = lattice
    for i in range(begin, end):
        u, v = (places[i, 0] - origin[0]) / step[0], (places[i, 1] - origin[1]) / step[1]
        if 0 <= u <= columns - 1 and 0 <= v <= rows - 1:
            found[i] = squares[floored(v / SQUARE), floored(u / SQUARE)] > 0


@njit(cache=True, error_model="numpy", nogil=True)
def _mark(before, now, ways, most, found):  # type: ignore[no-untyped-def]
    """Mark the squares of nodes that lead to others than before, or where the slope changes.

    `ways` are the exits before and now, and `most` (2,) is how much a step across or down may
    become longer or shorter.
    """
    (ny, nx), (was, exits) = now.shape, ways
    for y in range(ny):
        for x in range(nx):
            at, square = now[y, x], (y // SQUARE, x // SQUARE)
            if was[y, x] != exits[y, x] or (at == np.inf) != (before[y, x] == np.inf):
                found[square] = 1
            if found[square] or at == np.inf:
                continue
            for k in range(4):
                if exits[y, x] >> k & 1:
                    v, u = y + DOWN[k], x + ACROSS[k]
                    change = (now[v, u] - at) - (before[v, u] - before[y, x])
                    if abs(change) > abs(ACROSS[k]) * most[0] + DOWN[k] * most[1]:
                        found[square] = 1
