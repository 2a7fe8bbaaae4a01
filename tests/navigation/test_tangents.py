"""Shortest ways, exactly: against a slow search through many points on all the circles."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from numba import njit
from scipy.sparse.csgraph import dijkstra

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation import planning_grid
from sim.navigation.distances import from_segment
from sim.navigation.edges import edge_points
from sim.navigation.paths import plan
from sim.navigation.rounds import rounds
from sim.navigation.tangents import shortest

from .making import OPEN, on_tiles, rooms

CIRCLE, EDGE = (2 * np.pi * np.arange(count) / count for count in (60, 240))


@njit(cache=True)
def _lengths(points, solids, bounds, radius):
    """Lengths of all straight ways between points (k, 2) that keep off everything, else 0."""
    found = np.zeros((len(points), len(points)))
    for i in range(len(points)):
        for j in range(i):
            ax, ay, bx, by = points[i, 0], points[i, 1], points[j, 0], points[j, 1]
            free = min(ax, bx) >= bounds[0] + radius and max(ax, bx) <= bounds[2] - radius
            free = free and min(ay, by) >= bounds[1] + radius and max(ay, by) <= bounds[3] - radius
            for solid in solids:
                free = free and from_segment(ax, ay, bx, by, solid) >= radius
            if free:
                found[i, j] = found[j, i] = np.hypot(bx - ax, by - ay)
    return found


def slowly(grid, start, goal):
    """The shortest way through points a little outside the circles: too long, but by little."""
    parts = [np.array([start])]
    for x, y, radius in rounds(grid).circle:
        off = radius / np.cos(CIRCLE[1] / 2) * (1 + 1e-9)
        parts.append(np.stack([x + off * np.cos(CIRCLE), y + off * np.sin(CIRCLE)], axis=1))
    left, top, right, bottom, tolerance = goal
    if left == right:
        edge = np.stack([left + tolerance * np.cos(EDGE), top + tolerance * np.sin(EDGE)], axis=1)
        inside = np.hypot(start[0] - left, start[1] - top) <= tolerance
    else:
        t = np.linspace(0, 1, 60)[:, None]
        corners = np.array(
            [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        )
        edge = np.concatenate([a + t * (b - a) for a, b in pairwise(corners)])
        inside = left <= start[0] <= right and top <= start[1] <= bottom
    if inside:
        return 0.0
    points = np.concatenate([*parts, edge])
    lengths = _lengths(points, grid.solids, grid.bounds, grid.radius * (1 - 1e-9))
    return dijkstra(lengths, indices=0)[-len(edge) :].min()


def exactly(grid, start, goal, most=inf):
    """What is to be tested."""
    goal = np.array(goal, dtype=float)
    around = rounds(grid)
    return shortest(grid, around, *start, goal, edge_points(grid, around, goal), most)


@pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 30))]
)
def test_among_random_solids(seed):
    """As short as the slow search finds it, to the accuracy of that one, and never longer."""
    rng = np.random.default_rng(seed)
    low = rng.uniform(-6, 5, (2, 2))
    ground = Solids.of(
        np.column_stack([rng.uniform(-6, 6, (1, 2)), rng.uniform(0.3, 2, 1)]),
        np.hstack([low, low + rng.uniform(0.5, 4, (2, 2))]),
        rng.uniform(-6, 6, (2, 4)),
    )
    plane = Plane((-9, -9, 9, 9), "wall") if seed % 2 else OPEN
    grid = planning_grid(ground, plane, 0.4)
    compared = 0
    for _ in range(5):
        start, (x, y) = rng.uniform(-8, 8, (2, 2))
        if (-ground.depth(np.array([start]), plane) < 0.4).any():
            continue
        goals = [(x, y, x, y, rng.uniform(0.1, 1)), (x, y, x + 1.5, y + 0.7, 0.0)]
        for goal in goals:
            known = slowly(grid, start, goal)
            found = exactly(grid, start, goal)
            if known == inf:
                continue  # the slow one does not find a gap that it has no point in
            if known > 0:
                assert known * (1 - 3e-3) - 0.015 <= found <= known * (1 + 1e-7)
                compared += found < inf
    assert compared > 0


def test_never_longer_than_a_planned_way():
    """On a map of rooms, through doors as wide as the hull; nor shorter than is straight."""
    rng = np.random.default_rng(2)
    for radius in (0.5, 0.3):
        grid, _, _ = on_tiles(rooms(41, 8, 3), radius)
        free = np.argwhere(~rooms(41, 8, 3))[:, ::-1] + 0.5
        for start, end in free[rng.integers(len(free), size=(12, 2))]:
            path = plan(grid, start, end)
            found = exactly(grid, start, (*end, *end, 0.0))
            assert np.hypot(*(end - start)) * (1 - 1e-9) <= found
            assert found <= path.length * (1 + 1e-9)
            assert (found < inf) == path.found


def test_a_bound_changes_nothing_but_the_work():
    """A way below it is found as without; none is, below its own length."""
    grid, _, _ = on_tiles(rooms(25, 6, 1), 0.3)
    goal = (21.5, 22.5, 21.5, 22.5, 0.2)
    length = exactly(grid, (1.5, 1.5), goal)
    assert length < inf
    assert exactly(grid, (1.5, 1.5), goal, length * 1.001) == length
    assert exactly(grid, (1.5, 1.5), goal, length * 0.999) == inf


def test_exits_behind_corners():
    """A way ends where it comes to the edge of its goal, also while it winds round something."""
    grid = planning_grid(Solids.of([], [], [[0, -20, 0, 0]]), OPEN, 1.0)
    for goal in [(0.5, -0.3, 0.5, -0.3, 1.0), (0.2, -1, 0.6, 0.5, 0.0), (1.5, -9, 1.5, -9, 1.2)]:
        known = slowly(grid, (-5.0, -4.0), goal)
        assert exactly(grid, (-5.0, -4.0), goal) == pytest.approx(known, rel=5e-3)
