"""Giving way: the wanted velocity, changed as little as keeps clear of those met on the way.

For any number of neighbours at once: each that would be met bounds the velocity by a half-plane
whose side and share follow from the right of way. Among all velocities within the bounds the
nearest to the wanted one is taken.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.aside import (
    TURNED,
    Aside,
    falls_short,
    presses_on,
    queues_behind,
    same_way,
    turns_aside,
)
from sim.behaviours.avoidance.half_planes import tangent, time_to
from sim.behaviours.avoidance.outlines import as_discs, both_round, looks_closely, outline_of
from sim.behaviours.avoidance.right_of_way import looks, passing_side, share_of_yielding
from sim.behaviours.avoidance.wishes import course, nearest_within, view
from sim.behaviours.commands import VELOCITY
from sim.behaviours.courses import Other
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel, inlined, leaf
from sim.core.geometry import to_own_frame, to_world
from sim.core.overlap import Shapes
from sim.core.own import Amount, of_unit
from sim.orders.minds import Minds, rests
from sim.perception.bodies import Bodies, Spared, spares
from sim.perception.lists import sees
from sim.perception.percepts import Percepts, Seen

SETTLED = 1e-3
"""The solver stops when the velocity moves by no more than this share of the desired speed: far
below what a helm can do."""
WARY = 0.5
"""Units that are not in the way are kept clear of for this share of the horizon."""
NEAR = 1.5
"""Hull lengths from a shared place within which two may bar it to each other."""
PARTING = 0.5
"""Seconds in which units that stand closer than they like draw apart."""

Horizon = Annotated[Amount, Within(0.1, 60, "how far ahead a collision is foreseen, s")]
Clear = Annotated[Amount, Within(0, 10, "room kept between hulls, hull lengths")]
Heat = Annotated[Amount, Within(0, 10, "centres that would pass closer: a dead heat, hull lengths")]
Nerve = Annotated[Amount, Within(0, 10, "sooner than this one with the right of way yields too, s")]
Ease = Annotated[Amount, Within(0, 10, "how loosely what is still half the horizon off is taken")]
Haste = Annotated[Amount, Within(0.1, 10, "how much rather a unit turns than slows down")]


class Manners(NamedTuple):
    """The rule's parameters as its kernel takes them, in world units."""

    clearance: Amount
    """Room kept between hulls."""
    heat: Amount
    horizon: Amount
    nerve: Amount
    ease: Amount
    haste: Amount
    aside: Amount
    length: float


class _Others(NamedTuple):
    """What a kernel looks up of all units."""

    minds: Minds
    bodies: Bodies
    spared: Spared
    shapes: Shapes


@rule("crossing", looks="each", view="all", range=7.0, gives=VELOCITY)
def give_way(
    me: Percepts,
    seen: Seen,
    wanted: Terms,
    *,
    horizon: Horizon = 3.0,
    clearance: Clear = 0.1,
    heat: Heat = 0.05,
    nerve: Nerve = 0.5,
    ease: Ease = 0.02,
    haste: Haste = 5.0,
    aside: Aside = TURNED,
) -> Terms:
    """Change the wanted velocity so that no unit is run into; whose turn it is goes on (D2, D6).

    For helms whose command is a velocity. Of two whose courses cross the second to come passes
    astern of the first, which goes on unchanged; in a dead heat the one from starboard goes first.
    Two that meet head-on swerve half each, to starboard. A unit that is not looked at does all of
    it: to overtake is the business of the one astern. Turning is preferred to braking: where all in
    a ring brake for the next, all stop. A unit looks ahead, or where it wants to go if it has
    been turned away from that. One that has hardly got on for a second, but does
    not stand in a queue, tries further and further to starboard for a while. A unit comes up to
    units that rest at a place they share, and of two that are near it the nearer goes first; the
    unit that one pursues is not avoided. Every hull counts as the circle round it; but a unit that
    has waited at a narrow place looks at the outlines of the others (`outlines`).
    """
    out, length = np.empty(me.velocity.shape), me.hull.length
    manners = Manners(clearance * length, heat * length, horizon, nerve, ease, haste, aside, length)
    spared = me.spared._replace(near=NEAR * length)
    _give_way(out, wanted, seen.each, _Others(me.minds, me.bodies, spared, me.shapes), manners)
    return out


