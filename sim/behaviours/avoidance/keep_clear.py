"""Collision avoidance for units that walk: each of two takes a share, by right of way."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.aside import (
    TURNED,
    Aside,
    falls_short,
    presses_on,
    turns_aside,
    turns_to_port,
)
from sim.behaviours.avoidance.clearance import (
    USED_UP,
    WALLS,
    Off,
    Room,
    farthest,
    off_walls,
    rather_stands,
)
from sim.behaviours.avoidance.foreseen import BARRED, bounds, walker, weigh_up
from sim.behaviours.avoidance.half_planes import MOVERS, off_movers
from sim.behaviours.avoidance.joining import slowed
from sim.behaviours.avoidance.making_way import ways_off
from sim.behaviours.avoidance.nearest import (
    KNOWN,
    NEAREST,
    crowd_again,
    crowd_of,
    know,
    nearest_seen,
    number_of,
)
from sim.behaviours.avoidance.outlines import looks_closely, measure_hulls
from sim.behaviours.avoidance.overtaking import overtaken
from sim.behaviours.avoidance.solver import LANES, ROWS, compromise, nearest
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import NO_ROW
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_world
from sim.core.own import Amount, of_unit
from sim.orders.minds import FREE, UNASKED, rests
from sim.perception.bodies import Moving
from sim.perception.lists import Neighbours
from sim.perception.percepts import Percepts, Seen

ROOM = -(-(WALLS + 3 * NEAREST + MOVERS + 1) // LANES) * LANES
"""For half-planes, in the table of the solver."""
PRESSED = 1e-6
"""Fraction of the desired velocity kept when no velocity is feasible."""

Horizon = Annotated[Amount, Within(0.05, 60, "how far ahead others are foreseen, s")]
Margin = Annotated[Amount, Within(0, 10, "room kept between hulls, hull radii")]
Handed = Annotated[Amount, Within(0, 1, "sine of the angle within which a meeting is head-on")]
Rank = Annotated[Amount, Within(0, 100, "how sharply shares follow the right of way")]
Overtake = Annotated[
    Amount, Within(0, 1, "share of the speed wanted below which a steady one ahead is overtaken")
]
Defer = Annotated[
    Amount, Within(0, 10, "room left to one that goes first and is held up, hull radii")
]


class Manners(NamedTuple):
    """The rule's parameters, and what they are measured by, as its kernel takes them."""

    horizon: Amount
    room: Amount
    margin: Amount
    handed: Amount
    rank: Amount
    veer: Amount
    aside: Amount
    overtake: Amount
    defer: Amount
    speed: Amount
    """The desired one, world units / s."""
    reach: Amount
    """Of a unit's own hull, world units."""
    length: float
    """Of the group's hulls, world units."""


@rule("avoidance", looks="each", view="all", range=8.0, nearest=NEAREST, gives=VELOCITY)
def keep_clear(
    me: Percepts,
    seen: Seen,
    wanted: Terms,
    *,
    horizon: Horizon = 2.0,
    room: Room = USED_UP,
    margin: Margin = 0.12,
    handed: Handed = 0.4,
    rank: Rank = 0.5,
    veer: Aside = 1.4,
    aside: Aside = TURNED,
    overtake: Overtake = 0.9,
    defer: Defer = 0.5,
) -> Terms:
    """The least change of course that keeps clear of all units, shared by right of way.

    Optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, 2011), which leaves
    two things open; they are decided here. Which unit changes how much: the one nearer to where the
    two courses cross, or ahead of the other, keeps its course (rule D2); at equal distances the one
    that has the other to starboard yields. On which side to pass: units that meet head-on pass port
    to port, and a blocked unit tries further and further to starboard, or to port where streams
    come from there. Of two that come from different sides to one mouth of a narrow place, as it is
    their turn, the nearer one goes first. A slower unit that walks steadily ahead is overtaken
    where there is room, but not the one pursued. In a queue the others leave room to the first,
    which is held up: else an arch of hulls would stand in a door. At a mouth the nearest is first.
    Solids that move are foreseen as well, and give way to none. Where no velocity will do, hulls
    and walls come before what is foreseen. Units at rest make way for others that wait.
    To others a hull is as large as it reaches, but as it lies to a unit that has waited at a narrow
    place or is stuck; to walls as it stands on its course, which is turned to where it clears them.
    """
    out = np.empty(me.velocity.shape)
    manners = Manners(
        horizon, room, margin, handed, rank, veer, aside, overtake, defer,
        me.speeds, me.bodies.reach[me.rows], me.hull.length,
    )  # fmt: skip
    far = farthest(me.bodies.reach, me.rows.start, me.speeds, room)
    ground = ground_of(me, far)
    crowd = crowd_of(me)
    solid = tuple(me.moving), ground[1:]
    off = ways_off(me, seen, np.full(len(out), 0.5 * me.hull.length))
    _keep_clear(out, (wanted, off, me.pursued), tuple(seen.each), crowd, solid, tuple(manners))
    return out


