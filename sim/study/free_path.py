"""The free path: the way of a unit that is alone, against which its own way is measured."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.overlap import core_distance
from sim.study.detours import Detours
from sim.study.setting import NO_GOAL, POINTS, REGION, Setting
from sim.study.solids import Shapes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SWEEPS, CLOSE = 2000, 1e-9
"""A tour is improved so often at most, or until its length improves by less than this share."""
GRAZE = 1e-9
"""A path may graze a solid: it is blocked from this share of the radius inward."""


@njit(cache=True, error_model="numpy")
def nearest_image(d: float, period: float) -> float:
    """The shortest of an offset's images along one axis; period 0 does not wrap."""
    return d - period * np.rint(d / period) if period > 0 else d


@njit(cache=True, error_model="numpy")
def into_disc(x: float, y: float, cx: float, cy: float, radius: float) -> tuple[float, float]:
    """The point of a disc nearest to (x, y)."""
    dx, dy = x - cx, y - cy
    d = np.sqrt(dx * dx + dy * dy)
    return (x, y) if d <= radius else (cx + dx * radius / d, cy + dy * radius / d)


@njit(cache=True, error_model="numpy")
def way_length(way: Floats) -> float:
    """Length of a polyline (k, 2)."""
    total = 0.0
    for k in range(1, len(way)):
        total += np.sqrt((way[k, 0] - way[k - 1, 0]) ** 2 + (way[k, 1] - way[k - 1, 1]) ** 2)
    return total


@njit(cache=True, error_model="numpy")
def tour(way: Floats, radius: float) -> None:
    """Shorten a way (k, 2) whose points, but the first, may move inside a disc each.

    The length is convex in the points. Each sweep puts every point where its two stretches, as
    springs of stiffness 1 / length, pull it, and back into its disc: Weiszfeld's iteration (Tohoku
    Math. J. 43, 1937), projected.
    """
    centre, count = way.copy(), len(way)
    way[count - 1] = into_disc(
        way[count - 2, 0], way[count - 2, 1], centre[-1, 0], centre[-1, 1], radius
    )
    length, tiny = way_length(way), 1e-12 * radius
    for sweep in range(SWEEPS if count > 2 else 0):
        for k in range(1, count):
            x, y = way[k - 1, 0], way[k - 1, 1]
            if k + 1 < count:
                a = 1 / (tiny + np.sqrt((way[k, 0] - x) ** 2 + (way[k, 1] - y) ** 2))
                u, v = way[k + 1, 0], way[k + 1, 1]
                b = 1 / (tiny + np.sqrt((way[k, 0] - u) ** 2 + (way[k, 1] - v) ** 2))
                x, y = (a * x + b * u) / (a + b), (a * y + b * v) / (a + b)
            way[k] = into_disc(x, y, centre[k, 0], centre[k, 1], radius)
        new = way_length(way)
        if sweep > 10 and length - new <= CLOSE * length:
            break
        length = new


@njit(cache=True, error_model="numpy")
def wanted_way(
    x: float,
    y: float,
    points: Floats,
    tolerance: float,
    is_region: bool,
    region: Floats,
    size: Floats,
) -> Floats:
    """The shortest way (k, 2) from (x, y) to a goal where nothing is in between."""
    if is_region:
        half_x, half_y = (region[2] - region[0]) / 2, (region[3] - region[1]) / 2
        dx = nearest_image(region[0] + half_x - x, size[0])
        dy = nearest_image(region[1] + half_y - y, size[1])
        way = np.empty((2, 2))
        way[0, 0], way[0, 1] = x, y
        way[1, 0] = x + np.sign(dx) * max(0.0, abs(dx) - half_x)
        way[1, 1] = y + np.sign(dy) * max(0.0, abs(dy) - half_y)
        return way
    way = np.empty((len(points) + 1, 2))
    way[0, 0], way[0, 1] = x, y
    for k in range(len(points)):
        way[k + 1, 0] = way[k, 0] + nearest_image(points[k, 0] - way[k, 0], size[0])
        way[k + 1, 1] = way[k, 1] + nearest_image(points[k, 1] - way[k, 1], size[1])
    tour(way, tolerance)
    return way


