"""Coming to rest where many are sent to one place: units that come no nearer stop (C9, E4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.compiled import Kernel
from sim.core.geometry import short_way
from sim.core.overlap import Outlines, core_distance
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.orders.near import Near, near_units

if TYPE_CHECKING:
    from sim.orders.orders import Orders

STRIDE, CREEP, LATELY = 0.25, 0.15, 2.0
"""A unit gets on that comes nearer by this share of its hull radius, and by that share of its speed
over the time since it last did, at most `LATELY` s: long waits in a queue do not count."""
ADRIFT = 4.0
"""Hull radii: a unit this much farther off than it was has been led another way, or pushed."""
LEAST, MOST = 0.3, 0.8
"""Seconds without getting on after which a unit may rest: as long as it has still to go, between
these; a unit that has been there rests after the least."""
WALKS = 0.375
"""Hull radii that a unit might have walked in the least of these times: large slow hulls wait as
long as that takes, and as much longer at the most."""
GAP, CHAINED, LOOK_UP = 0.4, 0.45, 0.5
"""Hull radii between one that rests and one that may rest at it, and up to which they are one pack
(an arrival bridges half of one); how often units look up, s."""


class Patience(Columns):
    """How long each of N units has not got on."""

    columns: ClassVar = {"best": np.inf, "since": 0.0}

    def __init__(self, units: int) -> None:
        self.best = np.full(units, np.inf)
        """(N,) the least way that was left, world units."""
        self.since = np.zeros(units)
        """(N,) s since it was."""

    def watch(
        self, remaining: Floats, moving: Bools, radius: Floats, speed: Floats, dt: float
    ) -> bool:
        """Take note of what is left of the way of each; whether one may have waited long enough."""
        return any(_watch(self.since, self.best, (remaining, moving, radius, speed), dt))

    def spent(self, remaining: Floats, radius: Floats, speed: Floats, arrived: Bools) -> Bools:
        """(N,) whether a unit has come no nearer for long enough to rest."""
        least = least_wait(radius, speed)
        go = np.where(arrived, 0.0, remaining / speed)
        return self.since > np.clip(go, least, MOST / LEAST * least)

    def renew(self, rows: slice | Bools | Ints) -> None:
        """Some are sent somewhere anew."""
        self.best[rows], self.since[rows] = np.inf, 0.0


def looks_up(step: int, dt: float) -> bool:
    """Whether at this step, of dt s, units look up: which of them rest, and what bars their way."""
    return step % max(1, round(LOOK_UP / dt)) == 0


def least_wait(radius: Floats, speed: Floats) -> Floats:
    """(N,) s without getting on before which no unit rests, or looks for room elsewhere."""
    return np.maximum(LEAST, WALKS * radius / np.maximum(speed, 1e-300))


class Stand(NamedTuple):
    """Where N hulls stand; gaps are measured between them, on a torus the short way."""

    units: Units
    radius: Floats
    """(N,) by which gaps are judged."""
    end: Ints
    """(N,) numbers of the places where they were sent."""
    apart: Bools
    """(N,) from which gaps are measured between circles of the reach too, whatever the shape."""
    plane: Plane
    outlines: Outlines

    def pairs(self, present: Bools, share: float, askers: Ints | None = None) -> tuple[Near, Bools]:
        """The hulls present (N,) near each of the askers, all where None; which stand at it, (m,).

        Those at one another were sent to the same end, and the gap between them is no wider than a
        share of the smaller radius.
        """
        reach = self.outlines.reach[present]
        within = (2 + share) * float(reach.max(initial=0.0))
        near = near_units(replace(self.units, present=present), self.plane, within, askers)
        i = near.of
        at = self.end[i] == self.end[near.other]
        at[at] = self.touch(i[at], near.other[at], share)
        return near, at

    def touch(self, i: Ints, j: Ints, share: float) -> Bools:
        """(m,) whether gaps between hulls are no wider than a share of the smaller radius.

        Where unit i keeps `apart`, it is enough that the gap between the circles of both reaches is
        no wider than that share of the smaller reach.
        """
        gap, lines, position = np.empty(len(i)), self.outlines.turned, self.units.position
        _gaps(i, j, position, self.plane.size, lines.corners, lines.count, lines.rounding, gap)
        near: Bools = gap <= share * np.minimum(self.radius[i], self.radius[j])
        m, reach = np.flatnonzero(self.apart[i]), self.outlines.reach
        off, a, b = self.plane.nearest(position[j[m]] - position[i[m]]), reach[i[m]], reach[j[m]]
        near[m] |= np.hypot(*off.T) - a - b <= share * np.minimum(a, b)
        return near


def at_rest(stand: Stand, some: Bools, there: Bools) -> Bools:
    """(N,) which of some stand at another that is there, and has been sent to the same end."""
    found = np.zeros(len(some), np.bool_)
    if some.any() and there.any():
        near, at = stand.pairs(some | there, GAP, np.flatnonzero(some))
        found[near.of[at & there[near.other]]] = True
    return found


def adrift(stand: Stand, resting: Bools, there: Bools) -> Bools:
    """(N,) whether a unit rests in a pack none of whose members has reached the goal they share."""
    if not (resting & ~there).any():
        return np.zeros(len(resting), np.bool_)
    near, at = stand.pairs(resting, CHAINED)
    held: Bools = resting & there
    _hold(near.first, near.other, at, held)
    return resting & ~held


def bars_way(
    orders: Orders, units: Units, some: Bools, ahead: Floats, room: Floats, by: Bools | None = None
) -> Bools:
    """(N,) which of some units meet another within `room` (N,), world units, on their way `ahead`.

    That is (N, 2), of any length but 0. Hulls count as circles of their reach, and walls do not. Of
    the others only those in `by` (N,) count, all where None.
    """
    reach, rows = orders.outlines.reach, np.flatnonzero(some)
    within = 2 * float(reach.max(initial=0.0)) + float(room[rows].max(initial=0.0))
    near = near_units(units, orders.plane, within, rows)
    i = near.of
    position, far = units.position, np.hypot(*ahead.T)[i]
    x, y = orders.plane.nearest(position[near.other] - position[i]).T
    u, v = ahead[i].T / far
    along, across = x * u + y * v, x * v - y * u
    past = np.maximum(along - room[i], 0.0)
    touch = reach[i] + reach[near.other]
    found = np.zeros(len(some), np.bool_)
    meets = (along > 0) & (across**2 + past**2 < touch**2)
    found[i[meets if by is None else meets & by[near.other]]] = True
    return found


@njit(cache=True)
def _hold(first, other, at, held):  # type: ignore[no-untyped-def]
    """Hold all units that stand at one that is held (N,), and those at these, and so on."""
    left, n = np.empty(len(held), np.int64), 0
    for i in range(len(held)):
        if held[i]:
            left[n] = i
            n += 1
    while n > 0:
        n -= 1
        i = left[n]
        for k in range(first[i], first[i + 1]):
            if at[k] and not held[other[k]]:
                held[other[k]] = True
                left[n] = other[k]
                n += 1


@njit(cache=True, error_model="numpy")
def _gaps(i, j, position, size, corners, count, rounding, gap):  # type: ignore[no-untyped-def]
    for m in range(len(i)):
        a, b = i[m], j[m]
        dx, dy = position[b, 0] - position[a, 0], position[b, 1] - position[a, 1]
        dx, dy = short_way(dx, dy, size)
        apart = core_distance(corners[a], count[a], corners[b], count[b], dx, dy, np.inf)
        gap[m] = apart - rounding[a] - rounding[b]


@Kernel
def _watch(begin, end, since, best, walk, dt):  # type: ignore[no-untyped-def]
    remaining, moving, radii, speed = walk
    late = False
    for i in range(begin, end):
        left, radius = remaining[i], radii[i]
        on = best[i] - max(STRIDE * radius, CREEP * speed[i] * min(since[i], LATELY))
        off = best[i] + ADRIFT * radius
        if not moving[i] or left < on or left > off:
            best[i], since[i] = left, 0.0
        else:
            since[i] += dt
            late |= since[i] > LEAST
    return late
