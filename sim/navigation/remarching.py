"""Fields after the ground has changed: marched anew only where their distances no longer hold.

Distances that no longer follow from those of their neighbours are taken back, and marched again
from what is left (as in dynamic searches: Ramalingam and Reps, J. Algorithms 21, 1996). Each is the
least that follows from smaller ones, so the result is the same to the last bit as that of a march
over the whole grid.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.compiled import inlined, leaf
from sim.core.shared_cache import njit
from sim.navigation.buckets import NONE, empty_queue, push, take, wait
from sim.navigation.flow import FlowField, flow_field
from sim.navigation.grid import Grid, same_lattice
from sim.navigation.joined import joined_within
from sim.navigation.marching import across, no_room, seed
from sim.navigation.marking import ACROSS, DOWN, differing
from sim.navigation.search import lengths

SAFE = 0.99
"""The least that follows from a node is taken to be this many times what it is."""
SLIM = 10.0
"""Cells with sides of a greater ratio have fields anew as a whole: their distances would wait in
hundreds of buckets, each with room for all nodes."""


def renewed_field(old: FlowField, grid: Grid) -> FlowField:
    """The field to the same targets on a grid that has changed, as `flow_field` makes it.

    On the same lattice it still has the passages that it had.
    """
    was = old.grid
    slim = max(grid.step) > SLIM * min(grid.step)
    if grid.period[0] > 0 or slim or not same_lattice(was, grid) or not old.steps.size:
        return flow_field(grid, old.targets)
    seeds, sown, touched = _changed(was, grid, old.targets, joined_within(grid))
    steps, distance = _march_again(grid, old.steps, seeds, touched)
    reason = "" if sown else no_room(grid)
    return replace(old, grid=grid, distance=distance, reason=reason, steps=steps)


@njit(cache=True, error_model="numpy", nogil=True)
def _changed(was, now, targets, within):  # type: ignore[no-untyped-def]
    """What a march begins with, as `sow` writes it, and whether it begins anywhere.

    With them the nodes whose ways, or what they begin with, are not what they were.
    """
    (ny, nx), sown = now.free.shape, False
    seeds, before = np.full((ny, nx), np.inf), np.full((ny, nx), np.inf)
    for k in range(len(targets)):
        sown |= seed(now, targets[k], within, seeds)
        seed(was, targets[k], within, before)
    ways = differing(was.free, now.free, was.exits, now.exits)
    found, count = np.empty(ny * nx, np.int64), 0
    for node in ways:
        if before.flat[node] == seeds.flat[node]:
            found[count], count = node, count + 1
    for y in range(ny):
        other = 0
        for x in range(nx):
            other += before[y, x] != seeds[y, x]
        for x in range(nx if other else 0):
            if before[y, x] != seeds[y, x]:
                found[count], count = y * nx + x, count + 1
    return seeds, sown, found[:count].copy()


class Lattice(NamedTuple):
    """The nodes of a grid, row by row, as what goes from one to the next reads them."""

    exits: NDArray[np.uint8]
    off: NDArray[np.uint64]
    """(8,) how far off each neighbour is among the nodes, in whole numbers that never fall below 0
    but begin anew: compiled code then does not look whether an index counts from the end."""
    down: float
    """The height of a cell in its widths, which are the steps that distances count."""
    slant: float
    """How long the way along its diagonal is."""
    least: float
    """What follows from a node is farther by this or more."""


@njit(cache=True, error_model="numpy", nogil=True)
def _march_again(grid, before, seeds, touched):  # type: ignore[no-untyped-def]
    """Distances, in steps and in world units, after something changed at the nodes touched.

    `before` are those in steps that held until then.
    """
    columns, length, steps = grid.free.shape[1], lengths(grid), before.copy()
    down, slant = length[2], length[1]
    least = SAFE * min(1.0, down) ** 2 / slant
    off = (DOWN * columns + ACROSS).astype(np.uint64)
    lattice = Lattice(grid.exits.reshape(-1), off, down, slant, least)
    _set_right(lattice, columns, steps.reshape(-1), seeds.reshape(-1), touched)
    return steps, steps * grid.step[0]


@inlined
def _long(lattice, k):  # type: ignore[no-untyped-def]
    """How long the way to the neighbour k is."""
    return lattice.slant if k & 1 else lattice.down if k & 2 else 1.0


@inlined
def _following(lattice, flat, node, best, below):  # type: ignore[no-untyped-def]
    """The distance at a node that follows from those of its neighbours which are below a bound.

    It is `best` if none is less.
    """
    ways = np.int64(lattice.exits[node])
    for k in range(8):
        straight = node + lattice.off[k]
        if not ways >> k & 1 or flat[straight] >= below:
            continue
        near = flat[straight]
        best = min(best, near + _long(lattice, k))
        for side in (-1, 1):  # the triangle with a right angle at this neighbour
            beside, onward = (k + side) & 7, (k + 2 * side) & 7
            if k & 1 or not ways >> beside & 1 or not lattice.exits[straight] >> onward & 1:
                continue
            far, high = flat[node + lattice.off[beside]], _long(lattice, k)
            if far < below:
                best = min(best, across(near, far, high, _long(lattice, onward), lattice.slant))
    return best


@inlined
def _from_one(lattice, flat, node, k):  # type: ignore[no-untyped-def]
    """The distance at the neighbour in direction `k` that follows from that at a node.

    Across the triangles that both are corners of, from their third corners too.
    """
    here, ways = flat[node], np.int64(lattice.exits[node])
    best = here + _long(lattice, k)
    for side in (-1, 1):
        # The third corner: beside this node if it is straight across from the other, else between.
        turn, onward = (k + (side if k & 1 else 2 * side)) & 7, (k - side) & 7
        if not ways >> turn & 1:
            continue
        third = node + lattice.off[turn]
        if not lattice.exits[third] >> onward & 1:
            continue
        there, wide = flat[third], _long(lattice, turn)
        if k & 1:
            best = min(best, across(there, here, _long(lattice, onward), wide, lattice.slant))
        elif there < here:
            best = min(best, across(here, there, _long(lattice, k), wide, lattice.slant))
    return best


@njit(cache=True, error_model="numpy", nogil=True)
def _set_right(lattice, nx, flat, seeds, touched):  # type: ignore[no-untyped-def]
    """Set distances `flat` (N,) right in place; rows have `nx` nodes, `touched` (k,) changed."""
    n, longest, wide = len(flat), lattice.slant, lattice.least
    beside = np.zeros(n, np.bool_)
    queue, begun = empty_queue(n, 9 * len(touched), longest, wide), 0
    for node in touched:
        for k in range(-1, 8):
            u, other = node % nx, int(node)
            if k >= 0:
                u, other = u + ACROSS[k], int(node + DOWN[k] * nx + ACROSS[k])
            # Some beside it may follow across a triangle whose far side has become shut.
            if 0 <= u < nx and 0 <= other < n and flat[other] < np.inf:
                begun = push(queue.keys, queue.begins, begun, flat[other], other)
    _take_back(lattice, flat, seeds, queue, begun, beside)
    for node in touched:
        least = min(seeds[node], flat[node])
        flat[node] = _following(lattice, flat, np.uint64(node), least, np.inf)
        beside[node] = flat[node] < np.inf
    nodes, begun = np.flatnonzero(beside), 0
    queue = empty_queue(n, len(nodes), longest, wide)
    for node in nodes:
        begun = push(queue.keys, queue.begins, begun, flat[node], int(node))
    _march(lattice, flat, queue, begun)


@leaf
def _take_back(lattice, flat, seeds, queue, begun, beside):  # type: ignore[no-untyped-def]
    """Take back all distances that do not follow from smaller ones any more: seeds are left.

    All from which others may follow then are flagged as `beside` these. The nearest are asked
    first: so each is asked once, when all that it may follow from are right.
    """
    exits, off, bucket, within = lattice.exits, lattice.off, queue.bucket, queue.within
    number, mask = 0, len(bucket) - 1
    while True:
        many, number, begun = take(queue, flat, number, begun)
        if many == 0:
            return
        for n in range(many):
            node = np.uint64(bucket[number & mask, n])
            was, ways = flat[node], np.int64(exits[node])
            if _following(lattice, flat, node, seeds[node], was) <= was:
                beside[node] = True
                continue
            flat[node] = seeds[node]
            beside[node] = seeds[node] < np.inf
            for k in range(8):
                if not ways >> k & 1:
                    continue
                other = node + off[k]
                far = flat[other]
                # What is farther than by the way from here followed before this way was open.
                if was + lattice.least < far <= was + _long(lattice, k):
                    if within[other] == NONE:  # it is asked later
                        wait(queue, other, far)
                elif far < np.inf:
                    beside[other] = True


@leaf
def _march(lattice, flat, queue, begun):  # type: ignore[no-untyped-def]
    """Bring nearer all that follows from the nodes of a queue, and from what follows.

    What follows along a diagonal from a node, and not from one that is nearer, is farther by the
    shorter side of a cell.
    """
    exits, off, bucket = lattice.exits, lattice.off, queue.bucket
    number, mask = 0, len(bucket) - 1
    diagonal = SAFE * min(1.0, lattice.down)
    while True:
        many, number, begun = take(queue, flat, number, begun)
        if many == 0:
            return
        for n in range(many):
            node = np.uint64(bucket[number & mask, n])
            ways, here = np.int64(exits[node]), flat[node]
            for k in range(8):
                other, bound = node + off[k], here + (diagonal if k & 1 else lattice.least)
                if not ways >> k & 1 or flat[other] <= bound:
                    continue
                best = _from_one(lattice, flat, node, k)
                if best < flat[other]:
                    flat[other] = best
                    wait(queue, other, best)
