"""Coming up to an opponent, and stopping face to face."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.curves import directions, toward
from sim.behaviours.ground import ground_of, offset_to_solid, solids_near
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, own
from sim.perception.lists import sees
from sim.perception.percepts import Percepts, Seen
from sim.perception.quarry import Quarry
from sim.perception.sights import Hunting

Distance = Annotated[Amount, Within(0, 1e4, "where to stop: distance of the centres, hull lengths")]
Engage = Annotated[float, Within(0, 1e6, "from where on opponents pair off, hull lengths")]
Reserve = Annotated[
    Amount, Within(0, 1e4, "how far off units without opponents stop, hull lengths")
]
Slowing = Annotated[Amount, Within(1e-3, 1e4, "nearer to that than this the speed fades, lengths")]
Lead = Annotated[Amount, Within(0, 60, "how far ahead the opponent's way is foreseen, s")]
Behind = Annotated[
    Amount, Within(0, 1e4, "how far behind others in the way one stops: centres, hull lengths")
]
ASTERN = 0.5
"""A unit that is too near steps back no faster than this share of the desired speed."""
EASE = 0.25
"""Hull lengths of room, more or less than asked for, that no unit in reserve moves for: else each
step back would go through a deep column as a wave that grows."""
SOLID = 1.0
"""Room kept to what is solid by units that step back, hull lengths: in less `ray_avoidance` would
have them turn off it, and they would go to and fro."""
WIDE = 1.3
"""Half the width of the way that is to be free, hull lengths."""


@rule("pursuit", serves="approach", looks="each", view="all", range=5.0, gives=VELOCITY)
def approach(
    me: Percepts,
    seen: Seen,
    quarry: Annotated[Quarry, Hunting(engage="engage")],
    *,
    distance: Distance = 2.0,
    slowing: Slowing = 3.0,
    lead: Lead = 1.0,
    engage: Engage = 15.0,  # noqa: ARG001 - read where opponents pair off
    reserve: Reserve = 4.0,
    behind: Behind = 2.0,
) -> Terms:
    """Go to meet an opponent and stop facing it at a given distance (rule B5).

    The aim is where it will be, the speed falls linearly with the gap, and a unit that must turn
    far turns first: no unit is orbited. A unit without an opponent heads for the nearest that it
    could pair off with, along the way there while no unit is in straight free sight; where there is
    none it stops in reserve. In battle it stops behind the unit before it, and steps back as that
    one does: but not toward opponents behind it that would then be as near as those before it, nor
    up to what is solid.
    """
    length, led = me.hull.length, quarry.led
    offset, velocity = quarry.offset, np.where(led[:, None], 0.0, quarry.velocity)
    stop = np.where(quarry.paired | quarry.free, distance, distance + reserve) * length
    gap = np.where(led, quarry.left, np.hypot(offset[:, 0], offset[:, 1]) - stop)
    offset = np.where(led[:, None], quarry.way, offset)
    # In battle no unit pushes into the back of the units before it.
    waits = quarry.near & ~quarry.paired & ~led
    room, back = _room(me, seen, quarry, behind * length, slowing * length / me.speeds)
    room -= np.clip(room, -EASE * length, EASE * length)
    back = np.maximum(back - EASE * length, 0.0)
    left = np.where(waits, np.maximum(np.minimum(gap, room), -back), gap)
    left = np.maximum(left, -_free_astern(me, offset, SOLID * length))
    pace = np.clip(left / (slowing * length), -ASTERN, 1.0)
    # Foreseen no further than half the way there: one that passes turns no unit's back.
    ahead = np.minimum(lead, np.maximum(gap, 0.0) / (2 * me.speeds))
    aim = offset + velocity * ahead[:, None]
    terms = toward(aim, gain=2.0)
    terms[:, 0] = pace * np.maximum(directions(aim)[:, 0], 0.0)
    terms[me.pursued < 0] = 0.0
    return terms


def _free_astern(me: Percepts, offset: Floats, room: float) -> Floats:
    """(n,) how far n units may step back from their quarry before something solid is near.

    `offset` (n, 2) leads to the quarry, own frame; `room` is kept to what is solid, world units.
    """
    free = np.full(len(offset), np.inf)
    if len(me.faces.rows) or len(me.discs.rows):
        far = float(me.bodies.reach[me.rows].max(initial=0.0)) + 2.0 * room
        _astern(free, offset, me.bodies, ground_of(me, far), room)
    return free


@Kernel
def _astern(begin, end, free, offset, bodies, ground, room):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        me = bodies.start + i
        away = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        if away == 0.0:
            continue
        x, y = bodies.position[me, 0], bodies.position[me, 1]
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        count, near = solids_near(ground, x, y)
        for n in range(count):
            px, py, radius = offset_to_solid(ground, near, n, x, y)
            off = np.sqrt(px * px + py * py)
            px, py = to_own_frame(px, py, c, s)
            astern = -(px * offset[i, 0] + py * offset[i, 1]) / away
            if 2.0 * astern > off:
                gap = off - radius - bodies.reach[me] - room
                free[i] = min(free[i], max(gap, 0.0) * off / astern)


class _Keeping(NamedTuple):
    """The room kept behind others, half the width of the way, world units.

    The time foreseen (n,), s.
    """

    behind: Amount
    wide: float
    time: Floats


def _room(
    me: Percepts, seen: Seen, quarry: Quarry, behind: Amount, time: Floats
) -> tuple[Floats, Floats]:
    """How far n units may go on toward their quarry before they are `behind` off others.

    Those go on for a `time` (n,), s. And how far they may step back from it before another of its
    group, behind them, is as near.
    """
    left, back = np.full((2, len(me.velocity)), np.inf)
    keeping = _Keeping(behind, WIDE * me.hull.length, time)
    _clear(left, quarry.offset, me.pursued, seen.each, me.bodies, keeping)
    _behind(back, quarry.offset, me.pursued, seen.each, quarry.first, quarry.stop)
    return left, back


@Kernel
def _clear(begin, end, left, offset, pursued, each, bodies, keeping):  # type: ignore[no-untyped-def]
    velocity, heading = bodies.velocity, bodies.heading
    for i in range(begin, end):
        away = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        if away == 0.0:
            continue
        ux, uy = offset[i, 0] / away, offset[i, 1] / away
        c, s = heading[bodies.start + i, 0], heading[bodies.start + i, 1]
        for k in range(each.count[i]):
            j = each.index[i, k]
            if not sees(each, i, k) or j == pursued[i]:
                continue
            # How much nearer it is to the quarry: of two abreast at most one is before the other.
            x, y = offset[i, 0] - each.ahead[i, k], offset[i, 1] - each.starboard[i, k]
            along = away - np.sqrt(x * x + y * y)
            across = (each.starboard[i, k] * ux - each.ahead[i, k] * uy) / keeping.wide
            if along > 0.0 and abs(across) < 1.0:
                ahead, aside = to_own_frame(velocity[j, 0], velocity[j, 1], c, s)
                on = keeping.time[i] * (ahead * ux + aside * uy)
                room = own(keeping.behind, i) * np.sqrt(1.0 - across * across)
                left[i] = min(left[i], along + on - room)


@Kernel
def _behind(begin, end, back, offset, pursued, each, first, stop):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        away = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        if away == 0.0:
            continue
        for k in range(each.count[i]):
            j, x, y = each.index[i, k], each.ahead[i, k], each.starboard[i, k]
            along = (x * offset[i, 0] + y * offset[i, 1]) / away
            if along < 0.0 and first[i] <= j < stop[i] and j != pursued[i] and sees(each, i, k):
                # One that steps back by this is as far from one as from the other.
                even = 0.5 * (x * x + y * y - away * away) / (away - along)
                back[i] = min(back[i], max(even, 0.0))
