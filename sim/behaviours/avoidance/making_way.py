"""Units at rest make way for others that want to pass."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.clearance import free_way
from sim.behaviours.avoidance.nearest import NEAREST, Crowd, crowd_of, nearest_seen
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import short_way, to_own_frame, to_world
from sim.core.overlap import Shapes
from sim.core.own import Amount
from sim.orders.minds import PATIENCE, Minds, rests
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours
from sim.perception.percepts import Percepts, Seen

MARGIN = 0.3
"""Room that a unit at rest leaves beside its hull to one that passes, hull radii."""
RELAYS = 8
"""How many others one after another pass on that one has to make way."""
PRESSED = 0.95
"""Share of a hull's radius in which nothing solid may stand where it goes: hulls that touch a wall
overlap it a little."""
PASSES = 20.0
"""Units that stand beside or behind another give it room while it has more than this number of
their own radii to go: nearer to its place they may belong where they are, as in a full region."""

Pace = Annotated[Amount, Within(0, 1, "how fast units at rest make way, desired speeds")]
Near = Annotated[Amount, Within(0, 10, "gap up to which units count, at the own desired speed, s")]


class _Way(NamedTuple):
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


@rule("avoidance", looks="each", view="all", range=6.0, gives=VELOCITY)
def step_aside(me: Percepts, seen: Seen, *, pace: Pace = 0.5, near: Near = 0.6) -> Terms:
    """Off the way of a unit that has waited to pass, for units at rest.

    The rule of `keep_clear` for units at rest, for models that avoid by other rules. A unit makes
    way for one near by that is on its way elsewhere and has hardly got on for a second: for the
    nearest for which it has to move. On its way, it goes to the side on which it stands until the
    hulls have room, or to the other side if something solid bars that; from near by also on along
    the way. Elsewhere it goes straight away, while the other has far to go. It leaves room to
    others at rest between the two, so that these can make way as well. Units that walk stand off by
    what they walk before they could stop, so how near counts is a time.
    """
    share: Terms = np.broadcast_to(pace, len(me.velocity))[:, None]
    return share * ways_off(me, seen, near * me.speeds)


def ways_off(me: Percepts, seen: Seen, near: Floats) -> Floats:
    """(n, 2) in which direction each unit makes way: (ahead, starboard), of length 1 or 0.

    Gaps of up to `near` (n,), world units, count.
    """
    out, minds = np.zeros(me.velocity.shape), me.minds
    if not (minds.moving & (minds.blocked > PATIENCE)).any():
        return out
    each, crowd = tuple(seen.each), crowd_of(me)
    far = float(me.bodies.reach[me.rows].max(initial=0.0))
    ground = tuple(ground_of(me.faces, me.discs, me.plane.size, far))
    asked = np.full(len(out), -1)
    many = sum(_ask(out, asked, each, crowd, ground, near))
    for _ in range(RELAYS):
        if not many:
            break
        many = sum(_pass_on(out, asked, (out.copy(), asked.copy()), each, crowd, ground, near))
    return out


@Kernel
def _ask(begin, end, out, asked, each, crowd, ground, near_by):  # type: ignore[no-untyped-def]
    """Units at rest make way for those that have waited; how many do. `asked`: for which."""
    each, ground, nearest = Neighbours(*each), Ground(*ground), np.empty(NEAREST, np.int64)
    crowd = Crowd(Bodies(*crowd[0]), Minds(*crowd[1]), Shapes(*crowd[2]), *crowd[3:])
    many = 0
    for i in range(begin, end):
        if rests(crowd.minds, crowd.bodies.start + i):
            found = nearest_seen(i, each, nearest)
            x, y, asked[i] = off_the_way(i, each, nearest, found, crowd, ground, near_by[i])
            out[i, 0], out[i, 1] = x, y
            many += asked[i] >= 0
    return many


@Kernel
def _pass_on(begin, end, out, asked, before, each, crowd, ground, near_by):  # type: ignore[no-untyped-def]
    """Units at rest that bar the way of one that makes way do so too; how many more."""
    each, ground, nearest = Neighbours(*each), Ground(*ground), np.empty(NEAREST, np.int64)
    crowd = Crowd(Bodies(*crowd[0]), Minds(*crowd[1]), Shapes(*crowd[2]), *crowd[3:])
    bodies, many, (off, whose) = crowd.bodies, 0, before
    heading, reach = bodies.heading, bodies.reach
    for i in range(begin, end):
        me = bodies.start + i
        if not rests(crowd.minds, me) or whose[i] >= 0:
            continue
        found = nearest_seen(i, each, nearest)
        for n in range(found):
            k = nearest[n]
            j = each.index[i, k]
            row = j - bodies.start
            if not 0 <= row < len(whose) or whose[row] < 0:
                continue
            both = reach[me] + reach[j]
            if each.distance[i, k] > both + MARGIN * reach[me]:
                continue
            u, v = to_world(off[row, 0], off[row, 1], heading[j, 0], heading[j, 1])
            u, v = to_own_frame(u, v, heading[me, 0], heading[me, 1])
            x, y = -each.ahead[i, k], -each.starboard[i, k]
            if u * x + v * y <= 0.0 or abs(u * y - v * x) >= both:
                continue
            if not _has_waited(whose[row], crowd.minds, me):
                continue
            way, left = _way_of(me, whose[row], crowd)
            if not 0.0 < way.along <= left + reach[me]:
                continue
            x, y = _off(i, crowd, ground, way, True)
            if x != 0.0 or y != 0.0:
                out[i, 0], out[i, 1], asked[i] = x, y, whose[row]
                many += 1
                break
    return many


@leaf
def off_the_way(i, each, near, found, crowd, ground, near_by):  # type: ignore[no-untyped-def]
    """In which direction unit i, at rest, makes way: (ahead, starboard), of length 1 or 0.

    It does for the nearest that has waited, whose place is not before it, and for which it has to
    move. `near` holds the
    places in list i of the `found` nearest. Gaps of up to `near_by` count, and more where others
    at rest stand between.
    """
    me = crowd.bodies.start + i
    for n in range(found):
        k = near[n]
        j = each.index[i, k]
        if not _has_waited(j, crowd.minds, me):
            continue
        way, left = _way_of(me, j, crowd)
        if way.along > left + crowd.bodies.reach[me]:  # it stops before it comes here
            continue
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
    return _off(i, crowd, ground, way, way.along < ahead)


@leaf
def _off(i, crowd, ground, way, near):  # type: ignore[no-untyped-def]
    on = max(1.0 - way.off / way.clear, 0.0) if near else 0.0
    out = _open_side(crowd.bodies.start + i, crowd, ground, way)
    on = on if out != 0.0 else 1.0
    size = np.sqrt(out * out + on * on)
    on, out = on / size, out / size
    return on * way.u - out * way.v, on * way.v + out * way.u


@leaf
def _open_side(me, crowd, ground, way):  # type: ignore[no-untyped-def]
    """To which side of a way a unit can get clear of it: as in `_Way`; 0 if solids bar both.

    That on which it stands, or the other one if something solid bars that. What others between need
    beyond that is not looked at: it goes as far as it can.
    """
    at, heading, reach = crowd.bodies.position, crowd.bodies.heading, crowd.bodies.reach[me]
    hull = at[me, 0], at[me, 1], PRESSED * reach
    u, v = to_world(-way.v, way.u, heading[me, 0], heading[me, 1])
    for side in (way.side, -way.side):
        far = way.clear - side * way.side * way.off
        free = free_way(ground, crowd.origin, hull, (side * u, side * v), (reach, far))
        if free >= far:
            return side
    return 0.0


@leaf
def _away(i, k, each, near, found, crowd, room):  # type: ignore[no-untyped-def]
    """Straight away from the unit at place k in list i, if that is nearer than `room`; else zeros.

    One that turns aside, or backs out of a throng, gets room so.
    """
    apart = each.distance[i, k]
    u, v = -each.ahead[i, k] / apart, -each.starboard[i, k] / apart
    _, ahead = _between(i, each, near, found, crowd, _Way(u, v, apart, 0.0, 1.0, room))
    if apart < room + ahead:
        return u, v
    return 0.0, 0.0


@leaf
def _way_of(me, j, crowd):  # type: ignore[no-untyped-def]
    """The way of unit j, on which unit `me` stands, and its length; infinite for one without a place.

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
    way = _Way(u, v, u * x + v * y, abs(off), 1.0 if off >= 0.0 else -1.0, clear)
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
def _has_waited(j, minds, me):  # type: ignore[no-untyped-def]
    """Whether unit j is on its way elsewhere than unit `me`, and has long been blocked.

    One that has arrived, and goes farther into its region, asks none that has arrived too: they
    would drive each other about.
    """
    asks = minds.moving[j] and minds.blocked[j] > PATIENCE
    in_place = minds.arrived[j] and minds.arrived[me]
    return asks and not in_place and minds.end[j] != minds.end[me]