@inlined
def _met(other, room, vx, vy, manners):  # type: ignore[no-untyped-def]
    """Half-plane (normal and least component along it) for one that would be met; 0 for mine."""
    x, y, apart, ox, oy = other
    side = passing_side(x, y, ox - vx, oy - vy, manners.heat)
    share = share_of_yielding(x, y, vx, vy, ox, oy, side)
    soon = time_to(x, y, vx - ox, vy - oy, room)
    if soon < manners.nerve:
        share += (1.0 - share) * (1.0 - soon / manners.nerve)
    nx, ny = tangent(x, y, apart, room, side)
    now = nx * vx + ny * vy
    least = now + share * (nx * ox + ny * oy - now)
    least += share * max(room - apart, 0.0) / PARTING
    return nx, ny, least, share


@leaf
def _in_the_way(i, each, others, turned, wish, keeping, horizon):  # type: ignore[no-untyped-def]
    """Whether any unit is met within the horizon at the velocity wished for, (x, y)."""
    bodies, me = others.bodies, others.bodies.start + i
    c, s = bodies.heading[me, 0], bodies.heading[me, 1]
    (lx, ly), closely = view(wish), looks_closely(others.minds, me)
    for k in range(each.count[i]):
        j, x, y = each.index[i, k], each.ahead[i, k], each.starboard[i, k]
        if closely:
            x, y, _ = _place(i, k, each, others, turned)
        ox, oy = to_own_frame(bodies.velocity[j, 0], bodies.velocity[j, 1], c, s)
        if (
            time_to(x, y, wish[0] - ox, wish[1] - oy, keeping + bodies.reach[j]) < horizon
            and sees(each, i, k)
            and looks(x * lx + y * ly, 1.0, x * x + y * y)
            and not spares(others.spared, i, j, x, y)
        ):
            return True
    return False


@leaf
def _place(i, k, each, others, turned):  # type: ignore[no-untyped-def]
    """Where the unit at place k in list i is for one that looks closely: as `as_discs` returns it.

    `turned` (2, k, 2) is memory for two outlines.
    """
    bodies, shapes, me, j = others.bodies, others.shapes, others.bodies.start + i, each.index[i, k]
    x, y, apart = each.ahead[i, k], each.starboard[i, k], each.distance[i, k]
    if not both_round(me, j, shapes):
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        hx, hy = to_own_frame(bodies.heading[j, 0], bodies.heading[j, 1], c, s)
        outline_of(me, shapes, 1.0, 0.0, turned[0])
        x, y, apart = as_discs(me, j, (x, y, hx, hy), bodies, shapes, turned)
    return x, y, apart


