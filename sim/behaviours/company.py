"""Close quarters: room to breathe, and a side to pass on."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import ground_of
from sim.behaviours.narrow import outnumbered, squeezed
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel, inlined, leaf
from sim.core.geometry import short_way, to_own_frame, to_world
from sim.core.own import Amount, most, of_unit, own
from sim.orders.aim import Aim
from sim.orders.minds import PATIENCE
from sim.orders.places import NOWHERE
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Yielding = Annotated[Amount, Within(0, 10, "how far back one goes that is on the wrong side")]
Width = Annotated[Amount, Within(0, 100, "how far aside oncoming units are let by, hull widths")]

SLIGHT = 0.1
"""Hull widths: a unit so much nearer to the wall on its left is on the wrong side."""
JAMMED = 0.7 * PATIENCE
"""Time without getting on from which a unit goes before those with more way left, s."""
UNDER_WAY = 4.0
"""As how many friends it counts that one goes forward at the desired speed, or the other back."""


@rule("company", looks="each", range=1.5, gives=VELOCITY)
def personal_space(me: Percepts, seen: Seen) -> Terms:
    """Away from anyone within range, friend or not: the mean of their pushes (rule E3).

    A push is 1 at contact and fades to nothing at the range (centre to centre, hull lengths). A
    unit that has come where it was sent holds its ground, and is not kept clear of: else the next
    would hover before it without end. Nor does one that hardly gets on (`JAMMED`) keep clear of
    another that makes for the same spot, or mouth of a narrow place, and has more way left: units
    that push each other off would stand in an arch before a door, and all others behind them.
    """
    out = np.empty(me.velocity.shape)
    there, own = me.minds.arrived & ~me.minds.moving, (me.rows.start, me.hull.length)
    minds, left = me.minds, (me.bound_for, me.remaining)
    bound = _Pressing(there, minds.blocked, minds.gate, minds.ahead, *left, me.plane.size, *own)
    _give_room(out, tuple(seen.each), tuple(bound), seen.range, 2 * me.hull.radius)
    out[me.resting] = 0.0
    return out


class _Pressing(NamedTuple):
    """What `personal_space` goes by, of all N units."""

    there: Bools
    """(N,) which have come where they were sent."""
    blocked: Floats
    gate: Ints
    ahead: Floats
    """(N,) as in `Minds`, all three."""
    bound_for: Floats
    """(N, 2) the place each heads for now; NaN for none."""
    remaining: Floats
    """(N,) length of the way that each has before it, world units; NaN for none."""
    size: Floats
    """(2,) `Plane.size`."""
    start: int
    """The row of the first unit of the group."""
    length: float
    """Of a hull, world units: how far apart two places are at most that are one spot."""


class _Passing(NamedTuple):
    """What `keep_right` goes by: its range and parameters, and the size of a hull, world units."""

    reach: Amount
    contact: float
    width: Amount
    yielding: Amount


class _Way(NamedTuple):
    """A direction, of length 1: (a, b) in the own frame, (u, v) in the world's."""

    a: float
    b: float
    u: float
    v: float


class _Bound(NamedTuple):
    """Where units mean to go."""

    course: Floats
    """(n, 2) offsets of the group's units, own frame; zeros for units that go nowhere."""
    facing: Floats
    """(N, 2) directions of all units, world frame."""
    place: Ints
    """(N,) the shared place each is bound for; -1 for none."""


@rule("company", looks="each", range=6.0, gives=VELOCITY)
def keep_right(me: Percepts, seen: Seen, *, width: Width = 1.5, yielding: Yielding = 2.0) -> Terms:
    """To the right of the own course while a unit comes the other way (rule E5).

    A unit that faces against one's course, ahead and less than `width` beside it, is passed port to
    port, as all that meet head-on pass here: so two files that meet in a corridor shear past each
    other. The nearest counts, fading to nothing at the range, and by how squarely it comes. Where
    there are walls, a unit that is nearer to the one on its left is on the wrong side: it gives way
    to what comes straight at it, backward if need be, or two files abreast would jam for good.
    Where there is no room for two abreast, the side that is fewer gives way. Units that are bound
    for one and the same place gather there, and do not come against each other.
    """
    out = np.zeros(me.velocity.shape)
    if me.aim is not None:
        passing = _Passing(seen.range, 2 * me.hull.radius, width, yielding)
        ground = ground_of(me, most(seen.range))
        bound = _Bound(me.aim.offset, _facing(me, me.aim), me.spared.place)
        _shear(out, tuple(seen.each), tuple(me.bodies), tuple(bound), ground, tuple(passing))
        out[me.resting] = 0.0
    return out


def _facing(me: Percepts, aim: Aim) -> Terms:
    """(N, 2) where each unit means to go, as far as can be told; zeros for units that rest.

    A unit knows it of friends, which may just have been turned about in the throng; of others one
    sees where their bows point.
    """
    facing = np.empty(me.units.heading.shape)
    minds = me.minds
    _face(facing, me.units.heading, aim.offset, me.rows.start, minds.arrived, minds.moving)
    return facing


