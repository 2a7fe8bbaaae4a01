"""Not walking into each other: each of two takes its share, by who has the right of way."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numba import njit

from sim.behaviours.half_planes import compromise
from sim.behaviours.making_way import stands_before
from sim.behaviours.meetings import SAME_WAY, clearing, right_of_way
from sim.behaviours.overtaking import overtaken
from sim.behaviours.room import AT_REST, WALLS, ground_of, leave_room, off_hulls, off_walls, turned
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.orders.minds import PATIENCE
from sim.perception.percepts import Percepts

NEAREST = 14
"""How many neighbours count: the nearest."""
JOINING = 0.4
"""How far ahead those are foreseen that rest where one is bound for, s."""
SHUFFLE = 0.15
"""Who has arrived does not back away more slowly than at this share of the desired speed."""
PRESSED = 1e-6
"""What is left of the velocity wanted of who can go nowhere."""

Horizon = Annotated[float, Within(0.05, 60, "how far ahead others are foreseen, s")]
Room = Annotated[float, Within(0.01, 60, "time in which the room to others or walls is used up, s")]
Margin = Annotated[float, Within(0, 10, "room kept between hulls, hull radii")]
Handed = Annotated[float, Within(0, 1, "sine of the angle within which a meeting is head-on")]
Rank = Annotated[float, Within(0, 100, "how sharply shares follow the right of way")]
Veer = Annotated[float, Within(0, 3.2, "how far to starboard a blocked way is tried, rad")]
Overtake = Annotated[
    float, Within(0, 1, "share of the speed wanted below which a steady one ahead is overtaken")
]
Defer = Annotated[float, Within(0, 10, "room left to who goes first and is held up, hull radii")]


class Manners(NamedTuple):
    """The rule's parameters, as its kernel takes them."""

    horizon: float
    room: float
    margin: float
    handed: float
    rank: float
    veer: float
    aside: float
    overtake: float
    defer: float


@rule("avoidance", looks="each", view="all", range=8.0, amends=True)
def keep_clear(
    me: Percepts,
    *,
    horizon: Horizon = 2.0,
    room: Room = 0.08,
    margin: Margin = 0.12,
    handed: Handed = 0.4,
    rank: Rank = 0.5,
    veer: Veer = 1.4,
    aside: Veer = 1.7,
    overtake: Overtake = 0.9,
    defer: Defer = 0.5,
) -> Terms:
    """The least change of course that keeps clear of everybody, shared by right of way.

    Optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, 2011), which leaves
    two things open; they are decided here. How much of a change is whose: who is nearer to where
    two courses cross, or ahead of the other, keeps its course (rule D2); in a dead heat who has the
    other to starboard yields. On which side to pass: who meets head-on passes port to port, and who
    is blocked tries further and further to starboard. Who walks ahead steadily, but slower, is
    overtaken where there is room. In a queue the others leave room to who goes first and is held
    up, or an arch of hulls would stand in a door. Where no course will do, hulls and walls come
    before what is foreseen. Who rests makes way for those that have waited to get by.
    """
    assert me.seen is not None
    assert me.wanted is not None
    each, units, out = me.seen.each, me.units, np.empty(me.velocity.shape)
    manners = Manners(horizon, room, margin, handed, rank, veer, aside, overtake, defer)
    ground = ground_of(me.faces, me.discs, me.plane.size, me.hull.reach + me.speed * room)
    _keep_clear(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        me.wanted, me.velocity, units.position[me.rows], units.heading[me.rows],
        me.rows.start, me.minds, units.velocity, units.heading, me.reach, ground,
        me.speed, me.hull.reach, me.hull.length, manners, out,
    )  # fmt: skip
    return out


