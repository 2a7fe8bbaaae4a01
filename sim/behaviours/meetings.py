"""What two units owe each other when their courses meet."""

from __future__ import annotations

import numpy as np

from sim.compiled import leaf
from sim.orders.minds import ITS_TURN, WAITING

OVERLAPPING = 0.3
"""Time in which two that overlap are to be apart again, s."""
SAME_WAY = 0.3
"""Cosine of the angle within which somebody walks the same way."""
ROUND = 0.3
"""What a unit whose turn it is does itself to get round one that waits."""


@leaf
def right_of_way(x, y, apart, cosine, sine, length):  # type: ignore[no-untyped-def]
    """By how much the other goes first, in hull lengths: as the other sees it, the negative.

    (x, y) is the other's place, (cosine, sine) its heading, in one's own frame. The first part is
    how much further one has to the crossing of the two courses; on one course, how far one is
    behind. The second decides a dead heat: who has the other to starboard yields.
    """
    later = (x * (1.0 + cosine) + y * sine) / length
    starboard = (y + (cosine * y - sine * x)) / apart
    return later + 0.5 * starboard


@leaf
def share_by_turn(mine, other, share):  # type: ignore[no-untyped-def]
    """How much of a change of course is mine where the place decides, not the pair.

    At a narrow place a unit that has to wait clears the way for units whose turn it is, and stands
    for all others: these go round it.
    """
    if mine == WAITING:
        return 1.0 if other == ITS_TURN else 0.0
    if other == WAITING:
        return ROUND if mine == ITS_TURN else 1.0
    return share


@leaf
def leaning(claim):  # type: ignore[no-untyped-def]
    """From -1 to 1 as a claim grows: tanh to 2e-3, in a few products and one quotient."""
    square = claim * claim
    over = claim * (945.0 + square * (105.0 + square))
    return min(max(over / (945.0 + square * (420.0 + 15.0 * square)), -1.0), 1.0)


@leaf
def clearing(x, y, apart, radius, vx, vy, horizon, handed, side):  # type: ignore[no-untyped-def]
    """The least change of a relative velocity that clears a disc, and which way, (nx, ny).

    The disc lies at (x, y), so far `apart`; one closes in on it with (vx, vy), and is to stay clear
    of it for `horizon` s. The way is where it is clear; a change less than 0 may be made against
    it. After van den Berg et al. (2011); but who heads for the disc within an angle of sine
    `handed` passes it to port, as the other does. With a `side`, 1 starboard or -1 port, it is
    passed on that side, however much of a change that is.
    """
    square, wide = apart * apart, radius * radius
    soon = 1.0 / (horizon if square > wide else OVERLAPPING)
    wx, wy = vx - x * soon, vy - y * soon
    dot, short = wx * x + wy * y, wx * wx + wy * wy
    size = np.sqrt(short)
    if square <= wide or (side == 0 and dot < 0.0 and dot * dot > wide * short):
        if size < 1e-12:
            return radius * soon - size, -x / apart, -y / apart
        per = 1.0 / size
        return radius * soon - size, wx * per, wy * per
    leg, per = np.sqrt(square - wide), 1.0 / square
    if side > 0 or (side == 0 and x * wy - y * wx + handed * apart * size > 0.0):
        nx, ny = -(x * radius + y * leg) * per, (x * leg - y * radius) * per
    else:
        nx, ny = (y * leg - x * radius) * per, -(x * leg + y * radius) * per
    return -vx * nx - vy * ny, nx, ny
