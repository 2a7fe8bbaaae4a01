"""Not walking into each other: each of two takes its share, by who has the right of way."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numba import njit, prange

from sim.behaviours.half_planes import compromise
from sim.behaviours.meetings import clearing, right_of_way
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.orders.minds import PATIENCE
from sim.perception.percepts import Percepts
from sim.perception.places import BITS, cell_at

NEAREST = 14
"""How many neighbours count: the nearest."""
WALLS = 8
"""How many solids count: the nearest."""
PUSHED = 0.3
"""How quickly one gets out of an overlap, as a share of the desired speed."""
SAME_WAY = 0.3
"""Cosine of the angle within which somebody ahead walks the same way."""

Horizon = Annotated[float, Within(0.05, 60, "how far ahead others are foreseen, s")]
Room = Annotated[float, Within(0.01, 60, "time in which the room to others or walls is used up, s")]
Headway = Annotated[float, Within(0, 60, "time kept to whoever walks ahead, s")]
Margin = Annotated[float, Within(0, 10, "room kept between hulls, hull radii")]
Handed = Annotated[float, Within(0, 1, "sine of the angle within which a meeting is head-on")]
Rank = Annotated[float, Within(0, 100, "how sharply shares follow the right of way")]
Veer = Annotated[float, Within(0, 3.2, "how far to starboard a blocked way is tried, rad")]


class Manners(NamedTuple):
    """The rule's parameters, as its kernel takes them."""

    horizon: float
    room: float
    headway: float
    margin: float
    handed: float
    rank: float
    veer: float
    aside: float


@rule("avoidance", looks="each", view="all", range=8.0, amends=True)
def keep_clear(
    me: Percepts,
    *,
    horizon: Horizon = 2.0,
    room: Room = 0.08,
    headway: Headway = 0.0,
    margin: Margin = 0.05,
    handed: Handed = 0.4,
    rank: Rank = 0.5,
    veer: Veer = 1.4,
    aside: Veer = 1.7,
) -> Terms:
    """The least change of course that keeps clear of everybody, shared by right of way.

    Optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, 2011), which leaves
    two things open; they are decided here. How much of a change is whose: who is nearer to where
    two courses cross, or ahead of the other, keeps its course (rule D2); in a dead heat who has the
    other to starboard yields. On which side to pass: who meets head-on passes port to port, and who
    is blocked tries further and further to starboard. Where no course will do, hulls and walls
    come before what is foreseen.
    """
    assert me.seen is not None
    assert me.wanted is not None
    each, units, out = me.seen.each, me.units, np.empty(me.velocity.shape)
    manners = Manners(horizon, room, headway, margin, handed, rank, veer, aside)
    far = me.hull.reach + me.speed * room
    _keep_clear(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        me.wanted, me.velocity, units.position[me.rows], units.heading[me.rows],
        me.rows.start, me.minds.moving, me.minds.blocked, me.minds.end, units.velocity,
        units.heading, me.reach,
        me.faces.rows, me.faces.within(far), me.discs.rows, me.discs.within(far), me.plane.size,
        me.speed, me.hull.reach, me.hull.length, manners, out,
    )  # fmt: skip
    return out


@Kernel
def _keep_clear(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, distance, seen, sight, wish, own, position, heading, start,
    goes, blocked, end, moving, headings, radii, faces, near_faces, discs, near_discs,
    size, speed, reach, length, manners, out,
):  # fmt: skip
    for i in prange(len(count)):
        planes, near = np.empty((WALLS + 2 * NEAREST, 3)), np.empty(NEAREST, np.int64)
        c, s = heading[i, 0], heading[i, 1]
        wx, wy = wish[i, 0] * speed, wish[i, 1] * speed
        want = max(np.sqrt(wx * wx + wy * wy), 1e-9 * speed)
        firm = _walls(
            position[i], c, s, faces, near_faces, discs, near_discs, size, reach, speed,
            manners.room, planes,
        )  # fmt: skip
        found = _nearest(count[i], distance[i], seen[i], sight, near)
        if not goes[start + i]:
            found = _waiting(
                index[i], distance[i], near, found, goes, blocked, end, start + i, 1.5 * length
            )
            if found > 0:
                # Away from whoever waits most closely.
                off = 0.5 * speed / distance[i, near[0]]
                wx, wy = -off * ahead[i, near[0]], -off * starboard[i, near[0]]
                want = max(np.sqrt(wx * wx + wy * wy), 1e-9 * speed)
        # What always holds: nobody uses up more than its half of the room between two hulls.
        for n in range(found):
            k, j = near[n], index[i, near[n]]
            nx, ny = ahead[i, k] / distance[i, k], starboard[i, k] / distance[i, k]
            vx, vy = _turned(moving[j, 0], moving[j, 1], c, s)
            gap = distance[i, k] - reach - radii[j] - 0.5 * manners.margin * reach
            planes[firm, 0], planes[firm, 1] = -nx, -ny
            slack = max(0.5 * gap / manners.room, -PUSHED * speed) + max(nx * vx + ny * vy, 0.0)
            planes[firm, 2] = -slack
            firm += 1
        total, free, against, queueing = firm, want, 0.0, False
        for n in range(found):
            k, j = near[n], index[i, near[n]]
            x, y = ahead[i, k], starboard[i, k]
            vx, vy = _turned(moving[j, 0], moving[j, 1], c, s)
            hx, hy = _turned(headings[j, 0], headings[j, 1], c, s)
            radius, share = reach + radii[j], 1.0
            before, same = (wx * x + wy * y) / want, (hx * wx + hy * wy) / want
            if goes[j]:
                claim = right_of_way(x, y, distance[i, k], hx, hy, length)
                share = 0.5 + 0.45 * np.tanh(manners.rank * claim)
                if before > 0.0:
                    against = max(against, -same)
            ux, uy, nx, ny = clearing(
                x, y, radius + manners.margin * reach, own[i, 0] - vx, own[i, 1] - vy,
                manners.horizon, manners.handed,
            )  # fmt: skip
            planes[total, 0], planes[total, 1] = nx, ny
            planes[total, 2] = (own[i, 0] + share * ux) * nx + (own[i, 1] + share * uy) * ny
            total += 1
            beside = abs(x * wy - y * wx) / want
            if before > 0.0 and beside < radius and same > SAME_WAY:
                gap = max(0.0, distance[i, k] - radius)
                queueing = queueing or gap < 0.5 * length
                if manners.headway > 0.0:
                    free = min(free, gap / manners.headway)
        wx, wy = wx * free / want, wy * free / want
        vx, vy = compromise(planes, total, firm, wx, wy, speed)
        short = 1.0 - min(max((vx * wx + vy * wy) / max(free * free, 1e-18), 0.0), 1.0)
        aside = manners.aside if blocked[start + i] > PATIENCE and not queueing else 0.0
        turn = max(manners.veer * against, aside) * short
        if turn > 0.0:
            a, b = np.cos(turn), np.sin(turn)
            vx, vy = compromise(planes, total, firm, a * wx - b * wy, b * wx + a * wy, speed)
        out[i, 0] = vx / speed - wish[i, 0]
        out[i, 1] = vy / speed - wish[i, 1]
    return 0