@Kernel
def _keep_clear(  # type: ignore[no-untyped-def]
    begin, end,
    count, index, ahead, starboard, distance, seen, sight, wish, own, position, heading, start,
    minds, velocity, headings, radii, ground, speed, reach, length, manners, out,
):  # fmt: skip
    for i in range(begin, end):
        me = start + i
        planes, near = np.empty((WALLS + 3 * NEAREST, 3)), np.empty(NEAREST, np.int64)
        c, s = heading[i, 0], heading[i, 1]
        wx, wy = wish[i, 0] * speed, wish[i, 1] * speed
        found = _nearest(count[i], distance[i], seen[i], sight, near)
        if not minds.moving[me]:
            k = stands_before(
                index[i], ahead[i], starboard[i], distance[i], near, found, minds, me, radii,
                0.5 * length,
            )  # fmt: skip
            if k < 0:
                found = 0
            else:
                off = 0.5 * speed / distance[i, k]
                wx, wy = -off * ahead[i, k], -off * starboard[i, k]
        wx, wy, slow, side = overtaken(
            near, found, index[i], ahead[i], starboard[i], minds, velocity, headings, radii,
            ground, position[i], c, s, wx, wy, reach, manners,
        )  # fmt: skip
        firm = off_walls(ground, position[i], c, s, reach, speed, manners.room, planes)
        firm = off_hulls(
            near, found, index[i], ahead[i], starboard[i], distance[i], minds.moving, velocity,
            radii, c, s, reach, manners.margin, speed, manners.room, planes, firm,
        )  # fmt: skip
        total = leave_room(
            near, found, index[i], ahead[i], starboard[i], distance[i], minds, me, velocity,
            headings, radii, c, s, reach, length, speed, manners, planes, firm,
        )  # fmt: skip
        total, against, queueing = _foresee(
            near, found, index[i], ahead[i], starboard[i], distance[i], minds, me, velocity,
            headings, radii, c, s, wx, wy, own[i], reach, length, manners, planes, total, slow,
            side,
        )  # fmt: skip
        vx, vy = compromise(planes, total, firm, wx, wy, speed)
        square = max(wx * wx + wy * wy, 1e-18 * speed * speed)
        short = 1.0 - min(max((vx * wx + vy * wy) / square, 0.0), 1.0)
        # Who has arrived has nothing to get round: turned aside, it would back off from the others.
        blocked = minds.blocked[me] > PATIENCE and not minds.arrived[me]
        aside = manners.aside if blocked and not queueing else 0.0
        turn = max(manners.veer * against, aside) * short
        if turn > 0.0:
            a, b = np.cos(turn), np.sin(turn)
            vx, vy = compromise(planes, total, firm, a * wx - b * wy, b * wx + a * wy, speed)
        if vx == 0.0 and vy == 0.0:
            # Who is pressed from all sides goes with the crowd: it does not plant its feet.
            vx, vy = PRESSED * wx, PRESSED * wy
        slow, touch = SHUFFLE * speed, 0.25 * manners.margin * reach / manners.room
        if minds.arrived[me] and _rather_stands(planes, firm, touch, vx, vy, wx, wy, slow):
            vx, vy = 0.0, 0.0
        out[i, 0] = vx / speed - wish[i, 0]
        out[i, 1] = vy / speed - wish[i, 1]
    return 0


@njit(cache=True, error_model="numpy")
def _foresee(  # type: ignore[no-untyped-def]
    near, found, index, ahead, starboard, distance, minds, me, velocity, headings, radii, c, s, wx,
    wy, own, reach, length, manners, planes, total, slow, side,
):  # fmt: skip
    """Add a half-plane for what is foreseen of each of the nearest.

    Returns how many there are now, by how much somebody comes against one, and whether one stands
    in a queue.
    """
    against, queueing = 0.0, False
    want = max(np.sqrt(wx * wx + wy * wy), 1e-300)
    for n in range(found):
        k, j = near[n], index[near[n]]
        x, y, radius, share = ahead[k], starboard[k], reach + radii[j], 1.0
        margin = manners.margin * reach * (1.0 if minds.moving[j] else AT_REST)
        vx, vy = turned(velocity[j, 0], velocity[j, 1], c, s)
        hx, hy = turned(headings[j, 0], headings[j, 1], c, s)
        before, same = (wx * x + wy * y) / want, (hx * wx + hy * wy) / want
        if minds.moving[j]:
            claim = right_of_way(x, y, distance[k], hx, hy, length)
            share = 0.5 + 0.45 * np.tanh(manners.rank * claim)
            if before > 0.0:
                against = max(against, -same)
        joins = not minds.moving[j] and minds.arrived[j] and minds.end[j] == minds.end[me]
        ux, uy, nx, ny = clearing(
            x, y, radius + margin, own[0] - vx, own[1] - vy,
            JOINING if joins else manners.horizon, manners.handed, side if n == slow else 0,
        )  # fmt: skip
        if ux * nx + uy * ny < 0.0 and minds.moving[j]:
            # Nothing to change, but room left: who goes first takes it up at once.
            share = max(share, 1.0 - share)
        planes[total, 0], planes[total, 1] = nx, ny
        planes[total, 2] = (own[0] + share * ux) * nx + (own[1] + share * uy) * ny
        total += 1
        beside = abs(x * wy - y * wx) / want
        alike = joins or (minds.moving[j] and same > SAME_WAY)
        if alike and before > 0.0 and beside < radius:
            queueing = queueing or distance[k] - radius < 0.5 * length
    return total, against, queueing


@njit(cache=True, error_model="numpy")
def _rather_stands(planes, firm, touch, vx, vy, wx, wy, slow):  # type: ignore[no-untyped-def]
    """Whether a velocity leads slowly away from where one wants to go, and one may stand.

    One may while nobody overlaps it: then no firm half-plane asks for more than `touch`.
    """
    if vx * vx + vy * vy > slow * slow or vx * wx + vy * wy > 0.0:
        return False
    return not np.any(planes[:firm, 2] > touch)


@njit(cache=True, error_model="numpy")
def _nearest(count, distance, seen, sight, near):  # type: ignore[no-untyped-def]
    """Fill `near` with the places in the list of the nearest that are seen; how many they are."""
    found = 0
    for k in range(count):
        if not seen[k] >> sight & 1 or distance[k] <= 0.0:
            continue
        at = min(found, NEAREST - 1)
        if found == NEAREST and distance[k] >= distance[near[at]]:
            continue
        while at > 0 and distance[near[at - 1]] > distance[k]:
            near[at] = near[at - 1]
            at -= 1
        near[at] = k
        found = min(found + 1, NEAREST)
    return found
