"""Foreseeing collisions with those on other courses."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.curves import DEAD_AHEAD
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, inlined, leaf
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, of_unit
from sim.perception.bodies import Bodies, Spared, spares
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Foresight = Annotated[Amount, Within(0, 60, "how far ahead collisions are foreseen, s")]
Room = Annotated[Amount, Within(0, 100, "least distance of centres at the closest, hull lengths")]
Haste = Annotated[Amount, Within(1e-3, 60, "time that is lost until a change of velocity tells, s")]
MOST = 2.0
"""Bound on the change asked for, in desired speeds: about turn is enough."""
ALONGSIDE = 0.94
"""Cosine of the angle between two headings up to which both march side by side."""
HELD_UP = 0.8
"""A unit below this share of its desired speed counts as going on at it: it wants to pass."""


@rule("avoidance", looks="each", range=10.0, gives=VELOCITY)
def unaligned_avoidance(
    me: Percepts,
    seen: Seen,
    *,
    foresight: Foresight = 3.0,
    room: Room = 1.25,
    haste: Haste = 0.4,
) -> Terms:
    """Off units that would come too near, before they do (rule B8).

    Of each neighbour seen, time and place of the closest approach within the foresight, both
    keeping their courses. Is it nearer than `room`, the change of velocity that makes up the
    difference by then is asked for, in desired speeds: away from the neighbour's ghost, which turns
    the unit aside, and makes the first of the two hurry and the last slow down. Two that draw
    together so slowly that they come nearest later still only see to it that they do not touch
    within the foresight, and leave that to the ranks where they march side by side. Where both
    ghosts fall together each leaves the other to port: head-on they pass port to port, and the one
    that comes from starboard goes first. A unit does not avoid the one that it pursues, nor units
    that rest where it is to rest itself.
    """
    out = np.empty(me.velocity.shape)
    caution = _Caution(foresight, room * me.hull.length, haste, me.hull.length)
    _avoid(out, *map(tuple, (seen.each, _going(me), me.spared, caution)))
    return out


class _Caution(NamedTuple):
    """How far ahead approaches are foreseen, s; the room kept, world units; the time lost, s.

    `touching` is where two hulls touch, world units.
    """

    foresight: Amount
    room: Amount
    haste: Amount
    touching: Amount


def _going(me: Percepts) -> Bodies:
    """The units' state with the velocities that those of the group are taken to go on at.

    What a unit that is held up lacks it makes up toward where it was sent, others ahead; one whose
    quarry is behind it turns first, and lacks nothing.
    """
    velocity, quarry = np.empty(me.velocity.shape), me.quarry
    stays = me.engaged
    if quarry is not None:
        behind = np.where(quarry.led, quarry.way[:, 0], quarry.offset[:, 0]) < 0.0
        stays = stays | (behind & (quarry.who >= 0) & ~quarry.fled)
    if me.aim is None:
        moving, offset = np.zeros(len(velocity), np.bool_), me.velocity
    else:
        moving, offset = me.aim.moving, me.aim.offset
    _make_up(velocity, me.velocity, me.speeds, stays, moving, offset)
    return me.bodies._replace(own=velocity)


@Kernel
def _make_up(begin, end, out, own, speeds, stays, moving, offset):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        lacks = 0.0 if stays[i] else max(HELD_UP * speeds[i] - own[i, 0], 0.0)
        x, y = 1.0, 0.0
        if moving[i]:
            x, y = offset[i, 0], offset[i, 1]
            away = np.sqrt(x * x + y * y)
            x, y = (x / away, y / away) if away > 0.0 else (0.0, 0.0)
        out[i, 0], out[i, 1] = own[i, 0] + lacks * x, own[i, 1] + lacks * y


def ghosts(me: Percepts, seen: Seen, foresight: Amount, room: Amount) -> tuple[Floats, Floats]:
    """Own-frame offsets (n, 2) from here to both places of the next closest approach foreseen.

    The unit's own and the neighbour's; NaN where no unit comes nearer than `room` lengths.
    """
    out = np.full((2, *me.velocity.shape), np.nan)
    caution = _Caution(foresight, room * me.hull.length, 0.0, me.hull.length)
    _foresee(out[0], out[1], *map(tuple, (seen.each, _going(me), me.spared, caution)))
    return out[0], out[1]


@inlined
def _closest(x, y, u, v, foresight, room):  # type: ignore[no-untyped-def]
    """Seconds until, and offset at, the closest approach within the foresight, closing at (u, v).

    Less than 0 s: it is over, or nothing moves, or it is no nearer than `room`: so most are told
    without a quotient.
    """
    square, across = u * u + v * v, x * v - y * u
    if across * across >= room * room * square:
        return -1.0, x, y
    time = min(-(x * u + y * v) / square, foresight)
    return time, x + u * time, y + v * time


@leaf
def _approach(each, bodies, i, k, foresight, room):  # type: ignore[no-untyped-def]
    """As `_closest`, of neighbour k of unit i, and at what (u, v) it closes, in the own frame.

    Less than 0 s also for one that does not count: a mate side by side that draws in slowly, too.
    """
    j, x, y = each.index[i, k], each.ahead[i, k], each.starboard[i, k]
    if not sees(each, i, k):
        return -1.0, x, y, 0.0, 0.0
    me, velocity = bodies.start + i, bodies.velocity
    c, s = bodies.heading[me, 0], bodies.heading[me, 1]
    u, v = to_own_frame(velocity[j, 0], velocity[j, 1], c, s)
    u, v = u - bodies.own[i, 0], v - bodies.own[i, 1]
    time, x, y = _closest(x, y, u, v, foresight, room)
    if time == foresight and c * bodies.heading[j, 0] + s * bodies.heading[j, 1] > ALONGSIDE:
        return -1.0, x, y, u, v
    return time, x, y, u, v


@leaf
def _spares(each, spared, i, k):  # type: ignore[no-untyped-def]
    """Whether unit i need not keep clear of neighbour k: asked last, as few come so near."""
    return spares(spared, i, each.index[i, k], each.ahead[i, k], each.starboard[i, k])


@Kernel
def _avoid(begin, end, out, each, bodies, spared, caution):  # type: ignore[no-untyped-def]
    each, bodies, spared = Neighbours(*each), Bodies(*bodies), Spared(*spared)
    caution = _Caution(*caution)
    for i in range(begin, end):
        foresight, room, haste, touching = of_unit(caution, i)
        ask_x, ask_y = 0.0, 0.0
        for k in range(each.count[i]):
            time, x, y, u, v = _approach(each, bodies, i, k, foresight, room)
            apart = np.sqrt(x * x + y * y)
            kept = room if time < foresight else min(room, touching)
            if time <= 0.0 or apart >= kept or _spares(each, spared, i, k):
                continue
            if apart <= DEAD_AHEAD * kept:
                # Both ghosts at one place: across the closing course, the same way for both.
                closing = np.sqrt(u * u + v * v)
                x, y, apart, missing = -v, u, closing, kept
            else:
                missing = kept - apart
            change = missing / (max(time - haste, 0.25 * haste) * bodies.speeds[i])
            ask_x -= change * x / apart
            ask_y -= change * y / apart
        size = np.sqrt(ask_x * ask_x + ask_y * ask_y)
        share = MOST / size if size > MOST else 1.0
        out[i, 0], out[i, 1] = share * ask_x, share * ask_y


@Kernel
def _foresee(begin, end, mine, its, each, bodies, spared, caution):  # type: ignore[no-untyped-def]
    each, bodies, spared = Neighbours(*each), Bodies(*bodies), Spared(*spared)
    caution, own = _Caution(*caution), bodies.own
    for i in range(begin, end):
        soonest, (foresight, room, _, touching) = np.inf, of_unit(caution, i)
        for k in range(each.count[i]):
            time, x, y, _, _ = _approach(each, bodies, i, k, foresight, room)
            kept = room if time < foresight else min(room, touching)
            near = 0.0 < time < soonest and x * x + y * y < kept * kept
            if near and not _spares(each, spared, i, k):
                soonest = time
                mine[i, 0], mine[i, 1] = own[i, 0] * time, own[i, 1] * time
                its[i, 0], its[i, 1] = mine[i, 0] + x, mine[i, 1] + y
