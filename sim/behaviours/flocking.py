"""The three rules of flocking (AI for Game Developers, ch. 4.2; Reynolds 1987).

Every response curve begins as the book's; the parameters that bend it are 0 by default.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numba import prange

from sim.behaviours.curves import Floats, foresee, side_of, turn
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel
from sim.perception.percepts import Percepts

Gain = Annotated[float, Within(0, 1e3, "steepness: full steering from pi / gain radians")]
Slack = Annotated[float, Within(0, 1e4, "nearer than this the pull fades to nothing, lengths")]
Slowest = Annotated[float, Within(0, 1, "mean speed that counts in full, desired speeds")]
Throttle = Annotated[float, Within(0, 10, "thrust toward what is ahead, off it astern")]
Nearness = Annotated[
    float, Within(0, 1e4, "at this distance a neighbour counts half, lengths; 0: all count alike")
]
Power = Annotated[float, Within(0.1, 8, "how the pull grows up to `slack`: 1 linearly")]
Fade = Annotated[float, Within(0, 1, "1: the push begins at nothing at its range; 0: at 1")]
Brake = Annotated[float, Within(0, 10, "the same push along the keel, as a share")]
Foresight = Annotated[float, Within(0, 60, "how far ahead a closest approach is foreseen, s")]


@rule("flocking", looks="summary", whom="mates")
def cohesion(
    me: Percepts,
    *,
    gain: Gain = 1.0,
    slack: Slack = 0.0,
    throttle: Throttle = 0.0,
    nearness: Nearness = 0.0,
    power: Power = 1.0,
) -> Terms:
    """Steer toward the neighbours' mean position: angle to it / pi, toward its side (rule A6).

    Steering alone cannot close up a file, so `throttle` adds thrust by the cosine of that angle.
    Amid its neighbours a unit has no use for the direction to their middle: `slack` lets the pull
    grow up to that distance, by a `power` of it. With `nearness` the mean is a weighted one, by
    1 / (1 + (distance / nearness)^2): those near by join first, wherever the others are.
    """
    assert me.seen is not None
    out = np.empty(me.velocity.shape)
    mean = _weighted(me, nearness)[0] if nearness > 0 else me.seen.summary.offset
    _cohere(mean, me.resting, gain, slack * me.hull.length, power, throttle, out)
    return out


@rule("flocking", looks="summary", whom="mates")
def alignment(
    me: Percepts,
    *,
    gain: Gain = 1.0,
    throttle: Throttle = 0.0,
    slowest: Slowest = 0.0,
    nearness: Nearness = 0.0,
) -> Terms:
    """Steer toward the neighbours' mean velocity: angle to it / pi, toward its side (rule A7).

    `throttle` adds thrust by the cosine of that angle. A mean below `slowest` counts for less:
    among those that stand no direction is to be read from how they sway (rule E3). `nearness` is
    that of `cohesion`.
    """
    assert me.seen is not None
    out = np.empty(me.velocity.shape)
    mean = _weighted(me, nearness)[1] if nearness > 0 else me.seen.summary.velocity
    _cohere(mean, me.resting, gain, slowest * me.speed, 1.0, throttle, out)
    return out


def _weighted(me: Percepts, nearness: float) -> tuple[Floats, Floats]:
    """Mean offset and mean velocity (n, 2), own frame, of neighbours weighted by nearness."""
    assert me.seen is not None
    each = me.seen.each
    offset, velocity = np.empty((2, *me.velocity.shape))
    _weigh(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        nearness * me.hull.length, me.units.velocity, me.units.heading[me.rows], offset, velocity,
    )  # fmt: skip
    return offset, velocity


@rule("flocking", looks="each", range=5.0)
def separation(
    me: Percepts, *, fade: Fade = 0.0, brake: Brake = 0.0, foresight: Foresight = 0.0
) -> Terms:
    """Steer away from the side of each neighbour within range: sum of range / distance (rule A8).

    Bounded at contact: nobody counts as nearer than one hull width. A neighbour exactly ahead
    counts as being to port. Give it a `view` of its own (wide) where the group's view is narrow:
    the book warns that narrow views fail side to side. With `foresight` a neighbour counts where it
    will pass closest within that time, both keeping their course: flocks that meet would else
    notice each other too late to turn.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    _separate(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        me.seen.range, 2 * me.hull.radius, fade, brake, foresight,
        me.velocity, me.units.velocity, me.units.heading[me.rows], out,
    )  # fmt: skip
    return out


@Kernel
def _cohere(offset, resting, gain, slack, power, throttle, out):  # type: ignore[no-untyped-def]
    """Toward each (n, 2) offset; the pull grows by a power to 1 at a length of `slack`."""
    for i in prange(len(offset)):
        if resting[i]:
            out[i] = 0.0
            continue
        ahead, starboard = offset[i, 0], offset[i, 1]
        distance = np.sqrt(ahead * ahead + starboard * starboard)
        pull = min(1.0, distance / slack) ** power if slack > 0.0 else 1.0
        out[i, 0] = pull * throttle * ahead / distance if distance > 0.0 else 0.0
        out[i, 1] = pull * turn(ahead, starboard, gain)


@Kernel
def _weigh(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, distance, seen, sight, half, moving, heading, offset, velocity
):
    for i in prange(len(count)):
        total, x, y, vx, vy = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(count[i]):
            if seen[i, k] >> sight & 1:
                far = distance[i, k] / half
                weight = 1.0 / (1.0 + far * far)
                total += weight
                x += weight * ahead[i, k]
                y += weight * starboard[i, k]
                vx += weight * moving[index[i, k], 0]
                vy += weight * moving[index[i, k], 1]
        share = 1.0 / total if total > 0.0 else 0.0
        cosine, sine = heading[i, 0], heading[i, 1]
        offset[i, 0], offset[i, 1] = x * share, y * share
        velocity[i, 0] = (cosine * vx + sine * vy) * share
        velocity[i, 1] = (cosine * vy - sine * vx) * share


@Kernel
def _separate(  # type: ignore[no-untyped-def]
    count, index, ahead, starboard, distance, seen, sight,
    reach, contact, fade, brake, foresight, own, moving, heading, out,
):  # fmt: skip
    for i in prange(len(count)):
        back, aside = 0.0, 0.0
        cosine, sine = heading[i, 0], heading[i, 1]
        for k in range(count[i]):
            if not seen[i, k] >> sight & 1:
                continue
            x, y, apart = ahead[i, k], starboard[i, k], distance[i, k]
            if foresight > 0.0:
                vx, vy = moving[index[i, k], 0], moving[index[i, k], 1]
                x, y, apart = foresee(
                    x, y, apart,
                    cosine * vx + sine * vy - own[i, 0], cosine * vy - sine * vx - own[i, 1],
                    foresight,
                )  # fmt: skip
            push = reach / max(apart, contact) - fade
            aside += side_of(y, apart) * push
            if apart > 0.0:
                back += push * x / apart
        out[i, 0], out[i, 1] = -brake * back, -aside