@njit(cache=True, error_model="numpy")
def _turned(x, y, cosine, sine):  # type: ignore[no-untyped-def]
    """A world vector in the frame of a heading."""
    return cosine * x + sine * y, cosine * y - sine * x


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


@njit(cache=True, error_model="numpy")
def _waiting(index, distance, near, found, goes, blocked, end, me, close):  # type: ignore[no-untyped-def]
    """Keep those of the nearest for whom one who rests makes way; how many they are.

    Those are close, on their way elsewhere, and have waited.
    """
    kept = 0
    for n in range(found):
        j = index[near[n]]
        if goes[j] and blocked[j] > PATIENCE and end[j] != end[me] and distance[near[n]] < close:
            near[kept] = near[n]
            kept += 1
    return kept


@njit(cache=True, error_model="numpy")
def _walls(  # type: ignore[no-untyped-def]
    place, c, s, faces, near_faces, discs, near_discs, size, reach, speed, room, planes
):
    """Half-planes off the nearest solids: the room to each is used up in no less than `room` s."""
    found, far = 0, reach + speed * room
    cell = cell_at(place[0], place[1], near_faces.frame, near_faces.shape, near_faces.period)
    for n in range(near_faces.first[cell] if cell >= 0 else 0, near_faces.first[cell + 1]):
        k = near_faces.items[n] >> BITS
        ax, ay = faces[k, 0] - place[0], faces[k, 1] - place[1]
        bx, by = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        share = min(max(-(ax * bx + ay * by) / max(bx * bx + by * by, 1e-300), 0.0), 1.0)
        x, y = ax + share * bx, ay + share * by
        found = _wall(x, y, np.sqrt(x * x + y * y), c, s, far, reach, speed, room, planes, found)
    cell = cell_at(place[0], place[1], near_discs.frame, near_discs.shape, near_discs.period)
    for n in range(near_discs.first[cell] if cell >= 0 else 0, near_discs.first[cell + 1]):
        k = near_discs.items[n] >> BITS
        x, y = discs[k, 0] - place[0], discs[k, 1] - place[1]
        if size[0] > 0.0:
            x -= size[0] * np.rint(x / size[0])
            y -= size[1] * np.rint(y / size[1])
        off = np.sqrt(x * x + y * y)
        near = (off - discs[k, 2]) / max(off, 1e-300)
        found = _wall(x * near, y * near, off * near, c, s, far, reach, speed, room, planes, found)
    return found


@njit(cache=True, error_model="numpy")
def _wall(x, y, apart, c, s, far, reach, speed, room, planes, found):  # type: ignore[no-untyped-def]
    """Take in the half-plane off a solid whose nearest point is at (x, y), if it is near enough."""
    if not 0.0 < apart < far:
        return found
    bound = min((reach - apart) / room, PUSHED * speed)
    at = found
    if found == WALLS:
        for m in range(1, WALLS):
            at = m if at == WALLS or planes[m, 2] < planes[at, 2] else at
        if planes[at, 2] >= bound:
            return found
    planes[at, 0], planes[at, 1] = -(c * x + s * y) / apart, -(c * y - s * x) / apart
    planes[at, 2] = bound
    return min(found + 1, WALLS)
