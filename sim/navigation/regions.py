"""Which nodes of a planning grid hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Ints
from sim.core.shared_cache import njit
from sim.navigation.marking import ACROSS, DOWN, Bytes
from sim.navigation.wrapping import beside, same

NEAR = 1 << 14
"""Nodes looked through at most to see that a part still hangs together."""


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


@njit(cache=True, error_model="numpy", nogil=True)
def regions_again(
    free: Bytes, exits: Bytes, was: NDArray[np.int32], touched: Ints, label: NDArray[np.int32]
) -> bool:
    """Write the same numbers after `free` or `exits` have changed at the nodes `touched`.

    False where a look at what is near is not enough: parts may have come, gone, been joined or
    parted. `was` are the numbers before. Not on a torus.
    """
    nx, before, now = free.shape[1], was.reshape(-1), label.reshape(-1)
    open_now, ways = free.reshape(-1), exits.reshape(-1)
    part, begin = np.int32(-1), -1
    for node in touched:
        part = max(part, before[node])
        if before[node] >= 0 and open_now[node]:
            begin = node
    if begin < 0:
        return False
    for node in range(len(now)):  # a slice takes seconds to compile: it may say what does not fit
        now[node] = before[node]
    for node in touched:
        now[node] = part if open_now[node] else -1
        if before[node] >= 0 and before[node] != part:
            return False
        for k in range(8):
            other = before[node + DOWN[k] * nx + ACROSS[k]] if ways[node] >> k & 1 else -1
            if other >= 0 and other != part:
                return False
    first = 0  # parts are numbered by their first nodes
    while before[first] != part and now[first] != part:
        first += 1
    return bool(before[first] == now[first] and _together(ways, open_now, nx, touched, begin))


@njit(cache=True, error_model="numpy", nogil=True)
def _together(ways, free, nx, touched, begin):  # type: ignore[no-untyped-def]
    """Whether those of some nodes that are free hang together, not far round the one to `begin`."""
    seen, wanted = np.zeros(len(free), np.bool_), np.zeros(len(free), np.bool_)
    queue, head, end, left = np.empty(NEAR + 8, np.int64), 0, 1, 0
    for node in touched:
        left += free[node] and not wanted[node]
        wanted[node] = free[node]
    queue[0], seen[begin] = begin, True
    while head < end and end <= NEAR:
        node = queue[head]
        head += 1
        left -= wanted[node]
        if left == 0:
            return True
        for k in range(8):
            other = node + DOWN[k] * nx + ACROSS[k]
            if ways[node] >> k & 1 and not seen[other]:
                queue[end], seen[other] = other, True
                end += 1
    return False
