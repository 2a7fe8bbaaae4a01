"""What ways cost over ground that is slow in places, and how long the cheapest are."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.geometry import cell_of, floored
from sim.core.shared_cache import njit
from sim.navigation.beyond import onto
from sim.navigation.grid import Grid
from sim.navigation.search import lengths
from sim.navigation.wrapping import beside, same

SAME = 1 + 1e-9
"""Costs that differ by less are the same."""
OFTEN = 4
"""Places a step of the lattice at which the ground under the ways to a destination is looked at."""


@leaf
def _within(grid: Grid, x: float, y: float, gx: float, gy: float) -> tuple[float, float]:
    """The shares of the straight way to (gx, gy) between which it is on the lattice."""
    ny, nx = grid.free.shape
    low, high = 0.0, 1.0
    if grid.period[0] > 0:
        return low, high
    for k in range(2):
        begin, way = (x, gx - x) if k == 0 else (y, gy - y)
        first = grid.origin[k] - begin
        last = first + ((nx if k == 0 else ny) - 1) * grid.step[k]
        if way == 0:
            high = high if first <= 0 <= last else low
        else:
            low = max(low, min(first / way, last / way))
            high = min(high, max(first / way, last / way))
    return low, max(low, high)


@leaf
def straight_cost(
    grid: Grid, slowness: Floats, x: float, y: float, gx: float, gy: float, often: int
) -> float:
    """What the straight way from (x, y) to (gx, gy) costs, solids apart.

    Its length, each part of it times the `slowness` (rows, columns) of the nearest node, which is
    looked up `often` times a step of the lattice. No area reaches the first node of a lattice that
    has an end, and beyond it costs as much as there.
    """
    ny, nx = slowness.shape
    wraps, base, length = grid.period[0] > 0, slowness[0, 0], hypot(gx - x, gy - y)
    low, high = _within(grid, x, y, gx, gy)
    parts = floored(often * (high - low) * length / min(grid.step[0], grid.step[1])) + 1
    cost = 0.0
    for k in range(parts):
        at = low + (k + 0.5) / parts * (high - low)
        u = floored((x + at * (gx - x) - grid.origin[0]) / grid.step[0] + 0.5)
        v = floored((y + at * (gy - y) - grid.origin[1]) / grid.step[1] + 0.5)
        if wraps:
            u, v = u % (nx - 1), v % (ny - 1)
        cost += slowness[cell_of(v, ny), cell_of(u, nx)]
    return float(length * (cost / parts * (high - low) + base * (1 - high + low)))


@leaf
def straight_is_cheap(
    grid: Grid, slowness: Floats, x: float, y: float, gx: float, gy: float, most: float
) -> bool:
    """Whether the straight way costs no more than `most`, the cost of the best way by a field.

    By a field ways turn from node to node, so on even ground they cost a little more, and they do
    not lead beyond the lattice.
    """
    return straight_cost(grid, slowness, x, y, gx, gy, 1) <= most * SAME


@njit(cache=True, error_model="numpy", nogil=True)
def weigh(grid: Grid, targets: Floats, slowness: Floats, distance: Floats) -> None:
    """Make costs of the finite ones of all distances (rows, columns), which are straight ways.

    They are in steps, each to the one of the targets (k, 4) that is so far off.
    """
    ny, nx = distance.shape
    for row in range(ny):
        for column in range(nx):
            far = distance[row, column] * grid.step[0]
            if far == np.inf:
                continue
            x = grid.origin[0] + column * grid.step[0]
            y = grid.origin[1] + row * grid.step[1]
            off, to_x, to_y = np.inf, x, y
            for k in range(len(targets)):
                px = onto(x, targets[k, 0], targets[k, 2], grid.period[0])
                py = onto(y, targets[k, 1], targets[k, 3], grid.period[1])
                if abs(hypot(px - x, py - y) - far) < off:
                    off, to_x, to_y = abs(hypot(px - x, py - y) - far), px, py
            cost = straight_cost(grid, slowness, x, y, to_x, to_y, OFTEN)
            distance[row, column] = cost / grid.step[0]


@njit(cache=True, error_model="numpy", nogil=True)
def measure(grid: Grid, slowness: Floats, distance: Floats, order: Ints, length: Floats) -> None:
    """Fill in how long the cheapest ways from nodes are, (rows, columns), in steps.

    `distance` is what they cost and `order` (N,) the nodes, the cheapest first. `length` has those
    of the straight ways from nodes whose way is straight, and is infinite elsewhere.
    """
    ny, nx = distance.shape
    side, wraps = lengths(grid), grid.period[0] > 0
    for node in order:
        if distance.flat[node] == np.inf:
            break
        least = np.inf
        for k in range(0 if length.flat[node] < np.inf else 8):
            if not grid.exits.flat[node] >> k & 1:
                continue
            one = beside(node, k, ny, nx, wraps)
            here, slow = distance.flat[one], (slowness.flat[node] + slowness.flat[one]) / 2
            if here >= distance.flat[node]:
                continue
            if here + slow * side[k & 3] < least:
                least, length.flat[node] = here + slow * side[k & 3], length.flat[one] + side[k & 3]
            for turn in (-1, 1):  # the triangle with a right angle at this neighbour
                beyond, onward = (k + turn) & 7, (k + 2 * turn) & 7
                if k & 1 or not grid.exits.flat[node] >> beyond & 1:
                    continue
                two = beside(node, beyond, ny, nx, wraps)
                high, wide = side[k & 3], side[onward & 3]
                drop = (here - distance.flat[two]) / (slow * wide)
                if not (grid.exits.flat[one] >> onward & 1 and 0 < drop < wide / hypot(high, wide)):
                    continue
                steep = sqrt(1 - drop * drop)
                if here + slow * high * steep < least:
                    least, share = here + slow * high * steep, high * drop / steep / wide
                    rest = length.flat[one] + share * (length.flat[two] - length.flat[one])
                    length.flat[node] = rest + hypot(high, share * wide)
    if wraps:
        for node in range(ny * nx):
            length.flat[node] = length.flat[same(node, ny, nx, wraps)]
