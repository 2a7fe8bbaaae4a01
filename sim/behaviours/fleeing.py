"""Getting away from another group: from all of it, and along what is in the way.

A unit goes where danger falls most. Danger is the sum of 1 / distance over all that it flees, so
that the push of each is 1 / distance squared; to the second order, which tells the way out between
two that come from opposite sides. What it could not go to for a wall does not count: so it slides
along walls and out of corners. After Reynolds, Steering Behaviors for Autonomous Characters (1999).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import Gain, toward
from sim.behaviours.ground import ground_of, offset_to_solid, solids_near
from sim.behaviours.parameters import Within
from sim.behaviours.pursuit import Prediction
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Ints
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.core.own import Amount, of_unit
from sim.perception.percepts import Percepts
from sim.perception.quarry import Quarry

Alarm = Annotated[Amount, Within(0, 1e4, "units that are nearer are fled, hull lengths")]

STRIDE = 0.2
"""How far one looks ahead, as a share of the distance to the nearest: below a third, so that it is
best to go straight away from one alone."""
COURSES, HALVES = 16, 6
"""Courses that are tried all round, and how often the step between is halved about the best."""
STEADY, FACING, HANDED = 0.1, 0.02, 0.005
"""How much danger, as a share of what there is to escape, one puts up with not to leave the course
that one is on, not to turn about, and to turn to starboard rather than to port. Units that come
foresee one's course: without it one would turn to and fro between two of them."""
WALL = 2.0
"""Walls that are nearer than this many hull lengths count."""
SOLIDS = 12
"""How many of them at most."""


@rule("pursuit", serves="flee", gives=VELOCITY)
def flee(
    me: Percepts, quarry: Quarry, *, prediction: Prediction = 0.5, alarm: Alarm = 20.0
) -> Terms:
    """The desired speed away from all of the others, weighed by nearness, along walls (rule E2).

    In full while the nearest is nearer than half the distance of `alarm`, fading to nothing there.
    """
    out, length = np.zeros(me.velocity.shape), me.hull.length
    far = float(me.bodies.reach[me.rows].max(initial=0.0)) + WALL * length
    ground = ground_of(me, far)
    fear = _Fear(quarry.first, quarry.stop, alarm * length, prediction, length, far)
    _flee(out, me.bodies, ground, fear)
    return out


class _Fear(NamedTuple):
    """What units flee, and how; world units. `of_unit` has what one of them does."""

    start: Ints | int
    stop: Ints | int
    """(n,) the rows of the units that each flees, up to `stop`."""
    reach: Amount
    """How far off they count."""
    prediction: Amount
    """s."""
    length: float
    """Of the hull."""
    far: float
    """How far off solids count."""


@rule("pursuit", serves="flee", gives=STEERING)
def turn_away(me: Percepts, quarry: Quarry, *, gain: Gain = 4.0, alarm: Alarm = 20.0) -> Terms:
    """Steer where `flee` leads, for craft that cruise; the less the farther off the others are."""
    away = flee(me, quarry, alarm=alarm)
    return toward(away, gain) * np.hypot(away[:, 0], away[:, 1])[:, None]


@Kernel.making_arrays
def _flee(begin, end, out, bodies, ground, fear):  # type: ignore[no-untyped-def]
    velocity = bodies.velocity
    torus = periods(ground.size)
    for i in range(begin, end):
        me, speed = bodies.start + i, bodies.speeds[i]
        danger, share, nearest = _dangers(me, bodies, of_unit(fear, i), torus)
        out[i] = 0.0
        if share <= 0.0:
            continue
        walls = np.empty((SOLIDS, 3))
        count = _walls(ground, me, bodies, fear.far, walls)
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        u = STEADY * velocity[me, 0] / speed + FACING * c - HANDED * s
        v = STEADY * velocity[me, 1] / speed + FACING * s + HANDED * c
        x, y = _way_out(danger, walls[:count], STRIDE * nearest, u, v)
        size = np.sqrt(x * x + y * y)
        if size > 0.0:
            x, y = share * x / size, share * y / size
            out[i, 0], out[i, 1] = to_own_frame(x, y, c, s)


