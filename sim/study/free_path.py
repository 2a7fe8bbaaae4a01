"""The free path: the way of a unit that is alone, against which its own way is measured."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.shared_cache import njit
from sim.study.detours import Detours
from sim.study.pairs import on_tile, short_ways
from sim.study.setting import NO_GOAL, POINTS, REGION, Setting
from sim.study.solids import Shapes, overlaps

SWEEPS, CLOSE = 2000, 1e-9
"""A tour is improved so often at most, or until its length improves by less than this share."""
GRAZE = 1e-9
"""A path may graze a solid: it is blocked from this share of the radius inward."""


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
    last = count - 1
    way[last, 0], way[last, 1] = into_disc(
        way[last - 1, 0], way[last - 1, 1], centre[last, 0], centre[last, 1], radius
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
            way[k, 0], way[k, 1] = into_disc(x, y, centre[k, 0], centre[k, 1], radius)
        new = way_length(way)
        if sweep > 10 and length - new <= CLOSE * length:
            break
        length = new


@njit(cache=True, error_model="numpy")
def blocked(way: Floats, radius: float, size: Floats, shapes: Shapes) -> bool:
    """Whether a disc of this radius that follows the way overlaps a solid."""
    for k in range(1, len(way)):
        x, y = on_tile(way[k - 1, 0], way[k - 1, 1], size)
        dx, dy = way[k, 0] - way[k - 1, 0], way[k, 1] - way[k - 1, 1]
        if overlaps(x, y, dx, dy, radius * (1 - GRAZE), shapes):
            return True
    return False


def free_path(setting: Setting) -> Floats:
    """Length (N,) of each unit's free path, world units; NaN without a goal or way, or if unknown.

    The shortest way for a disc of the hull's radius, from the start to the edge of the tolerance
    disc or to the region: exact to 1e-6 of it, and not longer (see `sim.navigation.tangents`). On a
    torus it may lead across the seam. A unit that starts nearer to a solid than its radius is taken
    for as thin as that.

    A route runs through all its tolerance discs in the shortest way, to 1e-6 of its length, where
    that is free of solids; where it is not it is not known: NaN.
    """
    goals, shapes = setting.goals, Shapes.of(setting.solids, setting.size)
    edges = np.array(
        (-np.inf, -np.inf, np.inf, np.inf) if setting.bounds is None else setting.bounds
    )
    single = (goals.kind == REGION) | ((goals.kind == POINTS) & (np.diff(goals.first) == 1))
    paths, ends = np.full(len(setting), np.nan), _nearest_ends(setting, single)
    there = ~np.isnan(setting.start[:, 0])
    for row in np.flatnonzero((goals.kind != NO_GOAL) & there).tolist():
        radius, start = float(setting.radius[row]), setting.start[row]
        way = np.stack([start, ends[row]]) if single[row] else _route(setting, row)
        steps, room = np.diff(way, axis=0), radius * (1 - GRAZE)
        length = sum(np.sqrt((steps**2).sum(axis=1)).tolist())
        inside = bool(((way >= edges[:2] + room) & (way <= edges[2:] - room)).all())
        if length == 0 or (inside and not blocked(way, radius, setting.size, shapes)):
            paths[row] = length
    detours = Detours(setting)
    for row in np.flatnonzero(np.isnan(paths) & single & there).tolist():
        paths[row] = detours.length(row)
    return paths


def _nearest_ends(setting: Setting, single: Bools) -> Floats:
    """Where in its region or tolerance disc each unit is soonest, (N, 2), of those with one."""
    goals, start = setting.goals, np.asarray(setting.start, dtype=float)
    half = (goals.region[:, 2:] - goals.region[:, :2]) / 2
    off = short_ways(goals.region[:, :2] + half - start, setting.size)
    ends: Floats = start + np.sign(off) * np.maximum(0.0, np.abs(off) - half)
    rows = np.flatnonzero(single & (goals.kind == POINTS))
    here, radius = start[rows], goals.tolerance[rows, None]
    centre = here + short_ways(goals.points[goals.first[rows]] - here, setting.size)
    off = here - centre
    far = np.sqrt((off**2).sum(axis=1))[:, None]
    ends[rows] = np.where(far <= radius, here, centre + off * radius / np.maximum(far, 1e-300))
    return ends


def _route(setting: Setting, row: int) -> Floats:
    """The shortest way (k, 2) of a unit through all its discs where nothing is in between."""
    goals = setting.goals
    way = [setting.start[row]]
    for point in goals.points[goals.first[row] : goals.first[row + 1]]:
        way.append(way[-1] + short_ways(point - way[-1], setting.size))
    shortened = np.array(way, dtype=float)
    tour(shortened, float(goals.tolerance[row]))
    return shortened
