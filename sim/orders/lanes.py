"""Lanes out of narrow places: units that wait at a mouth leave one for units that come out."""

from __future__ import annotations

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints
from sim.orders.places import NOWHERE, Bound, Turns
from sim.orders.turns import OUT

SOON = 3.0
"""Hull lengths before the mouth from where on a unit that comes out counts."""
HALF = 1.75
"""Hull lengths between the middle of a lane and units that wait beside it."""
FAR = 1e-6
"""How much those count that are not so near: they go on as straight as the passage, for all that is
known."""
AT_ONE = 0.7
"""Units that come out have one lane if the mean of their directions is at least so long."""
BESIDE, LESS = 1.3, 0.9
"""Hull lengths between units that stand beside each other; what share of the way that one of them
has to go the other goes to make room for it."""


def lanes_out(
    bound: Bound, turns: Turns, position: Floats, course: Floats, length: Floats, moving: Bools
) -> Floats:
    """(N, 2) the direction of the lane out of the mouth to which units without a turn come.

    It is the mean of the directions (N, 2) in which those go that come out there. Zeros for all
    other units, and where they go apart.
    """
    lane = np.zeros_like(position)
    through = (turns.turn != bound.place) | (turns.exit != bound.exit)
    off = np.hypot(*(position - turns.way_out).T)
    near = np.where(through, off < OUT * length, (bound.ahead == 0.0) & (off < SOON * length))
    comes = moving & (turns.turn != NOWHERE) & (near | (~through & (bound.ahead > 0.0)))
    comes &= np.isfinite(off)  # what is sent into a narrow place comes out nowhere
    asks = (turns.turn == NOWHERE) & (bound.place != NOWHERE) & (turns.idle > 0.0)
    out, rows = np.flatnonzero(comes), np.flatnonzero(asks)
    if not len(out) or not len(rows):
        return lane
    out = out[np.lexsort(position[out].T)]  # so that the sums do not depend on the numbering
    mouths = np.concatenate([turns.way_out[out], bound.mouth[rows]])
    which = np.unique(mouths, axis=0, return_inverse=True)[1].reshape(-1)
    at, size, counts = which[: len(out)], int(which.max()) + 1, np.where(near, 1.0, FAR)[out]
    heads, far = course[out], out[~near[out]]
    heads[~near[out]] = turns.way_out[far] - bound.mouth[far]
    heads *= (counts / np.maximum(np.hypot(*heads.T), 1e-300))[:, None]
    total = np.maximum(np.bincount(at, counts, size), 1e-300)
    mean = np.stack([np.bincount(at, heads[:, k], size) / total for k in range(2)], axis=1)
    long = np.hypot(*mean.T)
    one = long > AT_ONE
    mean = np.where(one, mean.T / np.where(one, long, 1.0), 0.0).T
    lane[rows] = mean[which[len(out) :]]
    return lane


def aside(off: Floats, lane: Floats, length: Floats, across: Bools) -> Floats:
    """(k, 2) how far units are to go to be out of the lane, which are `off` (k, 2) its mouth.

    Each goes to the side that it is on, or `across` (k,) the lane to the other.
    """
    off = np.where(lane.any(axis=1, keepdims=True), off, 0.0)  # without a lane it may be infinite
    along = (off * lane).sum(axis=1)
    beside = lane[:, 0] * off[:, 1] - lane[:, 1] * off[:, 0]
    within = lane.any(axis=1) & (along > 0.0) & (along < OUT * length)
    short = HALF * length + np.where(across, abs(beside), -abs(beside))
    least = np.where(within, np.maximum(short, 0.0), 0.0)
    least *= np.where((beside >= 0.0) != across, 1.0, -1.0)
    return np.stack([-lane[:, 1] * least, lane[:, 0] * least], axis=1)


def passed_on(position: Floats, length: Floats, hold: Floats) -> Floats:
    """(k, 2) how far units are to go to make room for one beside them that has to go (k, 2)."""
    given = np.zeros_like(hold)
    if len(hold) < 2 or not hold.any():
        return given
    tree = scipy.spatial.cKDTree(position)
    pairs = tree.query_pairs(BESIDE * float(length.max()), output_type="ndarray")
    one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
    off = position[other] - position[one]
    apart = np.maximum(np.hypot(*off.T), 1e-300)
    along = off / apart[:, None]
    push = LESS * (hold[one] * along).sum(axis=1)
    push[apart > BESIDE * 0.5 * (length[one] + length[other])] = 0.0
    order = np.argsort(push)
    order = order[push[order] > 0.0]
    given[other[order]] = (along * push[:, None])[order]  # the last, and greatest, stays
    return given


def longest(reach: Floats, comes_to: Ints, turn: Ints, passages: int) -> Floats:
    """(P + 1,) how far the longest hull at each passage reaches; 0 for the last, which is none.

    Of units that come to it, and of those with a turn there: both (N,), by its number.
    """
    most = np.zeros(passages + 1)
    for place in (comes_to, turn):
        there = (place != NOWHERE) & (place < passages)
        np.maximum.at(most, place[there], reach[there])
    return most
