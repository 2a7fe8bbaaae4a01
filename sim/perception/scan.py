"""The compiled pass over the cells: who sees whom, with sums and lists, for every sight at once."""

from __future__ import annotations

import numpy as np
from numba import get_num_threads, njit, prange
from numpy.typing import NDArray

from sim.compiled import WORTH_THREADS, Kernel, inlined
from sim.perception.cells import Cells

BLOCK = 64
"""Slots a thread takes at a time: crowded and empty parts of the world are shared out evenly."""


class Scratch:
    """What each thread notes about the nine cells round it; kept from step to step."""

    def __init__(self) -> None:
        self._room(0, 0)

    def _room(self, threads: int, crowd: int) -> None:
        self.near = np.zeros((threads, 7, crowd))
        self.whose = np.zeros((threads, 3, crowd), np.int64)
        self.bits = np.zeros((threads, crowd), np.uint8)

    def fit(self, cells: Cells) -> None:
        """Make room for as many as nine cells may hold."""
        threads = get_num_threads() if len(cells.order) >= WORTH_THREADS else 1
        crowd = min(9 * int(_fullest(cells.first)), len(cells.order))
        if threads != len(self.near) or crowd > self.near.shape[2]:
            self._room(threads, max(crowd + crowd // 2, 32))


@njit(cache=True)
def _fullest(first: NDArray[np.int64]) -> int:
    most = 0
    for c in range(len(first) - 1):
        most = max(most, first[c + 1] - first[c])
    return most


@njit(cache=True, error_model="numpy")
def _surroundings(here, first, columns, rows, wraps, state, who, near, whose):  # type: ignore[no-untyped-def]
    """Copy the units of the cells round one; how many, and where the cell's own begin."""
    column, row = here % columns, here // columns
    # On a torus of fewer than three columns the same cell would come up twice.
    west, east = (0, columns) if wraps and columns < 3 else (column - 1, column + 2)
    north, south = (0, rows) if wraps and rows < 3 else (row - 1, row + 2)
    m, middle = 0, 0
    for down in range(north, south):
        for right in range(west, east):
            r, c = down, right
            if wraps:
                r, c = r % rows, c % columns
            elif r < 0 or r >= rows or c < 0 or c >= columns:
                continue
            there = r * columns + c
            if there == here:
                middle = m
            for slot in range(first[there], first[there + 1]):
                near[0, m], near[1, m] = state[slot, 0], state[slot, 1]
                near[2, m], near[3, m] = state[slot, 2], state[slot, 3]
                whose[0, m], whose[1, m] = slot, who[slot]
                m += 1
    return m, middle


@inlined
def _measure(x, y, cosine, sine, size, m, x_of, y_of, ahead, starboard, square):  # type: ignore[no-untyped-def]
    """Own-frame offsets and squared distances of the m units copied, by the nearest image."""
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    for k in range(m):
        dx, dy = x_of[k] - x, y_of[k] - y
        dx -= width * np.rint(dx * per_width)
        dy -= height * np.rint(dy * per_height)
        ahead[k], starboard[k] = cosine * dx + sine * dy, cosine * dy - sine * dx
        square[k] = dx * dx + dy * dy


@inlined
def _pick(m, most, square, inside, bit):  # type: ignore[no-untyped-def]
    """Which of the m lie within the squared reach; how many."""
    around = 0
    for k in range(m):
        inside[around] = k
        bit[k] = 0
        around += square[k] <= most
    return around


@inlined
def _sum_up(  # type: ignore[no-untyped-def]
    around, s, lens, each, accepts, vx, vy, ahead, starboard, square, inside, groups, bit
):
    """How many one sight sees, and the sums of their offsets and velocities.

    Without a branch on hit or miss: a quarter of all guesses about that would be wrong.
    """
    side, fore, edge, reach = lens[0], lens[1], lens[2], lens[3]
    seen, a, b, u, v = 0, 0.0, 0.0, 0.0, 0.0
    for p in range(around):
        k = inside[p]
        if square[k] > reach:
            continue
        hit = side * abs(starboard[k]) + fore * ahead[k] > edge
        hit = (hit | (square[k] == 0.0)) & accepts[groups[k]]
        weight = 1.0 if hit else 0.0
        seen += hit
        a += weight * ahead[k]
        b += weight * starboard[k]
        u += weight * vx[k]
        v += weight * vy[k]
        bit[k] |= (hit & each) << s
    return seen, a, b, u, v


@njit(cache=True, error_model="numpy")
def _list(around, order, near, slots, inside, bit, index, ahead, starboard, distance, seen):  # type: ignore[no-untyped-def]
    """Write down those that any listing sight sees, as far as there is room; how many there are."""
    found = 0
    for p in range(around):
        k = inside[p]
        if bit[k]:
            if found < len(index):
                index[found], seen[found] = order[slots[k]], bit[k]
                ahead[found], starboard[found] = near[4, k], near[5, k]
                distance[found] = np.sqrt(near[6, k])
            found += 1
    return found


@Kernel
def scan(  # type: ignore[no-untyped-def]
    order, first, cell, columns, rows, state, who, size, lens, most, each, accepts,
    near, whose, bits, count, offset, velocity, listed, index, ahead, starboard, distance, seen,
):  # fmt: skip
    """Each unit measures all that stand in the nine cells round it, then sums up sight by sight.

    `lens` (G, S, 4) holds `views.fold` and the squared reach of each group's sights, `most` (G,)
    the largest of these.
    """
    threads = len(near)
    for thread in prange(threads):
        notes, bit = near[thread], bits[thread]
        slots, groups, inside = whose[thread, 0], whose[thread, 1], whose[thread, 2]
        x_of, y_of, vx, vy = notes[0], notes[1], notes[2], notes[3]
        fore, side, square = notes[4], notes[5], notes[6]
        for block in range(thread * BLOCK, len(order), threads * BLOCK):
            here, m, middle = -1, 0, 0
            for slot in range(block, min(block + BLOCK, len(order))):
                if cell[slot] != here:
                    here = cell[slot]
                    m, middle = _surroundings(
                        here, first, columns, rows, size[0] > 0, state, who, notes, whose[thread]
                    )
                i, g = order[slot], who[slot]
                x, y, c, d = state[slot, 0], state[slot, 1], state[slot, 4], state[slot, 5]
                _measure(x, y, c, d, size, m, x_of, y_of, fore, side, square)
                square[middle + slot - first[here]] = np.inf  # nobody is a neighbour of its own
                around = _pick(m, most[g], square, inside, bit)
                listing = False
                for s in range(lens.shape[1]):
                    n, a, b, u, v = _sum_up(
                        around, s, lens[g, s], each[g, s], accepts[g, s],
                        vx, vy, fore, side, square, inside, groups, bit,
                    )  # fmt: skip
                    listing |= each[g, s] & (n > 0)
                    share = 1.0 / max(n, 1)
                    count[s, i] = n
                    offset[s, i, 0], offset[s, i, 1] = a * share, b * share
                    velocity[s, i, 0] = (c * u + d * v) * share
                    velocity[s, i, 1] = (c * v - d * u) * share
                listed[i] = 0
                if listing:
                    listed[i] = _list(
                        around, order, notes, slots, inside, bit,
                        index[i], ahead[i], starboard[i], distance[i], seen[i],
                    )  # fmt: skip
