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

ONWARD = 0.7
"""What follows from a node is farther by this part of a step or more; 1 / sqrt(2) is the least."""


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
    _march_again(grid, steps, seeds, _changed(was, grid, before, seeds))
    return replace(old, grid=grid, distance=steps * grid.step[0], reason=reason, steps=steps)


@njit(cache=True, error_model="numpy", nogil=True)
def _changed(was, now, before, seeds):  # type: ignore[no-untyped-def]
    """The nodes whose exits or seeds are not what they were."""
    exits, free, begin = was.exits.reshape(-1), was.free.reshape(-1), before.reshape(-1)
    exits_now, free_now, begin_now = now.exits.reshape(-1), now.free.reshape(-1), seeds.reshape(-1)
    found, count = np.empty(len(exits), np.int64), 0
    for node in range(len(exits)):
        same = exits[node] == exits_now[node] and free[node] == free_now[node]
        if not same or begin[node] != begin_now[node]:
            found[count], count = node, count + 1
    return found[:count].copy()


@njit(cache=True, error_model="numpy", nogil=True)
def _following(exits, nx, flat, seeds, length, node, below):  # type: ignore[no-untyped-def]
    """The distance at a node that follows from those of its neighbours which are below a bound."""
    best, ways = seeds[node], exits[node]
    for k in range(8):
        if not ways >> k & 1:
            continue
        near = flat[node + DOWN[k] * nx + ACROSS[k]]
        if near >= below:
            continue
        best = min(best, near + length[k & 3])
        if k & 1:
            continue
        for side in (-1, 1):  # the triangle with a right angle at this neighbour
            beside = (k + side) & 7
            if not ways >> beside & 1:
                continue
            onward = (k + 2 * side) & 7
            straight = node + DOWN[k] * nx + ACROSS[k]
            if not exits[straight] >> onward & 1:
                continue
            far = flat[node + DOWN[beside] * nx + ACROSS[beside]]
            if far < below:
                best = min(best, through(near, far, length[k & 3], length[onward & 3]))
    return best


@njit(cache=True, error_model="numpy", nogil=True)
def _march_again(grid, distance, seeds, touched):  # type: ignore[no-untyped-def]
    """Set distances, in steps, right again after something changed at the nodes touched."""
    down = grid.step[1] / grid.step[0]
    length = np.array([1.0, hypot(1.0, down), down, hypot(1.0, down)])
    nearest = ONWARD * min(1.0, down)
    exits, flat, nx = grid.exits.reshape(-1), distance.reshape(-1), grid.free.shape[1]
    given = exits, nx, flat, seeds.reshape(-1), length, touched
    keys, nodes, size = _begin_again(*given, *_take_back(*given))
    while size:
        node, here = nodes[0], keys[0]
        size = drop_least(keys, nodes, size)
        if here > flat[node]:
            continue
        for k in range(8):
            other = node + DOWN[k] * nx + ACROSS[k]
            if not exits[node] >> k & 1 or flat[other] <= here + nearest:
                continue
            best = _from_one(exits, nx, flat, length, node, k)
            if best < flat[other]:
                flat[other] = best
                size = push(keys, nodes, size, best, other)


@njit(cache=True, error_model="numpy", nogil=True)
def _take_back(exits, nx, flat, seeds, length, touched):  # type: ignore[no-untyped-def]
    """Make infinite all distances that do not follow from smaller ones any more.

    Which nodes these are, and flags (N,) of nodes that are not but were looked at or lie beside.
    One that was found to follow is looked at again when one that it may follow from is taken back.
    Beside what is touched some may follow across a triangle whose far side has become shut.
    """
    queue, head, waiting = np.empty(len(flat), np.int32), 0, 0
    waits, beside = np.zeros(len(flat), np.bool_), np.zeros(len(flat), np.bool_)
    taken, count = np.empty(len(flat), np.int32), 0
    for node in touched:
        for k in range(-1, 8):
            u, other = node % nx, node
            if k >= 0:
                u, other = u + ACROSS[k], node + DOWN[k] * nx + ACROSS[k]
            if not (0 <= u < nx and 0 <= other < len(flat)) or waits[other]:
                continue
            if flat[other] < np.inf:
                waits[other] = True
                queue[waiting], waiting = other, waiting + 1
    while waiting:
        node = queue[head]
        head, waiting, waits[node] = (head + 1) % len(queue), waiting - 1, False
        was = flat[node]
        if _following(exits, nx, flat, seeds, length, node, was) == was:
            beside[node] = True
            continue
        flat[node] = np.inf
        taken[count], count = node, count + 1
        for k in range(8):
            u, other = node % nx + ACROSS[k], node + DOWN[k] * nx + ACROSS[k]
            if not (0 <= u < nx and 0 <= other < len(flat)) or flat[other] == np.inf:
                continue
            beside[other] = True
            if was < flat[other] and not waits[other]:
                waits[other] = True
                queue[(head + waiting) % len(queue)] = other
                waiting += 1
    return taken[:count].copy(), beside


@njit(cache=True, error_model="numpy", nogil=True)
def _begin_again(exits, nx, flat, seeds, length, touched, taken, beside):  # type: ignore[no-untyped-def]
    """A heap with all from which other distances may follow: what is touched, or beside `taken`.

    Nodes that were taken back begin at their seeds, touched ones at what follows from all others.
    """
    keys, size = np.empty(9 * len(flat)), 0
    nodes = np.empty(len(keys), np.int32)
    for node in taken:
        flat[node] = seeds[node]
        beside[node] = flat[node] < np.inf
    for node in touched:
        flat[node] = min(flat[node], _following(exits, nx, flat, seeds, length, node, np.inf))
        beside[node] = flat[node] < np.inf
    for node in np.flatnonzero(beside):
        size = push(keys, nodes, size, flat[node], int(node))
    return keys, nodes, size


@njit(cache=True, error_model="numpy", nogil=True)
def _from_one(exits, nx, flat, length, node, k):  # type: ignore[no-untyped-def]
    """The distance at the neighbour in direction `k` that follows from that at a node.

    Across the triangles that both are corners of, from their third corners too.
    """
    best = flat[node] + length[k & 3]
    for side in (-1, 1):
        # The third corner: beside this node if it is straight across from the other, else between.
        turn = (k + (side if k & 1 else 2 * side)) & 7
        if not exits[node] >> turn & 1:
            continue
        third = node + DOWN[turn] * nx + ACROSS[turn]
        onward = (k - side) & 7
        if not exits[third] >> onward & 1:
            continue
        if k & 1:
            best = min(best, through(flat[third], flat[node], length[onward & 3], length[turn & 3]))
        elif flat[third] < flat[node]:
            best = min(best, through(flat[node], flat[third], length[k & 3], length[turn & 3]))
    return best
