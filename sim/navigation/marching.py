"""Distances from a destination over the whole grid, by marching fast.

Sethian's fast marching (Proc. Natl. Acad. Sci. 93, 1996) on the eight triangles round each node
(Sethian and Vladimirsky, Proc. Natl. Acad. Sci. 97, 2000): unlike ways along eight directions, it
comes near the straight ones. A triangle counts only where a hull has room along all its sides.
"""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import inlined
from sim.core.geometry import floored
from sim.core.shared_cache import njit
from sim.navigation.buckets import drop_least, push
from sim.navigation.grid import Grid
from sim.navigation.joined import joined_within
from sim.navigation.search import beside_place, ends, lengths
from sim.navigation.sight import sees
from sim.navigation.wrapping import beside, same

EXACT = 8
"""Steps around the destination within which distances in sight of it are exact."""


@inlined
def across(near, far, high, wide, slant):  # type: ignore[no-untyped-def]
    """Distance at a corner of a right triangle, from those of the other two.

    `near` is the distance at the corner `high` away, where the right angle is, `far` that at the
    corner `wide` further on; between these two it is linear. `slant` is the third side: to work it
    out takes as long as all the rest.
    """
    drop = near - far
    if wide != 1.0:
        drop /= wide
    if drop <= 0:
        return near + high
    if drop * slant >= wide:
        return far + slant
    return near + high * sqrt(1 - drop * drop)


def sow(grid: Grid, targets: Floats, distance: Floats) -> str:
    """Write the distances, in steps, of the nodes near targets (k, 4); or why there are none."""
    within = joined_within(grid)
    found = [seed(grid, target, within, distance) for target in targets]
    return "" if any(found) else no_room(grid)


def no_room(grid: Grid) -> str:
    """Why no way leads to a target with no such node."""
    return f"a hull of radius {grid.radius:g} has no room there"


@njit(cache=True, error_model="numpy", nogil=True)
def seed(grid: Grid, target: Floats, within: float, distance: Floats) -> bool:
    """Write the distances, in steps, from a rectangle (4,) to the nodes near it that see it.

    To the nearest node, within so far, where no hull has room beside it. False if there is none.
    """
    left, top, right, bottom = target
    ny, nx = grid.free.shape
    unit, found, wraps = grid.step[0], False, grid.period[0] > 0
    u0 = floored((left - grid.origin[0]) / grid.step[0]) - EXACT
    u1 = EXACT - floored((grid.origin[0] - right) / grid.step[0])
    v0 = floored((top - grid.origin[1]) / grid.step[1]) - EXACT
    v1 = EXACT - floored((grid.origin[1] - bottom) / grid.step[1])
    if wraps:  # a rectangle longer than a period: once round is all there is
        u1, v1 = min(u1, u0 + 2 * EXACT + nx), min(v1, v0 + 2 * EXACT + ny)
    else:
        u0, u1, v0, v1 = max(u0, 0), min(u1, nx - 1), max(v0, 0), min(v1, ny - 1)
    for v in range(v0, v1 + 1):
        for u in range(u0, u1 + 1):
            x, y = grid.origin[0] + u * grid.step[0], grid.origin[1] + v * grid.step[1]
            px, py = min(max(x, left), right), min(max(y, top), bottom)
            at = v * nx + u
            if wraps:
                at = v % (ny - 1) * nx + u % (nx - 1)
            if grid.free.flat[at] and sees(grid, x, y, px, py, grid.radius):
                distance.flat[at] = min(distance.flat[at], hypot(x - px, y - py) / unit)
                found = True
    if found or (not wraps and _seed_border(grid, target, distance)):
        return True
    x, y = (left + right) / 2, (top + bottom) / 2
    nodes, _ = ends(grid, x, y, within)
    for node in nodes:
        px, py = beside_place(grid, node, x, y)
        distance.flat[node] = min(distance.flat[node], hypot(x - px, y - py) / unit)
    return len(nodes) > 0


@njit(cache=True, error_model="numpy", nogil=True)
def _seed_border(grid: Grid, target: Floats, distance: Floats) -> bool:
    """The same for a rectangle beyond the lattice: from the nodes of each side that faces it.

    Nothing stands between such a node and the nearest place in the rectangle.
    """
    (ny, nx), found = grid.free.shape, False
    for side in range(4):
        across, last = side < 2, side % 2 == 1
        axis = 0 if across else 1
        edge = grid.origin[axis] + ((nx if across else ny) - 1) * grid.step[axis] * last
        if not (target[axis] > edge if last else target[axis + 2] < edge):
            continue
        for n in range(ny if across else nx):
            u, v = n, n
            if across:
                u = (nx - 1) * last
            else:
                v = (ny - 1) * last
            if grid.free[v, u]:
                x, y = grid.origin[0] + u * grid.step[0], grid.origin[1] + v * grid.step[1]
                px = min(max(x, target[0]), target[2])
                py = min(max(y, target[1]), target[3])
                distance[v, u] = min(distance[v, u], hypot(x - px, y - py) / grid.step[0])
                found = True
    return found


@njit(cache=True, error_model="numpy", nogil=True)
def march(grid: Grid, distance: Floats, slowness: Floats, over_areas: bool) -> None:
    """Fill in all distances, in steps, from the finite ones; infinite out of reach.

    Each step counts as many times as `slowness` (rows, columns) says at the node that
    it leads from; if empty, once. On ground that is slow itself, `over_areas`, it is half on that
    of either node.
    """
    ny, nx = grid.free.shape
    length = lengths(grid)
    flat, exits = distance.reshape(-1), grid.exits.reshape(-1)
    done = np.zeros(ny * nx, np.uint8)
    keys = np.empty(9 * ny * nx)
    nodes = np.empty(len(keys), np.int32)
    wraps, size = grid.period[0] > 0, 0
    for node in range(ny * nx):
        if flat[node] < np.inf:
            size = push(keys, nodes, size, flat[node], node)
    while size:
        node = nodes[0]
        size = drop_least(keys, nodes, size)
        if done[node]:
            continue
        done[node] = 1
        for k in range(8):
            other = beside(node, k, ny, nx, wraps)
            if not exits[node] >> k & 1 or done[other]:
                continue
            slow = slowness.flat[other] if slowness.size else 1.0
            if over_areas:
                slow = (slow + slowness.flat[node]) / 2
            best = flat[node] + slow * length[k & 3]
            for side in (-1, 1):
                # The third corner of a triangle: beside this node if it is straight across from the
                # other, else between the two.
                turn = (k + (side if k & 1 else 2 * side)) & 7
                if not exits[node] >> turn & 1:
                    continue
                third = beside(node, turn, ny, nx, wraps)
                onward = (k - side) & 7
                if not exits[third] >> onward & 1 or not done[third]:
                    continue
                if k & 1:
                    high, wide = slow * length[onward & 3], slow * length[turn & 3]
                    near, far = flat[third], flat[node]
                else:
                    high, wide = slow * length[k & 3], slow * length[turn & 3]
                    near, far = flat[node], flat[third]
                best = min(best, across(near, far, high, wide, hypot(high, wide)))
            if best < flat[other]:
                flat[other] = best
                size = push(keys, nodes, size, best, other)
    if wraps:
        for node in range(ny * nx):
            flat[node] = flat[same(node, ny, nx, wraps)]
