"""The free path where solids stand in the straight way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.edges import edge_points
from sim.navigation.flow import FlowField, flow_field
from sim.navigation.grid import GRAZE, Grid, planning_grid
from sim.navigation.paths import plan
from sim.navigation.rounds import Rounds, rounds
from sim.navigation.sight import room_at
from sim.navigation.tangents import shortest
from sim.study.pairs import on_tile
from sim.study.setting import REGION, Setting

Key = tuple[float, bytes]
T = TypeVar("T")

FEW, HOPE = 4, 1.02
"""Units of one goal that are looked at one by one; and how much longer than a flow field says a way
may be."""
KEPT = 16
"""Goals whose fields and edges are remembered: as many as one has images on a torus, and more."""
SPARE = 1e-6
"""Share by which a way that is known to exist is taken for longer, as a bound for shorter ones."""


class Detours:
    """Shortest ways round the solids of a setting, unit by unit."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._solids = images(setting.solids, setting.size)
        walled = setting.bounds is not None
        self._plane = Plane(setting.bounds, "wall") if walled else Plane()
        self._known: dict[float, tuple[Grid, Rounds]] = {}
        self._asked: Counter[bytes] = Counter()
        self._edges: dict[Key, Floats] = {}
        self._fields: dict[Key, FlowField] = {}

    def length(self, row: int) -> float:
        """Length of a unit's way to its point or region; NaN if there is none."""
        setting = self._setting
        size = setting.size
        start_x, start_y = setting.start[row].tolist()
        x, y = on_tile(start_x, start_y, size)
        grid, around = self._ground(float(setting.radius[row]))
        room = room_at(grid, x, y)
        if room <= 0:
            return np.nan
        if room < grid.radius * (1 - GRAZE):
            grid, around = self._ground(room)
        best, ways = np.inf, _shifts(size)
        goals = [self._goal(row) + np.append(np.tile(way, 2), 0.0) for way in ways]
        for goal in sorted(goals, key=lambda each: _straight(x, y, each)):
            points, found = self._points(grid, around, goal), np.inf
            hoped = self._by_field(grid, x, y, goal)
            if hoped < np.inf:
                most = min(best, hoped)
                found = shortest(grid, around, x, y, goal, points, most * (1 + SPARE))
            if found == np.inf and (hoped == np.inf or hoped < best):  # or too hopeful
                most = min(best, self._bound(grid, x, y, goal))
                found = shortest(grid, around, x, y, goal, points, most * (1 + SPARE))
            best = min(best, found)
        return best if best < np.inf else np.nan

    def _points(self, grid: Grid, around: Rounds, goal: Floats) -> Floats:
        """Where a way may end on the edge of a goal; remembered for the next unit."""
        key = grid.radius, goal.tobytes()
        return _kept(self._edges, key, lambda: edge_points(grid, around, goal))

    def _by_field(self, grid: Grid, x: float, y: float, goal: Floats) -> float:
        """About the length of the way, and a little more, where many share a goal; else infinite.

        A field costs as much as a few ways, and then serves all.
        """
        self._asked[goal.tobytes()] += 1
        if self._asked[goal.tobytes()] <= FEW:
            return np.inf
        key = grid.radius, goal.tobytes()
        field = _kept(self._fields, key, lambda: flow_field(grid, goal[:4]))
        _, left = field.sample(np.array([(x, y)]))
        return float(left[0]) * HOPE + 2 * float(grid.step.max())

    def _goal(self, row: int) -> Floats:
        """The goal of a unit as `shortest` takes it."""
        goals = self._setting.goals
        if goals.kind[row] == REGION:
            return np.append(goals.region[row], 0.0)
        point = goals.points[goals.first[row]]
        return np.array([*point, *point, goals.tolerance[row]])

    def _ground(self, radius: float) -> tuple[Grid, Rounds]:
        """The grid for a radius, and what ways wind round."""
        if radius not in self._known:
            grid = planning_grid(self._solids, self._plane, radius, self._setting.tiles)
            self._known[radius] = grid, rounds(grid)
        return self._known[radius]

    def _bound(self, grid: Grid, x: float, y: float, goal: Floats) -> float:
        """The length of some way that is known; infinite without one."""
        middle = (goal[:2] + goal[2:4]) / 2
        path = plan(grid, (x, y), middle)
        reached = path.found and bool((path.points[-1] == middle).all())
        return path.length if reached else np.inf


def _kept(store: dict[Key, T], key: Key, make: Callable[[], T]) -> T:
    """What a store has for a key, made if need be; the store forgets what it was told first."""
    if key not in store:
        if len(store) >= KEPT:
            del store[next(iter(store))]
        store[key] = make()
    return store[key]


def _straight(x: float, y: float, goal: Floats) -> float:
    return float(np.hypot(*(np.clip((x, y), goal[:2], goal[2:4]) - (x, y))))


def _shifts(size: Floats) -> Floats:
    """Whole periods (k, 2) by which images of a goal lie off; just none where nothing wraps."""
    ways = [np.array([0.0, -side, side]) if side > 0 else np.zeros(1) for side in size.tolist()]
    return np.stack(np.meshgrid(*ways), axis=-1).reshape(-1, 2)


def images(solids: Solids, size: Floats) -> Solids:
    """Solids with their images a period around, on a torus of a size (2,); 0 does not wrap."""
    shifts = _shifts(size)

    def moved(rows: Floats, ends: int) -> Floats:
        move = np.zeros((len(shifts), rows.shape[1]))
        move[:, : 2 * ends] = np.tile(shifts, ends)
        return (rows[None] + move[:, None]).reshape(-1, rows.shape[1])

    polygons = tuple(each + shift for each in solids.polygons for shift in shifts)
    return Solids(
        moved(solids.discs, 1), moved(solids.boxes, 2), moved(solids.walls, 2), polygons
    )  # fmt: skip
