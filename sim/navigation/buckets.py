"""Nodes of a grid in the order of their distances, for kernels: quicker than a heap.

What follows from a node is farther by some least distance or more. So nodes wait in buckets that
are as wide as that: none follows from another in its own bucket, and each is taken once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.core.compiled import inlined, leaf
from sim.core.shared_cache import njit
from sim.navigation.heap import drop_least

Nodes = NDArray[np.int32]
NONE = -1
NAMES = (1 << 30) - 1
"""Buckets go by the lower bits of their numbers: those that are in use at a time are few."""


class Queue(NamedTuple):
    """Nodes that wait, each in a bucket; and those to begin with, which may be far apart."""

    head: Nodes
    """The last entry of each of some buckets that follow one another, `NONE` for empty ones."""
    link: Nodes
    """The entry before each entry in its bucket."""
    node: Nodes
    """Of each entry."""
    within: Nodes
    """In which bucket each node waits, if it does."""
    taken: Nodes
    """Those of the bucket that was taken last."""
    keys: Floats
    """A heap of those to begin with: their distances."""
    begins: Nodes
    """And which nodes they are."""
    fine: float
    """Buckets in a unit of distance."""


@njit(cache=True, error_model="numpy", nogil=True)
def empty_queue(nodes, begins, longest, least):  # type: ignore[no-untyped-def]
    """One for a number of nodes, of which some `begins`: a node follows from eight others at most.

    `longest` is the longest way to a neighbour, `least` how wide buckets are.
    """
    buckets = 8
    while buckets < longest / least + 3:
        buckets *= 2
    link, node = np.empty(8 * nodes + begins, np.int32), np.empty(8 * nodes + begins, np.int32)
    return Queue(
        np.full(buckets, NONE, np.int32), link, node, np.full(nodes, NONE, np.int32),
        np.empty(nodes, np.int32), np.empty(begins), np.empty(begins, np.int32), 1.0 / least,
    )  # fmt: skip


@inlined
def wait(queue, used, node, key):  # type: ignore[no-untyped-def]
    """Have a node wait for its turn, if it does not wait in that bucket already.

    How many entries are `used` then.
    """
    bucket = np.int64(key * queue.fine)
    if queue.within[node] != bucket & NAMES:
        at = bucket & (len(queue.head) - 1)
        queue.node[used], queue.link[used] = node, queue.head[at]
        queue.within[node] = bucket & NAMES
        queue.head[at] = used
        used += 1
    return used


@leaf
def take(queue, flat, bucket, begun, used):  # type: ignore[no-untyped-def]
    """Take the nodes of the next bucket, from `bucket` on: how many, and which bucket that is.

    With these, how many nodes to begin with are left of `begun`, and how many entries are `used`.
    Distances `flat` (N,) only fall as nodes wait; none are taken at the end.
    """
    many = 0
    while many == 0:
        last = bucket + len(queue.head)
        while bucket < last and queue.head[bucket & (len(queue.head) - 1)] == NONE:
            bucket += 1
        if begun and (bucket == last or np.int64(queue.keys[0] * queue.fine) < bucket):
            bucket = np.int64(queue.keys[0] * queue.fine)
        elif bucket == last:
            break
        while begun and np.int64(queue.keys[0] * queue.fine) <= bucket:
            node, key = np.int64(queue.begins[0]), queue.keys[0]
            begun = drop_least(queue.keys, queue.begins, begun)
            if flat[node] == key:
                used = wait(queue, used, node, key)
        at = bucket & (len(queue.head) - 1)
        entry, queue.head[at] = queue.head[at], NONE
        while entry != NONE:
            node, entry = np.int64(queue.node[entry]), queue.link[entry]
            if queue.within[node] == bucket & NAMES:  # else it came nearer as it waited
                queue.within[node] = NONE
                queue.taken[many] = node
                many += 1
    return many, bucket, begun, used
