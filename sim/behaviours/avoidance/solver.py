"""Solvers: the velocity nearest to the one wanted, within half-planes (see `half_planes`).

`nearest` and `compromise` solve it exactly, in a disc cut by half-planes, by taking the half-planes
one after the other (Seidel 1991; van den Berg et al. 2011, section 5); the solution is unique, so
their order does not matter. `nearest_soft` misses bounds that contradict each other as little as
possible, in least squares (Hildreth 1957).

Half-planes come as a table (`ROWS`, m), a column for each: x, y, b, and two rows that `nearest`
writes. What stands beyond the last is not heeded. Its width is a multiple of `LANES`, so that one
instruction takes several.
"""

from __future__ import annotations

import numpy as np

from sim.core.compiled import built_in, inlined, leaf

ROWS, LANES = 5, 4
"""Of the table; and how many numbers one instruction takes at a time, at least."""
PARALLEL = 1e-9
"""Edges of two half-planes at an angle of a smaller sine count as parallel."""
FINE, TRIES, GENEROUS = 1e-4, 12, 24
"""How closely the least relaxation is found, as a share of the fastest; the number of tries up to
which it is found so, and the most of them: each beyond the first is half as close."""
SWEEPS = 12
"""Rounds of `nearest_soft` over all bounds, at most."""
ENOUGH = -1.0
FARTHEST = 4.0
"""What is moved back by more than this many times the fastest gives no answer."""


@leaf
def take_in(planes, first, total, room, plane):  # type: ignore[no-untyped-def]
    """Take in a half-plane; the new total. Those from `first` on are `room` in number at most.

    Where they are as many, it replaces the one that asks for the least, if it asks for more.
    """
    x, y, bound = plane
    at = total
    if total - first == room:
        at = first
        for n in range(first + 1, total):
            at = n if planes[2, n] < planes[2, at] else at
        if planes[2, at] >= bound:
            return total
    planes[0, at], planes[1, at], planes[2, at] = x, y, bound
    return max(total, at + 1)


