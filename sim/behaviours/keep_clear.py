"""Not walking into each other: each of two takes its share, by who has the right of way."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.half_planes import compromise, nearest
from sim.behaviours.joining import JOINING, measure_hulls, slowed
from sim.behaviours.making_way import stands_before
from sim.behaviours.meetings import SAME_WAY, clearing, leaning, right_of_way, share_by_turn
from sim.behaviours.nearest import (
    APART,
    HULL,
    HX,
    HY,
    JOINED,
    KNOWN,
    NEAREST,
    PACE,
    RESTING,
    VX,
    VY,
    Crowd,
    X,
    Y,
    know,
    nearest_seen,
)
from sim.behaviours.overtaking import overtaken
from sim.behaviours.room import (
    AT_REST,
    WALLS,
    concerns,
    ground_of,
    off_walls,
    rather_stands,
    to_hull,
    to_the_first,
)
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, leaf
from sim.orders.minds import PATIENCE
from sim.perception.percepts import Percepts

MOST_OF_IT = 0.95
"""The most of a change that is one's own."""
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
    """The rule's parameters, and what they are measured by, as its kernel takes them."""

    horizon: float
    room: float
    margin: float
    handed: float
    rank: float
    veer: float
    aside: float
    overtake: float
    defer: float
    speed: float
    """Desired, world units / s."""
    reach: float
    """Of the hull, world units."""
    length: float
    """Of the hull, world units."""


@rule("avoidance", looks="each", view="all", range=8.0, nearest=NEAREST, amends=True)
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
    two things open; they are decided here. Which unit changes how much: the one nearer to where the
    two courses cross, or ahead of the other, keeps its course (rule D2); at equal distances the one
    that has the other to starboard yields. On which side to pass: units that meet head-on pass port
    to port, and a blocked unit tries further and further to starboard. A slower unit that walks
    steadily ahead is overtaken where there is room. In a queue the others leave room to the first,
    which is held up: else an arch of hulls would stand in a door. Where no velocity will do, hulls
    and walls come before what is foreseen. Units at rest make way for others that have waited.
    """
    assert me.seen is not None
    assert me.wanted is not None
    units, out = me.units, np.empty(me.velocity.shape)
    manners = Manners(
        horizon, room, margin, handed, rank, veer, aside, overtake, defer,
        me.speed, me.hull.reach, me.hull.length,
    )  # fmt: skip
    ground = ground_of(me.faces, me.discs, me.plane.size, me.hull.reach + me.speed * room)
    crowd = Crowd(units.position, units.velocity, units.heading, me.reach, me.minds, me.shapes)
    _keep_clear(
        me.wanted, me.velocity, me.seen.each, me.seen.sight, me.rows.start, crowd, ground, manners,
        out,
    )  # fmt: skip
    return out


@Kernel
def _keep_clear(begin, end, wish, own, each, sight, start, crowd, ground, manners, out):  # type: ignore[no-untyped-def]
    planes, near = np.empty((WALLS + 3 * NEAREST, 3)), np.empty(NEAREST, np.int64)
    met, minds, speed = np.empty((KNOWN, NEAREST)), crowd.minds, manners.speed
    turned = np.empty(crowd.shapes.corners.shape[1:])
    for i in range(begin, end):
        me = start + i
        x, y = crowd.position[me, 0], crowd.position[me, 1]
        c, s = crowd.heading[me, 0], crowd.heading[me, 1]
        wx, wy = wish[i, 0] * speed, wish[i, 1] * speed
        found = nearest_seen(i, each, sight, near)
        if not minds.moving[me]:
            k = stands_before(
                each.index[i], each.ahead[i], each.starboard[i], each.distance[i], near, found,
                minds, me, crowd.reach, 0.5 * manners.length,
            )  # fmt: skip
            if k < 0:
                found = 0
            else:
                off = 0.5 * speed / each.distance[i, k]
                wx, wy = -off * each.ahead[i, k], -off * each.starboard[i, k]
        know(i, me, each, near, found, crowd, c, s, met)
        measure_hulls(i, me, each, near, found, crowd, met, turned)
        wx, wy = slowed(met, found, wx, wy, manners.reach)
        wx, wy, slow, side = overtaken(met, found, ground, x, y, c, s, wx, wy, manners)
        firm = off_walls(ground, x, y, c, s, manners, planes)
        firm = _off_hulls(met, found, manners, planes, firm)
        total, against, queueing = _foresee(
            i, each, near, met, found, me, minds, wx, wy, own[i, 0], own[i, 1], slow, side,
            manners, planes, firm,
        )  # fmt: skip
        vx, vy, relaxed = compromise(planes, total, firm, wx, wy, speed)
        square = max(wx * wx + wy * wy, 1e-18 * speed * speed)
        short = 1.0 - min(max((vx * wx + vy * wy) / square, 0.0), 1.0)
        # A unit that has arrived has nothing to get round: turned aside, it would back off.
        blocked = minds.blocked[me] > PATIENCE and not minds.arrived[me]
        aside = manners.aside if blocked and not queueing else 0.0
        turn = max(manners.veer * against, aside) * short
        if turn > 0.0 and relaxed < np.inf:
            a, b = np.cos(turn), np.sin(turn)
            ux, uy = a * wx - b * wy, b * wx + a * wy
            vx, vy, _, _ = nearest(planes, total, firm, relaxed, ux, uy, speed)
        if vx == 0.0 and vy == 0.0:
            # A unit pressed from all sides goes with the crowd: it does not plant its feet.
            vx, vy = PRESSED * wx, PRESSED * wy
        touch = 0.25 * manners.margin * manners.reach / manners.room
        if minds.arrived[me] and rather_stands(planes, firm, touch, vx, vy, wx, wy, speed):
            vx, vy = 0.0, 0.0
        out[i, 0] = vx / speed - wish[i, 0]
        out[i, 1] = vy / speed - wish[i, 1]
    return 0


@leaf
def _off_hulls(met, found, manners, planes, firm):  # type: ignore[no-untyped-def]
    """Add a half-plane for each of the nearest that is so near that it bounds one's velocity."""
    for n in range(found):
        apart = met[APART, n]
        nx, ny = met[X, n] / apart, met[Y, n] / apart
        gap, leaving = apart - manners.reach - met[HULL, n], nx * met[VX, n] + ny * met[VY, n]
        slack = to_hull(gap, leaving, met[PACE, n] != RESTING, manners)
        if slack < manners.speed:
            planes[firm, 0], planes[firm, 1], planes[firm, 2] = -nx, -ny, -slack
            firm += 1
    return firm


