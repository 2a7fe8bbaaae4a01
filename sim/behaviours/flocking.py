"""The three rules of flocking (AI for Game Developers, ch. 4.2; Reynolds 1987).

Every response curve begins as the book's; the parameters that bend it are 0 by default.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import Gain, foresee, side_of, turn
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, inlined
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, above_zero, of_unit, own
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen
from sim.perception.sights import Weighed

Slack = Annotated[Amount, Within(0, 1e4, "nearer than this the pull fades to nothing, lengths")]
Slowest = Annotated[Amount, Within(0, 1, "mean speed that counts in full, desired speeds")]
Throttle = Annotated[Amount, Within(0, 10, "thrust toward what is ahead, off it astern")]
Nearness = Annotated[
    Amount, Within(0, 1e4, "at this distance a neighbour counts half, lengths; 0: all count alike")
]
Power = Annotated[Amount, Within(0.1, 8, "how the pull grows up to `slack`: 1 linearly")]
Fade = Annotated[Amount, Within(0, 1, "1: the push begins at nothing at its range; 0: at 1")]
Brake = Annotated[Amount, Within(0, 10, "the same push along the keel, as a share")]
Foresight = Annotated[Amount, Within(0, 60, "how far ahead a closest approach is foreseen, s")]


@rule("flocking", looks="summary", whom="mates", gives=(STEERING, VELOCITY))
def cohesion(
    me: Percepts,
    seen: Annotated[Seen, Weighed("nearness")],
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
    grow up to that distance, by a `power` of it. With `nearness` the mean is a weighted one, of
    weights 1 / (1 + (distance / nearness)^2): those near by join first, wherever the others are.
    """
    out = np.empty(me.velocity.shape)
    mean = seen.summary.offset
    if above_zero(nearness):
        mean = np.empty(me.velocity.shape)
        _mean_place(mean, tuple(seen.each), nearness * me.hull.length)
    pull = _Pull(gain, np.full(len(out), slack * me.hull.length), power, throttle)
    _cohere(out, mean, me.resting, tuple(pull))
    return out


@rule("flocking", looks="summary", whom="mates", gives=(STEERING, VELOCITY))
def alignment(
    me: Percepts,
    seen: Annotated[Seen, Weighed("nearness")],
    *,
    gain: Gain = 1.0,
    throttle: Throttle = 0.0,
    slowest: Slowest = 0.0,
    nearness: Nearness = 0.0,
) -> Terms:
    """Steer toward the neighbours' mean velocity: angle to it / pi, toward its side (rule A7).

    `throttle` adds thrust by the cosine of that angle. A mean below `slowest` counts for less:
    among units that stand no direction is to be read from how they sway (rule E3). `nearness` is
    that of `cohesion`.
    """
    out = np.empty(me.velocity.shape)
    mean = seen.summary.velocity
    if above_zero(nearness):
        mean = np.empty(me.velocity.shape)
        _mean_velocity(mean, tuple(seen.each), tuple(me.bodies), nearness * me.hull.length)
    pull = _Pull(gain, slowest * me.speeds, 1.0, throttle)
    _cohere(out, mean, me.resting, tuple(pull))
    return out


@rule("flocking", looks="each", range=5.0, gives=STEERING)
def separation(
    me: Percepts, seen: Seen, *, fade: Fade = 0.0, brake: Brake = 0.0, foresight: Foresight = 0.0
) -> Terms:
    """Steer away from the side of each neighbour within range: sum of range / distance (rule A8).

    Bounded at contact: no unit counts as nearer than one hull width. A neighbour exactly ahead
    counts as being to port. Give it a `view` of its own (wide) where the group's view is narrow:
    the book warns that narrow views fail side to side. With `foresight` a neighbour counts where it
    will pass closest within that time, both keeping their course: flocks that meet would else
    notice each other too late to turn.
    """
    out = np.empty(me.velocity.shape)
    push = _Push(seen.range, 2 * me.hull.radius, fade, brake, foresight)
    _separate(out, tuple(seen.each), tuple(me.bodies), tuple(push))
    return out


