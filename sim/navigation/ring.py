"""The best point of the ring of nodes round a place: where a flow field leads from there."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import leaf
from sim.core.geometry import cell_of
from sim.navigation.grid import Grid
from sim.navigation.joined import joined_within
from sim.navigation.search import beside_place, nearest_node
from sim.navigation.sight import sees, thickness_at
from sim.navigation.wrapping import inside

AT = 0.1
"""A unit so near to a node, in steps, looks beyond it."""


@leaf
def _between(at_a: float, at_b: float, share: float) -> float:
    """What remains at a share of the way from a to b.

    At share 0 or 1 the other end may be infinite.
    """
    return at_a if share == 0 else at_b if share == 1 else at_a + share * (at_b - at_a)


@leaf
def _along(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, at_a: float, at_b: float
) -> tuple[float, float]:
    """Which share of the way from a to b is best to head for from p, and what then remains.

    `at_a` and `at_b` remain at the ends; one of them may be infinite.
    """
    wide = hypot(bx - ax, by - ay)
    if at_b == np.inf or at_a == np.inf:
        share = 0.0 if at_b == np.inf else 1.0
    else:
        ux, uy = (bx - ax) / wide, (by - ay) / wide
        foot = (px - ax) * ux + (py - ay) * uy
        high = abs((px - ax) * uy - (py - ay) * ux)
        slope = (at_b - at_a) / wide
        if abs(slope) >= 1:
            share = 0.0 if slope > 0 else 1.0
        else:
            share = min(1.0, max(0.0, (foot - slope * high / sqrt(1 - slope * slope)) / wide))
    x, y = ax + share * (bx - ax), ay + share * (by - ay)
    return share, _between(at_a, at_b, share) + hypot(x - px, y - py)


RING = np.array([(-1, -1), (0, -1), (1, -1), (2, -1), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2),
                 (-1, 2), (-1, 1), (-1, 0), (-1, -1)])  # fmt: skip
"""The nodes around a cell's own four, clockwise, as (column, row) from its first."""
SIDE = np.array([0, 0, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6])
"""The exit that leads from each of them to the next."""


@leaf
def _get(distance: Floats, row: int, column: int, wraps: bool) -> float:
    """The distance at a node; infinite beyond the lattice."""
    ny, nx = distance.shape
    if wraps:
        return float(distance[row % (ny - 1), column % (nx - 1)])
    return distance[row, column] if 0 <= column < nx and 0 <= row < ny else np.inf


@leaf
def _least(distance: Floats, column: int, row: int, wraps: bool) -> int:
    """Which node of the ring around a cell has the least distance; the first of several."""
    least, found = np.inf, 0
    for k in range(12):
        here = _get(distance, row + RING[k, 1], column + RING[k, 0], wraps)
        if here < least:
            least, found = here, k
    return found


@leaf
def by_ring(grid: Grid, marched, x: float, y: float):  # type: ignore[no-untyped-def]
    """The point to head for from (x, y), what the way costs, and its length; infinite if none is.

    `marched` are a field's arrays, as in `FlowField.marched`.
    """
    distance, lengths, slowness, _ = marched
    ny, nx = grid.free.shape
    wraps, from_x, from_y = grid.period[0] > 0, x, y
    x, y = inside(grid, x, y)
    from_x, from_y = from_x - x, from_y - y
    u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
    cx, cy = cell_of(u, nx - 1), cell_of(v, ny - 1)
    clear = grid.gap[cy, cx] > 1  # the ring and all that it encloses
    slow = slowness[cy, cx] if slowness.size else 1.0
    thin = grid.radius if clear else thickness_at(grid, x, y)
    best, length, to_x, to_y = np.inf, np.inf, x, y
    least, size = _least(distance, cx, cy, wraps), min(grid.step[0], grid.step[1])
    for n in range(12):
        k = (least + n + 11) % 12
        c, r = cx + RING[k, 0], cy + RING[k, 1]
        d, s = cx + RING[k + 1, 0], cy + RING[k + 1, 1]
        here = _get(distance, r, c, wraps) / slow
        there = _get(distance, s, d, wraps) / slow
        if min(here, there) + size >= best or min(here, there) == np.inf:
            continue
        if max(here, there) < np.inf:  # else one of them may lie beyond the lattice
            exits = grid.exits[r % (ny - 1), c % (nx - 1)] if wraps else grid.exits[r, c]
            if not exits >> SIDE[k] & 1:
                here, there = (here, np.inf) if here <= there else (np.inf, there)
        ax, ay = grid.origin[0] + c * grid.step[0], grid.origin[1] + r * grid.step[1]
        bx, by = grid.origin[0] + d * grid.step[0], grid.origin[1] + s * grid.step[1]
        share, rest = _along(x, y, ax, ay, bx, by, here, there)
        if rest < best:
            px, py = ax + share * (bx - ax), ay + share * (by - ay)
            if clear or sees(grid, x, y, px, py, thin):
                best, to_x, to_y = rest, px, py
                length = _between(_get(lengths, r, c, wraps), _get(lengths, s, d, wraps), share)
                length += hypot(px - x, py - y)
    for k in range(0 if clear else 4):  # round a corner the ring may not be in sight
        c, r = cx + (k & 1), cy + (k >> 1)
        px, py = grid.origin[0] + c * grid.step[0], grid.origin[1] + r * grid.step[1]
        away = hypot(px - x, py - y)
        rest = distance[r, c] / slow + away
        if away > AT * size and rest < best and sees(grid, x, y, px, py, thin):
            best, to_x, to_y = rest, px, py
            length = lengths[r, c] + away
    if best < np.inf:
        return from_x + to_x, from_y + to_y, best * slow, length
    node = nearest_node(grid, x, y, joined_within(grid))
    if node < 0 or distance.flat[node] == np.inf:
        return from_x + x, from_y + y, np.inf, np.inf
    to_x, to_y = beside_place(grid, node, x, y)
    off = hypot(to_x - x, to_y - y)
    return from_x + to_x, from_y + to_y, distance.flat[node] + off, lengths.flat[node] + off
