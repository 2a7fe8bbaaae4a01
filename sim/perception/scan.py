"""The compiled pass over the cells: what each unit sees, summed up and listed, for every sight."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import Kernel, inlined
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.perception.few import keep_nearest, sort_all, sum_of
from sim.perception.window import LANES, look_round, rings_for, wider

SAFE = 1.0 - 1e-9
"""A unit on the very edge of a window may have been rounded into the next cell."""
LIKELY = 1.6
"""The nearest k are first looked for where this many times k stand if all stand evenly."""


@inlined
def _measure(x, y, cosine, sine, torus, m, notes):  # type: ignore[no-untyped-def]
    """Own-frame offsets and squared distances of the m units noted, by the nearest image.

    Whole lanes of them, the last filled up with units infinitely far off.
    """
    x_of, y_of, ahead, starboard, square = notes[0], notes[1], notes[2], notes[3], notes[4]
    for k in range(-(-m // LANES) * LANES):
        dx, dy = nearest_image(x_of[k] - x, y_of[k] - y, torus)
        ahead[k], starboard[k] = to_own_frame(dx, dy, cosine, sine)
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
def _count(around, sights, g, s, near, inside, groups):  # type: ignore[no-untyped-def]
    """How many of those around one sight sees; `near[3]` becomes 1 for these, 0 for the others."""
    lens, picky, accepts = sights.lens, sights.picky, sights.accepts
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

    No unit is skipped: a quarter of all guesses about the units seen would be wrong.
    """
    ahead, starboard, weight = near[0], near[1], near[3]
    a, b = 0.0, 0.0
    for p in range(around):
        a += weight[p] * ahead[p]
        b += weight[p] * starboard[p]
    return a, b


@inlined
def _collect(around, bits, picked):  # type: ignore[no-untyped-def]
    """The units that any listing sight sees; how many there are."""
    found = 0
    for p in range(around):
        picked[found] = p
        found += bits[p] > 0
    return found


@inlined
def _list(found, order, near, numbers, bits, i, lists):  # type: ignore[no-untyped-def]
    """Write down those picked, while there is room."""
    slots, inside, picked = numbers[0], numbers[2], numbers[3]
    for n in range(min(found, lists.index.shape[1])):
        p = picked[n]
        lists.index[i, n], lists.seen[i, n] = order[slots[inside[p]]], bits[p]
        lists.ahead[i, n], lists.starboard[i, n] = near[0, p], near[1, p]
        lists.distance[i, n] = np.sqrt(near[2, p])


@Kernel
def scan(begin, end, order, cells, sights, window, lists, sums):  # type: ignore[no-untyped-def]
    """Each unit measures all that stand in the cells round it, then sums up sight by sight.

    A group that sees only the nearest few looks no further than it takes to find them. Writes the
    lists, and of the sums the counts and offsets.
    """
    crowd, count, offset = window.crowd, sums.count, sums.offset
    floats, numbers = np.empty((9, crowd + LANES)), np.empty((6, crowd + LANES), np.int64)
    notes, near, bits = floats[:5], floats[5:], np.empty(crowd + LANES, np.uint8)
    groups, inside, picked = numbers[1], numbers[2], numbers[3]
    keys = notes[4]
    here, whose, least, far, m, middle = -1, -1, 0, 0, 0, 0
    torus, state, many = periods(cells.size), cells.state, sights.lens.shape[1]
    wraps = torus[0] > 0
    for slot in range(begin, end):
        i, g, home = order[slot], cells.who[slot], cells.cell[slot]
        x, y, c, d = state[0, slot], state[1, slot], state[2, slot], state[3, slot]
        few, most = sights.few[g], window.rings[g]
        if home != here or g != whose:
            whose, least = g, most
            if few > 0 and most > 1:
                least = rings_for(few, home, cells, wraps, most)
        ring, enough, found, first = least, False, 0, few > 0
        while not enough:
            if home != here or ring != far:
                here, far = home, ring
                m, middle = look_round(here, ring, cells, wraps, notes, numbers)
            _measure(x, y, c, d, torus, m, notes)
            notes[4, middle + slot - cells.first[here]] = np.inf  # no unit is its own neighbour
            # No unit is nearer, and missing, up to the edge of the window.
            edge = SAFE * (ring * cells.side) ** 2 if ring < most else np.inf
            bound = min(sights.most[g], edge)
            likely = LIKELY * few * ((2 * ring + 1) * cells.side) ** 2 / (np.pi * m)
            first = first and likely < bound
            within = likely if first else bound
            around = _pick(m, within, notes, near, inside, bits)
            enough, found = True, 0
            for s in range(many):
                n = _count(around, sights, g, s, near, inside, groups)
                wanted = sights.nearest[g, s]
                if wanted > 0:
                    enough = enough and (n >= wanted or sights.lens[g, s, 3] <= within)
                    n = keep_nearest(around, near, wanted, keys, numbers)
                count[s, i] = n
                a, b = 0.0, 0.0
                if sights.means[g, s] and n > 0:
                    a, b = sum_of(n, near, picked) if wanted > 0 else _sum_up(around, near)
                share = 1.0 / max(n, 1)
                offset[s, i, 0], offset[s, i, 1] = a * share, b * share
                if n > 0 and (sights.each[g, s] or sights.means[g, s]):
                    found = n
                    for p in range(around):
                        bits[p] |= (near[3, p] > 0.0) << s
            ring, first = ring if first else wider(ring, most), False
        if found > 0 and few == 0:
            found = _collect(around, bits, picked)
        elif found > 0 and many > 1:
            found = sort_all(around, near, bits, picked)
        lists.count[i] = found
        _list(found, order, near, numbers, bits, i, lists)


@Kernel
def mean_velocities(begin, end, heading, velocity, group, means, lists, sums):  # type: ignore[no-untyped-def]
    """The mean velocity of units that each sight with `means` (G, S) sees, own frame, (S, N, 2).

    One after another in the order of the lists. Written to the sums.
    """
    index, seen, count, out = lists.index, lists.seen, sums.count, sums.velocity
    for i in range(begin, end):
        c, d = heading[i, 0], heading[i, 1]
        for s in range(len(count)):
            out[s, i, 0], out[s, i, 1] = 0.0, 0.0
            if means[group[i], s] and count[s, i] > 0:
                u, v, share = 0.0, 0.0, 1.0 / count[s, i]
                for k in range(lists.count[i]):
                    if seen[i, k] >> s & 1:
                        u += velocity[index[i, k], 0]
                        v += velocity[index[i, k], 1]
                u, v = to_own_frame(u, v, c, d)
                out[s, i, 0], out[s, i, 1] = u * share, v * share
