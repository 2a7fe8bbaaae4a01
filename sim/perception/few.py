"""Sights of the nearest few: which units each sees, picked from those noted, and put in order."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import built_in
from sim.perception.window import LANES

FEW = 96
"""More units than this are not ranked, each by all others."""


@built_in
def _before(p, q, offsets):  # type: ignore[no-untyped-def]
    """Whether p is nearer than q; level, where it stands decides, not its number."""
    if offsets[2, p] != offsets[2, q]:
        return offsets[2, p] < offsets[2, q]
    return offsets[0, p] < offsets[0, q] or (
        offsets[0, p] == offsets[0, q] and offsets[1, p] < offsets[1, q]
    )


@built_in
def _insert(p, found, most, picked, offsets):  # type: ignore[no-untyped-def]
    """Take p in among the `found` nearest, in order, of which there are `most` at most."""
    at = found - 1 if found == most else found
    if found < most or _before(p, picked[at], offsets):
        while at > 0 and _before(p, picked[at - 1], offsets):
            picked[at] = picked[at - 1]
            at -= 1
        picked[at] = p
        found = min(found + 1, most)
    return found


@built_in
def choose(m, marks, chosen):  # type: ignore[no-untyped-def]
    """The units that any sight sees; how many they are."""
    n = 0
    for k in range(m):
        chosen[n] = k
        n += marks[k] != 0
    return n


@built_in
def thin_out(n, wanted, offsets, marks, chosen, picked):  # type: ignore[no-untyped-def]
    """Clear the marks of the n chosen that are not among the nearest that each sight wants."""
    for s in range(len(wanted)):
        found = 0
        if wanted[s] == 0:
            continue
        for j in range(n):
            k = chosen[j]
            if marks[k] >> s & 1:
                marks[k] ^= 1 << s
                found = _insert(k, found, wanted[s], picked, offsets)
        for j in range(found):
            marks[picked[j]] |= 1 << s


@built_in
def put_in_order(n, offsets, chosen, picked, keys, ranks):  # type: ignore[no-untyped-def]
    """Put the n chosen in order into `picked`, the nearest first.

    Each one's rank is the number of those nearer, counted side by side in vector registers.
    """
    square, lanes, total = offsets[2], -(-n // LANES) * LANES, 0
    for j in range(lanes):
        ranks[j] = 0
    for j in range(n):
        keys[j] = square[chosen[j]]
    for j in range(n, lanes):
        keys[j] = np.inf
    # Four at a time, so that ranks are read and written a quarter as often.
    for other in range(0, n, 4):
        a, b, c, d = keys[other], keys[other + 1], keys[other + 2], keys[other + 3]
        for j in range(lanes):
            ranks[j] += (a < keys[j]) + (b < keys[j]) + (c < keys[j]) + (d < keys[j])
    for j in range(n):
        total += ranks[j]
        picked[ranks[j]] = chosen[j]
    if 2 * total != n * (n - 1):  # some are level
        for j in range(n):
            _insert(chosen[j], j, n, picked, offsets)
