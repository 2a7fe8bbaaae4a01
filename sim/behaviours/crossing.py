"""Crossing paths by mirrored avoidance: the source's rule, and the avoidance that it adjusts.

"Path crossing and look-ahead" (a game developer's notes on avoiding what moves). It counts in
animation frames; they are taken as 1/30 s each, so that 40 frames are 4/3 s and 120 are 4 s. The
part of the source that holds the avoidance itself is not at hand; here it is what the rest implies,
a repulsion ("anti-gravity") from those near and ahead.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import side_of
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Percepts

FRAME = 1 / 30
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

Strength = Annotated[float, Within(0, 100, "push at contact, 1 being the desired speed")]
Near = Annotated[float, Within(0, 60, "who is nearer than so much travel counts, s")]
Ahead = Annotated[float, Within(0.1, 60, "how far ahead courses are drawn, s")]


@rule("crossing", looks="each", view="limited", range=6.0)
def anti_gravity(me: Percepts, *, strength: Strength = 1.0, near: Near = 40 * FRAME) -> Terms:
    """Away from all that are near and ahead, the more the nearer: what `crossing_paths` adjusts.

    Alone it leads to the "after you" of two that both give way (001).
    """
    return _terms(me, False, strength, near, 120 * FRAME)


@rule("crossing", looks="each", view="limited", range=6.0)
def crossing_paths(
    me: Percepts, *, strength: Strength = 1.0, near: Near = 40 * FRAME, ahead: Ahead = 120 * FRAME
) -> Terms:
    """Avoid those near and ahead; where courses cross let the first pass, and go on as first.

    Instead of `anti_gravity`, whose push it adjusts for each neighbour (D1 to D6): mirrored about
    the desired course, hence toward the other's stern, for who comes second to the crossing (from
    port in a dead heat); none for who comes first, or has no chance of catching up; to starboard,
    or whichever side is free, for who meets head-on; faded with range for the rest.
    """
    return _terms(me, True, strength, near, ahead)


def _terms(me: Percepts, adjusted: bool, strength: float, near: float, ahead: float) -> Terms:
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    desired = np.zeros(out.shape)
    desired[:, 0] = 1.0  # who is bound for nowhere goes where it heads
    if me.aim is not None:
        far = np.hypot(me.aim.offset[:, 0], me.aim.offset[:, 1])[:, None]
        np.divide(me.aim.offset, far, out=desired, where=far > 0)
    _avoid(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        desired, me.velocity, me.units.velocity, me.units.heading[me.rows], me.speed,
        me.hull.width / 2, adjusted, strength, near, ahead, out,
    )  # fmt: skip
    return out


@inlined
def meeting(x, y, ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Where two segments from here and from (x, y) cross, as shares of a and b; inf for nowhere.

    Parallel ones, one line or none, and those of no length cross nowhere.
    """
    cross = ax * by - ay * bx
    size = np.sqrt((ax * ax + ay * ay) * (bx * bx + by * by))
    if abs(cross) <= 1e-9 * size:
        return np.inf, np.inf
    mine, other = (x * by - y * bx) / cross, (x * ay - y * ax) / cross
    if 0.0 <= mine <= 1.0 and 0.0 <= other <= 1.0:
        return mine, other
    return np.inf, np.inf


@inlined
def mirrored(x, y, dx, dy):  # type: ignore[no-untyped-def]
    """(x, y) reflected about the line along the unit vector (dx, dy)."""
    along = x * dx + y * dy
    return 2 * along * dx - x, 2 * along * dy - y


@inlined
def goes_first(mine, other, starboard):  # type: ignore[no-untyped-def]
    """Whether one `mine` seconds from a crossing goes before one that is `other` seconds from it.

    In a dead heat the one that has the other to port goes first.
    """
    return not starboard if abs(mine - other) < FRAME else mine < other


@inlined
def yielding(mine, other, meets, ahead):  # type: ignore[no-untyped-def]
    """How strongly the second to come to a crossing avoids the first, by the seconds each has."""
    much = MIRRORED * min(max(2.0 - abs(mine - other) / LATE, 0.0), 1.0)
    if mine > SOON and ahead > SOON:
        much *= max(ahead - mine, 0.0) / (ahead - SOON)
    if other < CROSSED and not meets:
        much *= other / CROSSED * min(other / mine, 1.0)
    return much


@inlined
def adjust(x, y, apart, dx, dy, vx, vy, ox, oy, speed, reach, ahead):  # type: ignore[no-untyped-def]
    """The push from one neighbour at (x, y): a direction, and how much of the plain strength."""
    away_x, away_y = -x / apart, -y / apart
    own, other = np.sqrt(vx * vx + vy * vy), np.sqrt(ox * ox + oy * oy)
    if (ox * x + oy * y) / apart >= speed:
        return 0.0, 0.0  # it draws away: no chance of catching it
    near = max(1.0 - apart / (REACHED * reach), 0.0) ** 2
    mine, its = meeting(x, y, dx * speed * ahead, dy * speed * ahead, ox * ahead, oy * ahead)
    if not np.isfinite(mine):
        opposed = 0.0
        if own > 0.0 and other > 0.0:
            # |n + m|^2 / 2 is 1 + cosine: 0 head-on, so this is 1; at right angles and less, 0.
            opposed = max(-(vx * ox + vy * oy) / (own * other), 0.0)
        swerve = -side_of(y, apart)
        px, py = (1.0 - opposed) * away_x, (1.0 - opposed) * away_y + opposed * swerve
        return px * (opposed + near), py * (opposed + near)
    now, then = meeting(x, y, vx * ahead, vy * ahead, ox * ahead, oy * ahead)
    meets = np.isfinite(now)
    to_mine, to_other = (now * ahead, then * ahead) if meets else (mine * ahead, its * ahead)
    if to_mine < FRAME:
        return away_x, away_y
    if goes_first(to_mine, to_other, side_of(y, apart) > 0.0):
        return 0.0, 0.0
    much = yielding(to_mine, to_other, meets, ahead)
    px, py = mirrored(away_x, away_y, dx, dy)
    return px * (much + near), py * (much + near)


@Kernel
def _avoid(  # type: ignore[no-untyped-def]
    begin, end, count, index, ahead, starboard, distance, seen, sight,
    desired, own, moving, heading, speed, half, adjusted, strength, near, look, out,
):  # fmt: skip
    for i in range(begin, end):
        c, s, vx, vy = heading[i, 0], heading[i, 1], own[i, 0], own[i, 1]
        reach = np.sqrt(vx * vx + vy * vy) * near + half
        fore, aside = 0.0, 0.0
        for k in range(count[i]):
            x, y, apart = ahead[i, k], starboard[i, k], distance[i, k]
            if not seen[i, k] >> sight & 1 or not 0.0 < apart < reach:
                continue
            j = index[i, k]
            ox, oy = c * moving[j, 0] + s * moving[j, 1], c * moving[j, 1] - s * moving[j, 0]
            px, py = -x / apart, -y / apart
            if adjusted and ox * ox + oy * oy > 0.0:
                px, py = adjust(
                    x, y, apart, desired[i, 0], desired[i, 1], vx, vy, ox, oy, speed, reach, look
                )
            push = strength * (1.0 - apart / reach)
            fore += push * px
            aside += push * py
        out[i, 0], out[i, 1] = fore, aside
    return 0
