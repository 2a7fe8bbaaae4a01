"""Which connected part of the ground places are joined to."""

from __future__ import annotations

from math import hypot

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import Kernel, leaf_and_function
from sim.core.geometry import cell_of
from sim.core.shared_cache import njit
from sim.navigation.grid import Grid
from sim.navigation.search import NONE, beside_place, first_ends, is_beyond

FROM_A_WALL = 2.0
"""Hull radii: a place with too little room for the hull is joined to a node within so far, and a
step of the lattice."""


@leaf_and_function
def joined_within(grid: Grid) -> float:
    """How far from a node a place may be that is joined to it, world units."""
    return float(FROM_A_WALL * grid.radius + max(grid.step[0], grid.step[1]))


def parts_at(grid: Grid, places: Floats) -> Ints:
    """(k,) the connected part of the grid that each place (k, 2) is joined to; -1 for none."""
    parts = np.full(len(places), NONE)
    _parts_at(places, grid, joined_within(grid), parts)
    return parts


@Kernel.making_arrays
def _parts_at(begin, end, places, grid, within, parts):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        x, y = places[i, 0], places[i, 1]
        if grid.period[0] == 0 and not is_beyond(grid, x, y):
            column = cell_of((x - grid.origin[0]) / grid.step[0], grid.gap.shape[1])
            row = cell_of((y - grid.origin[1]) / grid.step[1], grid.gap.shape[0])
            if grid.gap[row, column] > 0:  # a hull has room all over: its first corner is in sight
                parts[i] = grid.label[row, column]
                continue
        nodes, _ = first_ends(grid, x, y, within, 1)
        if len(nodes):
            parts[i] = grid.label.flat[nodes[0]]


@njit(cache=True, error_model="numpy", nogil=True)
def nearest_reached(grid: Grid, part: int, x: float, y: float) -> int:
    """The node of one part of the grid that lies nearest to a place."""
    ny, nx = grid.free.shape
    best, node = np.inf, NONE
    for row in range(ny):
        for column in range(nx):
            if grid.label[row, column] == part:
                px, py = beside_place(grid, row * nx + column, x, y)
                if hypot(px - x, py - y) < best:
                    best, node = hypot(px - x, py - y), row * nx + column
    return node
