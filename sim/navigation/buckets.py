"""Nodes of a grid in the order of their distances, for kernels: a binary heap, and buckets.

The heap is two arrays: the least key first, older entries are not removed. Buckets are quicker:
what follows from a node is farther by some least distance or more. So nodes wait in buckets that
are as wide as that: none follows from another in its own bucket, and each is taken once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined, leaf
from sim.core.shared_cache import njit

Nodes = NDArray[np.int32]


@leaf
def push(keys: Floats, nodes: Nodes, size: int, key: float, node: int) -> int:
    """Add an entry; the new size. The arrays must have room for it."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] <= key:
            break
        keys[at], nodes[at] = keys[above], nodes[above]
        at = above
    keys[at], nodes[at] = key, node
    return size + 1


@leaf
def drop_least(keys: Floats, nodes: Nodes, size: int) -> int:
    """Remove the entry at the front; the new size."""
    size -= 1
    key, node, at = keys[size], nodes[size], 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[at], nodes[at] = keys[below], nodes[below]
        at = below
    keys[at], nodes[at] = key, node
    return size


NONE = -1
NAMES = (1 << 30) - 1
"""Buckets go by the lower bits of their numbers: few are in use at a time."""


class Queue(NamedTuple):
    """Nodes that wait, each in a bucket; and those to begin with, which may be far apart."""

    bucket: Nodes
    """(b, N) the nodes in each of some buckets that follow one another; memory that is not in use
    costs nothing."""
    filled: Ints
    """(b,) how many there are."""
    within: Nodes
    """(N,) in which bucket each node waits, if it does."""
    keys: Floats
    """A heap of those to begin with: their distances."""
    begins: Nodes
    """And which nodes they are."""
    fine: float
    """Buckets in a unit of distance."""


@njit(cache=True, error_model="numpy", nogil=True)
def empty_queue(nodes, begins, longest, least):  # type: ignore[no-untyped-def]
    """One for a number of nodes, with room for a number `begins` of nodes to begin with.

    `longest` is the longest way to a neighbour, `least` how wide buckets are.
    """
    buckets = 8
    while buckets < longest / least + 3:
        buckets *= 2
    return Queue(
        np.empty((buckets, nodes), np.int32), np.zeros(buckets, np.int64),
        np.full(nodes, NONE, np.int32), np.empty(begins), np.empty(begins, np.int32), 1.0 / least,
    )  # fmt: skip


@inlined
def wait(queue, node, key):  # type: ignore[no-untyped-def]
    """Have a node wait for its turn, if it does not wait in that bucket already."""
    number = np.int64(key * queue.fine)
    if queue.within[node] != number & NAMES:
        at = number & (len(queue.filled) - 1)
        queue.within[node] = number & NAMES
        queue.bucket[at, queue.filled[at]] = node
        queue.filled[at] += 1


@leaf
def take(queue, flat, number, begun):  # type: ignore[no-untyped-def]
    """Take the nodes of the next bucket, from a number on: how many, and the number of the bucket.

    They are `queue.bucket[number & mask, :many]`, where `mask` is one less than the buckets there
    are. With these, how many nodes to begin with are left of `begun`. Distances `flat` (N,) only
    fall as nodes wait. None are taken at the end.
    """
    many, mask = 0, len(queue.filled) - 1
    while many == 0:
        last = number + mask
        while number <= last and queue.filled[number & mask] == 0:
            number += 1
        if begun and (number > last or np.int64(queue.keys[0] * queue.fine) < number):
            number = np.int64(queue.keys[0] * queue.fine)
        elif number > last:
            break
        while begun and np.int64(queue.keys[0] * queue.fine) <= number:
            node, key = np.uint64(queue.begins[0]), queue.keys[0]
            begun = drop_least(queue.keys, queue.begins, begun)
            if flat[node] == key:
                wait(queue, node, key)
        nodes = queue.bucket[number & mask]
        for n in range(queue.filled[number & mask]):
            node = np.uint64(nodes[n])
            if queue.within[node] == number & NAMES:  # else it came nearer as it waited
                queue.within[node] = NONE
                nodes[many] = node
                many += 1
        queue.filled[number & mask] = 0
    return many, number, begun
