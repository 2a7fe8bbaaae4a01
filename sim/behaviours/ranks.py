"""Closing ranks: how units that have stopped become a pack without pushing each other about."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import ACCELERATION
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.core.own import Amount
from sim.engine.contacts import Contacts
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.perception.lists import sees
from sim.perception.percepts import Percepts, Seen

IN_THE_WAY = 0.5
"""Cosine of the angle to the course within which a touched unit stands in the way."""
THERE = 0.5
"""How near to its place no unit needs to move, as a share of the tolerance."""
EASE = 0.25
"""Time constant of the approach, s."""
GENTLE = 2.0
"""How fast ranks are closed at most, hull lengths a second: a faster bump pushes units at rest from
their places, and they come back and bump in turn."""
PULL = 2.5
"""Full acceleration from a want of this share of the desired speed on, inverse."""

Pace = Annotated[Amount, Within(0, 1, "how fast ranks are closed, as a share of the desired speed")]


@rule("errands", serves=GO, looks="each", range=3.0, gives=ACCELERATION)
def close_ranks(
    me: Percepts, seen: Seen, aim: Aim, contacts: Contacts, *, pace: Pace = 0.5
) -> Terms:
    """Move up to one's place when one has stopped short of it and the way is free; accelerations.

    The way is free while no unit on its way is seen, and none is touched that stands before
    one and nearer to one's place. So of two that touch the nearer never yields, everyone rests in
    touch with one that is nearer still, or at its place, and what moves only ever moves inward:
    it ends. Units that move up are still stopped ones to all others.
    """
    out = np.zeros(me.velocity.shape)
    waits = aim.moving | (me.minds.timer[me.rows] > 0) | np.isnan(aim.remaining)
    rank = _Rank(
        aim.offset, aim.final, aim.remaining, THERE * aim.tolerance, waits, me.minds.moving,
        np.minimum(pace * me.speeds, GENTLE * me.hull.length),
    )  # fmt: skip
    _close(out, seen.each, rank, me.bodies, contacts, me.plane.size)
    return out


class _Rank(NamedTuple):
    """Where n units have their places: offsets and lengths as in `Aim`, world units."""

    offset: Floats
    final: Floats
    remaining: Floats
    near: Floats
    """(n,) how near is near enough."""
    waits: Bools
    """(n,) units that close no ranks now."""
    moving: Bools
    """(N,) whether each of all units is on its way."""
    fastest: Floats
    """(n,)."""


@Kernel
def _close(begin, end, out, each, rank, bodies, contacts, size):  # type: ignore[no-untyped-def]
    offset, final, remaining = rank.offset, rank.final, rank.remaining
    position, other, normal, first = (
        bodies.position,
        contacts.other,
        contacts.normal,
        contacts.first,
    )
    torus = periods(size)
    for i in range(begin, end):
        me = bodies.start + i
        if rank.waits[i] or remaining[i] <= rank.near[i]:
            continue
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        away = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        ux, uy = offset[i, 0] / max(away, 1e-300), offset[i, 1] / max(away, 1e-300)
        own = final[i, 0] ** 2 + final[i, 1] ** 2
        free = away > 0
        for k in range(each.count[i]):
            free = free and not (sees(each, i, k) and rank.moving[each.index[i, k]])
        for k in range(first[me], first[me + 1]):
            j = other[k]
            nx, ny = to_own_frame(normal[k, 0], normal[k, 1], c, s)
            if j < 0 or nx * ux + ny * uy < IN_THE_WAY:
                continue
            dx, dy = nearest_image(
                position[j, 0] - position[me, 0], position[j, 1] - position[me, 1], torus
            )
            dx, dy = to_own_frame(dx, dy, c, s)
            x, y = final[i, 0] - dx, final[i, 1] - dy
            free = free and x * x + y * y > own
        if free:
            want = min(rank.fastest[i], remaining[i] / EASE)
            out[i, 0] = PULL * (want * ux - bodies.own[i, 0]) / bodies.speeds[i]
            out[i, 1] = PULL * (want * uy - bodies.own[i, 1]) / bodies.speeds[i]
