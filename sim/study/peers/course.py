"""Where each agent of a peer heads for now: the same routes for all peers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit
from sim.study.setting import REGION, Setting
from sim.study.solids import Shapes, overlaps

Plan = Callable[[float, Floats, Floats], Sequence[Floats]]
"""From a radius, a place (2,) and the stops (k, 2): for each stop the points (m, 2) on the way to
it from the one before, the stop itself last."""

CLEAR, LOST = 0.8, 0.1
"""An agent heads for the farthest point of its way that a strip as wide as this share of it can
reach; it is lost, and a way is planned anew, where this share cannot reach even the next one."""
INSET, DEEP = 0.5, 5.0
"""Into a region it aims so far from its sides, in radii, or to the middle of a smaller one; and so
far beyond the point where it comes in, so that no agent slows down at the threshold."""


class Routes(NamedTuple):
    """The ways of all N units through M points, and how far each has come."""

    points: Floats
    """(M, 2) unit by unit."""
    first: Ints
    """(N + 1,) unit i has points[first[i]:first[i + 1]]."""
    stop: Bools
    """(M,) points that are to be reached; the others may be passed by."""
    leg: Ints
    """(N,) number of the point that each is bound for, of its own."""


class Aims(NamedTuple):
    """What each of N units heads for."""

    place: Floats
    """(N, 2)."""
    lost: Bools
    """(N,) which cannot get to its next point in a straight line."""
    onward: Bools
    """(N,) whose place is only passed on the way."""


@njit(cache=True, error_model="numpy")
def into(x: float, y: float, region: Floats, deep: float) -> tuple[float, float]:
    """The point of a region nearest to (x, y), and from there as `deep` as the region is."""
    px, py = min(max(x, region[0]), region[2]), min(max(y, region[1]), region[3])
    dx, dy = px - x, py - y
    far = np.sqrt(dx * dx + dy * dy)
    if far > 0:
        px, py = px + deep * dx / far, py + deep * dy / far
    return min(max(px, region[0]), region[2]), min(max(py, region[1]), region[3])


@njit(cache=True, error_model="numpy")
def aims(
    position: Floats, present: Bools, routes: Routes, near: Floats, radius: Floats,
    region: Floats, shapes: Shapes, found: Aims,
) -> None:  # fmt: skip
    """Fill `found`, and move the legs of the routes on.

    `region` (N, 4) is NaN for units bound for none.
    """
    points, stop, leg = routes.points, routes.stop, routes.leg
    for i in range(len(position)):
        found.lost[i] = found.onward[i] = False
        begin, count = routes.first[i], routes.first[i + 1] - routes.first[i]
        x, y = position[i]
        found.place[i, 0], found.place[i, 1] = x, y
        if not present[i] or count == 0:
            continue
        while leg[i] < count - 1:
            p = begin + leg[i]
            if not stop[p] or (points[p, 0] - x) ** 2 + (points[p, 1] - y) ** 2 > near[i] ** 2:
                break
            leg[i] += 1
        last = leg[i]
        while last < count - 1 and not stop[begin + last]:
            last += 1
        found.lost[i] = True
        for k in range(last, leg[i] - 1, -1):
            px, py = points[begin + k]
            if k == count - 1 and not np.isnan(region[i, 0]):
                px, py = into(x, y, region[i], DEEP * radius[i])
            room = (CLEAR if k > leg[i] else LOST) * radius[i]
            if k == leg[i]:
                found.place[i, 0], found.place[i, 1] = px, py
                found.onward[i] = not stop[begin + k]
            if not overlaps(x, y, px - x, py - y, room, shapes):
                found.place[i, 0], found.place[i, 1] = px, py
                leg[i], found.lost[i] = k, False
                found.onward[i] = not stop[begin + k]
                break


class Course:
    """Keeps the ways of all N units and how far each has come along its own.

    Ways lead through the points of a goal in order, or to the nearest point of a region. Units
    without a goal that can be arrived at stay where they are.
    """

    def __init__(self, setting: Setting, plan: Plan) -> None:
        n = len(setting)
        self._setting, self._plan = setting, plan
        self._shapes = Shapes.of(setting.solids, setting.size)
        self._region = _inset(setting)
        self._made = np.zeros(n, dtype=np.int64)
        self._aims = Aims(np.zeros((n, 2)), *np.zeros((2, n), dtype=np.bool_))
        self._ways = [self._way(row, place) for row, place in enumerate(setting.start)]
        self._routes = self._joined(np.zeros(n, dtype=np.int64))

    @property
    def onward(self) -> Bools:
        """(N,) whose place to head for is only passed on the way."""
        return self._aims.onward

    def __call__(self, position: Floats) -> Floats:
        """The place (N, 2) that each heads for, from where it is (N, 2); NaN rows are ignored."""
        self._look(position)
        rows = np.flatnonzero(self._aims.lost)
        if len(rows):
            self._plan_anew(rows, position)
            self._look(position)
        return self._aims.place

    def _look(self, position: Floats) -> None:
        setting = self._setting
        aims(
            position, ~np.isnan(position[:, 0]), self._routes, setting.goals.tolerance,
            setting.radius, self._region, self._shapes, self._aims,
        )  # fmt: skip

    def _plan_anew(self, rows: Ints, position: Floats) -> None:
        """Plan the rest of the way of some from where they are."""
        routes = self._routes
        for row in rows.tolist():
            begin = routes.first[row]
            self._made[row] += np.count_nonzero(routes.stop[begin : begin + routes.leg[row]])
            self._ways[row] = self._way(row, position[row])
        routes.leg[rows] = 0
        self._routes = self._joined(routes.leg)

    def _way(self, row: int, place: Floats) -> tuple[Floats, Bools]:
        """Points (k, 2) of a unit's way through the stops not made yet, and which are stops."""
        goals, region = self._setting.goals, self._region[row]
        stops = goals.points[goals.first[row] : goals.first[row + 1]][self._made[row] :]
        if not np.isnan(region[0]):
            stops = np.clip(place, region[:2], region[2:])[None]
        if not len(stops):
            return np.zeros((0, 2)), np.zeros(0, dtype=np.bool_)
        legs = self._plan(float(self._setting.radius[row]), place, stops)
        stop = np.zeros(sum(map(len, legs)), dtype=np.bool_)
        stop[np.cumsum([len(leg) for leg in legs]) - 1] = True
        return np.concatenate(legs), stop

    def _joined(self, leg: Ints) -> Routes:
        points, stop = (np.concatenate(part) for part in zip(*self._ways, strict=True))
        first = np.cumsum([0, *(len(points) for points, _ in self._ways)])
        return Routes(points, first, stop, leg)


def _inset(setting: Setting) -> Floats:
    """Where in its region each may aim, (N, 4); NaN for units that have none."""
    region = setting.goals.region
    deep = np.minimum(INSET * setting.radius[:, None], (region[:, 2:] - region[:, :2]) / 2)
    inner = np.concatenate([region[:, :2] + deep, region[:, 2:] - deep], axis=1)
    inner[setting.goals.kind != REGION] = np.nan
    return inner