@leaf
def _bound(i, each, others, turned, wish, manners, bounds):  # type: ignore[no-untyped-def]
    """Fill `bounds` with half-planes off units in the way and beside it.

    Returned are how many these are, and whether the unit stands in a queue. `wish` is the velocity
    wished for; the bounds are along and across it, stretched by the haste.
    """
    minds, bodies, spared = others.minds, others.bodies, others.spared
    me, horizon, (wx, wy) = bodies.start + i, manners.horizon, wish
    (speed, ux, uy), (lx, ly) = course(wish), view(wish)
    keeping, m, queues = bodies.reach[me] + manners.clearance, 0, False
    c, s = bodies.heading[me, 0], bodies.heading[me, 1]
    # A unit that turns aside is judged by its wish, not by how it moves just now: else it dithers.
    blocked = turns_aside(minds, me)
    vx, vy = wish if blocked else (bodies.own[i, 0], bodies.own[i, 1])
    closely = looks_closely(minds, me)
    for k in range(each.count[i]):
        j, apart = each.index[i, k], each.distance[i, k]
        x, y = each.ahead[i, k], each.starboard[i, k]
        if not (sees(each, i, k) and looks(x * lx + y * ly, 1.0, apart * apart)):
            continue
        if closely:
            x, y, apart = _place(i, k, each, others, turned)
        ox, oy = to_own_frame(bodies.velocity[j, 0], bodies.velocity[j, 1], c, s)
        room = keeping + bodies.reach[j]
        time = time_to(x, y, wx - ox, wy - oy, room)
        if time < horizon:
            nx, ny, least, share = _met(Other(x, y, apart, ox, oy), room, vx, vy, manners)
            if share <= 0.0:
                continue
        else:
            # Not in the way; but a unit that turns away from another must not turn into this.
            time = (apart - room) / (speed + np.sqrt(ox * ox + oy * oy)) / WARY
            if not time < horizon:
                continue
            side = passing_side(x, y, ox - wx, oy - wy, 0.0)
            nx, ny = tangent(x, y, apart, room, side)
            least = min(nx * ox + ny * oy, nx * wx + ny * wy)
        if spares(spared, i, j, x, y):  # asked last: few come so near
            continue
        if queues_behind(x, y, ux, uy, apart, room, manners.length):
            hx, hy = to_own_frame(bodies.heading[j, 0], bodies.heading[j, 1], c, s)
            follows = minds.moving[j] and same_way(hx, hy, ux, uy)
            barred = rests(minds, j) and minds.end[j] != minds.end[me]
            queues = queues or follows or (barred and presses_on(minds, me))
        # Along and across the wish, stretched: to slow down counts for more than to turn.
        fore, side = (nx * ux + ny * uy) / manners.haste, ny * ux - nx * uy
        size = np.sqrt(fore * fore + side * side)
        bounds[0, m], bounds[1, m], bounds[2, m] = fore / size, side / size, least / size
        bounds[3, m], bounds[4, m] = manners.ease * time / (horizon - time), 0.0
        m += 1
    return m, queues


@Kernel.making_arrays
def _give_way(begin, end, out, wanted, each, others, amounts):  # type: ignore[no-untyped-def]
    memory = np.empty((2, others.shapes.corners.shape[1], 2)), np.empty((5, each.index.shape[1]))
    _decide(begin, end, (out, wanted), each, others, amounts, memory)


@leaf
def _decide(begin, end, terms, each, others, amounts, memory):  # type: ignore[no-untyped-def]
    (out, wanted), (turned, bounds), bodies = terms, memory, others.bodies
    for i in range(begin, end):
        manners = of_unit(amounts, i)
        me, speed = bodies.start + i, bodies.speeds[i]
        keeping = bodies.reach[me] + manners.clearance
        wx, wy = speed * wanted[i, 0], speed * wanted[i, 1]
        most = max(np.sqrt(wx * wx + wy * wy) / speed, 1.0)
        for k in range(2):
            out[i, k] = wanted[i, k] / most - wanted[i, k]
        # Where none is met, all bounds below hold already: even in a throng few work them out.
        if not _in_the_way(i, each, others, turned, (wx, wy), keeping, manners.horizon):
            continue
        m, queues = _bound(i, each, others, turned, (wx, wy), manners, bounds)
        x, y = nearest_within((wx, wy), bounds, m, manners.haste, SETTLED * speed)
        if turns_aside(others.minds, me) and not queues:
            turn = manners.aside * falls_short(x, y, wx, wy, speed)
            ux, uy = to_world(wx, wy, np.cos(turn), np.sin(turn))
            m, _ = _bound(i, each, others, turned, (ux, uy), manners, bounds)
            x, y = nearest_within((ux, uy), bounds, m, manners.haste, SETTLED * speed)
        size = max(np.sqrt(x * x + y * y) / speed, 1.0)
        out[i, 0], out[i, 1] = x / size / speed - wanted[i, 0], y / size / speed - wanted[i, 1]
