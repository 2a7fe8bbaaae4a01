"""What two units owe each other when their courses meet."""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.orders.minds import ITS_TURN, WAITING

OVERLAPPING = 0.3
"""Time in which two that overlap are to be apart again, s."""
SAME_WAY = 0.3
"""Cosine of the angle within which somebody walks the same way."""

ROUND = 0.3
"""What a unit whose turn it is does itself to get round one that waits."""


@njit(cache=True, error_model="numpy")
def right_of_way(x, y, apart, cosine, sine, length):  # type: ignore[no-untyped-def]
    """By how much the other goes first, in hull lengths: as the other sees it, the negative.

    (x, y) is the other's place, (cosine, sine) its heading, in one's own frame. The first part is
    how much further one has to the crossing of the two courses; on one course, how far one is
    behind. The second decides a dead heat: who has the other to starboard yields.
    """
    later = (x * (1.0 + cosine) + y * sine) / length
    starboard = (y + (cosine * y - sine * x)) / apart
    return later + 0.5 * starboard


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def clearing(x, y, radius, vx, vy, horizon, handed, side):  # type: ignore[no-untyped-def]
    """The least change (ux, uy) of a relative velocity that clears a disc, and its normal (nx, ny).

    The disc lies at (x, y), one closes in on it with (vx, vy), and is to stay clear of it for
    `horizon` s. The normal points to where it is clear. After van den Berg et al. (2011); but who
    heads for the disc within an angle of sine `handed` passes it to port, as the other does. With a
    `side`, 1 starboard or -1 port, it is passed on that side, however much of a change that is.
    """
    square, wide = x * x + y * y, radius * radius
    within = horizon if square > wide else OVERLAPPING
    wx, wy = vx - x / within, vy - y / within
    size, dot = np.sqrt(wx * wx + wy * wy), wx * x + wy * y
    before = dot < 0.0 and dot * dot > wide * size * size
    if square <= wide or (before and side == 0):
        if size < 1e-12:
            away = np.sqrt(square)
            nx, ny = -x / away, -y / away
        else:
            nx, ny = wx / size, wy / size
        short = radius / within - size
        return short * nx, short * ny, nx, ny
    leg = np.sqrt(square - wide)
    turn = x * wy - y * wx + handed * np.sqrt(square) * size
    if side > 0 or (side == 0 and turn > 0.0):
        tx, ty = (x * leg - y * radius) / square, (x * radius + y * leg) / square
    else:
        tx, ty = -(x * leg + y * radius) / square, (x * radius - y * leg) / square
    along = vx * tx + vy * ty
    return along * tx - vx, along * ty - vy, -ty, tx
