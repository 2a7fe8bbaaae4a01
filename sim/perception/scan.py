"""The compiled pass over the cells: who sees whom, with sums and lists, for every sight at once."""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.compiled import Kernel, inlined

LANES = 8
"""Numbers that one instruction takes at a time."""


@njit(cache=True, nogil=True)
def crowded(first, units):  # type: ignore[no-untyped-def]
    """The most units that nine cells may hold, as many as there are units in all at most."""
    most = 0
    for c in range(len(first) - 1):
        most = max(most, first[c + 1] - first[c])
    return min(9 * most, units)


@inlined
def _copy(begin, end, state, who, notes, numbers, m):  # type: ignore[no-untyped-def]
    """Note the units of some slots as numbers m and up; the next number."""
    for slot in range(begin, end):
        k = m + slot - begin
        notes[0, k], notes[1, k] = state[0, slot], state[1, slot]
        numbers[0, k], numbers[1, k] = slot, who[slot]
    return m + end - begin


@njit(cache=True, error_model="numpy")
def _surroundings(here, first, columns, rows, wraps, state, who, notes, numbers):  # type: ignore[no-untyped-def]
    """Note the units of the cells round one; how many, and as which number those here begin.

    Cells side by side are one stretch of memory.
    """
    column, row = here % columns, here // columns
    # On a torus of fewer than three columns the same cell would come up twice.
    west, east = (0, columns) if wraps and columns < 3 else (column - 1, column + 2)
    north, south = (0, rows) if wraps and rows < 3 else (row - 1, row + 2)
    m, middle = 0, 0
    for down in range(north, south):
        if not wraps and (down < 0 or down >= rows):
            continue
        start = (down + rows) % rows * columns
        if wraps and west < 0:
            last = start + columns - 1
            m = _copy(first[last], first[last + 1], state, who, notes, numbers, m)
        begin = first[start + max(west, 0)]
        if down == row:
            middle = m + first[here] - begin
        m = _copy(begin, first[start + min(east, columns)], state, who, notes, numbers, m)
        if wraps and east > columns:
            m = _copy(first[start], first[start + 1], state, who, notes, numbers, m)
    for k in range(m, m + LANES):
        notes[0, k] = notes[1, k] = np.inf
    return m, middle


