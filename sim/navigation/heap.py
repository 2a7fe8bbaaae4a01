"""A binary heap in two arrays, for kernels: the least key first, older entries are not removed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.core.compiled import leaf

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