@built_in
def nearest(planes, count, firm, relaxed, x, y, most):  # type: ignore[no-untyped-def]
    """Velocity in all half-planes nearest to (x, y), no faster than `most`; and what it takes.

    The first `firm` half-planes hold as they are, the others are moved back by `relaxed`. What it
    takes is `ENOUGH` where there is a velocity; where there is none, how far they must be moved
    back at least, and the number of one half-plane that contradicts others.
    """
    size = np.sqrt(x * x + y * y)
    if size > most:
        x, y = x * most / size, y * most / size
    wish_x, wish_y = x, y
    for i in range(count):
        nx, ny = planes[0, i], planes[1, i]
        b = planes[2, i] - (0.0 if i < firm else relaxed)
        if nx * x + ny * y >= b:
            continue
        # The best lies on the edge of this one: on a line, between two ends.
        room = most * most - b * b
        if room < 0.0:
            return x, y, planes[2, i] - most if i >= firm else np.inf, i
        high = np.sqrt(room)
        low = -high
        # Where each one before cuts it off; no branch, as half of all guesses would be wrong.
        for j in range(-(-i // LANES) * LANES):
            mx, my = planes[0, j], planes[1, j]
            c = planes[2, j] - (0.0 if j < firm else relaxed)
            slope, rest = my * nx - mx * ny, c - b * (mx * nx + my * ny)
            parallel = abs(slope) < PARALLEL
            end = rest / (1.0 if parallel else slope)
            all_or_none = np.inf if rest > 1e-12 else -np.inf
            planes[3, j] = all_or_none if parallel else (end if slope > 0.0 else -np.inf)
            planes[4, j] = end if slope <= -PARALLEL else np.inf
        for j in range(i):
            low, high = max(low, planes[3, j]), min(high, planes[4, j])
        if low > high:
            return x, y, _contradiction(planes, firm, relaxed, most, i, np.sqrt(room)), i
        t = min(max(wish_y * nx - wish_x * ny, low), high)
        x, y = b * nx - t * ny, b * ny + t * nx
    return x, y, ENOUGH, count


@leaf
def _contradiction(planes, firm, relaxed, most, i, high):  # type: ignore[no-untyped-def]
    """How far back half-planes must be moved at least where nothing is left of the edge of i.

    The first ones before i that leave nothing tell. The edge ends at -`high` and `high` where none
    cuts it.
    """
    low, lower, upper = -high, i, i
    for j in range(i):
        if planes[3, j] == np.inf:  # parallel, and back to back
            share = (i >= firm) + (j >= firm)
            least = (planes[2, i] + planes[2, j]) / share if share > 0 else np.inf
            return max(least, relaxed)
        if planes[3, j] > low:
            low, lower = planes[3, j], j
        if planes[4, j] < high:
            high, upper = planes[4, j], j
        if low > high:
            break
    return _least(planes, firm, relaxed, most, (i, lower, upper, low, high))


@leaf
def _across(planes, firm, i, other):  # type: ignore[no-untyped-def]
    """Another half-plane: its normal across and along that of i, its bound, if it gives way."""
    nx, ny, mx, my = planes[0, i], planes[1, i], planes[0, other], planes[1, other]
    gives = 0.0 if other < firm else 1.0
    return my * nx - mx * ny, mx * nx + my * ny, planes[2, other], gives


@leaf
def _least(planes, firm, relaxed, most, edge):  # type: ignore[no-untyped-def]
    """How far back half-planes must be moved at least for three that contradict each other.

    `edge` is (i, lower, upper, low, high): the edge of number i is cut off below `low` by number
    `lower`, above `high` by number `upper`; either may be i itself, which stands for the disc. Its
    tangent at that end takes its place. The three normals, each stretched, add up to nothing; so
    must their bounds, which tells how much it takes (Farkas' lemma).
    """
    i, lower, upper, low, high = edge
    b = planes[2, i] - (0.0 if i < firm else relaxed)
    rise, ahead, first, gives = -low / most, -b / most, -most, 0.0
    if lower != i:
        rise, ahead, first, gives = _across(planes, firm, i, lower)
    fall, before, second, yields = -high / most, -b / most, -most, 0.0
    if upper != i:
        fall, before, second, yields = _across(planes, firm, i, upper)
    weight = fall * ahead - rise * before
    if weight <= 0.0:
        return relaxed  # in a tie of rounding: a little more will do
    share = (0.0 if i < firm else weight) - fall * gives + rise * yields
    if share <= 0.0:
        return np.inf
    return max((weight * planes[2, i] - fall * first + rise * second) / share, relaxed)


@leaf
def compromise(planes, count, firm, x, y, most):  # type: ignore[no-untyped-def]
    """As `nearest`; where no velocity will do, all but the firm half-planes give way evenly.

    They are moved back by the least that will do; by how much is the third thing returned, infinite
    where that is too much. Where firm ones contradict each other, as between two that are both too
    near, none of them asks for more than to come no nearer: so one between them can go sideways.
    """
    vx, vy, relaxed = _relaxed(planes, count, firm, x, y, most)
    if relaxed == np.inf:
        for i in range(firm):
            planes[2, i] = min(planes[2, i], 0.0)
        vx, vy, relaxed = _relaxed(planes, count, firm, x, y, most)
    return vx, vy, relaxed


@leaf
def _relaxed(planes, count, firm, x, y, most):  # type: ignore[no-untyped-def]
    """As `compromise`, firm half-planes as they are.

    Each try shows how much it takes at least; what has contradicted others comes first in the next
    one, and so in `planes`.
    """
    relaxed, more = 0.0, FINE * most
    for number in range(GENEROUS):
        vx, vy, takes, last = nearest(planes, count, firm, relaxed, x, y, most)
        if takes == ENOUGH:
            return vx, vy, relaxed
        if takes > FARTHEST * most:
            break
        first = firm if last >= firm else 0
        for k in range(3):
            planes[k, first], planes[k, last] = planes[k, last], planes[k, first]
        if number >= TRIES:
            more *= 2.0
        relaxed = takes + more
    return 0.0, 0.0, np.inf


@inlined
def nearest_soft(x, bounds, m, little):  # type: ignore[no-untyped-def]
    """The velocity nearest to (x, 0) within m soft bounds, to a change of less than `little`.

    `bounds` (5, m) holds rows of normal (2), least component, softness and multiplier.
    """
    y = 0.0
    for _ in range(SWEEPS):
        most = 0.0
        for k in range(m):
            nx, ny, push = bounds[0, k], bounds[1, k], bounds[4, k]
            short = bounds[2, k] - nx * x - ny * y - bounds[3, k] * push
            if push == 0.0 and short <= 0.0:
                continue  # most hold as it is: then none waits for the one before
            more = max(-push, short / (1.0 + bounds[3, k]))
            bounds[4, k] += more
            x += more * nx
            y += more * ny
            most = max(most, abs(more))
        if most < little:
            break
    return x, y
