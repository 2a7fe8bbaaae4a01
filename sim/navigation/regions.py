"""Which nodes of a planning grid hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.shared_cache import njit
from sim.navigation.wrapping import beside, same

Bytes = NDArray[np.uint8]


@njit(cache=True, error_model="numpy", nogil=True)
def regions(free: Bytes, exits: Bytes, label: NDArray[np.int32], wraps: bool) -> int:
    """Number the parts that hang together, from 0, into `label`; -1 where no hull has room."""
    ny, nx = free.shape
    stack = np.empty(ny * nx, np.int64)
    count = 0
    label[:] = -1
    for start in range(ny * nx):
        if not free.flat[start] or label.flat[start] >= 0 or same(start, ny, nx, wraps) != start:
            continue
        label.flat[start] = count
        stack[0], top = start, 1
        while top:
            top -= 1
            node = stack[top]
            for k in range(8):
                if exits.flat[node] >> k & 1:
                    other = beside(node, k, ny, nx, wraps)
                    if label.flat[other] < 0:
                        label.flat[other] = count
                        stack[top] = other
                        top += 1
        count += 1
    for node in range(ny * nx):
        label.flat[node] = label.flat[same(node, ny, nx, wraps)]
    return count