@leaf
def _foresee(  # type: ignore[no-untyped-def]
    i, each, near, met, found, me, minds, wx, wy, own_x, own_y, slow, side, manners, planes, total,
):  # fmt: skip
    """Add half-planes for what is foreseen of each of the nearest, and for the room it is left.

    Returns how many there are now, by how much somebody comes against one, and whether one stands
    in a queue.
    """
    against, queueing, reach, speed = 0.0, False, manners.reach, manners.speed
    per_want = 1.0 / max(np.sqrt(wx * wx + wy * wy), 1e-300)
    wx, wy = wx * per_want, wy * per_want
    for n in range(found):
        j, moves = each.index[i, near[n]], met[PACE, n] != RESTING
        x, y, apart, radius = met[X, n], met[Y, n], met[APART, n], reach + met[HULL, n]
        vx, vy, hx, hy = met[VX, n], met[VY, n], met[HX, n], met[HY, n]
        shared, joins = minds.end[j] == minds.end[me], met[JOINED, n] > 0.0
        if wx * x + wy * y > 0.0:
            same = hx * wx + hy * wy
            if moves:
                against = max(against, -same)
            if (joins or (moves and same > SAME_WAY)) and abs(x * wy - y * wx) < radius:
                queueing = queueing or apart - radius < 0.5 * manners.length
        margin = manners.margin * reach * (1.0 if moves else AT_REST)
        change, nx, ny = clearing(
            x, y, apart, radius + margin, own_x - vx, own_y - vy,
            JOINING if joins else manners.horizon, manners.handed, side if n == slow else 0,
        )  # fmt: skip
        bound = own_x * nx + own_y * ny
        if not moves:
            bound += change
        else:
            by_turn = minds.stance[me] != minds.stance[j]
            if by_turn and share_by_turn(minds.stance[me], minds.stance[j], 1.0) == 0.0:
                continue
            # Where there is nothing to change, but room left, who goes first takes it up at once.
            follows = hx > SAME_WAY and not shared and concerns(apart - radius, manners)
            least = MOST_OF_IT if change > 0.0 else 0.5
            if follows or bound + least * change > -speed:
                claim = right_of_way(x, y, apart, hx, hy, manners.length)
                share = 0.5 + (MOST_OF_IT - 0.5) * leaning(manners.rank * claim)
                if by_turn:
                    share = share_by_turn(minds.stance[me], minds.stance[j], share)
                bound += (max(share, 1.0 - share) if change < 0.0 else share) * change
                if follows:
                    # Those that are bound for one shared place pack there as closely as they can.
                    leaving, pace = (x * vx + y * vy) / apart, np.sqrt(vx * vx + vy * vy)
                    slack = to_the_first(apart - radius, leaving, pace, claim, manners)
                    if slack < speed:
                        planes[total, 0], planes[total, 1] = -x / apart, -y / apart
                        planes[total, 2] = -slack
                        total += 1
            else:
                continue
        if bound > -speed:
            planes[total, 0], planes[total, 1], planes[total, 2] = nx, ny, bound
            total += 1
    return total, against, queueing
