"""Arrival: which units are where they wanted to be, or rest in a chain that ends there; when."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.overlap import Turned, core_distance
from sim.core.shared_cache import njit
from sim.study.contacts import Contacts
from sim.study.frame import Frame, Observer
from sim.study.pairs import short_way, short_ways
from sim.study.setting import NO_GOAL, POINTS, REGION, Setting
from sim.study.travel import REST, Travel, whole_steps
from sim.study.walls import Walls

GAP = 0.5
"""Links of a chain are less than this share of the smaller radius apart."""


@njit(cache=True, error_model="numpy")
def links(
    pairs: Ints, resting: Bools, shared: Ints, position: Floats, size: Floats, radius: Floats,
    hulls: Turned,
) -> Ints:  # fmt: skip
    """The pairs (m, 2) of resting units with one point that are less than half a radius apart."""
    found, m, corners, count = np.empty_like(pairs), 0, hulls.corners, hulls.count
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        if not (resting[i] and resting[j] and shared[i] == shared[j]):
            continue
        dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        dx, dy = short_way(dx, dy, size)
        skin, gap = hulls.rounding[i] + hulls.rounding[j], GAP * min(radius[i], radius[j])
        apart = core_distance(corners[i], count[i], corners[j], count[j], dx, dy, skin + gap)
        if apart - skin < gap:
            found[m, 0], found[m, 1] = pairs[p, 0], pairs[p, 1]
            m += 1
    return found[:m]


@njit(cache=True, error_model="numpy")
def spread(link: Ints, joined: Bools) -> None:
    """Let `joined` (N,) spread along the links until it spreads no further."""
    changed = True
    while changed:
        changed = False
        for p in range(len(link)):
            i, j = link[p, 0], link[p, 1]
            if joined[i] != joined[j]:
                joined[i] = joined[j] = changed = True


def chained(setting: Setting, frame: Frame, resting: Bools, final: Floats) -> Bools:
    """Which resting units (N,) are in a chain that ends at one within tolerance of the point.

    So a crowd round one point has arrived though only a few fit on it.

    Every unit of a chain shares the point; `final` (N, 2) is each unit's. A gap is measured between
    the hulls, and compared with half the smaller of the two radii.
    """
    offset = short_ways(frame.position - final, setting.size)
    joined = resting & (np.hypot(offset[:, 0], offset[:, 1]) <= setting.goals.tolerance)
    if not joined.any():
        return joined
    link = links(
        frame.pairs, resting, setting.goals.shared, frame.position, setting.size, setting.radius,
        frame.hulls,
    )  # fmt: skip
    spread(link, joined)
    return joined


class Targets(NamedTuple):
    """What of `Goals` says where units arrive, as kernels take it."""

    kind: Ints
    points: Floats
    first: Ints
    tolerance: Floats
    region: Floats


@njit(cache=True, error_model="numpy")
def within(
    x: float, y: float, px: float, py: float, half_x: float, half_y: float, size: Floats
) -> tuple[float, float]:
    """How far (x, y) lies outside a box around (px, py), by axis, on a torus the short way."""
    dx, dy = short_way(x - px, y - py, size)
    return max(0.0, abs(dx) - half_x), max(0.0, abs(dy) - half_y)


@njit(cache=True, error_model="numpy")
def reach_goals(
    position: Floats, present: Bools, size: Floats, targets: Targets, leg: Ints, arrived: Bools
) -> None:
    """Move each unit on past the points it is within tolerance of; mark units that have arrived."""
    kind, points, first, region = targets.kind, targets.points, targets.first, targets.region
    for i in range(len(position)):
        if arrived[i] or not present[i] or kind[i] == NO_GOAL:
            continue
        x, y = position[i, 0], position[i, 1]
        if kind[i] == REGION:
            left, top, right, bottom = region[i, 0], region[i, 1], region[i, 2], region[i, 3]
            half_x, half_y = (right - left) / 2, (bottom - top) / 2
            if size[0] > 0 or size[1] > 0:
                out = within(x, y, left + half_x, top + half_y, half_x, half_y, size)
                arrived[i] = out[0] == 0 and out[1] == 0
            else:
                arrived[i] = left <= x <= right and top <= y <= bottom
            continue
        while first[i] + leg[i] < first[i + 1]:
            p = first[i] + leg[i]
            dx, dy = within(x, y, points[p, 0], points[p, 1], 0.0, 0.0, size)
            if not np.sqrt(dx * dx + dy * dy) <= targets.tolerance[i]:
                break
            leg[i] += 1
        arrived[i] = first[i] + leg[i] == first[i + 1]


class Arrival(Observer):
    """When each unit arrived and what it had done by then; nothing of it is undone later.

    `step` (N,) is the frame of arrival, -1 before; `time` in s, `path` in world units, `effort`
    (integral of speed squared), `contacts` (walls included) are those at that frame. A unit arrives
    when it is within tolerance of its point (the last of a route, visited in order) or has its
    centre in its region; where several units share one point, and stay there, also when it has
    rested for 1 s in a chain of resting units (see `chained`), as of when that rest began. Times
    count from when a unit came in; one that is sent elsewhere has yet to arrive there.
    """

    columns: ClassVar = {
        "_leg": 0, "_arrived": False, "_since": 0.0, "step": -1, "time": np.nan, "path": np.nan,
        "effort": np.nan, "contacts": np.nan, "came": 0.0, "entered": True, "gone": False,
        "again": False, "_sent": False, "_last": np.nan,
    }  # fmt: skip

    def __init__(self, setting: Setting, travel: Travel, contacts: Contacts, walls: Walls) -> None:
        super().__init__(setting)
        n, self._travel = len(setting), travel
        self._contacts, self._walls, self._time = contacts, walls, 0.0
        self._rest = whole_steps(REST, setting.time_step)
        self._shares = bool(np.any(setting.goals.shared >= 0))
        self._leg = np.zeros(n, dtype=np.int64)
        self._arrived = np.zeros(n, dtype=np.bool_)
        self._since = np.zeros((n, 4))
        """Time, path, effort and contacts at the frame at which the present rest began."""
        self.step = np.full(n, -1, dtype=np.int64)
        self.time, self.path = np.full(n, np.nan), np.full(n, np.nan)
        self.effort, self.contacts = np.full(n, np.nan), np.full(n, np.nan)
        self.came = np.zeros(n)
        """When each came in, s."""
        self.entered, self.gone, self.again = np.zeros((3, n), dtype=np.bool_)
        """Whether that was after the start; whether it has left; whether it was sent elsewhere
        after it had arrived: its time is then not that of one way."""
        self._sent = np.zeros(n, dtype=np.bool_)
        """Which were sent elsewhere since the last frame."""
        self._last = np.full((n, 2), np.nan)
        """Where each was at the last frame."""

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came, or were sent elsewhere: those of a new setting have these old rows."""
        sent = setting.goals.others(self._setting.goals, old_rows)
        super().follow(setting, old_rows)
        self.came[old_rows < 0] = self._time
        self.again |= sent & self._arrived
        self._sent |= sent
        for name in ("_leg", "_arrived", "step", "time", "path", "effort", "contacts"):
            getattr(self, name)[sent] = self.columns[name]
        self._shares = bool(np.any(setting.goals.shared >= 0))

    @property
    def arrives(self) -> Bools:
        """(N,) whether a unit has a goal that can be arrived at."""
        kinds: Bools = self._setting.goals.kind != NO_GOAL
        return kinds

    def observe(self, frame: Frame) -> None:
        """Take in the next frame, after `travel`, contacts and walls have."""
        self.gone, self._time = ~frame.present, frame.time
        size, goals = self._setting.size, self._setting.goals
        targets = Targets(goals.kind, goals.points, goals.first, goals.tolerance, goals.region)
        # one that is sent to an exit where it stands is out before the next frame
        out = self._sent & self.gone & ~np.isnan(self._last[:, 0])
        position = np.where(out[:, None], self._last, frame.position)
        reach_goals(position, frame.present | out, size, targets, self._leg, self._arrived)
        self._sent[:], self._last = False, np.where(self.gone[:, None], np.nan, frame.position)
        new = np.flatnonzero(self._arrived & (self.step < 0))
        if len(new):
            self.step[new] = frame.step
            self._write(new, self._now(frame.time, new))
        if self._shares:
            self._rest_in_chains(frame)

    def _now(self, time: float, rows: Ints) -> Floats:
        travel = self._travel.done
        touched = self._contacts.per_unit[rows] + self._walls.contacts[rows]
        return np.column_stack(
            [time - self.came[rows], travel.path[rows], travel.effort[rows], touched]
        )

    def _write(self, rows: Ints, done: Floats) -> None:
        self.time[rows], self.path[rows], self.effort[rows], self.contacts[rows] = done.T

    def _rest_in_chains(self, frame: Frame) -> None:
        rested = self._travel.done.rested
        moved = np.flatnonzero(rested == 0)
        if len(moved):
            self._since[moved] = self._now(frame.time, moved)
        goals = self._setting.goals
        last_leg = self._leg >= np.diff(goals.first) - 1
        resting = (rested >= self._rest) & (goals.shared >= 0) & last_leg & frame.present
        if not np.any(resting & ~self._arrived):
            return
        final = goals.points[np.where(goals.kind == POINTS, goals.first[1:] - 1, 0)]
        joined = chained(self._setting, frame, resting, final)
        new = np.flatnonzero(joined & ~self._arrived)
        self._arrived[new] = True
        self.step[new] = frame.step - rested[new]
        self._write(new, self._since[new])

    def settled_step(self, rows: slice, step: int) -> int | None:
        """The first frame from which on no arrived unit moves; None if one does, or none came."""
        arrived = self.step[rows]
        moving = self._travel.done.moving[rows][arrived >= 0]
        arrived = arrived[arrived >= 0]
        if not len(arrived) or np.any((moving >= arrived) & (moving == step)):
            return None
        return int(np.max(np.maximum(arrived, moving + 1)))

    def done(self, step: int) -> bool:
        """Whether every unit with an arrival has arrived and none of them moves.

        Where no unit has one it is so only if none is there.
        """
        if not np.all((self._arrived | self.gone)[self.arrives]):
            return False
        if not self._arrived.any():
            return bool(self.arrives.any() or self.gone.all())  # they have been taken out
        return self.settled_step(slice(None), step) is not None
