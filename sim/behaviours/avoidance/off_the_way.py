"""Where units at rest go to get off the way of another: to one side, on before it, or away."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours.avoidance.clearance import free_way
from sim.core.compiled import leaf
from sim.core.geometry import short_way, to_own_frame, to_world
from sim.orders.minds import PATIENCE, rests

MARGIN = 0.3
"""Room that a unit at rest leaves beside its hull to one that passes, hull radii."""
PRESSED = 0.95
"""Share of a hull's radius in which nothing solid may stand where it goes: hulls that touch a wall
overlap it a little."""
PASSES = 20.0
"""Units that stand beside or behind another give it room while it has more than this number of
their own radii to go: nearer to its place they may belong where they are, as in a full region."""


class Way(NamedTuple):
    """The way of a unit that wants to pass, and where one at rest stands on it. Own frame."""

    u: float
    v: float
    """The direction, of length 1."""
    along: float
    """How far ahead of the other one stands, world units."""
    off: float
    """How far beside its way, world units."""
    side: float
    """On which side of it: 1 starboard, -1 port."""
    clear: float
    """Distance of the two centres from which on there is room between the hulls, world units."""


@leaf
def off_the_way(i, each, near, found, crowd, ground, near_by):  # type: ignore[no-untyped-def]
    """In which direction unit i, at rest, makes way, (ahead, starboard), of length 1; for which.

    Zeros and -1 for none. It does for the nearest that has waited, whose place is not before it,
    and for which it has to move. `near` holds the places in list i of the `found` nearest. Gaps of
    up to `near_by` count, and more where others at rest stand between.
    """
    me = crowd.bodies.start + i
    for n in range(found):
        k = near[n]
        j = each.index[i, k]
        if not has_waited(j, crowd.minds, me):
            continue
        way, left = _way_of(me, j, crowd)
        if way.along > left + (1.0 + MARGIN) * crowd.bodies.reach[me]:
            continue  # it stops before it comes here
        x, y = _aside(i, each, near, found, crowd, ground, way, near_by)
        if x == 0.0 and y == 0.0 and left > PASSES * crowd.bodies.reach[me]:
            x, y = _away(i, k, each, near, found, crowd, way.clear + near_by)
        if x != 0.0 or y != 0.0:
            return x, y, j
    return 0.0, 0.0, -1


@leaf
def _aside(i, each, near, found, crowd, ground, way, near_by):  # type: ignore[no-untyped-def]
    """Off a way on which a unit stands; zeros where it does not.

    The nearer it stands to the middle of the way of one that it nearly touches, the more it also
    goes on before it: all the way where there is no room aside.
    """
    if way.along <= 0.0:
        return 0.0, 0.0
    beside, ahead = _between(i, each, near, found, crowd, way)
    beside, ahead = way.clear + beside, way.clear + ahead
    if way.off >= beside or way.along >= ahead + near_by:
        return 0.0, 0.0
    return _off(crowd.bodies.start + i, crowd, ground, way, way.along < ahead)


@leaf
def off_its_way(me, j, crowd, ground):  # type: ignore[no-untyped-def]
    """Off the way of unit j, for one that stands ahead of it, however far; else zeros."""
    way, left = _way_of(me, j, crowd)
    if not 0.0 < way.along <= left + crowd.bodies.reach[me]:
        return 0.0, 0.0
    return _off(me, crowd, ground, way, True)


@leaf
def _off(me, crowd, ground, way, near):  # type: ignore[no-untyped-def]
    """Aside off a way; where the other is `near` also on along it, more on the middle of it."""
    out = _open_side(me, crowd, ground, way)
    on = max(1.0 - way.off / way.clear, 0.0) if near else 0.0
    on = on if out != 0.0 else 1.0
    size = np.sqrt(out * out + on * on)
    on, out = on / size, out / size
    return on * way.u - out * way.v, on * way.v + out * way.u


@leaf
def _open_side(me, crowd, ground, way):  # type: ignore[no-untyped-def]
    """To which side of a way a unit can get clear of it: as in `Way`; 0 if solids bar both.

    That on which it stands; if something solid bars that, the other one, unless it is clear of the
    way already. What others between need beyond that is not looked at: it goes as far as it can,
    where that is more than the `MARGIN`.
    """
    at, heading, reach = crowd.bodies.position, crowd.bodies.heading, crowd.bodies.reach[me]
    hull = at[me, 0], at[me, 1], PRESSED * reach
    u, v = to_world(-way.v, way.u, heading[me, 0], heading[me, 1])
    for side in (way.side, -way.side):
        far = max(way.clear - side * way.side * way.off, MARGIN * reach)
        free = free_way(ground, crowd.origin, hull, (side * u, side * v), (reach, far))
        if free >= far:
            return side
        if way.off >= way.clear:
            break
    return 0.0


@leaf
def _away(i, k, each, near, found, crowd, room):  # type: ignore[no-untyped-def]
    """Straight away from the unit at place k in list i, if that is nearer than `room`; else zeros.

    One that turns aside, or backs out of a throng, gets room so.
    """
    apart = each.distance[i, k]
    u, v = -each.ahead[i, k] / apart, -each.starboard[i, k] / apart
    _, ahead = _between(i, each, near, found, crowd, Way(u, v, apart, 0.0, 1.0, room))
    if apart < room + ahead:
        return u, v
    return 0.0, 0.0


@leaf
def _way_of(me, j, crowd):  # type: ignore[no-untyped-def]
    """The way of unit j, and unit `me` on it; its length, infinite for one without a place.

    One that pursues others goes where it faces. One that can go nowhere has no direction.
    """
    bodies, to = crowd.bodies, crowd.bound_for
    heading, at = bodies.heading, bodies.position
    u, v = short_way(to[j, 0] - at[j, 0], to[j, 1] - at[j, 1], crowd.size)
    far = np.sqrt(u * u + v * v)
    if np.isnan(far):
        u, v = heading[j, 0], heading[j, 1]
    elif far > 0.0:
        u, v = u / far, v / far
    u, v = to_own_frame(u, v, heading[me, 0], heading[me, 1])
    x, y = short_way(at[me, 0] - at[j, 0], at[me, 1] - at[j, 1], crowd.size)
    x, y = to_own_frame(x, y, heading[me, 0], heading[me, 1])
    off, clear = u * y - v * x, (1.0 + MARGIN) * bodies.reach[me] + bodies.reach[j]
    way = Way(u, v, u * x + v * y, abs(off), 1.0 if off >= 0.0 else -1.0, clear)
    return way, np.inf if np.isnan(far) else crowd.remaining[j]


@leaf
def _between(i, each, near, found, crowd, way):  # type: ignore[no-untyped-def]
    """How much room others at rest take between unit i and a way, and between it and the other."""
    me, reach, beside, ahead = crowd.bodies.start + i, crowd.bodies.reach, 0.0, 0.0
    for n in range(found):
        k = near[n]
        j = each.index[i, k]
        if rests(crowd.minds, j):
            x, y, both = each.ahead[i, k], each.starboard[i, k], reach[me] + reach[j]
            on, out = way.u * x + way.v * y, way.side * (way.u * y - way.v * x)
            if abs(on) < both and out < 0.0 and way.off + out > -way.clear:
                beside += 2.0 * reach[j]
            if abs(out) < both and on < 0.0 and way.along + on > 0.0 and way.off + out < way.clear:
                ahead += 2.0 * reach[j]
    return beside, ahead


@leaf
def has_waited(j, minds, me):  # type: ignore[no-untyped-def]
    """Whether unit j is on its way elsewhere than unit `me`, and has long been blocked.

    One that has arrived, and goes farther into its region, asks none that has arrived too: they
    would drive each other about.
    """
    asks = minds.moving[j] and minds.blocked[j] > PATIENCE
    in_place = minds.arrived[j] and minds.arrived[me]
    return asks and not in_place and minds.end[j] != minds.end[me]
