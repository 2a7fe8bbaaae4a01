"""A* on the planning grid (Hart, Nilsson and Raphael, IEEE Trans. Syst. Sci. Cybern. 4, 1968).

Costs are counted in steps of the lattice, so that a scaled world has the same ways. Ways begin and
end anywhere: `ends` tells which nodes a place is joined to.
"""

from __future__ import annotations

from math import hypot

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import leaf
from sim.core.geometry import cell_of, floored
from sim.core.shared_cache import njit
from sim.navigation.buckets import Nodes, drop_least, push
from sim.navigation.grid import Grid, place_of
from sim.navigation.sight import SLACK, room_at, sees, thickness_at
from sim.navigation.wrapping import beside, image, inside, same

NONE = -1
"""Stands for a node, a part of the grid or a place where there is none."""


@leaf
def _cost(grid: Grid, node: int, x: float, y: float) -> float:
    """From a node to a place by eight directions, in steps: never more than any way on the grid."""
    nx, down = grid.free.shape[1], grid.step[1] / grid.step[0]
    round_x, round_y = grid.period[0] / grid.step[0], grid.period[1] / grid.step[1]
    dx = abs(image((x - grid.origin[0]) / grid.step[0] - node % nx, round_x))
    dy = abs(image((y - grid.origin[1]) / grid.step[1] - node // nx, round_y))
    both = min(dx, dy)
    return float(both * hypot(1.0, down) + (dx - both) + (dy - both) * down)


@leaf
def is_beyond(grid: Grid, x: float, y: float) -> bool:
    """Whether a place lies outside the lattice, or is NaN; on a torus only NaN does."""
    if grid.period[0] > 0:
        return not (np.isfinite(x) and np.isfinite(y))
    ny, nx = grid.free.shape
    u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
    return not (0 <= u <= nx - 1 and 0 <= v <= ny - 1)


@njit(cache=True, error_model="numpy", nogil=True)
def _border(grid: Grid, x: float, y: float) -> Nodes:
    """For a place beyond the lattice: the walkable nodes on the sides that face it."""
    ny, nx = grid.free.shape
    u = (x - grid.origin[0]) / grid.step[0]
    v = (y - grid.origin[1]) / grid.step[1]
    found = np.empty(2 * (nx + ny), np.int32)
    count = 0
    for row in (0, ny - 1):
        if (row == 0 and v < 0) or (row > 0 and v > row):
            for column in range(nx):
                if grid.free[row, column]:
                    found[count] = row * nx + column
                    count += 1
    for column in (0, nx - 1):
        if (column == 0 and u < 0) or (column > 0 and u > column):
            for row in range(ny):
                if grid.free[row, column]:
                    found[count] = row * nx + column
                    count += 1
    return found[:count]


@leaf
def nearest_node(grid: Grid, x: float, y: float, within: float) -> int:
    """The nearest walkable node to a place with too little room, within so far; -1 for none.

    It is on the same side of every wall: in sight of a hull as thin as it takes to stand there. For
    a place inside a solid, whichever is nearest.
    """
    ny, nx = grid.free.shape
    wraps = grid.period[0] > 0
    thin = thickness_at(grid, x, y)
    buried = room_at(grid, x, y) <= 0
    best, node = within, NONE
    across, down = floored(within / grid.step[0]) + 1, floored(within / grid.step[1]) + 1
    if wraps:  # further off than a period there are images of the same nodes
        across, down = min(across, nx - 1), min(down, ny - 1)
    cx = floored((x - grid.origin[0]) / grid.step[0])
    cy = floored((y - grid.origin[1]) / grid.step[1])
    top, bottom, left, right = cy - down, cy + down + 1, cx - across, cx + across + 1
    if not wraps:
        top, bottom, left, right = (
            max(top, 0),
            min(bottom, ny - 1),
            max(left, 0),
            min(right, nx - 1),
        )
    for v in range(top, bottom + 1):
        for u in range(left, right + 1):
            at = v * nx + u
            if wraps:
                at = v % (ny - 1) * nx + u % (nx - 1)
            if not grid.free.flat[at]:
                continue
            px, py = grid.origin[0] + u * grid.step[0], grid.origin[1] + v * grid.step[1]
            away = hypot(px - x, py - y)
            if away < best and (buried or sees(grid, x, y, px, py, thin)):
                best, node = away, at
    return node


@njit(cache=True, error_model="numpy", nogil=True)
def ends(grid: Grid, x: float, y: float, within: float) -> tuple[Nodes, bool]:
    """The nodes a place is joined to, and whether a hull has room to go straight there.

    The corners of its cell that it sees; beyond the lattice those on the border; for a hull that
    has no room there, or sees none, the nearest node within a distance. Empty if there is none.
    """
    found: tuple[Nodes, bool] = first_ends(grid, x, y, within, 4)
    return found


@njit(cache=True, error_model="numpy", nogil=True)
def first_ends(grid, x, y, within, most):  # type: ignore[no-untyped-def]
    """As `ends`, but the first `most` of the corners alone, which are looked at row by row."""
    ny, nx = grid.free.shape
    wraps = grid.period[0] > 0
    x, y = inside(grid, x, y)
    u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
    room, roomy = room_at(grid, x, y), grid.radius * SLACK
    if is_beyond(grid, x, y) and room > 0.0:  # pressed against the bounds, too: no solid is near
        return _border(grid, x, y), room >= roomy
    if room >= roomy:
        cx, cy = cell_of(u, nx - 1), cell_of(v, ny - 1)
        found = np.empty(4, np.int32)
        count = 0
        for row in (cy, cy + 1):
            for column in (cx, cx + 1):
                px = grid.origin[0] + column * grid.step[0]
                py = grid.origin[1] + row * grid.step[1]
                if count == most or not grid.free[row, column]:
                    continue
                if sees(grid, x, y, px, py, grid.radius):
                    found[count] = same(row * nx + column, ny, nx, wraps)
                    count += 1
        if count:
            return found[:count], True
    node = nearest_node(grid, x, y, within)
    found = np.full(1 if node >= 0 else 0, node, np.int32)
    if node < 0:
        return found, False
    px, py = beside_place(grid, node, x, y)
    return found, sees(grid, x, y, px, py, grid.radius)


@leaf
def beside_place(grid: Grid, node: int, x: float, y: float) -> tuple[float, float]:
    """Where a node lies; on a torus that image of it which is nearest to (x, y)."""
    px, py = place_of(grid, node)
    return x + image(px - x, grid.period[0]), y + image(py - y, grid.period[1])


@njit(cache=True, error_model="numpy", nogil=True)
def lengths(grid: Grid) -> Floats:
    """How long the ways to the neighbours 0 to 3 of a node are, in steps: (4,).

    Python's own `hypot` is another one: by the last bit.
    """
    down = grid.step[1] / grid.step[0]
    return np.array([1.0, hypot(1.0, down), down, hypot(1.0, down)])


@njit(cache=True, error_model="numpy", nogil=True)
def a_star(grid: Grid, starts: Nodes, sx: float, sy: float, goals: Nodes, gx: float, gy: float):  # type: ignore[no-untyped-def]
    """Nodes (k,) of the shortest way from (sx, sy) by some start to (gx, gy) by some goal.

    Empty if there is none. Ways from a place to its nodes count as the heuristic counts them.
    """
    ny, nx = grid.free.shape
    wraps = grid.period[0] > 0
    length, cost = lengths(grid), np.full(ny * nx, np.inf)
    parent = np.full(ny * nx, NONE, np.int32)
    done = np.zeros(ny * nx, np.uint8)
    keys = np.empty(8 * ny * nx + len(starts) + 1)
    nodes = np.empty(len(keys), np.int32)
    is_goal = np.zeros(ny * nx, np.uint8)
    for node in goals:
        is_goal[node] = 1
    size, best, last = 0, np.inf, NONE
    for node in starts:
        cost[node] = _cost(grid, node, sx, sy)
        size = push(keys, nodes, size, cost[node] + _cost(grid, node, gx, gy), node)
    while size and keys[0] < best:
        node = nodes[0]
        size = drop_least(keys, nodes, size)
        if done[node]:
            continue
        done[node] = 1
        if is_goal[node] and cost[node] + _cost(grid, node, gx, gy) < best:
            best, last = cost[node] + _cost(grid, node, gx, gy), node
        exits = grid.exits.flat[node]
        for k in range(8):
            if not exits >> k & 1:
                continue
            other = beside(node, k, ny, nx, wraps)
            new = cost[node] + length[k & 3]
            if new < cost[other] and not done[other]:
                cost[other], parent[other] = new, node
                size = push(keys, nodes, size, new + _cost(grid, other, gx, gy), other)
    count, node = 0, last
    while node >= 0:
        count, node = count + 1, parent[node]
    way = np.empty(count, np.int32)
    node = last
    for k in range(count - 1, -1, -1):
        way[k], node = node, parent[node]
    return way