@inlined
def _measure(x, y, cosine, sine, size, m, notes):  # type: ignore[no-untyped-def]
    """Own-frame offsets and squared distances of the m units noted, by the nearest image.

    Whole lanes of them, the last filled up with units infinitely far off.
    """
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    x_of, y_of, ahead, starboard, square = notes[0], notes[1], notes[2], notes[3], notes[4]
    for k in range(-(-m // LANES) * LANES):
        dx, dy = x_of[k] - x, y_of[k] - y
        dx -= width * np.rint(dx * per_width)
        dy -= height * np.rint(dy * per_height)
        ahead[k], starboard[k] = cosine * dx + sine * dy, cosine * dy - sine * dx
        square[k] = dx * dx + dy * dy


@inlined
def _pick(m, most, notes, near, inside, bits):  # type: ignore[no-untyped-def]
    """Copy what is within the squared reach of the m units noted to `near`; how many they are."""
    square, around = notes[4], 0
    for k in range(m):
        inside[around] = k
        around += square[k] <= most
    for p in range(around):
        k = inside[p]
        near[0, p], near[1, p], near[2, p] = notes[2, k], notes[3, k], notes[4, k]
        bits[p] = 0
    for p in range(around, around + LANES):
        near[2, p] = np.inf
    return around


@inlined
def _count(around, lens, picky, accepts, g, s, near, inside, groups):  # type: ignore[no-untyped-def]
    """How many of those around one sight sees; `near[3]` becomes 1 for these, 0 for the others."""
    side, fore, edge, reach = lens[g, s, 0], lens[g, s, 1], lens[g, s, 2], lens[g, s, 3]
    ahead, starboard, square, weight = near[0], near[1], near[2], near[3]
    seen = 0
    for p in range(-(-around // LANES) * LANES):
        hit = side * abs(starboard[p]) + fore * ahead[p] > edge
        hit = (square[p] <= reach) & (hit | (square[p] == 0.0))
        weight[p] = 1.0 if hit else 0.0
        seen += hit
    if picky[g, s] and seen > 0:
        seen = 0
        for p in range(around):
            weight[p] = weight[p] if accepts[g, s, groups[inside[p]]] else 0.0
            seen += weight[p] > 0.0
    return seen


@inlined
def _sum_up(around, near):  # type: ignore[no-untyped-def]
    """The sum of the offsets of those counted, one after another in their order.

    Nobody is skipped: a quarter of all guesses about who is seen would be wrong.
    """
    ahead, starboard, weight = near[0], near[1], near[3]
    a, b = 0.0, 0.0
    for p in range(around):
        a += weight[p] * ahead[p]
        b += weight[p] * starboard[p]
    return a, b


@inlined
def _list(  # type: ignore[no-untyped-def]
    around, order, near, slots, inside, bits, picked, i, index, ahead, starboard, distance, seen
):
    """Write down those that any listing sight sees, while there is room; how many there are."""
    found = 0
    for p in range(around):
        picked[found] = p
        found += bits[p] > 0
    for n in range(min(found, index.shape[1])):
        p = picked[n]
        index[i, n], seen[i, n] = order[slots[inside[p]]], bits[p]
        ahead[i, n], starboard[i, n] = near[0, p], near[1, p]
        distance[i, n] = np.sqrt(near[2, p])
    return found


@Kernel
def scan(  # type: ignore[no-untyped-def]
    begin, end, order, first, cell, columns, rows, state, who,
    size, lens, most, each, means, picky, accepts, crowd,
    count, offset, listed, index, ahead, starboard, distance, seen,
):  # fmt: skip
    """Each unit measures all that stand in the nine cells round it, then sums up sight by sight.

    `lens` (G, S, 4) holds `views.fold` and the squared reach of each group's sights, `most` (G,)
    the largest of these; a sight is `picky` (G, S) if it does not accept all groups. `crowd` is the
    most that nine cells hold.
    """
    floats, numbers = np.empty((9, crowd + LANES)), np.empty((4, crowd + LANES), np.int64)
    notes, near, bits = floats[:5], floats[5:], np.empty(crowd + LANES, np.uint8)
    slots, groups, inside, picked = numbers[0], numbers[1], numbers[2], numbers[3]
    here, m, middle = -1, 0, 0
    for slot in range(begin, end):
        if cell[slot] != here:
            here = cell[slot]
            m, middle = _surroundings(
                here, first, columns, rows, size[0] > 0, state, who, notes, numbers
            )
        i, g = order[slot], who[slot]
        x, y, c, d = state[0, slot], state[1, slot], state[2, slot], state[3, slot]
        _measure(x, y, c, d, size, m, notes)
        notes[4, middle + slot - first[here]] = np.inf  # nobody is a neighbour of its own
        around = _pick(m, most[g], notes, near, inside, bits)
        listing = False
        for s in range(lens.shape[1]):
            n = _count(around, lens, picky, accepts, g, s, near, inside, groups)
            count[s, i] = n
            a, b = 0.0, 0.0
            if means[g, s] and n > 0:
                a, b = _sum_up(around, near)
            share = 1.0 / max(n, 1)
            offset[s, i, 0], offset[s, i, 1] = a * share, b * share
            if n > 0 and (each[g, s] or means[g, s]):
                listing = True
                for p in range(around):
                    bits[p] |= (near[3, p] > 0.0) << s
        listed[i] = 0
        if listing:
            listed[i] = _list(
                around, order, near, slots, inside, bits, picked,
                i, index, ahead, starboard, distance, seen,
            )  # fmt: skip


@Kernel
def mean_velocities(begin, end, heading, velocity, group, means, listed, index, seen, count, out):  # type: ignore[no-untyped-def]
    """The mean velocity of those that each sight with `means` (G, S) sees, own frame, (S, N, 2).

    One after another in the order of the lists.
    """
    for i in range(begin, end):
        c, d = heading[i, 0], heading[i, 1]
        for s in range(len(count)):
            out[s, i, 0], out[s, i, 1] = 0.0, 0.0
            if means[group[i], s] and count[s, i] > 0:
                u, v, share = 0.0, 0.0, 1.0 / count[s, i]
                for k in range(listed[i]):
                    if seen[i, k] >> s & 1:
                        u += velocity[index[i, k], 0]
                        v += velocity[index[i, k], 1]
                out[s, i, 0], out[s, i, 1] = (c * u + d * v) * share, (c * v - d * u) * share
