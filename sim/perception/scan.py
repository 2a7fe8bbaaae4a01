"""The compiled pass over the cells: what each unit sees, summed up and listed, for every sight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.cells import Cells
from sim.core.compiled import Kernel, built_in
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.perception.few import FEW, choose, put_in_order, thin_out
from sim.perception.lists import Neighbours, Sums
from sim.perception.sight_table import LIKELY, Sights
from sim.perception.window import LANES, Window, look_round, rings_for, wider

SAFE = 1.0 - 1e-9
"""A unit on the very edge of a window may have been rounded into the next cell."""


class _Memory(NamedTuple):
    """What a thread notes down of the units round one."""

    notes: Floats
    """(5, k) places, offsets in the own frame, squared distances."""
    near: Floats
    """(k,) squared distances of those chosen."""
    numbers: Ints
    """(7, k) slots, groups, marks, those chosen, those picked, ranks, sights that count each."""


@built_in
def _measure(x, y, cosine, sine, torus, m, notes):  # type: ignore[no-untyped-def]
    """Own-frame offsets and squared distances of the m units noted, by the nearest image.

    Whole lanes of them, the last filled up with units infinitely far off.
    """
    x_of, y_of, ahead, starboard, square = notes[0], notes[1], notes[2], notes[3], notes[4]
    for k in range(-(-m // LANES) * LANES):
        dx, dy = nearest_image(x_of[k] - x, y_of[k] - y, torus)
        ahead[k], starboard[k] = to_own_frame(dx, dy, cosine, sine)
        square[k] = dx * dx + dy * dy


@built_in
def _mark(m, within, done, sights, g, memory, sums, i):  # type: ignore[no-untyped-def]
    """Set the bit of each sight in the marks of the units it sees up to a squared distance.

    How many each sees goes into the sums. Returns the bits of the sights that need look no further:
    each sees as many as it wants, or its whole reach was searched. The marks of sights that were
    `done` before stay as they are.
    """
    ahead, starboard, square = memory.notes[2], memory.notes[3], memory.notes[4]
    counted, marks = memory.numbers[6], memory.numbers[2]
    lens, wanted, lanes = sights.lens, sights.nearest, -(-m // LANES) * LANES
    for k in range(m):
        marks[k] = marks[k] & done | counted[k] & ~done
    for s in range(lens.shape[1]):
        if done >> s & 1:
            continue
        side, fore, edge, reach = lens[g, s, 0], lens[g, s, 1], lens[g, s, 2], lens[g, s, 3]
        far, seen, others = min(reach, within), 0, ~(1 << s)
        for k in range(lanes):
            hit = side * abs(starboard[k]) + fore * ahead[k] > edge
            hit = (square[k] <= far) & (hit | (square[k] == 0.0))
            marks[k] &= others | (hit << s)
            seen += marks[k] >> s & 1
        sums.count[s, i] = seen
        done |= (reach <= within or 0 < wanted[g, s] <= seen) << s
    return done


@built_in
def _note_counted(m, g, sights, numbers):  # type: ignore[no-untyped-def]
    """Note the bits of the sights of a group that count each of the m units noted."""
    for k in range(m):
        numbers[6, k] = sights.counts[g, numbers[1, k]]


@built_in
def _stop_at(wanted, s, n, picked, marks):  # type: ignore[no-untyped-def]
    """Clear the marks of one sight beyond the first `wanted` of the n picked that it sees."""
    seen = 0
    for j in range(n):
        k = picked[j]
        hit = marks[k] >> s & 1
        seen += hit
        marks[k] ^= (hit & (seen > wanted)) << s


@built_in
def _sum_up(n, s, offsets, picked, marks):  # type: ignore[no-untyped-def]
    """The sum of the offsets of those of the n picked that one sight sees, one after another.

    All are added, as zeros where it does not see them: a jump past these would be guessed wrong at
    a quarter of them.
    """
    ahead, starboard, a, b = offsets[0], offsets[1], 0.0, 0.0
    for j in range(n):
        k = picked[j]
        hit = marks[k] >> s & 1
        a += ahead[k] if hit else 0.0
        b += starboard[k] if hit else 0.0
    return a, b


@built_in
def _list(n, i, bits, order, numbers, offsets, picked, lists):  # type: ignore[no-untyped-def]
    """Write down those picked that any listing sight sees, while there is room."""
    slots, marks, room, found = numbers[0], numbers[2], lists.index.shape[1], 0
    for j in range(n):
        k = picked[j]
        if marks[k] & bits:
            if found < room:
                lists.index[i, found], lists.seen[i, found] = order[slots[k]], marks[k] & bits
                lists.ahead[i, found], lists.starboard[i, found] = offsets[0, k], offsets[1, k]
                lists.distance[i, found] = np.sqrt(offsets[2, k])
            found += 1
    lists.count[i] = found
    return found


@Kernel.making_arrays
def scan(begin, end, order, cells, sights, window, lists, sums):  # type: ignore[no-untyped-def]  # noqa: ARG001 - its length tells how many there are
    """Each unit measures all that stand in the cells round it, then sums up sight by sight.

    A group that sees only the nearest few looks no further than it takes to find them. Writes the
    lists, and of the sums the counts and offsets; how long the longest list is to be.
    """
    window = Window(*window)
    most = window.crowd + LANES
    memory = _Memory(np.empty((5, most)), np.empty(most), np.empty((7, most), np.int64))
    return _scan(
        begin, end, Cells(*cells), Sights(*sights), window, Neighbours(*lists), Sums(*sums), memory
    )


@built_in
def _scan(begin, end, cells, sights, window, lists, sums, memory):  # type: ignore[no-untyped-def]
    """As `scan`, in `memory` made before: so references to arrays are not counted at each unit."""
    notes, near, numbers = memory.notes, memory.near, memory.numbers
    order, marks, chosen = cells.order, numbers[2], numbers[3]
    picked, ranks = numbers[4], numbers[5]
    here, whose, least, far, m, middle, looker = -1, -1, 0, 0, 0, 0, -1
    offsets, torus, state, longest = notes[2:], periods(cells.size), cells.state, 0
    wraps, every = torus[0] > 0, (1 << sights.lens.shape[1]) - 1
    for slot in range(begin, end):
        i, g, home = order[slot], cells.who[slot], int(cells.cell[slot])
        x, y, c, d = state[0, slot], state[1, slot], state[2, slot], state[3, slot]
        few, most = sights.few[g], window.rings[g]
        if home != here or g != whose:
            whose, least = g, most
            if 0.0 < few < np.inf and most > 1:
                least = rings_for(few, home, cells, wraps, most)
        ring, done = least, 0
        while done < every:
            if home != here or ring != far:
                here, far = home, ring
                m, middle = look_round(here, ring, cells, wraps, notes, numbers)
                looker = -1
            if looker != g:
                looker = g
                _note_counted(m, g, sights, numbers)
            _measure(x, y, c, d, torus, m, notes)
            notes[4, middle + slot - cells.first[here]] = np.inf  # no unit is its own neighbour
            # No unit is nearer, and missing, up to the edge of the window.
            edge = SAFE * (ring * cells.side) ** 2 if ring < most else np.inf
            within = LIKELY * few * ((2 * ring + 1) * cells.side) ** 2 / (np.pi * m)
            done = 0
            if 0.0 < within < edge:
                done = _mark(m, within, done, sights, g, memory, sums, i)
            if done < every:
                done = _mark(m, edge, done, sights, g, memory, sums, i)
            ring = wider(ring, most)
        n, seen = choose(m, marks, chosen), chosen
        if few == np.inf or (few > 0.0 and n > FEW):
            thin_out(n, sights.nearest[g], offsets, marks, chosen, picked)
            n = choose(m, marks, chosen)
        if 0.0 < few < np.inf:
            put_in_order(n, offsets, chosen, picked, near, ranks)
            seen = picked
        for s in range(sights.lens.shape[1]):
            if 0 < sights.nearest[g, s] < sums.count[s, i]:
                sums.count[s, i] = sights.nearest[g, s]
                _stop_at(sums.count[s, i], s, n, seen, marks)
            if sights.means[g, s]:
                a, b = _sum_up(n, s, offsets, seen, marks)
                share = 1.0 / max(sums.count[s, i], 1)
                sums.offset[s, i, 0], sums.offset[s, i, 1] = a * share, b * share
        longest = max(longest, _list(n, i, sights.listed[g], order, numbers, offsets, seen, lists))
    return longest


@Kernel
def narrow(begin, end, reach, lists, sight, count, offset):  # type: ignore[no-untyped-def]
    """Have each unit see by one sight as far as its own `reach` (n,) and no farther.

    The sight no longer marks those farther off. Writes how many are left (n,), and the offset to
    their mean position (n, 2).
    """
    lists = Neighbours(*lists)
    for i in range(begin, end):
        seen, a, b = 0, 0.0, 0.0
        for k in range(lists.count[i]):
            if lists.seen[i, k] >> sight & 1 and lists.distance[i, k] > reach[i]:
                lists.seen[i, k] ^= 1 << sight
            elif lists.seen[i, k] >> sight & 1:
                seen += 1
                a += lists.ahead[i, k]
                b += lists.starboard[i, k]
        share = 1.0 / max(seen, 1)
        count[i], offset[i, 0], offset[i, 1] = seen, a * share, b * share


@Kernel
def mean_velocities(begin, end, heading, velocity, group, means, lists, sums):  # type: ignore[no-untyped-def]
    """The mean velocity of units that each sight with `means` (G, S) sees, own frame, (S, N, 2).

    One after another in the order of the lists. Written to the sums.
    """
    lists, sums = Neighbours(*lists), Sums(*sums)
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
