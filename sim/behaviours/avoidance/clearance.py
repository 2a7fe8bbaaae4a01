"""Clearance to walls and hulls: half-planes that bound how quickly it is used up, always."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.outlines import on_course, open_course, to_solid
from sim.behaviours.avoidance.right_of_way import leaning
from sim.behaviours.avoidance.solver import take_in
from sim.behaviours.ground import offset_to_solid, solids_near
from sim.behaviours.parameters import Within
from sim.core.compiled import built_in, leaf
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, own
from sim.core.shared_cache import njit

Room = Annotated[
    Amount, Within(0.01, 60, "time in which the room to others or walls is used up, s")
]
USED_UP = 0.08
"""That time, unless given."""
WALLS = 8
"""How many solids count: the nearest."""
PUSHED = 0.3
"""How quickly one gets out of an overlap, as a share of the desired speed."""
GENTLY = 0.4
"""Time in which the room to a unit at rest, or one that walks the same way, is used up, s."""
AT_REST = 0.4
"""Share of the margin that is kept to units that rest: they may stand in the only way."""
SHUFFLE = 0.15
"""A unit that has arrived backs away at no less than this share of the desired speed."""
SURE = 3.0
"""How sharply the room left to another grows with its right of way, 1 / hull lengths."""


class Off(NamedTuple):
    """What of a unit half-planes off walls go by."""

    room: float
    reach: float
    """Of its hull, world units."""
    speed: float
    """Its own desired one, world units / s."""


@leaf
def to_hull(gap, leaving, moves, manners):  # type: ignore[no-untyped-def]
    """How quickly one may close in on another: half of the room between is each one's own.

    `gap` is the room from hull to hull, `leaving` how quickly the other moves off.
    All of it is one's own where the other rests; then it is used up gently, so as not to push.
    """
    kept, pushed = 0.5 * manners.margin * manners.reach, -PUSHED * manners.speed
    room = 0.5 * (gap - kept) if moves else gap - AT_REST * kept
    time = manners.room if moves else max(manners.room, GENTLY)
    return max(room / time, pushed) + (max(leaving, 0.0) if moves else 0.0)


@leaf
def to_the_first(gap, leaving, pace, claim, manners):  # type: ignore[no-untyped-def]
    """How quickly one may close in on another that walks the same way, and may wait for room.

    Room is used up gently. The unit that goes first (by its `claim`, hull lengths), but is held up,
    is left some of it, so that the first of a crowd at a door is not wedged in.
    """
    held = manners.defer * manners.reach * max(1.0 - pace / manners.speed, 0.0)
    room = gap - 0.5 * manners.margin * manners.reach - held * max(leaning(SURE * claim), 0.0)
    return max(room / GENTLY, -PUSHED * manners.speed) + max(leaving, 0.0)


@leaf
def concerns(gap, manners):  # type: ignore[no-untyped-def]
    """Whether so much room may be used up too quickly `to_the_first`, whatever it does."""
    return gap < GENTLY * manners.speed + (0.5 * manners.margin + manners.defer) * manners.reach


@njit(cache=True)
def farthest(reach, start, speeds, room):  # type: ignore[no-untyped-def]
    """How far off what is solid counts at most, for any unit of the group, world units."""
    longest, fastest, most = 0.0, 0.0, 0.0
    for i in range(len(speeds)):
        longest, fastest = max(longest, reach[start + i]), max(fastest, speeds[i])
        most = max(most, own(room, i))
    return longest + fastest * most


@built_in
def off_walls(ground, me, off, way, hull, planes):  # type: ignore[no-untyped-def]
    """Half-planes off the nearest solids: the room to each is used up in no less than `off.room`.

    Returns how many, and the velocity wanted: a hull that is not round turns `way` to the course on
    which it gets on best, and keeps off by its outline on that, any other by its reach. One that so
    turns is not pushed out of an overlap: it would be turned about in the mouth of a door.
    `hull` is its row, all shapes, and memory (2, k, 2) for corners, with k at least 2.
    """
    found, (unit, shapes, turned) = 0, hull
    course = open_course(ground, me, hull, off.reach, way)
    pushed = PUSHED * off.speed if course == way else 0.0
    outlined = on_course(me, unit, shapes, course, turned)
    count, near = solids_near(ground, me.x, me.y)
    for n in range(count):
        px, py, radius = offset_to_solid(ground, near, n, me.x, me.y)
        apart = np.sqrt(px * px + py * py)
        edge = (apart - radius) / max(apart, 1e-300)
        place = px * edge, py * edge, apart * edge
        if outlined and place[2] < _far(off):
            place = to_solid(ground, near, n, me, hull, off.reach)
        found = _off(place, me, off, pushed, planes, found)
    return found, course


@leaf
def _far(off):  # type: ignore[no-untyped-def]
    """Up to how far from a unit's centre its room to what is solid counts, world units."""
    return off.reach + off.speed * off.room


@leaf
def clear(ground, x, y, reach):  # type: ignore[no-untyped-def]
    """Whether nothing solid is nearer to a place than `reach`."""
    count, near = solids_near(ground, x, y)
    for n in range(count):
        px, py, radius = offset_to_solid(ground, near, n, x, y)
        if px * px + py * py < (reach + radius) ** 2:
            return False
    return True


@leaf
def free_way(ground, origin, hull, way, looks):  # type: ignore[no-untyped-def]
    """How far a hull may go before something solid bars it, world units.

    `hull` is where it is and its reach (x, y, reach); `way` the direction (u, v), in the world's
    frame, of length 1; `looks` how far apart the places are that are looked at, and how far off the
    last. `origin` (2,) is the corner of a torus from which its places count.
    """
    x, y, reach = hull
    step, most = looks
    free = 0.0
    while free < most:
        far = min(free + step, most)
        px = inside(x + far * way[0], origin[0], ground.size[0])
        py = inside(y + far * way[1], origin[1], ground.size[1])
        if not clear(ground, px, py, reach):
            break
        free = far
    return free


@leaf
def inside(at, origin, size):  # type: ignore[no-untyped-def]
    """`at`, moved by whole periods `size` to at least `origin` and less than `origin + size`.

    As it is where `size` is 0 (no torus). What is solid is known for a way beyond the seam only.
    """
    return at - size * np.floor((at - origin) / size) if size > 0.0 else at


@leaf
def _off(place, me, off, pushed, planes, found):  # type: ignore[no-untyped-def]
    """Take in the half-plane off a solid whose nearest point is at a place, if it is near enough.

    The place is an offset (x, y) in the world's frame, and its length. `pushed` is how quickly one
    gets out of an overlap.
    """
    x, y, apart = place
    if not 0.0 < apart < _far(off):
        return found
    bound = min((off.reach - apart) / off.room, pushed)
    x, y = to_own_frame(x, y, me.cosine, me.sine)
    return take_in(planes, 0, found, WALLS, (-x / apart, -y / apart, bound))


@leaf
def rather_stands(planes, firm, touch, vx, vy, wx, wy, speed):  # type: ignore[no-untyped-def]
    """Whether a velocity leads slowly away from where one wants to go, and one may stand.

    One may while no unit overlaps it: then no firm half-plane asks for more than `touch`.
    """
    slow = SHUFFLE * speed
    if vx * vx + vy * vy > slow * slow or vx * wx + vy * wy > 0.0:
        return False
    asked = -np.inf
    for n in range(firm):
        asked = max(asked, planes[2, n])
    return asked <= touch
