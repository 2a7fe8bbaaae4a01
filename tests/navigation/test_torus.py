"""Ways on a torus: across the seams, as on a plane that has no edge."""

import heapq
from itertools import pairwise
from math import hypot

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation import flow_field, plan, planning_grid, search
from sim.navigation.grid import MOST_NODES, lattice
from sim.navigation.marking import ACROSS, DOWN
from sim.navigation.sight import in_sight
from sim.navigation.trails import trails

SIZE = np.array([24.0, 18.0])
PLANE = Plane((-4.0, 3.0, 20.0, 21.0), "wrap")
RADIUS = 0.5


def ground(seed):
    """Boxes, discs and walls by chance, many of them across a seam."""
    rng = np.random.default_rng(seed)
    low = PLANE.origin + rng.uniform(0, SIZE, (9, 2))
    boxes = np.column_stack([low, low + rng.uniform(0.5, (5, 3), (9, 2))])
    discs = np.column_stack([PLANE.origin + rng.uniform(0, SIZE, (3, 2)), rng.uniform(0.3, 2, 3)])
    return Solids.of(discs, boxes, [[1, 3, 1, 13], [-4, 6, 4, 6]])


def by_dijkstra(grid, start, goal):
    """Length of the shortest way by eight directions, nodes taken modulo the periods."""
    rows, columns = (n - 1 for n in grid.free.shape)
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        length, (row, column) = heapq.heappop(queue)
        if (row, column) == goal:
            return length
        for k in range(8):
            if length <= best[row, column] and grid.exits[row, column] >> k & 1:
                other = (row + DOWN[k]) % rows, (column + ACROSS[k]) % columns
                new = length + hypot(ACROSS[k] * grid.step[0], DOWN[k] * grid.step[1])
                if new < best.get(other, np.inf):
                    best[other] = new
                    heapq.heappush(queue, (new, other))
    return np.inf


def ends(grid, rng):
    """Two walkable nodes, and where they lie."""
    nodes = np.argwhere(grid.free[:-1, :-1])
    a, b = nodes[rng.integers(len(nodes), size=2)]
    return tuple(a), tuple(b), grid.origin + a[::-1] * grid.step, grid.origin + b[::-1] * grid.step


def along(way):
    """Places all along a polyline, on the plane."""
    parts = [a + np.linspace(0, 1, 80)[:, None] * (b - a) for a, b in pairwise(way)]
    return PLANE.origin + np.mod(np.concatenate(parts) - PLANE.origin, SIZE)


@pytest.mark.parametrize("seed", [0, 1])
def test_as_short_as_dijkstra_on_a_wrapped_lattice(seed):
    """Paths and fields are no longer than its ways, no shorter than the beeline, and keep clear."""
    solids, rng = ground(seed), np.random.default_rng(seed)
    grid = planning_grid(solids, PLANE, RADIUS)
    for _ in range(6):
        a, b, start, goal = ends(grid, rng)
        known = by_dijkstra(grid, a, b)
        beeline = np.hypot(*PLANE.nearest(goal - start))
        path = plan(grid, start, goal + rng.integers(-1, 2, 2) * SIZE)
        assert path.found == np.isfinite(known)
        if not path.found:
            continue
        assert beeline - 1e-9 <= path.length <= known + 1e-9
        assert -solids.depth(along(path.points), PLANE).max() > RADIUS - 1e-6
        np.testing.assert_allclose(PLANE.nearest(path.points[-1] - goal), 0, atol=1e-9)
        assert beeline - 1e-6 <= flow_field(grid, goal).distance[a] <= 1.001 * known


def test_where_the_seam_lies_is_no_matter():
    """All moved by part of a period, the ways are as long."""
    solids, rng = ground(3), np.random.default_rng(3)
    grid = planning_grid(solids, PLANE, RADIUS)
    shift = grid.step * (31, 17)
    moved = Solids(
        solids.discs + np.append(shift, 0), solids.boxes + np.tile(shift, 2),
        solids.walls + np.tile(shift, 2),
    )  # fmt: skip
    other = planning_grid(moved, PLANE, RADIUS)
    for _ in range(6):
        a, _, start, goal = ends(grid, rng)
        path, same = plan(grid, start, goal), plan(other, start + shift, goal + shift)
        assert path.length == pytest.approx(same.length, rel=1e-6)
        there = tuple(np.add(a, (17, 31)) % np.subtract(grid.free.shape, 1))
        assert flow_field(other, goal + shift).distance[there] == pytest.approx(
            flow_field(grid, goal).distance[a], rel=1e-6
        )


def test_sight_across_the_seam():
    """A hull sees another image of a place just where no solid, nor its image, is in between."""
    solids, rng = ground(1), np.random.default_rng(1)
    grid = planning_grid(solids, PLANE, RADIUS)
    starts = PLANE.origin + rng.uniform(0, SIZE, (300, 2))
    starts = starts[-solids.depth(starts, PLANE) > RADIUS]
    goals = starts + rng.uniform(-0.45, 0.45, starts.shape) * SIZE
    seen = in_sight(grid, starts, goals)
    room = [-solids.depth(along([a, b]), PLANE).max() for a, b in zip(starts, goals, strict=True)]
    clear = np.abs(np.array(room) - RADIUS) > 0.05
    assert 0.1 < seen.mean() < 0.9
    np.testing.assert_array_equal(seen[clear], (np.array(room) > RADIUS)[clear])


