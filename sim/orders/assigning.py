"""Which unit gets which place: the squares of all ways add up to the least, and few ways cross."""

from __future__ import annotations

import numpy as np
import scipy

from sim.core.arrays import Floats, Ints

MOST = 400
"""Units whose places are assigned together; more are halved by place first, again and again."""
HABIT = 1e-3
"""What a unit counts for its place within the formation beside its way: of ways that are as long,
that is chosen by which it keeps its own."""


def assign(starts: Floats, ends: Floats) -> Ints:
    """(n,) which of the ends (n, 2) each of the starts (n, 2) gets: exact for up to `MOST`.

    It is decided by the places alone, not by their order.
    """
    found = np.empty(len(starts), np.int64)
    blocks = [(_sorted(starts), _sorted(ends))]
    while blocks:
        some, theirs = blocks.pop()
        if len(some) > MOST:
            wide = np.ptp(ends[theirs], axis=0) + np.ptp(starts[some], axis=0)
            axis, half = int(np.argmax(wide)), len(some) // 2
            some = some[np.argsort(starts[some, axis], kind="stable")]
            theirs = theirs[np.argsort(ends[theirs, axis], kind="stable")]
            blocks += [(some[:half], theirs[:half]), (some[half:], theirs[half:])]
            continue
        found[some] = theirs[_least(_squares(starts[some], ends[theirs]))]
    return found


def wheel(before: Floats, after: Floats, nominal: Floats) -> Ints:
    """(n,) which place of a formation that has turned each of its places before goes to.

    `before` and `after` (n, 2) are the same `nominal` places (n, 2) in the world. Each keeps its
    own where there are more than `MOST`.
    """
    if len(nominal) > MOST:
        return np.arange(len(nominal))
    return _least(_squares(before, after) + HABIT * _squares(nominal, nominal))


def _least(cost: Floats) -> Ints:
    """(n,) the column that each row of `cost` (n, n) gets, at the least sum."""
    found: Ints = scipy.optimize.linear_sum_assignment(cost)[1]
    return found


def _squares(starts: Floats, ends: Floats) -> Floats:
    """(n, m) the square of each way from one of n starts to one of m ends."""
    off = starts[:, None] - ends[None]
    squares: Floats = (off**2).sum(axis=2)
    return squares


def _sorted(places: Floats) -> Ints:
    """The numbers of places (n, 2) in the order of x, then y."""
    return np.lexsort((places[:, 1], places[:, 0]))
