"""Following routes: how far along each unit is, and which point of its route to head for.

Progress is a length along the route. It never falls back: a unit is at the nearest point ahead of
where it was that it can see, wherever it has been pushed to, and need not touch any waypoint. What
it heads for is a little further on, but in sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel, leaf
from sim.core.errors import BadInput
from sim.navigation.grid import Grid
from sim.navigation.sight import sees, thickness_at
from sim.navigation.wrapping import image

NO_ROUTE = -1
LOOK_ROUND = 2.0
"""The nearest point is sought this many look-aheads on, and as far as the unit is off its route."""
TRIES = 8
"""The point to head for is sought at this many places from the farthest back, closer and closer: a
hull that rolls round a corner just as wide as its way sees no more than a hair ahead."""


class Routes(NamedTuple):
    """Polylines as arrays, what kernels take. Make them with `routes`."""

    points: Floats
    """(m, 2) those of all routes, route by route."""
    along: Floats
    """(m,) how far along its route each point lies."""
    first: Ints
    """(r + 1,) route k has points[first[k]:first[k + 1]]."""


def routes(polylines: Sequence[ArrayLike]) -> Routes:
    """Routes along polylines (k, 2) each, k of 1 or more.

    Raises `BadInput` for polylines of another shape, or not finite.
    """
    parts = [np.zeros((0, 2))]
    for number, line in enumerate(polylines):
        points = np.asarray(line, dtype=float)
        if points.ndim != 2 or points.shape[1] != 2 or not len(points):
            raise BadInput(f"routes[{number}]: must be one or more points (x, y)")
        parts.append(np.repeat(points, 2, axis=0) if len(points) == 1 else points)
    every = np.concatenate(parts)
    first = np.cumsum([len(part) for part in parts]).astype(np.int64)
    finite = np.isfinite(every).all(axis=1)
    if not finite.all():
        number = int(np.searchsorted(first, np.argmin(finite), side="right")) - 1
        raise BadInput(f"routes[{number}]: must be finite numbers")
    length = np.append(0.0, np.hypot(*np.diff(every, axis=0).T))[: len(every)]
    length[first[:-1]] = 0.0
    along = np.zeros(len(every))
    for begin, end in zip(first[:-1].tolist(), first[1:].tolist(), strict=True):
        np.cumsum(length[begin:end], out=along[begin:end])
    return Routes(every, along, first)


@leaf
def _segment(lines: Routes, route: int, at: float) -> tuple[int, float]:
    """The number of the route's point before a length along it, and how far beyond that point."""
    low, high = lines.first[route], lines.first[route + 1] - 1
    at = min(max(at, 0.0), lines.along[high])
    while high - low > 1:
        middle = (low + high) // 2
        if lines.along[middle] <= at:
            low = middle
        else:
            high = middle
    return low, at - lines.along[low]


@leaf
def point_at(lines: Routes, route: int, at: float) -> tuple[float, float]:
    """The point at a length along a route."""
    k, beyond = _segment(lines, route, at)
    length = lines.along[k + 1] - lines.along[k]
    share = beyond / length if length > 0 else 0.0
    return (
        lines.points[k, 0] + share * (lines.points[k + 1, 0] - lines.points[k, 0]),
        lines.points[k, 1] + share * (lines.points[k + 1, 1] - lines.points[k, 1]),
    )


@leaf
def _nearest_ahead(
    lines: Routes, route: int, at: float, end: float, x: float, y: float, grid: Grid, thin: float
) -> float:
    """How far along the nearest point in sight lies, from `at` to `end`; `at` if none is seen."""
    k, beyond = _segment(lines, route, at)
    px, py = point_at(lines, route, at)
    best, found, before = hypot(x - px, y - py), at, at
    start, last = beyond, lines.first[route + 1] - 1
    while before < end and k < last:
        ax, ay, length = lines.points[k, 0], lines.points[k, 1], lines.along[k + 1] - lines.along[k]
        stop = min(length, start + end - before)
        if length > 0:
            ux, uy = (lines.points[k + 1, 0] - ax) / length, (lines.points[k + 1, 1] - ay) / length
            there = min(max((x - ax) * ux + (y - ay) * uy, start), stop)
            px, py = ax + there * ux, ay + there * uy
            away = hypot(x - px, y - py)
            if away < best and sees(grid, x, y, px, py, thin):
                best, found = away, before + there - start
        before, start, k = before + stop - start, 0.0, k + 1
    return found


class Followers(NamedTuple):
    """n units on routes."""

    route: Ints
    """(n,) the number of each one's route, -1 for none."""
    progress: Floats
    """(n,) how far along it each has come, world units."""
    aim: Floats
    """(n, 2) where each heads for; its own place without a route."""
    remaining: Floats
    """(n,) of the way."""
    lost: Bools
    """(n,) whether nothing of the route ahead is in sight."""


@Kernel
def follow(begin, end, positions, grid, lines, ahead, units):  # type: ignore[no-untyped-def]
    """Move the progress of units at positions (n, 2) on, and say where they go.

    They head for the point `ahead` of themselves along their way, world units.
    """
    route, progress, aim, lost = units.route, units.progress, units.aim, units.lost
    remaining = units.remaining
    for i in range(begin, end):
        x, y = positions[i, 0], positions[i, 1]
        aim[i, 0], aim[i, 1], remaining[i], lost[i] = x, y, 0.0, False
        r = route[i]
        if r < 0:
            continue
        end = lines.along[lines.first[r + 1] - 1]
        at, thin = min(progress[i], end), thickness_at(grid, x, y)
        px, py = point_at(lines, r, at)
        x, y = px + image(x - px, grid.period[0]), py + image(y - py, grid.period[1])
        window = LOOK_ROUND * ahead + hypot(x - px, y - py)
        at = _nearest_ahead(lines, r, at, min(at + window, end), x, y, grid, thin)
        progress[i] = max(at, progress[i])
        px, py = point_at(lines, r, at)
        remaining[i] = end - at + hypot(x - px, y - py)
        lost[i] = True
        for k in range(TRIES, -1, -1):
            aim[i, 0], aim[i, 1] = point_at(lines, r, min(at + ahead * (k / TRIES) ** 2, end))
            if sees(grid, x, y, aim[i, 0], aim[i, 1], thin):
                lost[i] = False
                break
