"""Crossing paths by mirrored avoidance: the source's rule, and the avoidance that it adjusts.

"Path crossing and look-ahead" (a game developer's notes on avoiding what moves) counts in animation
frames, and does not say how far one walks in one. Here a frame is 0.1 s: bodies with a lag have to
look 5 hull lengths ahead (at 1/30 s three of five pairs touch). The avoidance itself is not in the
part of the source at hand; here it is what the rest implies, a repulsion ("anti-gravity") from
those near and ahead. Where courses do not cross, this rule also asks whether the two would pass
clear of each other, or the other astern: then nothing needs to be done.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.courses import Other, lines, meeting, mirrored
from sim.behaviours.curves import directions, foresee, side_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel, inlined
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, of_unit
from sim.perception.lists import sees
from sim.perception.percepts import Percepts, Seen

FRAME = 0.1
"""Seconds that one animation frame of the source is taken for."""
MIRRORED = 3.0
"""How much stronger than plain avoidance the mirrored one is."""
LATE = 50 * FRAME
"""A difference of arrival times from which yielding fades; at twice that it is gone."""
SOON, CROSSED = 80 * FRAME, 20 * FRAME
"""Yielding fades in from the look-ahead to `SOON` before the crossing, and out as the other comes
nearer to it than `CROSSED` while the courses no longer meet."""
REACHED = 0.8
"""The share of its range at which the near part of the push has faded to nothing."""
CLEAR = 0.25
"""Hulls that would pass with this many widths between them need not avoid each other."""
STANDING, AWAY, APART, FIRST, SECOND, THERE = range(6)
"""What one makes of another: it stands; it draws away; courses do not cross; they do, and one goes
first; or second; one is there within a frame."""

Strength = Annotated[Amount, Within(0, 100, "push at contact, 1 being the desired speed")]
Near = Annotated[Amount, Within(0, 60, "neighbours nearer than so much travel count, s")]
Ahead = Annotated[Amount, Within(0.1, 60, "how far ahead courses are drawn, s")]


@rule("crossing", looks="each", view="limited", range=6.0, gives=VELOCITY)
def anti_gravity(
    me: Percepts, seen: Seen, *, strength: Strength = 1.0, near: Near = 40 * FRAME
) -> Terms:
    """Away from all that are near and ahead, the more the nearer: what `crossing_paths` adjusts.

    Alone it leads to the "after you" of two that both give way.
    """
    return _terms(me, seen, _Push(False, strength, near, 120 * FRAME, me.hull.width))


@rule("crossing", looks="each", view="limited", range=6.0, gives=VELOCITY)
def crossing_paths(
    me: Percepts,
    seen: Seen,
    *,
    strength: Strength = 1.0,
    near: Near = 40 * FRAME,
    ahead: Ahead = 120 * FRAME,
) -> Terms:
    """Avoid those near and ahead; where courses cross let the first pass, and go on as first.

    Instead of `anti_gravity`, whose push it adjusts for each neighbour (D1 to D6): mirrored about
    the desired course, hence toward the other's stern, if the unit comes second to the crossing
    (from port in a dead heat); none if it comes first, or has no chance of catching up; to
    starboard, or whichever side is free, if they meet head-on; faded with range for the rest. For
    units as fast as each other, of a walking pace or quicker; else they touch: use `give_way`.
    """
    return _terms(me, seen, _Push(True, strength, near, ahead, me.hull.width))


class _Push(NamedTuple):
    """The parameters of both rules, and the width of a hull, world units."""

    adjusted: bool
    strength: Amount
    near: Amount
    ahead: Amount
    width: float


def _terms(me: Percepts, seen: Seen, push: _Push) -> Terms:
    out = np.empty(me.velocity.shape)
    _avoid(out, seen.each, desired_course(me), me.bodies, push)
    return out


def desired_course(me: Percepts) -> Terms:
    """(n, 2) the direction each is bound in; its heading if it is bound for nowhere."""
    offset = np.zeros(me.velocity.shape) if me.aim is None else me.aim.offset
    return directions(offset, nowhere=1.0)


class Own(NamedTuple):
    """One that looks: where it is bound, (2,) of length 1, its velocity, desired speed, width."""

    wish_x: float
    wish_y: float
    vx: float
    vy: float
    speed: float
    width: float


@inlined
def goes_first(mine, other, starboard):  # type: ignore[no-untyped-def]
    """Whether one `mine` seconds from a crossing goes before one that is `other` seconds from it.

    In a dead heat the one that has the other to port goes first.
    """
    return not starboard if abs(mine - other) < FRAME else mine < other


@inlined
def yielding(mine, other, meets, ahead):  # type: ignore[no-untyped-def]
    """How much the second avoids the first, by the seconds each has to go to the crossing.

    `meets`: as they go now they still meet, or pass too near.
    """
    much = MIRRORED * min(max(2.0 - abs(mine - other) / LATE, 0.0), 1.0)
    if mine > SOON and ahead > SOON:
        much *= max(ahead - mine, 0.0) / (ahead - SOON)
    if other < CROSSED and not meets:
        much *= other / CROSSED * min(other / mine, 1.0)
    return much


@inlined
def judge(own, other, reach, ahead):  # type: ignore[no-untyped-def]
    """What one makes of another, seconds until that is at the crossing, and the push (2)."""
    x, y, apart = other.x, other.y, other.apart
    away_x, away_y = -x / apart, -y / apart
    if other.vx == 0.0 and other.vy == 0.0:
        return STANDING, np.inf, away_x, away_y
    if (other.vx * x + other.vy * y) / apart >= own.speed:
        return AWAY, np.inf, 0.0, 0.0  # no chance of catching it
    bx, by = other.vx * ahead, other.vy * ahead
    bound = own.speed * ahead
    mine, its = meeting(x, y, own.wish_x * bound, own.wish_y * bound, bx, by)
    if not np.isfinite(mine):
        px, py = _uncrossed(own, other, reach, ahead)
        return APART, np.inf, px, py
    now, then = meeting(x, y, own.vx * ahead, own.vy * ahead, bx, by)
    meets = np.isfinite(now)
    to_mine, to_other = (now * ahead, then * ahead) if meets else (mine * ahead, its * ahead)
    if goes_first(to_mine, to_other, side_of(y, apart) > 0.0):
        return FIRST, to_other, 0.0, 0.0
    if to_mine < FRAME:
        return THERE, to_other, away_x, away_y
    near = meets or _share(own, other, ahead) > 0.0
    much = yielding(to_mine, to_other, near, ahead) + _nearness(apart, reach)
    px, py = mirrored(much * away_x, much * away_y, own.wish_x, own.wish_y)
    return SECOND, to_other, px, py


@inlined
def _nearness(apart, reach):  # type: ignore[no-untyped-def]
    """The part of the push that is only for those near: 1 at contact, 0 at most of the range."""
    return max(1.0 - apart / (REACHED * reach), 0.0) ** 2


@inlined
def _share(own, other, ahead):  # type: ignore[no-untyped-def]
    """How much two that keep their velocities need to avoid each other: 1 to touch, 0 to clear."""
    wx, wy = other.vx - own.vx, other.vy - own.vy
    passing = foresee(other.x, other.y, other.apart, wx, wy, ahead)[2]
    return min(max((1.0 + CLEAR - passing / own.width) / CLEAR, 0.0), 1.0)


@inlined
def _uncrossed(own, other, reach, ahead):  # type: ignore[no-untyped-def]
    """The push from one whose course does not cross one's own; 0 if it passes clear or astern."""
    x, y, apart, vx, vy, ox, oy = other.x, other.y, other.apart, own.vx, own.vy, other.vx, other.vy
    share = _share(own, other, ahead)
    since, _ = lines(x, y, vx, vy, ox, oy)
    if since < 0.0:  # crossed astern; nearly parallel courses, far astern, tell nothing
        share *= min(max(-since / ahead - 1.0, 0.0), 1.0)
    opposed, both = 0.0, np.sqrt((vx * vx + vy * vy) * (ox * ox + oy * oy))
    if both > 0.0:
        # |n + m|^2 / 2 is 1 + cosine: 0 head-on, so this is 1; at right angles and less, 0.
        opposed = max(-(vx * ox + vy * oy) / both, 0.0)
    swerve, much = -side_of(y, apart), share * (opposed + _nearness(apart, reach))
    return -(1.0 - opposed) * x / apart * much, (
        opposed * swerve - (1.0 - opposed) * y / apart
    ) * much


@Kernel
def _avoid(begin, end, out, each, desired, bodies, pushes):  # type: ignore[no-untyped-def]
    velocity, width = bodies.velocity, pushes.width
    for i in range(begin, end):
        me, vx, vy = bodies.start + i, bodies.own[i, 0], bodies.own[i, 1]
        push = of_unit(pushes, i)
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        own = Own(desired[i, 0], desired[i, 1], vx, vy, bodies.speeds[i], width)
        reach = np.sqrt(vx * vx + vy * vy) * push.near + width / 2
        fore, aside = 0.0, 0.0
        for k in range(each.count[i]):
            x, y, apart = each.ahead[i, k], each.starboard[i, k], each.distance[i, k]
            if not sees(each, i, k) or not 0.0 < apart < reach:
                continue
            j = each.index[i, k]
            ox, oy = to_own_frame(velocity[j, 0], velocity[j, 1], c, s)
            px, py = -x / apart, -y / apart
            if push.adjusted:
                _, _, px, py = judge(own, Other(x, y, apart, ox, oy), reach, push.ahead)
            much = push.strength * (1.0 - apart / reach)
            fore += much * px
            aside += much * py
        out[i, 0], out[i, 1] = fore, aside
