"""Half-planes off other units: what hulls that are near ask for, and what is foreseen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours.avoidance.clearance import AT_REST, concerns, to_hull, to_the_first
from sim.behaviours.avoidance.half_planes import Disc, clearing
from sim.behaviours.avoidance.joining import JOINING
from sim.behaviours.avoidance.nearest import (
    APART,
    HULL,
    HX,
    HY,
    JOINED,
    PACE,
    RESTING,
    SHARED,
    STANCE,
    VX,
    VY,
    X,
    Y,
)
from sim.behaviours.avoidance.right_of_way import SAME_WAY, leaning, right_of_way, share_by_turn
from sim.core.compiled import leaf

MOST_OF_IT = 0.95
"""The most of a change that is one's own."""


class Walker(NamedTuple):
    """The unit that decides: place, heading, velocity in its own frame, stance."""

    x: float
    y: float
    cosine: float
    sine: float
    vx: float
    vy: float
    stance: int


@leaf
def off_hulls(met, found, manners, planes, firm):  # type: ignore[no-untyped-def]
    """Add a half-plane for each of the nearest that is so near that it bounds one's velocity."""
    for n in range(found):
        apart = met[APART, n]
        nx, ny = met[X, n] / apart, met[Y, n] / apart
        gap, leaving = apart - manners.reach - met[HULL, n], nx * met[VX, n] + ny * met[VY, n]
        slack = to_hull(gap, leaving, met[PACE, n] != RESTING, manners)
        if slack < manners.speed:
            planes[firm, 0], planes[firm, 1], planes[firm, 2] = -nx, -ny, -slack
            firm += 1
    return firm


@leaf
def foresee(met, found, me, wish, manners, planes, total):  # type: ignore[no-untyped-def]
    """Add half-planes for what is foreseen of each of the nearest, and for the room it is left.

    `wish` is the velocity wanted, the one that is overtaken and the side. Returns how many
    half-planes there are now, how much another comes against one, and whether one stands in a
    queue.
    """
    wx, wy, slow, side = wish
    against, queueing, reach, speed = 0.0, False, manners.reach, manners.speed
    per_want = 1.0 / max(np.sqrt(wx * wx + wy * wy), 1e-300)
    wx, wy = wx * per_want, wy * per_want
    for n in range(found):
        moves, stance = met[PACE, n] != RESTING, met[STANCE, n]
        x, y, apart, radius = met[X, n], met[Y, n], met[APART, n], reach + met[HULL, n]
        vx, vy, hx, hy = met[VX, n], met[VY, n], met[HX, n], met[HY, n]
        shared, joins = met[SHARED, n] > 0.0, met[JOINED, n] > 0.0
        if wx * x + wy * y > 0.0:
            same = hx * wx + hy * wy
            if moves:
                against = max(against, -same)
            if (joins or (moves and same > SAME_WAY)) and abs(x * wy - y * wx) < radius:
                queueing = queueing or apart - radius < 0.5 * manners.length
        margin = manners.margin * reach * (1.0 if moves else AT_REST)
        change, nx, ny = clearing(
            Disc(x, y, apart, radius + margin), me.vx - vx, me.vy - vy,
            JOINING if joins else manners.horizon, manners.handed, side if n == slow else 0,
        )  # fmt: skip
        bound = me.vx * nx + me.vy * ny
        if not moves:
            bound += change
        else:
            by_turn = me.stance != stance
            if by_turn and share_by_turn(me.stance, stance, 1.0) == 0.0:
                continue
            # With nothing to change, the unit that goes first may take up the room at once.
            follows = hx > SAME_WAY and not shared and concerns(apart - radius, manners)
            least = MOST_OF_IT if change > 0.0 else 0.5
            if follows or bound + least * change > -speed:
                claim = right_of_way(x, y, apart, hx, hy, manners.length)
                share = 0.5 + (MOST_OF_IT - 0.5) * leaning(manners.rank * claim)
                if by_turn:
                    share = share_by_turn(me.stance, stance, share)
                bound += (max(share, 1.0 - share) if change < 0.0 else share) * change
                if follows:
                    # Units bound for one shared place pack there as closely as they can.
                    leaving, pace = (x * vx + y * vy) / apart, np.sqrt(vx * vx + vy * vy)
                    slack = to_the_first(apart - radius, leaving, pace, claim, manners)
                    if slack < speed:
                        planes[total, 0], planes[total, 1] = -x / apart, -y / apart
                        planes[total, 2] = -slack
                        total += 1
            else:
                continue
        if bound > -speed:
            planes[total, 0], planes[total, 1], planes[total, 2] = nx, ny, bound
            total += 1
    return total, against, queueing