def test_a_field_leads_across_the_seam():
    """Whoever follows it comes to the place, and no further than it said."""
    solids = Solids.of([], [], [[0, 3, 0, 21], [8, 5, 8, 21]])
    grid = planning_grid(solids, PLANE, RADIUS)
    field, here, gone = flow_field(grid, (-2.0, 12.0)), np.array([[4.0, 12.0]]), 0.0
    _, said = field.sample(here)
    assert said[0] > 18.0
    for _ in range(600):
        to, _ = field.sample(here)
        step = PLANE.nearest(to - here)
        far = float(np.hypot(*step[0]))
        if far < 1e-6:
            break
        here, gone = here + step * min(1.0, 0.1 / far), gone + min(far, 0.1)
    np.testing.assert_allclose(PLANE.nearest(here - (-2.0, 12.0)), 0, atol=1e-6)
    assert gone == pytest.approx(said[0], rel=0.02)


def test_trails_lead_to_the_nearest_by_way():
    """Each node knows the unit its way leads to; units that no way leads from are told apart."""
    solids = Solids.of([], [[12, 12, 16, 12.5], [12, 15.5, 16, 16], [12, 12, 12.5, 16],
                            [15.5, 12, 16, 16]], [[0, 3, 0, 21]])  # fmt: skip
    grid = planning_grid(solids, PLANE, 0.3)
    places = np.array([[-3.0, 12.0], [6.0, 12.0]])
    units = np.array([[18.0, 12.0], [3.0, 12.0], [-1.0, 4.0], [1.0, 4.0], [14.0, 14.0]])
    found = trails(grid, places, units)
    assert found.nearest_of(units[:4]).tolist() == [0, 1, 0, 1]
    assert found.cut.tolist() == [False] * 4 + [True]
    to, left = found.field.sample(units[4:])
    assert np.isfinite(left[0])
    assert np.abs(to[0] - 14.0).max() < 2.0


@pytest.mark.parametrize("half", [13.0, 30.0, 1e12])
def test_a_region_longer_than_a_period_is_everywhere(half: float):
    """Nothing is left to go to it, and the work does not grow with it: once round is enough."""
    grid = planning_grid(ground(2), PLANE, RADIUS)
    middle = PLANE.origin + SIZE / 2
    field = flow_field(grid, [*(middle - half), *(middle + half)])
    assert (field.distance[grid.free > 0] == 0).all()
    long = np.array([half, 1.0])
    low, high = middle - long, middle + long
    band = flow_field(grid, [*low, *high])
    whole = flow_field(grid, [middle[0] - 12, low[1], middle[0] + 12, high[1]])
    assert np.array_equal(band.distance, whole.distance)


@pytest.mark.parametrize(
    "size", [(200.0, 1e12), (1e12, 200.0), (1.0, 1e6), (1e12, 1e12), (3.0, 9.0)]
)
def test_few_nodes_on_tori_of_any_shape(size):
    """A torus far longer than it is wide has a coarse lattice, and no more nodes than others."""
    plane = Plane((0.0, 0.0, *size), "wrap")
    _, _, columns, rows = lattice(np.empty((0, 8)), plane, 0.5, None)
    assert columns * rows <= 1.5 * MOST_NODES  # one node more a side, four cells at the least


class Counted:
    """The nodes of a grid that are free, and how often one is looked at."""

    def __init__(self, free):
        self.shape, self.flat, self.looks, self._free = free.shape, self, 0, free.ravel()

    def __getitem__(self, at):
        self.looks += 1
        return self._free[at]


def test_a_place_far_from_all_nodes_looks_at_no_node_over_and_over(monkeypatch):
    """At most twice round each way: a torus of 1e9 by 200 took 7 s a hull for 5,000,000 rounds."""
    grid = planning_grid(Solids(), Plane((0, 0, 200, 4), "wrap"), 0.5)
    nearest = search.nearest_node(grid, 7.0, 2.0, 1.0)
    monkeypatch.setattr(search, "room_at", lambda *_: 0.0)
    monkeypatch.setattr(search, "thickness_at", lambda *_: 0.0)
    free = Counted(grid.free)
    found = search.nearest_node.py_func(grid._replace(free=free), 7.0, 2.0, 2e3)
    assert found == nearest
    assert free.looks <= 4 * grid.free.size


def test_a_field_refuses_a_place_that_is_none():
    """A ray from NaN has no end on a torus: the kernel would look along it without end."""
    torus = planning_grid(Solids(boxes=[[4, 2, 5, 8]]), Plane((0, 0, 12, 10), "wrap"), 0.5)
    with pytest.raises(BadInput, match="positions: must be finite numbers"):
        flow_field(torus, (9, 5)).sample(np.array([(np.nan, 3.0)]))
