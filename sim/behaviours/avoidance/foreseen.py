"""Half-planes off other units: what hulls that are near ask for, and what is foreseen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours.avoidance.aside import queues_behind, same_way
from sim.behaviours.avoidance.clearance import AT_REST, concerns, to_hull, to_the_first
from sim.behaviours.avoidance.half_planes import Disc, clearing
from sim.behaviours.avoidance.joining import JOINING
from sim.behaviours.avoidance.nearest import (
    AGAINST,
    APART,
    AWAY_X,
    AWAY_Y,
    BOUND,
    FIRST,
    HULL,
    HX,
    HY,
    JOINED,
    LATER,
    NX,
    NY,
    PACE,
    QUEUES,
    RESTING,
    SHARED,
    SLACK,
    STANCE,
    VX,
    VY,
    X,
    Y,
)
from sim.behaviours.avoidance.right_of_way import (
    SAME_WAY,
    at_a_place,
    ignores,
    leaning,
    right_of_way,
    share_by_turn,
)
from sim.behaviours.avoidance.solver import LANES
from sim.core.compiled import leaf

BARRED = 0.5
"""Of `QUEUES`, where 1 is a queue: one at rest stands close ahead."""
FARTHER = 2.0
"""This many times as far off as in a queue a unit stands before one at rest. (With 1 a disc took 86
and 51 s through a hall of 300 others, with 2 75 and 43.)"""
LOOKS = 2.6
"""Hull lengths that units look ahead where some wait at a narrow place, at most: hardly further
than from a mouth to where others wait. With a time, fast ones at a mouth went round units that wait
behind it, and round all that press for it."""
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
def walker(bodies, i, stance):  # type: ignore[no-untyped-def]
    """Unit i of the group, with that stance."""
    at, heading, me = bodies.position, bodies.heading, bodies.start + i
    return Walker(
        at[me, 0], at[me, 1], heading[me, 0], heading[me, 1],
        bodies.own[i, 0], bodies.own[i, 1], stance,
    )  # fmt: skip


@leaf
def weigh_up(met, found, me, wish, manners):  # type: ignore[no-untyped-def]
    """Work out what each of the nearest asks for: rows of `met`, as `bounds` reads them.

    `wish` is the velocity wanted, and which of them is passed on what side. The rows are the way
    off it and how quickly one may close in on it, as hulls that are near ask for, and to leave room
    to one that goes first; a half-plane of what is foreseen; how much it comes against one, and
    whether it makes a queue. Whole lanes of them, without a branch: beyond `found` stands anything.
    """
    wx, wy, slow, side = wish
    length, reach, speed = manners.length, manners.reach, manners.speed
    per_horizon, per_want = 1.0 / manners.horizon, 1.0 / max(np.sqrt(wx * wx + wy * wy), 1e-300)
    wx, wy = wx * per_want, wy * per_want
    for n in range(-(-found // LANES) * LANES):
        x, y, apart, radius = met[X + n], met[Y + n], met[APART + n], reach + met[HULL + n]
        vx, vy, hx, hy = met[VX + n], met[VY + n], met[HX + n], met[HY + n]
        moves, joins = met[PACE + n] != RESTING, met[JOINED + n] > 0.0
        # Hulls that are near.
        ux, uy, gap = x / apart, y / apart, apart - reach - met[HULL + n]
        met[AWAY_X + n], met[AWAY_Y + n] = -ux, -uy
        met[SLACK + n] = to_hull(gap, ux * vx + uy * vy, moves, manners)
        # Those ahead.
        before, same = wx * x + wy * y > 0.0, hx * wx + hy * wy
        met[AGAINST + n] = -same if before & moves else 0.0
        in_line = queues_behind(x, y, wx, wy, apart, radius, length)
        goes = joins | (moves & same_way(hx, hy, wx, wy))
        barred = queues_behind(x, y, wx, wy, apart, radius, FARTHER * length)
        barred = barred & (not moves) & (met[SHARED + n] == 0.0)
        met[QUEUES + n] = 1.0 if in_line & goes else BARRED if barred else 0.0
        # What is foreseen, and one's share of the change.
        margin = manners.margin * reach * (1.0 if moves else AT_REST)
        soon = max(speed, met[PACE + n]) / (LOOKS * length)
        soon = max(per_horizon, soon) if at_a_place(me.stance, met[STANCE + n]) else per_horizon
        change, nx, ny = clearing(
            Disc(x, y, apart, radius + margin), me.vx - vx, me.vy - vy,
            1.0 / JOINING if joins else soon, manners.handed, side if n == slow else 0,
        )  # fmt: skip
        claim, alone = right_of_way(x, y, apart, hx, hy, length), me.vx * nx + me.vy * ny
        together, same_side = not np.isnan(met[LATER + n]), hx > SAME_WAY  # at a mouth
        in_turn = together & (not same_side) & at_a_place(me.stance, met[STANCE + n])
        before_me = met[LATER + n] / length if together else claim
        claim = before_me if in_turn else claim
        share = 0.5 + (MOST_OF_IT - 0.5) * leaning(manners.rank * claim)
        share = share_by_turn(me.stance, met[STANCE + n], share)
        # With nothing to change, the unit that goes first may take up the room at once.
        least = MOST_OF_IT if change > 0.0 else 0.5
        part = max(share, 1.0 - share) if change < 0.0 else share
        bound = alone + (part if moves else 1.0) * change
        # Units bound for one shared place pack there as closely as they can, but not at a mouth.
        queues = same_side & (together | (met[SHARED + n] == 0.0))
        follows = moves & (queues | in_turn) & concerns(apart - radius, manners)
        leaving, pace = (x * vx + y * vy) / apart, np.sqrt(vx * vx + vy * vy)
        first = to_the_first(apart - radius, leaving, pace, before_me, manners)
        ignored = moves & ignores(me.stance, met[STANCE + n])
        met[FIRST + n] = first if follows & (not ignored) else np.inf
        ignored = ignored | (moves & (not follows) & (alone + least * change <= -speed))
        met[NX + n], met[NY + n], met[BOUND + n] = nx, ny, -np.inf if ignored else bound


@leaf
def bounds(met, found, speed, planes, firm):  # type: ignore[no-untyped-def]
    """Add the half-planes that bound velocities up to a speed, those off hulls that are near first.

    Returns how many firm ones there are now, and how many in all; how much another comes against
    one, and whether one stands in a queue (1) or is `BARRED` by one at rest.
    """
    for n in range(found):
        if met[SLACK + n] < speed:  # seldom true; below a branch would be guessed wrong too often
            planes[0, firm], planes[1, firm] = met[AWAY_X + n], met[AWAY_Y + n]
            planes[2, firm] = -met[SLACK + n]
            firm += 1
    total, against, queueing = firm, 0.0, 0.0
    for n in range(found):
        planes[0, total], planes[1, total] = met[AWAY_X + n], met[AWAY_Y + n]
        planes[2, total] = -met[FIRST + n]
        total += met[FIRST + n] < speed
        planes[0, total], planes[1, total] = met[NX + n], met[NY + n]
        planes[2, total] = met[BOUND + n]
        total += met[BOUND + n] > -speed
        against = max(against, met[AGAINST + n])
        queueing = max(queueing, met[QUEUES + n])
    return firm, total, against, queueing
