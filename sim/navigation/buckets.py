"""Nodes of a grid in the order of their distances, for kernels: quicker than a heap.

What follows from a node is farther by some `least` distance or more. So nodes wait in buckets that
are as wide as that: no node follows from another in its own bucket, and each is taken once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined, leaf
from sim.core.shared_cache import njit
from sim.navigation.heap import drop_least, push

NONE = -1
NAMES = (1 << 30) - 1
"""Buckets go by the lower bits of their numbers: those that are in use are few."""
USED, WAITING, BUCKET, BEGUN = 0, 1, 2, 3


class Queue(NamedTuple):
    """Nodes that wait, each in a bucket; and those to begin with, which may be far apart."""

    head: NDArray[np.int32]
    """The last entry of each of some buckets that follow one another, `NONE` for empty ones."""
    link: NDArray[np.int32]
    """The entry before each entry, in its bucket."""
    node: NDArray[np.int32]
    """Of each entry."""
    within: NDArray[np.int32]
    """In which bucket each node waits, if it does."""
    keys: Floats
    """A heap of those to begin with: their distances."""
    begins: NDArray[np.int32]
    """And which nodes they are."""
    count: Ints
    """How many entries are `USED`, how many are `WAITING`, from which `BUCKET` nodes are taken, and
    how many nodes to begin with are left."""
    least: float


@njit(cache=True, error_model="numpy", nogil=True)
def empty_queue(nodes, begins, longest, least):  # type: ignore[no-untyped-def]
    """One for a number of nodes, of which some `begins`: a node follows from eight others at most.

    `longest` is the longest way to a neighbour.
    """
    buckets = 8
    while buckets < longest / least + 3:
        buckets *= 2
    link, node = np.empty(8 * nodes + begins, np.int32), np.empty(8 * nodes + begins, np.int32)
    return Queue(
        np.full(buckets, NONE, np.int32), link, node, np.full(nodes, NONE, np.int32),
        np.empty(begins), np.empty(begins, np.int32), np.zeros(4, np.int64), least,
    )  # fmt: skip


@leaf
def begin_with(queue, node, key):  # type: ignore[no-untyped-def]
    """One of the nodes to begin with."""
    queue.count[BEGUN] = push(queue.keys, queue.begins, queue.count[BEGUN], key, node)


@inlined
def wait(queue, node, key):  # type: ignore[no-untyped-def]
    """Have a node wait for its turn, if it does not wait in that bucket already."""
    bucket = np.int64(key / queue.least)
    if queue.within[node] != bucket & NAMES:
        entry, at = queue.count[USED], bucket & (len(queue.head) - 1)
        queue.node[entry], queue.link[entry] = node, queue.head[at]
        queue.within[node] = bucket & NAMES
        queue.head[at] = entry
        queue.count[USED] += 1
        queue.count[WAITING] += 1


@inlined
def take(queue, flat):  # type: ignore[no-untyped-def]
    """The next node, by distances `flat` (N,) that only fall as nodes wait; `NONE` at the end."""
    count = queue.count
    while True:
        at = count[BUCKET] & (len(queue.head) - 1)
        while queue.head[at] != NONE:
            entry = queue.head[at]
            queue.head[at], node = queue.link[entry], np.int64(queue.node[entry])
            count[WAITING] -= 1
            if queue.within[node] == count[BUCKET] & NAMES:  # else it came nearer as it waited
                queue.within[node] = NONE
                return node
        if count[WAITING]:
            count[BUCKET] += 1
        elif count[BEGUN]:
            count[BUCKET] = np.int64(queue.keys[0] / queue.least)
        else:
            return NONE
        _begin(queue, flat)


@inlined
def _begin(queue, flat):  # type: ignore[no-untyped-def]
    """Have those wait whose turn to begin has come."""
    count = queue.count
    while count[BEGUN] and np.int64(queue.keys[0] / queue.least) <= count[BUCKET]:
        node, key = np.int64(queue.begins[0]), queue.keys[0]
        count[BEGUN] = drop_least(queue.keys, queue.begins, count[BEGUN])
        if flat[node] == key:
            wait(queue, node, key)