@leaf
def _dangers(me, bodies, fear, torus):  # type: ignore[no-untyped-def]
    """What is fled: (gradient x, y, curvature xx, xy, yy, sum), the share of speed, the nearest.

    Each counts where it will be when it could have been met.
    """
    position, velocity, reach = bodies.position, bodies.velocity, fear.reach
    gx, gy, xx, xy, yy, total = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    most, nearest = 0.0, np.inf
    for j in range(fear.start, fear.stop):
        dx, dy = nearest_image(
            position[j, 0] - position[me, 0], position[j, 1] - position[me, 1], torus
        )
        apart = np.sqrt(dx * dx + dy * dy)
        if not apart < reach:
            continue
        share = min(2 - 2 * apart / reach, 1.0)
        ux, uy = velocity[j, 0] - velocity[me, 0], velocity[j, 1] - velocity[me, 1]
        speed = np.sqrt(ux * ux + uy * uy)
        time = min(apart / speed, fear.prediction) if speed > 0.0 else 0.0
        dx, dy = dx + velocity[j, 0] * time, dy + velocity[j, 1] * time
        d = max(np.sqrt(dx * dx + dy * dy), 0.5 * fear.length)
        weight = share / (d * d * d)
        gx, gy, total = gx + weight * dx, gy + weight * dy, total + weight * d
        xx += weight * (3 * dx * dx / (d * d) - 1)
        xy += weight * (3 * dx * dy / (d * d))
        yy += weight * (3 * dy * dy / (d * d) - 1)
        most, nearest = max(most, share), min(nearest, d)
    return (gx, gy, xx, xy, yy, total), most, nearest


@leaf
def _way_out(danger, walls, stride, u, v):  # type: ignore[no-untyped-def]
    """Where to go (x, y), at most a stride off: where danger is least of what can be come to.

    (u, v) is what counts as so much less danger.
    """
    least, best, ahead = np.inf, 0.0, np.arctan2(v, u)
    step = 2 * np.pi / COURSES
    for k in range(COURSES):
        value = _value(danger, walls, stride, u, v, ahead + k * step)
        if value < least:
            least, best = value, ahead + k * step
    for _ in range(HALVES):
        step *= 0.5
        for side in (1, -1):
            value = _value(danger, walls, stride, u, v, best + side * step)
            if value < least:
                least, best = value, best + side * step
                break
    return _slide(walls, stride * np.cos(best), stride * np.sin(best))


@leaf
def _value(danger, walls, stride, u, v, course):  # type: ignore[no-untyped-def]
    """How danger changes along a course, as far as walls let one go there."""
    gx, gy, xx, xy, yy, total = danger
    x, y = _slide(walls, stride * np.cos(course), stride * np.sin(course))
    value = gx * x + gy * y + 0.5 * (xx * x * x + yy * y * y) + xy * x * y
    return value - total * (u * x + v * y)


@leaf
def _slide(walls, x, y):  # type: ignore[no-untyped-def]
    """How far one comes of a way (x, y), with what leads into walls taken off."""
    for _ in range(2):
        for k in range(len(walls)):
            nx, ny, room = walls[k, 0], walls[k, 1], walls[k, 2]
            into = x * nx + y * ny - room
            if into > 0.0:
                x, y = x - into * nx, y - into * ny
    return x, y


@leaf
def _walls(ground, me, bodies, far, walls):  # type: ignore[no-untyped-def]
    """Fill in the normals of solids that are near, and the room to each; how many there are."""
    x, y, own = bodies.position[me, 0], bodies.position[me, 1], bodies.reach[me]
    found, (count, near) = 0, solids_near(ground, x, y)
    for n in range(count):
        px, py, radius = offset_to_solid(ground, near, n, x, y)
        found = _add((px, py, radius), own, far, walls, found)
    return found


@leaf
def _add(place, own, far, walls, count):  # type: ignore[no-untyped-def]
    """Take in a solid whose nearest point lies toward (x, y), less `inner`; the nearest stay.

    `place` is these three; `own` is how far one's own hull reaches.
    """
    x, y, inner = place
    off = np.sqrt(x * x + y * y)
    if not 0.0 < off - inner < far:
        return count
    room = max(off - inner - own, 0.0)
    at = count
    if count == SOLIDS:
        at = np.argmax(walls[:, 2])
        if walls[at, 2] <= room:
            return count
    walls[at, 0], walls[at, 1], walls[at, 2] = x / off, y / off, room
    return min(count + 1, SOLIDS)
