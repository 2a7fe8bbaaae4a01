"""Close quarters: room to breathe, and a side to pass on."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.errands import straight
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Percepts
from sim.perception.places import BITS, cell_at
from sim.shared_cache import njit

Yielding = Annotated[float, Within(0, 10, "how far back one goes that is on the wrong side")]
Width = Annotated[float, Within(0, 100, "how far aside whoever comes is let by, hull widths")]

SLIGHT = 0.1
"""Hull widths: who is so much nearer to the wall on its left is on the wrong side."""
UNDER_WAY = 4.0
"""As how many friends it counts that one goes forward at the desired speed, or the other back."""
EVEN = 1e-6
"""Two sides are even whose numbers differ by no more."""


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
def keep_right(me: Percepts, *, width: Width = 1.5, yielding: Yielding = 2.0) -> Terms:
    """To the right of the own course while somebody comes the other way (rule E5).

    Whoever faces against one's course, ahead and less than `width` beside it, is passed port to
    port, as all that meet head-on pass here: so two files that meet in a corridor shear past each
    other. The nearest counts, fading to nothing at the range, and by how squarely it comes. Where
    there are walls, who is nearer to the one on its left is on the wrong side: it gives way to what
    comes straight at it, backward if need be, or two files abreast would jam for good. Where there
    is no room for two abreast, the side that is fewer gives way.
    """
    assert me.seen is not None
    out = np.zeros(me.velocity.shape)
    if me.aim is not None:
        each, units = me.seen.each, me.units
        _shear(
            each.count, each.index, each.ahead, each.starboard, each.distance, each.seen,
            me.seen.sight, me.seen.range, 2 * me.hull.radius, width, me.aim.offset,
            units.heading[me.rows], _facing(me), units.position, units.velocity, me.rows.start,
            me.speed, me.faces.rows, me.faces.within(me.seen.range), yielding, out,
        )  # fmt: skip
        out[me.resting] = 0.0
    return out


def _facing(me: Percepts) -> Terms:
    """(N, 2) where each unit means to go, as far as can be told; zeros for those that rest.

    One knows it of friends, who may just have been turned about in the throng; of others one sees
    where their bows point.
    """
    assert me.aim is not None
    facing = me.units.heading.copy()
    forward, aside = straight(me.aim.offset, np.ones(len(me.velocity))).T
    cosine, sine = me.units.heading[me.rows].T
    facing[me.rows] = np.stack(
        [cosine * forward - sine * aside, sine * forward + cosine * aside], axis=1
    )
    facing[me.minds.arrived & ~me.minds.moving] = 0.0
    return facing


@Kernel
def _give_room(  # type: ignore[no-untyped-def]
    begin, end, count, index, there, ahead, starboard, distance, seen, sight, reach, contact, out
):
    for i in range(begin, end):
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
    begin, end,
    count, index, ahead, starboard, distance, seen, sight, reach, contact, width, course, own,
    heading, position, velocity, row, speed, faces, places, yielding, out,
):  # fmt: skip
    for i in range(begin, end):
        way = np.sqrt(course[i, 0] ** 2 + course[i, 1] ** 2)
        if way == 0.0:
            continue
        # The course in the own frame, and in the world's.
        a, b = course[i, 0] / way, course[i, 1] / way
        u, v = own[i, 0] * a - own[i, 1] * b, own[i, 1] * a + own[i, 0] * b
        most, facing, nearest = _against(
            count[i], index[i], ahead[i], starboard[i], distance[i], seen[i], sight, a, b, u, v,
            reach, contact, width, heading,
        )  # fmt: skip
        back = 0.0
        if nearest >= 0 and yielding > 0.0:
            me, other = row + i, index[i, nearest]
            port, right, narrow = _squeezed(
                me, other, u, v, reach, contact, position, faces, places
            )
            yields = port < right - SLIGHT * contact
            if narrow:
                forward = u * velocity[me, 0] + v * velocity[me, 1]
                forward += u * velocity[other, 0] + v * velocity[other, 1]
                yields = _outnumbered(
                    count[i], index[i], ahead[i], starboard[i], seen[i], sight, a, b, u, v,
                    ahead[i, nearest], starboard[i, nearest], contact, reach, heading,
                    UNDER_WAY * forward / speed,
                )  # fmt: skip
            back = yielding * facing if yields else 0.0
        out[i, 0], out[i, 1] = -b * most - a * back, a * most - b * back


@njit(cache=True, error_model="numpy")
def _against(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, distance, seen, sight, a, b, u, v, reach, contact, width,
    heading,
):  # fmt: skip
    """How much somebody comes against one, how much straight at one, and which of these is next.

    The last is a place in the list, -1 for nobody. 1 is who comes squarely and touches; it fades to
    nothing at 60 degrees off (files that go round a corner do not meet), and at the range.
    """
    most, facing, next_up, nearest = 0.0, 0.0, np.inf, -1
    for k in range(count):
        if not seen[k] >> sight & 1:
            continue
        x, y, j = ahead[k], starboard[k], index[k]
        against = -2 * (u * heading[j, 0] + v * heading[j, 1]) - 1
        along, across = a * x + b * y, a * y - b * x
        if against > 0.0 and along > 0.0 and -width * contact < across < width * contact:
            fade = min(1.0, (reach - distance[k]) / max(reach - contact, 1e-9 * contact))
            most = max(most, against * fade)
            if abs(across) < contact:
                facing = max(facing, against * fade)
                if along < next_up:
                    next_up, nearest = along, k
    return most, facing, nearest


@njit(cache=True, error_model="numpy")
def _squeezed(me, other, u, v, reach, contact, position, faces, places):  # type: ignore[no-untyped-def]
    """The room to port and to starboard of one bound along (u, v), and whether it is narrow.

    That is where two abreast do not fit: here, or where the other comes from.
    """
    port, right = _beside(position[me, 0], position[me, 1], u, v, reach, faces, places)
    narrow = port + right < 2 * contact
    if not narrow:
        left, rest = _beside(position[other, 0], position[other, 1], u, v, reach, faces, places)
        narrow = left + rest < 2 * contact
    return port, right, narrow


@njit(cache=True, error_model="numpy")
def _beside(x, y, u, v, reach, faces, places):  # type: ignore[no-untyped-def]
    """How far it is to the walls to port and to starboard of (x, y); at most `reach`."""
    cell = cell_at(x, y, places.frame, places.shape, places.period)
    first, items = places.first, places.items
    here = items[first[cell] : first[cell + 1]] if cell >= 0 else items[:0]
    return _room(x, y, v, -u, reach, faces, here), _room(x, y, -v, u, reach, faces, here)


@njit(cache=True, error_model="numpy")
def _outnumbered(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, seen, sight, a, b, u, v, x_of, y_of, contact, reach, heading,
    balance,
):  # fmt: skip
    """Whether there are more on the other side of where two files meet that cannot pass.

    Files meet half-way between the foremost of the own and the nearest of the other; nearer ones
    count for more, up to half the range, so that both sides count alike. `balance` is what the own
    side has to begin with: who is under way stays so, or they would swing to and fro. In a dead
    heat whoever is bound for greater x goes on (if neither is, for greater y).
    """
    front_x, front_y, farthest = 0.0, 0.0, 0.0
    end = a * x_of + b * y_of
    for k in range(count):
        if seen[k] >> sight & 1:
            x, y, j = ahead[k], starboard[k], index[k]
            along, across = a * x + b * y, a * y - b * x
            own = u * heading[j, 0] + v * heading[j, 1] > 0.0
            if own and farthest < along < end and abs(across) < contact:
                front_x, front_y, farthest = x, y, along
    middle_x, middle_y = (front_x + x_of) / 2, (front_y + y_of) / 2
    most = 2 / reach
    balance += max(0.0, 1 - most * np.sqrt(middle_x * middle_x + middle_y * middle_y))
    for k in range(count):
        if seen[k] >> sight & 1:
            dx, dy, j = ahead[k] - middle_x, starboard[k] - middle_y, index[k]
            share = max(0.0, 1 - most * np.sqrt(dx * dx + dy * dy))
            own = u * heading[j, 0] + v * heading[j, 1] > 0.0
            balance += share if own else -share
    if abs(balance) > EVEN:
        return balance < 0.0
    return u < -EVEN or (u < EVEN and v < 0.0)


@inlined
def _room(x, y, u, v, reach, faces, here):  # type: ignore[no-untyped-def]
    """How far it is from (x, y) along (u, v) to the first of the walls; at most `reach`."""
    for item in here:
        k = item >> BITS
        to_x, to_y = faces[k, 0] - x, faces[k, 1] - y
        wall_x, wall_y = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        slant = u * wall_y - v * wall_x
        if slant != 0.0:
            along, share = (to_x * wall_y - to_y * wall_x) / slant, (to_x * v - to_y * u) / slant
            if 0.0 <= along < reach and 0.0 <= share <= 1.0:
                reach = along
    return reach
