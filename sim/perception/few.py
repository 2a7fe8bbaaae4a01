"""The nearest few of the units round one: picked, sorted and summed up."""

from __future__ import annotations

from sim.core.compiled import inlined
from sim.perception.window import LANES

FEW = 64
"""More units than this are not ranked, each by all others."""


@inlined
def _before(near, p, q):  # type: ignore[no-untyped-def]
    """Whether p is nearer than q; level, where it stands decides, not its number."""
    if near[2, p] != near[2, q]:
        return near[2, p] < near[2, q]
    return near[0, p] < near[0, q] or (near[0, p] == near[0, q] and near[1, p] < near[1, q])


@inlined
def _insert(near, p, found, most, picked):  # type: ignore[no-untyped-def]
    """Take p in among the `found` nearest, in order, of which there are `most` at most."""
    at = found - 1 if found == most else found
    if found < most or _before(near, p, picked[at]):
        while at > 0 and _before(near, p, picked[at - 1]):
            picked[at] = picked[at - 1]
            at -= 1
        picked[at] = p
        found = min(found + 1, most)
    return found


@inlined
def keep_nearest(around, near, most, keys, numbers):  # type: ignore[no-untyped-def]
    """Of those counted keep the `most` nearest, in order in `picked`; how many they are.

    Each one's rank is the number of those nearer, counted side by side in vector registers; of
    more than `FEW` each is put in its place.
    """
    picked, those, ranks = numbers[3], numbers[4], numbers[5]
    weight, n = near[3], 0
    for p in range(around):
        those[n], keys[n] = p, near[2, p]
        n += weight[p] > 0.0
    total, found = 0, min(n, most)
    if n <= FEW:
        for k in range(-(-n // LANES) * LANES):
            ranks[k] = 0
        for other in range(n):
            key = keys[other]
            for k in range(-(-n // LANES) * LANES):
                ranks[k] += key < keys[k]
        for k in range(n):
            rank = ranks[k]
            total += rank
            picked[rank] = those[k]
            weight[those[k]] = 1.0 if rank < most else 0.0
    if n > FEW or 2 * total != n * (n - 1):  # or some are level
        found = 0
        for k in range(n):
            found = _insert(near, those[k], found, most, picked)
            weight[those[k]] = 0.0
        for k in range(found):
            weight[picked[k]] = 1.0
    return found


@inlined
def sum_of(n, near, picked):  # type: ignore[no-untyped-def]
    """The sum of the offsets of the n nearest, the nearest first."""
    a, b = 0.0, 0.0
    for k in range(n):
        a += near[0, picked[k]]
        b += near[1, picked[k]]
    return a, b


@inlined
def sort_all(around, near, bits, picked):  # type: ignore[no-untyped-def]
    """The units that any listing sight sees, the nearest first; how many there are."""
    found = 0
    for p in range(around):
        if bits[p] > 0:
            found = _insert(near, p, found, around, picked)
    return found