class _Pull(NamedTuple):
    """How a unit is drawn to a mean: see `cohesion`; `slack` (n,) in world units (a second)."""

    gain: Amount
    slack: Floats
    power: Amount
    throttle: Amount


@Kernel
def _cohere(begin, end, out, offset, resting, pulls):  # type: ignore[no-untyped-def]
    """Toward each (n, 2) offset; the pull grows by a power to 1 at a length of `slack`."""
    pulls = _Pull(*pulls)
    for i in range(begin, end):
        pull = of_unit(pulls, i)
        slack = pull.slack
        if resting[i]:
            out[i] = 0.0
            continue
        ahead, starboard = offset[i, 0], offset[i, 1]
        distance = np.sqrt(ahead * ahead + starboard * starboard)
        much = min(1.0, distance / slack) ** pull.power if slack > 0.0 else 1.0
        out[i, 0] = much * pull.throttle * ahead / distance if distance > 0.0 else 0.0
        out[i, 1] = much * turn(ahead, starboard, pull.gain)


@inlined
def _weight(distance, half):  # type: ignore[no-untyped-def]
    """How much a neighbour counts that is so far off: half at the distance `half`."""
    far = distance / half
    return 1.0 / (1.0 + far * far)


@Kernel
def _mean_place(begin, end, offset, each, half):  # type: ignore[no-untyped-def]
    """The mean offset (n, 2) of the neighbours, own frame, weighted by nearness."""
    each = Neighbours(*each)
    for i in range(begin, end):
        total, x, y, near = 0.0, 0.0, 0.0, own(half, i)
        for k in range(each.count[i]):
            if sees(each, i, k):
                weight = _weight(each.distance[i, k], near)
                total += weight
                x += weight * each.ahead[i, k]
                y += weight * each.starboard[i, k]
        share = 1.0 / total if total > 0.0 else 0.0
        offset[i, 0], offset[i, 1] = x * share, y * share


@Kernel
def _mean_velocity(begin, end, velocity, each, bodies, half):  # type: ignore[no-untyped-def]
    """The mean velocity (n, 2) of the neighbours, own frame, weighted likewise."""
    each, bodies = Neighbours(*each), Bodies(*bodies)
    moving = bodies.velocity
    for i in range(begin, end):
        total, x, y, near, me = 0.0, 0.0, 0.0, own(half, i), bodies.start + i
        for k in range(each.count[i]):
            if sees(each, i, k):
                weight = _weight(each.distance[i, k], near)
                total += weight
                x += weight * moving[each.index[i, k], 0]
                y += weight * moving[each.index[i, k], 1]
        share = 1.0 / total if total > 0.0 else 0.0
        x, y = to_own_frame(x, y, bodies.heading[me, 0], bodies.heading[me, 1])
        velocity[i, 0], velocity[i, 1] = x * share, y * share


class _Push(NamedTuple):
    """How neighbours push: range and hull width in world units, and see `separation`."""

    reach: Amount
    contact: float
    fade: Amount
    brake: Amount
    foresight: Amount


@Kernel
def _separate(begin, end, out, each, bodies, pushes):  # type: ignore[no-untyped-def]
    each, bodies, pushes = Neighbours(*each), Bodies(*bodies), _Push(*pushes)
    own_velocity, moving = bodies.own, bodies.velocity
    for i in range(begin, end):
        back, aside, me = 0.0, 0.0, bodies.start + i
        push = of_unit(pushes, i)
        foresight = push.foresight
        cosine, sine = bodies.heading[me, 0], bodies.heading[me, 1]
        for k in range(each.count[i]):
            if not sees(each, i, k):
                continue
            x, y, apart = each.ahead[i, k], each.starboard[i, k], each.distance[i, k]
            if foresight > 0.0:
                j = each.index[i, k]
                vx, vy = to_own_frame(moving[j, 0], moving[j, 1], cosine, sine)
                vx, vy = vx - own_velocity[i, 0], vy - own_velocity[i, 1]
                x, y, apart = foresee(x, y, apart, vx, vy, foresight)
            much = push.reach / max(apart, push.contact) - push.fade
            aside += side_of(y, apart) * much
            if apart > 0.0:
                back += much * x / apart
        out[i, 0], out[i, 1] = -push.brake * back, -aside
