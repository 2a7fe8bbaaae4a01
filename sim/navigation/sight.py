"""Lines of sight as thick as a hull, exactly, and how much room there is at a place.

A ray goes from cell to cell of the planning grid (Amanatides and Woo, "A fast voxel traversal
algorithm for ray tracing", Eurographics 1987), over cells that are clear all over in leaps as long
as their distance from others allows (Cohen and Sheffer, The Visual Computer 11, 1994). In others
the distance of the ray's middle line from each solid near by is measured.
"""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel, leaf, leaf_and_function
from sim.core.geometry import cell_of, floored
from sim.navigation.distances import from_point, from_segment, segment_enters
from sim.navigation.grid import GRAZE, Grid
from sim.navigation.wrapping import inside, nearest_offset

SLACK = 1 - GRAZE
"""Share of its radius at which a hull is in nothing's way."""


@leaf_and_function
def room_at(grid: Grid, x: float, y: float) -> float:
    """Distance of a place from the nearest solid; at most the grid's radius, negative inside."""
    bounds, room = grid.bounds, grid.radius
    x, y = inside(grid, x, y)
    room = min(room, min(min(x - bounds[0], bounds[2] - x), min(y - bounds[1], bounds[3] - y)))
    ny, nx = grid.gap.shape
    cx = floored((x - grid.origin[0]) / grid.step[0])
    cy = floored((y - grid.origin[1]) / grid.step[1])
    if cx == nx and x <= grid.origin[0] + nx * grid.step[0]:
        cx -= 1
    if cy == ny and y <= grid.origin[1] + ny * grid.step[1]:
        cy -= 1
    if not (0 <= cx < nx and 0 <= cy < ny):
        return float(room)
    c = cy * nx + cx
    for k in range(grid.first[c], grid.first[c + 1]):
        room = min(room, from_point(x, y, grid.solids[grid.items[k]]))
    return float(room)


@leaf
def _cell_open(
    grid: Grid, cx: int, cy: int, ax: float, ay: float, bx: float, by: float, limit: float
) -> bool:
    """Whether a segment keeps this far from the solids near a cell, or near that of its image."""
    ny, nx = grid.gap.shape
    if grid.period[0] > 0:
        left, top = (cx - cx % nx) * grid.step[0], (cy - cy % ny) * grid.step[1]
        ax, ay, bx, by = ax - left, ay - top, bx - left, by - top
        cx, cy = cx % nx, cy % ny
    c = cy * nx + cx
    for k in range(grid.first[c], grid.first[c + 1]):
        if from_segment(ax, ay, bx, by, grid.solids[grid.items[k]]) < limit:
            return False
    return True


@leaf
def _until(step: float, place: float, cell: int, gap: int, way: float) -> float:
    """Along one axis: the share of the way at which the clear cells around a cell end."""
    if way == 0:
        return np.inf
    return float(((cell + gap if way > 0 else cell - gap + 1) * step - place) / way)


@leaf_and_function
def sees(grid: Grid, ax: float, ay: float, bx: float, by: float, radius: float) -> bool:
    """Whether a disc may go straight from a to b; its radius is at most the grid's."""
    limit, bounds = radius * SLACK, grid.bounds
    if min(ax, bx) < bounds[0] + limit or max(ax, bx) > bounds[2] - limit:
        return False
    if min(ay, by) < bounds[1] + limit or max(ay, by) > bounds[3] - limit:
        return False
    ny, nx = grid.gap.shape
    left, top = grid.origin[0], grid.origin[1]
    step_x, step_y = grid.step[0], grid.step[1]
    wraps, start, end = grid.period[0] > 0, 0.0, 1.0
    wx, wy = bx - ax, by - ay
    px, py = ax - left, ay - top
    if wraps:
        cx, cy = floored(px / step_x), floored(py / step_y)
    else:
        start, end = segment_enters(
            ax, ay, bx, by, left, top, left + nx * step_x, top + ny * step_y
        )
        if start > end:
            return True
        cx = cell_of((px + start * wx) / step_x, nx)
        cy = cell_of((py + start * wy) / step_y, ny)
    while True:
        gap = grid.gap[cy % ny, cx % nx] if wraps else grid.gap[cy, cx]
        if gap == 0:
            if not _cell_open(grid, cx, cy, ax, ay, bx, by, limit):
                return False
            gap = 1
        at_x, at_y = _until(step_x, px, cx, gap, wx), _until(step_y, py, cy, gap, wy)
        if min(at_x, at_y) > end:
            return True
        if at_x < at_y:
            cx += gap if wx > 0 else -gap
            cy = min(max(floored((py + at_x * wy) / step_y), cy - gap + 1), cy + gap - 1)
        else:
            cy += gap if wy > 0 else -gap
            cx = min(max(floored((px + at_y * wx) / step_x), cx - gap + 1), cx + gap - 1)
        if not wraps and (cx < 0 or cy < 0 or cx >= nx or cy >= ny):
            return True


@leaf
def thickness_at(grid: Grid, x: float, y: float) -> float:
    """How thick a ray from here may be: the hull's radius, less for one that is pressed."""
    return float(max(0.0, min(grid.radius, room_at(grid, x, y)))) * SLACK


@Kernel
def _in_sight(begin, end, starts, ends, grid, seen):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        x, y = starts[i, 0], starts[i, 1]
        seen[i] = sees(grid, x, y, ends[i, 0], ends[i, 1], thickness_at(grid, x, y))


def in_sight(grid: Grid, starts: Floats, ends: Floats) -> Bools:
    """(n,) whether hulls could go straight from starts (n, 2) to ends (n, 2).

    A hull nearer to a solid than its radius, as when it is pressed against a wall, is taken for as
    thin as it takes to stand there. On a torus the ends are taken for their nearest images.
    """
    ends = starts + nearest_offset(grid, ends - starts)
    seen = np.zeros(len(starts), np.bool_)
    _in_sight(starts, ends, grid, seen)
    return seen


@Kernel
def _rooms_at(begin, end, places, grid, room):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        room[i] = room_at(grid, places[i, 0], places[i, 1])


def rooms_at(grid: Grid, places: Floats) -> Floats:
    """(n,) as `room_at`, for places (n, 2)."""
    room = np.empty(len(places))
    _rooms_at(places, grid, room)
    return room