@njit(cache=True, error_model="numpy")
def blocked(
    way: Floats, radius: float, size: Floats, core: Floats, kind: Ints, rounding: Floats,
    low: Floats, high: Floats,
) -> bool:  # fmt: skip
    """Whether a disc of this radius that follows the way overlaps a solid."""
    leg = np.zeros((2, 2))
    for k in range(1, len(way)):
        x, y = way[k - 1, 0], way[k - 1, 1]
        leg[1, 0], leg[1, 1] = way[k, 0] - x, way[k, 1] - y
        if leg[1, 0] == 0 and leg[1, 1] == 0:
            continue
        if size[0] > 0:
            x -= size[0] * np.floor(x / size[0])
        if size[1] > 0:
            y -= size[1] * np.floor(y / size[1])
        for s in range(len(kind)):
            if (
                max(x, x + leg[1, 0]) + radius < low[s, 0]
                or min(x, x + leg[1, 0]) - radius > high[s, 0]
                or max(y, y + leg[1, 1]) + radius < low[s, 1]
                or min(y, y + leg[1, 1]) - radius > high[s, 1]
            ):
                continue
            clear = radius * (1 - GRAZE) + rounding[s]
            if core_distance(leg, 2, core[s], kind[s], -x, -y, clear) < clear:
                return True
    return False


@njit(cache=True, error_model="numpy")
def free_paths(
    start: Floats, radius: Floats, size: Floats, kind: Ints, points: Floats, first: Ints,
    tolerance: Floats,
    region: Floats, bounds: Floats, core: Floats, sort: Ints, rounding: Floats, low: Floats,
    high: Floats,
) -> Floats:  # fmt: skip
    """One length a unit; NaN without a goal or where the straight way is blocked."""
    result = np.full(len(start), np.nan)
    for i in range(len(start)):
        if kind[i] == NO_GOAL:
            continue
        x, y, mine = start[i, 0], start[i, 1], points[first[i] : first[i + 1]]
        way = wanted_way(x, y, mine, tolerance[i], kind[i] == REGION, region[i], size)
        length, room = way_length(way), radius[i] * (1 - GRAZE)
        inside = True
        for k in range(len(way)):
            inside = inside and bounds[0] + room <= way[k, 0] <= bounds[2] - room
            inside = inside and bounds[1] + room <= way[k, 1] <= bounds[3] - room
        if length == 0 or (
            inside and not blocked(way, radius[i], size, core, sort, rounding, low, high)
        ):
            result[i] = length
    return result


def free_path(setting: Setting) -> Floats:
    """Length (N,) of each unit's free path, world units; NaN without a goal or way, or if unknown.

    The shortest way for a disc of the hull's radius, from the start to the edge of the tolerance
    disc or to the region: exact to 1e-6 of it, and not longer (see `sim.navigation.tangents`). On a
    torus it may lead across the seam. A unit that starts nearer to a solid than its radius is taken
    for as thin as that.

    A route runs through all its tolerance discs in the shortest way, to 1e-6 of its length, where
    that is free of solids; where it is not it is not known: NaN.
    """
    goals, shapes = setting.goals, Shapes(setting.solids, setting.size)
    bounds = setting.bounds
    edges = np.array(
        bounds if bounds is not None else (-np.inf, -np.inf, np.inf, np.inf), dtype=float
    )
    paths: Floats = free_paths(
        np.asarray(setting.start, dtype=float), setting.radius, setting.size, goals.kind,
        goals.points, goals.first,
        goals.tolerance, goals.region, edges,
        shapes.corners, shapes.kind, shapes.rounding, shapes.low, shapes.high,
    )  # fmt: skip
    single = (goals.kind == REGION) | ((goals.kind == POINTS) & (np.diff(goals.first) == 1))
    detours = Detours(setting)
    for row in np.flatnonzero(np.isnan(paths) & single).tolist():
        paths[row] = detours.length(row)
    return paths
