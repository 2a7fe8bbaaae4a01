"""Where each agent of a peer heads for now: the same routes for all peers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.overlap import core_distance
from sim.core.shared_cache import njit
from sim.study.setting import REGION, Setting
from sim.study.solids import Shapes

Plan = Callable[[float, Floats, Floats], Sequence[Floats]]
"""From a radius, a place (2,) and the stops (k, 2): for each stop the points (m, 2) on the way to
it from the one before, the stop itself last."""

CLEAR, LOST = 0.8, 0.1
"""An agent heads for the farthest point of its way that a strip as wide as this share of it can
reach; it is lost, and a way is planned anew, where this share cannot reach even the next one."""
INSET, DEEP = 0.5, 5.0
"""Into a region it aims so far from its sides, in radii, or to the middle of a smaller one; and so
far beyond the point where it comes in, so that no agent slows down at the threshold."""


@njit(cache=True, error_model="numpy")
def clear(
    x: float, y: float, px: float, py: float, room: float,
    core: Floats, kind: Ints, rounding: Floats, low: Floats, high: Floats,
) -> bool:  # fmt: skip
    """Whether a disc of radius `room` can go straight from (x, y) to (px, py)."""
    leg = np.zeros((2, 2))
    leg[1, 0], leg[1, 1] = px - x, py - y
    if leg[1, 0] == 0 and leg[1, 1] == 0:
        return True
    for s in range(len(kind)):
        if (
            max(x, px) + room < low[s, 0] or min(x, px) - room > high[s, 0]
            or max(y, py) + room < low[s, 1] or min(y, py) - room > high[s, 1]
        ):  # fmt: skip
            continue
        reach = room + rounding[s]
        if core_distance(leg, 2, core[s], kind[s], -x, -y, reach) < reach:
            return False
    return True


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
    position: Floats, present: Bools, points: Floats, first: Ints, stop: Bools, leg: Ints,
    near: Floats, radius: Floats, region: Floats,
    core: Floats, kind: Ints, rounding: Floats, low: Floats, high: Floats,
    aim: Floats, lost: Bools, onward: Bools,
) -> None:  # fmt: skip
    """Fill `aim` (N, 2), `lost` and `onward` (N,), and move `leg` (N,) on.

    `region` (N, 4) is NaN for units bound for none.
    """
    for i in range(len(position)):
        lost[i] = onward[i] = False
        count = first[i + 1] - first[i]
        x, y = position[i]
        aim[i, 0], aim[i, 1] = x, y
        if not present[i] or count == 0:
            continue
        while leg[i] < count - 1:
            p = first[i] + leg[i]
            if not stop[p] or (points[p, 0] - x) ** 2 + (points[p, 1] - y) ** 2 > near[i] ** 2:
                break
            leg[i] += 1
        last = leg[i]
        while last < count - 1 and not stop[first[i] + last]:
            last += 1
        lost[i] = True
        for k in range(last, leg[i] - 1, -1):
            px, py = points[first[i] + k]
            if k == count - 1 and not np.isnan(region[i, 0]):
                px, py = into(x, y, region[i], DEEP * radius[i])
            room = (CLEAR if k > leg[i] else LOST) * radius[i]
            if k == leg[i]:
                aim[i, 0], aim[i, 1] = px, py
                onward[i] = not stop[first[i] + k]
            if clear(x, y, px, py, room, core, kind, rounding, low, high):
                aim[i, 0], aim[i, 1] = px, py
                leg[i], lost[i] = k, False
                onward[i] = not stop[first[i] + k]
                break


class Course:
    """Keeps the ways of all N units and how far each has come along its own.

    Ways lead through the points of a goal in order, or to the nearest point of a region. Units
    without a goal that can be arrived at stay where they are.
    """

    def __init__(self, setting: Setting, plan: Plan) -> None:
        n = len(setting)
        self._setting, self._plan = setting, plan
        self._shapes = Shapes(setting.solids, setting.size)
        self._region = _inset(setting)
        self._made, self._leg = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        self._aim, self._lost = np.zeros((n, 2)), np.zeros(n, dtype=np.bool_)
        self.onward = np.zeros(n, dtype=np.bool_)
        """(N,) whose place to head for is only passed on the way."""
        self._ways = [self._way(row, place) for row, place in enumerate(setting.start)]
        self._join()

    def __call__(self, position: Floats) -> Floats:
        """The place (N, 2) that each heads for, from where it is (N, 2); NaN rows are ignored."""
        self._look(position)
        rows = np.flatnonzero(self._lost)
        if len(rows):
            self._plan_anew(rows, position)
            self._look(position)
        return self._aim

    def _look(self, position: Floats) -> None:
        setting, shapes = self._setting, self._shapes
        aims(
            position, ~np.isnan(position[:, 0]), self._points, self._first, self._stop, self._leg,
            setting.goals.tolerance, setting.radius, self._region,
            shapes.corners, shapes.kind, shapes.rounding, shapes.low, shapes.high,
            self._aim, self._lost, self.onward,
        )  # fmt: skip

    def _plan_anew(self, rows: Ints, position: Floats) -> None:
        """Plan the rest of the way of some from where they are."""
        for row in rows.tolist():
            begin = self._first[row]
            self._made[row] += np.count_nonzero(self._stop[begin : begin + self._leg[row]])
            self._ways[row] = self._way(row, position[row])
        self._leg[rows] = 0
        self._join()

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

    def _join(self) -> None:
        self._points = np.concatenate([points for points, _ in self._ways])
        self._stop = np.concatenate([stop for _, stop in self._ways])
        self._first = np.cumsum([0, *(len(points) for points, _ in self._ways)])


def _inset(setting: Setting) -> Floats:
    """Where in its region each may aim, (N, 4); NaN for units that have none."""
    region = setting.goals.region
    deep = np.minimum(INSET * setting.radius[:, None], (region[:, 2:] - region[:, :2]) / 2)
    inner = np.concatenate([region[:, :2] + deep, region[:, 2:] - deep], axis=1)
    inner[setting.goals.kind != REGION] = np.nan
    return inner
