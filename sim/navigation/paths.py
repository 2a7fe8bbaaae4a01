"""Ways for single units: A* on the planning grid, then all waypoints skipped that can be.

Which of the waypoints are kept is not decided greedily: of all ways through some of them, in order,
along lines of sight as thick as the hull, the shortest is taken. So it is never longer than before.

The search is compiled here and not a library's. On a map of 512 x 512 with rooms (2 cores, ms a
way): 18 here; scipy's Dijkstra 70, scikit-image's MCP 113 (and it cuts corners), tcod's A* on the
same edges 230, rustworkx's A* 2,700.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats, Ints
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, is_row, within_reach
from sim.core.shared_cache import njit
from sim.navigation.beyond import inside_bounds
from sim.navigation.buckets import Nodes
from sim.navigation.grid import Grid
from sim.navigation.joined import joined_within, nearest_reached
from sim.navigation.passages import Passages
from sim.navigation.search import a_star, ends
from sim.navigation.sight import room_at, sees
from sim.navigation.through import NO_CROSSINGS, Crossings
from sim.navigation.wrapping import inside, nearest_offset

WINDOW = 100
"""Each waypoint may be joined to one of this number that follow."""
CLOSER = 1e-12
"""A way counts as shorter if it is by this share."""


@dataclass(frozen=True, eq=False)
class Path:
    """A way from a start: where to go straight from one point to the next.

    `points` (k, 2), start and end included, k = 0 if there is no way; `planned` (m, 2) the same
    before waypoints were skipped. `reason` tells why it does not lead to the goal that was asked
    for ("" where it does): then there is none, or one to the nearest place that can be reached.
    """

    points: Floats
    planned: Floats
    reason: str = ""
    crossings: Crossings = NO_CROSSINGS
    """The passages that it leads through."""
    passages: Passages | None = None
    """The passages that `crossings` numbers; None until they are known."""

    @property
    def found(self) -> bool:
        """Whether there is a way, though perhaps not to the goal itself."""
        return len(self.points) > 0

    @property
    def length(self) -> float:
        """Of the way, in world units; infinite if there is none."""
        return polyline_length(self.points) if self.found else np.inf


def polyline_length(points: Floats) -> float:
    """Length of a polyline (k, 2)."""
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def plan(grid: Grid, start: ArrayLike, goal: ArrayLike, nearest: bool = False) -> Path:
    """The way from a start (2,) to a goal (2,) for the grid's hull.

    A hull that stands too near a wall first goes to the nearest place where it has room; a goal too
    near a wall is taken for the nearest such place. Where no way leads there, the path is empty and
    says why; with `nearest` it leads to the reachable place nearest to the goal, and says so.
    On a torus it begins at the start's image within the bounds. Raises `BadInput` for places that
    are not two finite numbers.
    """
    sx, sy = inside(grid, *_place(start, "start"))
    gx, gy = _place(goal, "goal")
    gx, gy = (np.array([sx, sy]) + nearest_offset(grid, np.array([gx - sx, gy - sy]))).tolist()
    reason = f"({gx:g}, {gy:g}) lies inside a solid" if room_at(grid, gx, gy) < 0 else ""
    gx, gy = inside_bounds(grid, np.array([[gx, gy]]))[0].tolist()
    if not reason and sees(grid, sx, sy, gx, gy, grid.radius):
        straight = np.array([(sx, sy), (gx, gy)])
        return Path(straight, straight)
    within = joined_within(grid)
    starts, _ = ends(grid, sx, sy, within)
    if not len(starts):
        return _nowhere(f"the start ({sx:g}, {sy:g}) has no room for {_hull(grid)} near it")
    goals, straight_in = ends(grid, gx, gy, within)
    no_way = _refusal(grid, starts, goals, gx, gy)
    reason = reason or no_way
    if reason and not nearest:
        return _nowhere(reason)
    if no_way:
        part = int(grid.label.flat[starts[0]])
        goals = np.array([nearest_reached(grid, part, gx, gy)], np.int32)
        gx, gy = _places(grid, goals)[0].tolist()
    if reason:
        reason += f"; the nearest that can be reached is ({gx:g}, {gy:g})"
    way = a_star(grid, starts, sx, sy, goals, gx, gy)
    last = [(gx, gy)] if straight_in and not no_way else []
    places = [np.array([(sx, sy)]), _places(grid, way), np.reshape(last, (-1, 2))]
    return _pulled(grid, unrolled(grid, np.concatenate(places)), reason)


def unrolled(grid: Grid, points: Floats) -> Floats:
    """Points (k, 2), each but the first in that image which is nearest to the one before."""
    if grid.period[0] == 0:
        return points
    steps = nearest_offset(grid, np.diff(points, axis=0, prepend=points[:1]))
    placed: Floats = points[0] + np.cumsum(steps, axis=0)
    return placed


def _pulled(grid: Grid, planned: Floats, reason: str) -> Path:
    """The path along some of the points planned (k, 2)."""
    planned = planned[np.append(True, (np.diff(planned, axis=0) != 0).any(axis=1))]
    if len(planned) == 1:
        return Path(np.repeat(planned, 2, axis=0), planned, reason)
    turns = _turns(planned)
    return Path(turns[pull(grid, turns)], planned, reason)


def _turns(points: Floats) -> Floats:
    """Without the points, but the second and the last but one, where the way goes straight on."""
    ways = np.diff(points, axis=0)
    cross = ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]
    scale = np.hypot(*ways[:-1].T) * np.hypot(*ways[1:].T)
    keep = np.ones(len(points), np.bool_)
    keep[1:-1] = np.abs(cross) > 1e-9 * scale
    keep[[1, -2]] = True
    return points[keep]


def _refusal(grid: Grid, starts: Nodes, goals: Nodes, gx: float, gy: float) -> str:
    """Why no way leads from one of these nodes to one of those; "" where one does."""
    where = f"({gx:g}, {gy:g})"
    if room_at(grid, gx, gy) < 0 or not len(goals):
        inside = room_at(grid, gx, gy) <= 0
        return (
            f"{where} lies inside a solid" if inside else f"{where} has no room for {_hull(grid)}"
        )
    if not np.isin(grid.label.flat[starts], grid.label.flat[goals]).any():
        return f"no way to {where} is wide enough for {_hull(grid)}"
    return ""


@njit(cache=True, error_model="numpy", nogil=True)
def pull(grid: Grid, points: Floats) -> Ints:
    """Which of the points (k, 2) of a way to keep, so that it is shortest; first and last are.

    Each may be joined to the one after it as it is; to a later one only if a hull may go straight.
    """
    count = len(points)
    length, before = np.full(count, np.inf), np.zeros(count, np.int64)
    length[0] = 0.0
    for i in range(count - 1):
        for j in range(min(i + WINDOW, count - 1), i, -1):
            ax, ay, bx, by = points[i, 0], points[i, 1], points[j, 0], points[j, 1]
            new = length[i] + np.hypot(bx - ax, by - ay)
            if new < length[j] * (1 - CLOSER) and (
                j == i + 1 or sees(grid, ax, ay, bx, by, grid.radius)
            ):
                length[j], before[j] = new, i
    kept = np.empty(count, np.int64)
    at, size = count - 1, 0
    while True:
        kept[size] = at
        size += 1
        if at == 0:
            return kept[:size][::-1].copy()
        at = before[at]


def _places(grid: Grid, nodes: Nodes) -> Floats:
    """Where nodes (k,) lie, (k, 2)."""
    rows, columns = np.divmod(nodes.astype(np.int64), grid.free.shape[1])
    return grid.origin + np.stack([columns, rows], axis=1) * grid.step


def _nowhere(reason: str) -> Path:
    return Path(np.zeros((0, 2)), np.zeros((0, 2)), reason)


def _hull(grid: Grid) -> str:
    return f"a hull of radius {grid.radius:g}"


def _place(given: Any, name: str) -> tuple[float, float]:
    if not is_row(given, 2) or not within_reach(given):
        raise BadInput(f"{name} = {shortened(given)}: must be two numbers, {LARGEST:g} at most")
    x, y = given
    return float(x), float(y)
