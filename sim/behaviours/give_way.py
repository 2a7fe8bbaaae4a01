"""Giving way: the wanted velocity, changed as little as keeps clear of those met on the way.

For any number of neighbours at once: each that would be met bounds the velocity by a half-plane
(velocity obstacles: Fiorini and Shiller 1998; as half-planes shared out between a pair: van den
Berg, Guy, Lin and Manocha 2011), here one whose side and share follow from the right of way. Among
all velocities within the bounds the nearest to the wanted one is taken.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.right_of_way import passing_side, share_of_yielding
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Percepts

SWEEPS, SETTLED = 12, 1e-3
"""Rounds over all bounds at most; they end when the velocity moves by no more than this share of
the desired speed: far below what a helm can do."""
WARY = 0.5
"""Units that are not in the way are kept clear of for this share of the horizon."""
PARTING = 0.5
"""Seconds in which those that stand closer than they like draw apart."""

Horizon = Annotated[float, Within(0.1, 60, "how far ahead a collision is foreseen, s")]
Clear = Annotated[float, Within(0, 10, "room kept between hulls, hull lengths")]
Heat = Annotated[float, Within(0, 10, "centres that would pass closer: a dead heat, hull lengths")]
Nerve = Annotated[float, Within(0, 10, "sooner than this one with the right of way yields too, s")]
Ease = Annotated[float, Within(0, 10, "how loosely what is still half the horizon off is taken")]
Haste = Annotated[float, Within(0.1, 10, "how much rather a unit turns than slows down")]


@rule("crossing", looks="each", view="wide", range=7.0, amends=True)
def give_way(
    me: Percepts,
    *,
    horizon: Horizon = 3.0,
    clearance: Clear = 0.1,
    heat: Heat = 0.05,
    nerve: Nerve = 0.5,
    ease: Ease = 0.02,
    haste: Haste = 5.0,
) -> Terms:
    """Change the wanted velocity so that nobody is run into; whose turn it is goes on (D2, D6).

    For helms whose command is a velocity. Of two whose courses cross the second to come passes
    astern of the first, who goes on unchanged; in a dead heat the one from starboard goes first.
    Two that meet head-on swerve half each, to starboard. A unit that is not looked at does all of
    it: to overtake is the business of the one astern. Turning is preferred to braking: where all in
    a ring brake for the next, all stop.
    """
    assert me.seen is not None
    assert me.wanted is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    length = me.hull.length
    _give_way(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        me.wanted, me.velocity, me.units.velocity, me.units.heading[me.rows], me.speed,
        me.reach, me.hull.reach + clearance * length, heat * length, horizon, nerve, ease, haste,
        out,
    )  # fmt: skip
    return out


@inlined
def _time_to(x, y, ux, uy, room):  # type: ignore[no-untyped-def]
    """Seconds until (x, y), neared at velocity u, is nearer than `room`; infinite for never."""
    beyond = x * x + y * y - room * room
    closing, square = x * ux + y * uy, ux * ux + uy * uy
    root = closing * closing - square * beyond
    if beyond <= 0.0:
        return 0.0
    return beyond / (closing + np.sqrt(root)) if closing > 0.0 and root >= 0.0 else np.inf


@inlined
def _tangent(x, y, apart, room, side):  # type: ignore[no-untyped-def]
    """The normal of the half-plane of closing velocities that pass something on a side.

    Its edge is the tangent from here to the circle of radius `room` round (x, y); within that
    circle it points straight away from it.
    """
    px, py = (x / apart, y / apart) if apart > 0.0 else (1.0, 0.0)
    sine = min(1.0, room / apart) if apart > 0.0 else 1.0
    cosine = np.sqrt(1.0 - sine * sine)
    return side * py * cosine - px * sine, -side * px * cosine - py * sine


@inlined
def _met(x, y, apart, room, vx, vy, ox, oy, heat, nerve):  # type: ignore[no-untyped-def]
    """Half-plane (normal and least component along it) for one that would be met; 0 for mine."""
    side = passing_side(x, y, ox - vx, oy - vy, heat)
    share = share_of_yielding(x, y, vx, vy, ox, oy, side)
    soon = _time_to(x, y, vx - ox, vy - oy, room)
    if soon < nerve:
        share += (1.0 - share) * (1.0 - soon / nerve)
    nx, ny = _tangent(x, y, apart, room, side)
    now = nx * vx + ny * vy
    least = now + share * (nx * ox + ny * oy - now)
    least += share * max(room - apart, 0.0) / PARTING
    return nx, ny, least, share


@inlined
def _nearest(x, bounds, m, little):  # type: ignore[no-untyped-def]
    """The velocity nearest to (x, 0) within m soft bounds: Hildreth's method (1957).

    `bounds` holds rows of normal, least component, softness and multiplier. Bounds that contradict
    each other are missed as little as possible, in least squares.
    """
    y = 0.0
    for _ in range(SWEEPS):
        most = 0.0
        for k in range(m):
            nx, ny, push = bounds[0, k], bounds[1, k], bounds[4, k]
            short = bounds[2, k] - nx * x - ny * y - bounds[3, k] * push
            more = max(-push, short / (1.0 + bounds[3, k]))
            bounds[4, k] += more
            x += more * nx
            y += more * ny
            most = max(most, abs(more))
        if most < little:
            break
    return x, y


@Kernel
def _give_way(  # type: ignore[no-untyped-def]
    begin, end, count, index, ahead, starboard, distance, seen, sight,
    wanted, own, moving, heading, speed, reach, keeping, heat, horizon, nerve, ease, haste, out,
):  # fmt: skip
    for i in range(begin, end):
        c, s, vx, vy = heading[i, 0], heading[i, 1], own[i, 0], own[i, 1]
        wx, wy = speed * wanted[i, 0], speed * wanted[i, 1]
        wish = np.sqrt(wx * wx + wy * wy)
        along, aside = (wx / wish, wy / wish) if wish > 0.0 else (1.0, 0.0)
        bounds, m = np.empty((5, count[i])), 0
        for k in range(count[i]):
            if not seen[i, k] >> sight & 1:
                continue
            j, x, y, apart = index[i, k], ahead[i, k], starboard[i, k], distance[i, k]
            ox, oy = c * moving[j, 0] + s * moving[j, 1], c * moving[j, 1] - s * moving[j, 0]
            room = keeping + reach[j]
            time = _time_to(x, y, wx - ox, wy - oy, room)
            if time < horizon:
                nx, ny, least, share = _met(x, y, apart, room, vx, vy, ox, oy, heat, nerve)
                if share <= 0.0:
                    continue
            else:
                # Not in the way; but whoever turns away from another must not turn into this one.
                time = (apart - room) / (wish + np.sqrt(ox * ox + oy * oy)) / WARY
                if not time < horizon:
                    continue
                side = passing_side(x, y, ox - wx, oy - wy, 0.0)
                nx, ny = _tangent(x, y, apart, room, side)
                least = min(nx * ox + ny * oy, nx * wx + ny * wy)
            # Along and across the wish, stretched: to slow down counts for more than to turn.
            fore, side = (nx * along + ny * aside) / haste, ny * along - nx * aside
            size = np.sqrt(fore * fore + side * side)
            bounds[0, m], bounds[1, m], bounds[2, m] = fore / size, side / size, least / size
            bounds[3, m], bounds[4, m] = ease * time / (horizon - time), 0.0
            m += 1
        x, y = _nearest(haste * wish, bounds, m, SETTLED * speed)
        x /= haste
        x, y = x * along - y * aside, x * aside + y * along
        size = max(np.sqrt(x * x + y * y) / speed, 1.0)
        out[i, 0], out[i, 1] = x / size / speed - wanted[i, 0], y / size / speed - wanted[i, 1]
    return 0
