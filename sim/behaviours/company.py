"""Close quarters: room to breathe, and a side to pass on."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numba import prange

from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.perception.percepts import Percepts

Width = Annotated[float, Within(0, 100, "how far aside whoever comes is let by, hull widths")]


@rule("company", looks="each", range=1.5)
def personal_space(me: Percepts) -> Terms:
    """Away from anyone within range, friend or not: the mean of their pushes (rule E3).

    A push is 1 at contact and fades to nothing at the range (centre to centre, hull lengths). Who
    has come where it was sent holds its ground, and is not kept clear of: else the next would
    hover before it for ever.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    there = me.minds.arrived & ~me.minds.moving
    _give_room(
        each.count, each.index, there, each.ahead, each.starboard, each.distance, each.seen,
        me.seen.sight, me.seen.range, 2 * me.hull.radius, out,
    )  # fmt: skip
    out[me.resting] = 0.0
    return out


@rule("company", looks="each", range=6.0)
def keep_right(me: Percepts, *, width: Width = 1.5) -> Terms:
    """To the right of the own course while somebody comes the other way (rule E5).

    Whoever faces against one's course, ahead and less than `width` beside it, is passed port to
    port, as all that meet head-on pass here: so two files that meet in a corridor shear past each
    other. The nearest counts, fading to nothing at the range, and by how squarely it comes.
    """
    assert me.seen is not None
    out = np.zeros(me.velocity.shape)
    if me.aim is not None:
        each, units = me.seen.each, me.units
        _shear(
            each.count, each.index, each.ahead, each.starboard, each.distance, each.seen,
            me.seen.sight, me.seen.range, 2 * me.hull.radius, width, me.aim.offset,
            units.heading[me.rows], units.heading, out,
        )  # fmt: skip
        out[me.resting] = 0.0
    return out


@Kernel
def _give_room(  # type: ignore[no-untyped-def]
    count, index, there, ahead, starboard, distance, seen, sight, reach, contact, out
):
    for i in prange(len(count)):
        x, y, crowd = 0.0, 0.0, 0
        for k in range(count[i]):
            apart = distance[i, k]
            if seen[i, k] >> sight & 1 and not there[index[i, k]]:
                crowd += 1
                if apart > 0.0:
                    push = min(1.0, (reach - apart) / max(reach - contact, 1e-9 * contact))
                    x -= push * ahead[i, k] / apart
                    y -= push * starboard[i, k] / apart
        out[i, 0], out[i, 1] = x / max(crowd, 1), y / max(crowd, 1)


@Kernel
def _shear(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, distance, seen, sight, reach, contact, width, course, own,
    heading, out,
):  # fmt: skip
    for i in prange(len(count)):
        way = np.sqrt(course[i, 0] ** 2 + course[i, 1] ** 2)
        if way == 0.0:
            continue
        # The course in the own frame, and in the world's.
        a, b = course[i, 0] / way, course[i, 1] / way
        u, v = own[i, 0] * a - own[i, 1] * b, own[i, 1] * a + own[i, 0] * b
        most = 0.0
        for k in range(count[i]):
            if not seen[i, k] >> sight & 1:
                continue
            x, y = ahead[i, k], starboard[i, k]
            j = index[i, k]
            against = -(u * heading[j, 0] + v * heading[j, 1])
            along, across = a * x + b * y, a * y - b * x
            if against > 0.0 and along > 0.0 and -width * contact < across < width * contact:
                fade = min(1.0, (reach - distance[i, k]) / max(reach - contact, 1e-9 * contact))
                most = max(most, against * fade)
        out[i, 0], out[i, 1] = -b * most, a * most
