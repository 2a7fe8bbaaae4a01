"""Fields after the ground has changed: marched anew only where their distances no longer hold.

Distances that no longer follow from those of their neighbours are taken back, and marched again
from what is left (as in dynamic searches: Ramalingam and Reps, J. Algorithms 21, 1996). Each is the
least that follows from smaller ones, so the result is the same to the last bit as that of a march
over the whole grid.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import numpy as np

from sim.core.shared_cache import njit
from sim.navigation.flow import FlowField, flow_field, sow
from sim.navigation.grid import Grid, same_lattice
from sim.navigation.heap import drop_least, push
from sim.navigation.marching import through
from sim.navigation.marking import ACROSS, DOWN


def renewed_field(old: FlowField, grid: Grid) -> FlowField:
    """The field to the same targets on a grid that has changed, as `flow_field` makes it.

    On the same lattice it still has the passages that it had.
    """
    was = old.grid
    if grid.period[0] > 0 or not same_lattice(was, grid) or not old.steps.size:
        return flow_field(grid, old.targets)
    steps, seeds = old.steps.copy(), np.full(grid.free.shape, np.inf)
    reason = sow(grid, old.targets, seeds)
    before = np.full(grid.free.shape, np.inf)
    sow(was, old.targets, before)
    touched = (was.exits != grid.exits) | (was.free != grid.free) | (before != seeds)
    _march_again(grid, steps, seeds, np.flatnonzero(touched))
    return replace(old, grid=grid, distance=steps * grid.step[0], reason=reason, steps=steps)


@njit(cache=True, error_model="numpy", nogil=True)
def _following(grid, flat, seeds, length, node, below):  # type: ignore[no-untyped-def]
    """The distance at a node that follows from those of its neighbours which are below a bound."""
    nx, best = grid.free.shape[1], seeds.flat[node]
    exits = grid.exits.flat[node]
    for k in range(8):
        if not exits >> k & 1:
            continue
        near = flat[node + DOWN[k] * nx + ACROSS[k]]
        if near >= below:
            continue
        best = min(best, near + length[k & 3])
        if k & 1:
            continue
        for side in (-1, 1):  # the triangle with a right angle at this neighbour
            beside = (k + side) & 7
            if not exits >> beside & 1:
                continue
            onward = (k + 2 * side) & 7
            straight = node + DOWN[k] * nx + ACROSS[k]
            if not grid.exits.flat[straight] >> onward & 1:
                continue
            far = flat[node + DOWN[beside] * nx + ACROSS[beside]]
            if far < below:
                best = min(best, through(near, far, length[k & 3], length[onward & 3]))
    return best


@njit(cache=True, error_model="numpy", nogil=True)
def _march_again(grid, distance, seeds, touched):  # type: ignore[no-untyped-def]
    """Set distances, in steps, right again after something changed at the nodes touched."""
    ny, nx = grid.free.shape
    down = grid.step[1] / grid.step[0]
    length = np.array([1.0, hypot(1.0, down), down, hypot(1.0, down)])
    flat, size = distance.reshape(-1), 0
    keys, nodes = np.empty(1024), np.empty(1024, np.int32)
    back = np.zeros(ny * nx, np.uint8)
    again = np.empty(ny * nx, np.int64)
    count = 0
    for node in touched:
        back[node] = 1
        again[count], count = node, count + 1
        if flat[node] < np.inf:
            keys, nodes = _room(keys, nodes, size + 1)
            size = push(keys, nodes, size, flat[node], node)
    while size:  # from small to large: cells that do not follow any more are taken back
        node, was = nodes[0], keys[0]
        size = drop_least(keys, nodes, size)
        if flat[node] == np.inf:
            continue
        if _following(grid, flat, seeds, length, node, was) == was:
            continue
        flat[node] = np.inf
        if not back[node]:
            back[node] = 1
            again[count], count = node, count + 1
        keys, nodes = _room(keys, nodes, size + 8)
        y, x = node // nx, node % nx
        for k in range(8):
            v, u = y + DOWN[k], x + ACROSS[k]
            if 0 <= u < nx and 0 <= v < ny and was < flat[v * nx + u] < np.inf:
                size = push(keys, nodes, size, flat[v * nx + u], v * nx + u)
    for n in range(count):
        node = again[n]
        best = _following(grid, flat, seeds, length, node, np.inf)
        if best < flat[node]:
            flat[node] = best
        if flat[node] < np.inf:
            keys, nodes = _room(keys, nodes, size + 1)
            size = push(keys, nodes, size, flat[node], node)
    while size:
        node, here = nodes[0], keys[0]
        size = drop_least(keys, nodes, size)
        if here > flat[node]:
            continue
        keys, nodes = _room(keys, nodes, size + 8)
        for k in range(8):
            if grid.exits.flat[node] >> k & 1:
                other = node + DOWN[k] * nx + ACROSS[k]
                if flat[other] <= here:
                    continue
                best = _following(grid, flat, seeds, length, other, np.inf)
                if best < flat[other]:
                    flat[other] = best
                    size = push(keys, nodes, size, best, other)


@njit(cache=True, error_model="numpy", nogil=True)
def _room(keys, nodes, size):  # type: ignore[no-untyped-def]
    """The arrays of a heap, with room for `size` entries."""
    if size <= len(keys):
        return keys, nodes
    return (
        np.concatenate((keys, np.empty(len(keys)))),
        np.concatenate((nodes, np.empty(len(nodes), np.int32))),
    )
