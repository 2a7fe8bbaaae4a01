"""Foreseeing collisions with those on other courses."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import DEAD_AHEAD
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Floats, Percepts

Foresight = Annotated[float, Within(0, 60, "how far ahead collisions are foreseen, s")]
Room = Annotated[float, Within(0, 100, "least distance of centres at the closest, hull lengths")]
Haste = Annotated[float, Within(1e-3, 60, "time that is lost until a change of velocity tells, s")]
MOST = 2.0
"""Bound on the change asked for, in desired speeds: about turn is enough."""
HELD_UP = 0.8
"""A unit below this share of its desired speed counts as going on at it: it wants to pass."""


@rule("avoidance", looks="each", range=10.0)
def unaligned_avoidance(
    me: Percepts, *, foresight: Foresight = 3.0, room: Room = 1.25, haste: Haste = 0.4
) -> Terms:
    """Off those that would come too near, before they do (rule B8).

    Of each neighbour seen, time and place of the closest approach, both keeping their courses. Is
    it nearer than `room` within the foresight, the change of velocity that makes up the difference
    by then is asked for, in desired speeds: away from the neighbour's ghost, which turns the unit
    aside and makes who is first hurry and who is last slow down. Where both ghosts fall together
    each leaves the other to port: head-on they pass port to port, and who comes from starboard goes
    first. Whom a unit pursues it does not avoid, nor those that
    rest where it is to rest itself.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    _avoid(
        each.count, each.index, each.ahead, each.starboard, each.seen, me.seen.sight, me.pursued,
        *me.pack, _courses(me), me.units.velocity, me.units.heading[me.rows], foresight,
        room * me.hull.length, haste, me.speed, out,
    )  # fmt: skip
    return out


def _courses(me: Percepts) -> Floats:
    """(n, 2) the velocities that units go on at, own frame; who has stopped stands."""
    going = me.velocity.copy()
    held_up = (going[:, 0] < HELD_UP * me.speed) & ~me.engaged
    going[held_up, 0] = HELD_UP * me.speed
    return going


def ghosts(me: Percepts, foresight: float, room: float) -> tuple[Floats, Floats]:
    """Own-frame offsets (n, 2) from here to both places of the next closest approach foreseen.

    The unit's own and the neighbour's; NaN where nobody comes nearer than `room` lengths.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.full((2, *me.velocity.shape), np.nan)
    _foresee(
        each.count, each.index, each.ahead, each.starboard, each.seen, me.seen.sight, me.pursued,
        *me.pack, _courses(me), me.units.velocity, me.units.heading[me.rows], foresight,
        room * me.hull.length, out[0], out[1],
    )  # fmt: skip
    return out[0], out[1]


@inlined
def _closest(x, y, u, v, foresight):  # type: ignore[no-untyped-def]
    """Seconds until, and offset at, the closest approach of what closes at (u, v).

    Less than 0 s: it is over, or nothing moves, or it is too far off.
    """
    square = u * u + v * v
    if square == 0.0:
        return -1.0, x, y
    time = -(x * u + y * v) / square
    if time > foresight:
        return -1.0, x, y
    return time, x + u * time, y + v * time


@inlined
def _closing(other, own, c, s):  # type: ignore[no-untyped-def]
    """Another's velocity (world) less one's own, in the own frame."""
    return c * other[0] + s * other[1] - own[0], c * other[1] - s * other[0] - own[1]


@Kernel
def _avoid(  # type: ignore[no-untyped-def]
    begin, end, count, index, ahead, starboard, seen, sight, pursued, rests, bound, own, moving,
    heading, foresight, room,
    haste, speed, out,
):  # fmt: skip
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        ask_x, ask_y = 0.0, 0.0
        for k in range(count[i]):
            j = index[i, k]
            if not seen[i, k] >> sight & 1 or j == pursued[i] or rests[j] == bound[i]:
                continue
            u, v = _closing(moving[index[i, k]], own[i], c, s)
            time, x, y = _closest(ahead[i, k], starboard[i, k], u, v, foresight)
            apart = np.sqrt(x * x + y * y)
            if time <= 0.0 or apart >= room:
                continue
            if apart <= DEAD_AHEAD * room:
                # Both ghosts at one place: across the closing course, the same way for both.
                closing = np.sqrt(u * u + v * v)
                x, y, apart, missing = -v, u, closing, room
            else:
                missing = room - apart
            change = missing / (max(time - haste, 0.25 * haste) * speed)
            ask_x -= change * x / apart
            ask_y -= change * y / apart
        size = np.sqrt(ask_x * ask_x + ask_y * ask_y)
        share = MOST / size if size > MOST else 1.0
        out[i, 0], out[i, 1] = share * ask_x, share * ask_y
    return 0


@Kernel
def _foresee(  # type: ignore[no-untyped-def]
    begin, end, count, index, ahead, starboard, seen, sight, pursued, rests, bound, own, moving,
    heading, foresight, room,
    mine, its,
):  # fmt: skip
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        soonest = np.inf
        for k in range(count[i]):
            j = index[i, k]
            if not seen[i, k] >> sight & 1 or j == pursued[i] or rests[j] == bound[i]:
                continue
            u, v = _closing(moving[index[i, k]], own[i], c, s)
            time, x, y = _closest(ahead[i, k], starboard[i, k], u, v, foresight)
            if 0.0 < time < soonest and x * x + y * y < room * room:
                soonest = time
                mine[i, 0], mine[i, 1] = own[i, 0] * time, own[i, 1] * time
                its[i, 0], its[i, 1] = mine[i, 0] + x, mine[i, 1] + y
    return 0