@Kernel
def _face(begin, end, out, heading, offset, start, arrived, moving):  # type: ignore[no-untyped-def]
    for j in range(begin, end):
        c, s, i = heading[j, 0], heading[j, 1], j - start
        if arrived[j] and not moving[j]:
            out[j, 0], out[j, 1] = 0.0, 0.0
        elif 0 <= i < len(offset):
            x, y = offset[i, 0], offset[i, 1]
            share = 1.0 / max(np.sqrt(x * x + y * y), 1e-300)
            out[j, 0], out[j, 1] = to_world(share * x, share * y, c, s)
        else:
            out[j, 0], out[j, 1] = c, s


@inlined
def _nearness(apart, reach, contact):  # type: ignore[no-untyped-def]
    """1 at contact, fading to nothing at the range."""
    return min(1.0, (reach - apart) / max(reach - contact, 1e-9 * contact))


@Kernel
def _give_room(begin, end, out, each, bound, reach, contact):  # type: ignore[no-untyped-def]
    each, bound = Neighbours(*each), _Pressing(*bound)
    for i in range(begin, end):
        x, y, crowd, me = 0.0, 0.0, 0, bound.start + i
        presses, far = bound.blocked[me] > JAMMED, own(reach, i)
        for k in range(each.count[i]):
            apart, j = each.distance[i, k], each.index[i, k]
            if not sees(each, i, k) or bound.there[j]:
                continue
            if presses and _has_less_way_left(me, j, bound):
                continue
            crowd += 1
            if apart > 0.0:
                push = _nearness(apart, far, contact)
                x -= push * each.ahead[i, k] / apart
                y -= push * each.starboard[i, k] / apart
        out[i, 0], out[i, 1] = x / max(crowd, 1), y / max(crowd, 1)


@leaf
def _has_less_way_left(me, j, bound):  # type: ignore[no-untyped-def]
    """Whether unit `me` has less way left than unit j, and both make for one mouth or spot.

    Before a mouth units head for different spots, as each comes round the corner next to it.
    """
    if bound.gate[me] != NOWHERE and bound.gate[me] == bound.gate[j]:
        return bound.ahead[me] < bound.ahead[j]
    to = bound.bound_for
    x, y = short_way(to[j, 0] - to[me, 0], to[j, 1] - to[me, 1], bound.size)
    return bound.remaining[me] < bound.remaining[j] and x * x + y * y <= bound.length * bound.length


@Kernel
def _shear(begin, end, out, each, bodies, bound, ground, amounts):  # type: ignore[no-untyped-def]
    each, bodies, bound = Neighbours(*each), Bodies(*bodies), _Bound(*bound)
    amounts = _Passing(*amounts)
    course, velocity, contact = bound.course, bodies.velocity, amounts.contact
    for i in range(begin, end):
        length = np.sqrt(course[i, 0] ** 2 + course[i, 1] ** 2)
        if length == 0.0:
            continue
        me, passing = bodies.start + i, of_unit(amounts, i)
        # The course in the own frame, and in the world's.
        a, b = course[i, 0] / length, course[i, 1] / length
        u, v = to_world(a, b, bodies.heading[me, 0], bodies.heading[me, 1])
        way = _Way(a, b, u, v)
        most, facing, nearest = _against(i, me, each, way, bound, passing)
        back = 0.0
        if nearest >= 0 and passing.yielding > 0.0:
            other = each.index[i, nearest]
            port, right, narrow = squeezed(me, other, way, bodies.position, ground, passing)
            yields = port < right - SLIGHT * contact
            if narrow:
                forward = u * velocity[me, 0] + v * velocity[me, 1]
                forward += u * velocity[other, 0] + v * velocity[other, 1]
                balance = UNDER_WAY * forward / bodies.speeds[i]
                yields = outnumbered(i, each, nearest, way, bound.facing, passing, balance)
            back = passing.yielding * facing if yields else 0.0
        out[i, 0], out[i, 1] = -b * most - a * back, a * most - b * back


@leaf
def _against(i, me, each, way, bound, passing):  # type: ignore[no-untyped-def]
    """How much another comes against one, how much straight at one, and which of these is next.

    The last is a place in list i, -1 for none. 1 is one that comes squarely and touches; it fades
    to nothing at 60 degrees off (files that go round a corner do not meet), and at the range.
    """
    most, facing, next_up, nearest = 0.0, 0.0, np.inf, -1
    a, b, u, v = way
    reach, contact, width = passing.reach, passing.contact, passing.width
    heading, place = bound.facing, bound.place
    for k in range(each.count[i]):
        if not sees(each, i, k):
            continue
        x, y, j = each.ahead[i, k], each.starboard[i, k], each.index[i, k]
        if place[me] >= 0 and place[j] == place[me]:
            continue
        against = -2 * (u * heading[j, 0] + v * heading[j, 1]) - 1
        along, across = to_own_frame(x, y, a, b)
        if against > 0.0 and along > 0.0 and -width * contact < across < width * contact:
            much = against * _nearness(each.distance[i, k], reach, contact)
            most = max(most, much)
            if abs(across) < contact:
                facing = max(facing, much)
                if along < next_up:
                    next_up, nearest = along, k
    return most, facing, nearest