@Kernel.making_arrays
def _keep_clear(begin, end, out, wish, each, crowd, ground, alike):  # type: ignore[no-untyped-def]
    corners = max(crowd_again(crowd).shapes.corners.shape[1], 2)
    tables = np.zeros((ROWS, ROOM)), np.ones(KNOWN), np.empty((2, corners, 2))
    near = np.empty(NEAREST, np.int64)
    _decide(begin, end, out, wish, each, crowd, ground, (alike, tables, near))


@leaf
def _decide(begin, end, out, wish, each, crowd, ground, memory):  # type: ignore[no-untyped-def]
    alike, (planes, met, turned), near = memory
    each, alike, (wish, off, pursued) = Neighbours(*each), Manners(*alike), wish
    crowd, ground = crowd_again(crowd), Ground(Moving(*ground[0]), *ground[1])
    minds, bodies = crowd.minds, crowd.bodies
    for i in range(begin, end):
        me = bodies.start + i
        manners = of_unit(alike, i)
        speed = manners.speed
        looker = walker(bodies, i, minds.stance[me])
        wx, wy = wish[i, 0] * speed, wish[i, 1] * speed
        found = nearest_seen(i, each, near)
        if rests(minds, me):
            x, y = off[i, 0], off[i, 1]
            if x == 0.0 and y == 0.0:
                found = 0
            else:
                wx, wy = 0.5 * speed * x, 0.5 * speed * y
        if know(i, me, each, near, found, crowd, met) or looks_closely(minds, me):
            measure_hulls(i, me, each, near, found, crowd, met, turned)
            wx, wy = slowed(met, found, wx, wy, manners.reach)
        quarry = number_of(pursued[i], i, each, near, found)
        wx, wy, slow, side = overtaken(met, found, quarry, ground, looker, (wx, wy), manners)
        weigh_up(met, found, looker, (wx, wy, slow, side), manners)
        hull = me, crowd.shapes, turned
        off_solids = Off(manners.room, manners.reach, speed)
        firm, (wx, wy) = off_walls(ground, looker, off_solids, (wx, wy), hull, planes)
        firm, total, against, queueing = bounds(met, found, speed, planes, firm)
        if minds.moving[me]:
            total, comes = off_movers(ground, looker, (wx, wy), manners, planes, total)
            against = max(against, comes)
        vx, vy, relaxed = compromise(planes, total, firm, wx, wy, speed)
        blocked = turns_aside(minds, me)
        stays = queueing > BARRED or (queueing == BARRED and presses_on(minds, me))
        aside = manners.aside if blocked and not stays else 0.0
        turn = max(manners.veer * against, aside) * falls_short(vx, vy, wx, wy, speed)
        if turn > 0.0 and relaxed < np.inf:
            # At a narrow place the turns decide, and all keep to starboard.
            free = minds.stance[me] in (FREE, UNASKED) and minds.gate[me] == NO_ROW
            free = free and aside > manners.veer * against
            if free and turns_to_port(i, each, near, found, crowd):
                turn = -turn
            ux, uy = to_world(wx, wy, np.cos(turn), np.sin(turn))
            vx, vy, _, _ = nearest(planes, total, firm, relaxed, ux, uy, speed)
        if vx == 0.0 and vy == 0.0:
            # A unit pressed from all sides goes with the crowd: it does not plant its feet.
            vx, vy = PRESSED * wx, PRESSED * wy
        touch = 0.25 * manners.margin * manners.reach / manners.room
        if minds.arrived[me] and rather_stands(planes, firm, touch, vx, vy, wx, wy, speed):
            vx, vy = 0.0, 0.0
        out[i, 0] = vx / speed - wish[i, 0]
        out[i, 1] = vy / speed - wish[i, 1]
