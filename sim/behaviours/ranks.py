"""Closing ranks: how those who have stopped become a pack without setting each other in motion."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.orders.goal import GO
from sim.perception.percepts import Percepts

IN_THE_WAY = 0.5
"""Cosine of the angle to the course within which a touched unit stands in the way."""
THERE = 0.5
"""How near to its place nobody needs to move, as a share of the tolerance."""
EASE = 0.25
"""Time constant of the approach, s."""
PULL = 2.5
"""Full acceleration from a want of this share of the desired speed on, inverse."""

Pace = Annotated[float, Within(0, 1, "how fast ranks are closed, as a share of the desired speed")]


@rule("errands", serves=GO, looks="each", range=3.0, touches=True)
def close_ranks(me: Percepts, *, pace: Pace = 0.5) -> Terms:
    """Move up to one's place when one has stopped short of it and the way is free; accelerations.

    The way is free while nobody who is on its way is seen, and nobody is touched who stands before
    one and nearer to one's place. So of those that touch the nearer never yields, everyone rests in
    touch with one that is nearer still, or at its place, and what moves only ever moves inward:
    it ends. Those who move up are still stopped ones to all others.
    """
    assert me.aim is not None
    assert me.seen is not None
    out = np.zeros(me.velocity.shape)
    each, contacts, units = me.seen.each, me.contacts, me.units
    waits = me.aim.moving | (me.minds.timer[me.rows] > 0) | np.isnan(me.aim.remaining)
    _close(
        me.aim.offset, me.aim.final, me.velocity, waits, me.aim.remaining, THERE * me.aim.tolerance,
        pace * me.speed, me.speed, each.count, each.index, each.seen, 1 << me.seen.sight,
        me.minds.moving, me.rows.start, contacts.first, contacts.other, contacts.normal,
        units.position, units.heading, me.plane.size, out,
    )  # fmt: skip
    return out


@Kernel
def _close(  # type: ignore[no-untyped-def]
    begin, end,
    offset, final, velocity, waits, remaining, near, fastest, speed, count, index, seen, bit,
    moving, start, first, other, normal, position, heading, size, out,
):  # fmt: skip
    for i in range(begin, end):
        me = start + i
        if waits[i] or remaining[i] <= near[i]:
            continue
        c, s = heading[me, 0], heading[me, 1]
        away = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        ux, uy = offset[i, 0] / max(away, 1e-300), offset[i, 1] / max(away, 1e-300)
        own = final[i, 0] ** 2 + final[i, 1] ** 2
        free = away > 0
        for k in range(count[i]):
            free = free and not (seen[i, k] & bit and moving[index[i, k]])
        for k in range(first[me], first[me + 1]):
            j = other[k]
            nx, ny = normal[k, 0], normal[k, 1]
            if j < 0 or (c * nx + s * ny) * ux + (c * ny - s * nx) * uy < IN_THE_WAY:
                continue
            dx, dy = position[j, 0] - position[me, 0], position[j, 1] - position[me, 1]
            if size[0] > 0:
                dx -= size[0] * np.rint(dx / size[0])
                dy -= size[1] * np.rint(dy / size[1])
            x, y = final[i, 0] - (c * dx + s * dy), final[i, 1] - (c * dy - s * dx)
            free = free and x * x + y * y > own
        if free:
            want = min(fastest, remaining[i] / EASE)
            out[i, 0] = PULL * (want * ux - velocity[i, 0]) / speed
            out[i, 1] = PULL * (want * uy - velocity[i, 1]) / speed
    return 0
