"""Planning anew only what a change touches gives what planning everything anew gives."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.shapes import Box, Disc, Polygon, Wall
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation import bends, readying, remarching, renewal
from sim.navigation.areas import Area, slowness
from sim.navigation.chart import Chart
from sim.navigation.flow import as_targets, flow_field
from sim.navigation.grid import planning_grid
from sim.navigation.remarching import renewed_field
from sim.navigation.renewal import renewed_grid
from sim.world import World

from .making import noise, rooms, tile_map

WALLED = Plane((0, 0, 40, 30), "wall")
CORNERS = Solids().joined([Box(0, 0, 1, 1).solids, Box(39, 29, 40, 30).solids])
"""So that the lattice does not change."""


def some_shapes(rng, count):
    """Shapes of all kinds inside the walled plane."""
    for k in range(count):
        (x, y), (w, h) = rng.uniform((2, 2), (36, 26)), rng.uniform(0.3, 6, 2)
        corners = [(x, y), (x + w, y + h / 3), (x + w / 2, y + h), (x - 0.1, y + h / 2)]
        kinds = (
            Box(x, y, x + w, y + h),
            Disc(x, y, w / 2),
            Wall(x, y, x + w, y - h),
            Polygon(corners),
        )
        yield kinds[k % 4].solids


def cells(grid):
    """The solids near each cell, whatever their numbers: all of them, and which are where."""
    near = {k: grid.solids[k].tobytes() for k in np.unique(grid.items)}
    known, number = sorted(set(near.values())), np.zeros(len(grid.solids), np.int64)
    for k, solid in near.items():
        number[k] = known.index(solid)
    cell = np.repeat(np.arange(len(grid.first) - 1), np.diff(grid.first))
    return known, np.unique(cell * len(known) + number[grid.items]).tolist()


def check(renewed, planned):
    """All arrays of two grids are equal, but for the numbers of the solids."""
    for name in ("origin", "step", "free", "exits", "gap", "bounds", "period"):
        assert np.array_equal(getattr(renewed, name), getattr(planned, name)), name
    assert np.array_equal(renewed.label, planned.label)
    assert cells(renewed) == cells(planned)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])
def test_shapes_that_come_and_go(seed):
    """Grid and field after each of a row of changes equal those planned from nothing."""
    rng = np.random.default_rng(seed)
    shapes, radius, goal = list(some_shapes(rng, 16)), 0.4, as_targets([(1.0, 1.0)])
    there = set(range(0, 16, 2))
    base = CORNERS if seed % 2 else Solids()  # on a lattice that stays, and on one that changes
    grid = planning_grid(base.joined([shapes[k] for k in sorted(there)]), WALLED, radius)
    field = flow_field(grid, goal)
    for _ in range(6):
        there ^= set(rng.choice(16, 2, replace=False).tolist())
        solids = base.joined([shapes[k] for k in sorted(there)])
        planned = planning_grid(solids, WALLED, radius)
        grid = renewed_grid(grid, solids, WALLED, None)
        check(grid, planned)
        field = renewed_field(field, grid)
        whole = flow_field(planned, goal)
        assert np.array_equal(field.distance, whole.distance)
        assert field.reason == whole.reason


@pytest.mark.parametrize("high", [2.0, 0.9, 7.0, 1.2, 1000.0])
@pytest.mark.parametrize("seed", range(3))
def test_doors_on_a_tile_map(seed, high):
    """The same among the tiles of a map, for hulls that just fit and a goal that may be shut in.

    Tiles are square, broad or high, and so are the cells between nodes. With 1.2 the diagonal that
    Python works out differs from that of the compiled code by the last bit; with 1000 there was not
    enough memory.
    """
    tiles, rng = tile_map(noise(24, seed, 0.25)), np.random.default_rng(seed)
    tiles = type(tiles)(tiles.solid, (2.0, high))
    plane, base = Plane(tiles.bounds, "wall"), Solids(boxes=tiles.boxes)
    grid = planning_grid(base, plane, 0.7, tiles)
    rows, columns = np.nonzero(grid.free)
    goal = as_targets([grid.origin + grid.step * (columns[40], rows[40])])
    field = flow_field(grid, goal)
    for _ in range(8):
        x, y = rng.uniform(0, 46, 2)
        door = Box(x, y, x + 0.5, y + rng.uniform(1, 8)).solids
        for solids in (base.joined([door]), base):
            grid = renewed_grid(grid, solids, plane, tiles)
            planned = planning_grid(solids, plane, 0.7, tiles)
            check(grid, planned)
            field = renewed_field(field, grid)
            assert np.array_equal(field.distance, flow_field(planned, goal).distance)


def test_a_change_far_off_touches_few_nodes(monkeypatch):
    """A disc at the far end of the ground leaves nearly all distances as they were."""
    base = CORNERS.joined([Box(10, 0, 11, 20).solids])
    field = flow_field(planning_grid(base, WALLED, 0.4), as_targets([(1.0, 3.0)]))
    seen, march = [], remarching._march_again
    monkeypatch.setattr(
        remarching, "_march_again", lambda *args: seen.append(len(args[3])) or march(*args)
    )
    grid = renewed_grid(field.grid, base.joined([Disc(36, 26, 1).solids]), WALLED, None)
    again = renewed_field(field, grid)
    assert 0 < seen[0] < 0.02 * grid.free.size
    assert (again.distance != field.distance).sum() < 0.05 * grid.free.size


def test_a_point_that_shuts_one_side_of_a_triangle():
    """Nodes of a large map lie so far apart that one may block a way that no other node is on.

    The distance that was measured across the triangle stayed, 0.012 too short.
    """
    tiles = TileMap(rooms(512))
    plane, base = Plane(tiles.bounds, "wall"), Solids(boxes=tiles.boxes)
    grid = planning_grid(base, plane, 0.3, tiles)
    field = flow_field(grid, as_targets([(250.3, 250.1)]))
    again = renewed_grid(grid, base.joined([Disc(173.78, 271.0, 0.005).solids]), plane, tiles)
    whole = flow_field(again, field.targets).distance
    assert np.array_equal(renewed_field(field, again).distance, whole)
    assert (whole != field.distance).any()


def test_a_door_that_opens_as_another_shuts_all_off():
    """A way that comes to be between nodes that were far apart hides no change behind it.

    Three corridors between thin walls, joined at the right and at the left. The first is shut as
    the last two are joined at the right too: 228,000 nodes kept distances, and no way led there.
    """
    plane, corners = Plane((0, 0, 400, 300), "wall"), [(0, 0, 9, 9), (391, 291, 400, 300)]
    walls = [(0, 95, 360), (380, 95, 400), (0, 195, 20), (40, 195, 360), (380, 195, 400)]
    shapes = [*(Box(*ends) for ends in corners), *(Wall(x, y, to, y) for x, y, to in walls)]
    base = Solids().joined([shape.solids for shape in shapes])
    before = base.joined([Wall(360, 195, 380, 195).solids])
    field = flow_field(planning_grid(before, plane, 0.1), as_targets([(20.0, 30.0)]))
    after = base.joined([Wall(300, 0, 300, 95).solids])
    grid = renewed_grid(field.grid, after, plane, None)
    whole = flow_field(grid, field.targets).distance
    assert np.isinf(whole[grid.free > 0]).mean() > 0.7
    assert np.array_equal(renewed_field(field, grid).distance, whole)


@pytest.mark.parametrize("shut", [False, True])
def test_parts_of_the_ground_are_numbered_as_if_all_were_numbered_anew(shut):
    """A door that shuts a room off, and one that leaves another way in, near and far."""
    walls = [Box(10, 0, 11, 14).solids, Box(10, 16, 11, 30).solids]
    if not shut:
        walls[1] = Box(10, 16, 11, 28).solids
    base = CORNERS.joined(walls)
    grid, door, parts = planning_grid(base, WALLED, 0.4), Box(10, 14, 11, 16).solids, []
    for solids in (base.joined([door]), base, base.joined([Disc(10.5, 15, 0.8).solids])):
        grid = renewed_grid(grid, solids, WALLED, None)
        check(grid, planning_grid(solids, WALLED, 0.4))
        parts.append(int(grid.label.max()) + 1)
    assert parts == ([2, 1, 2] if shut else [1, 1, 1])


def test_a_door_with_another_way_beside_it_has_not_all_numbered_anew(monkeypatch):
    """To number the parts of 512 x 512 nodes took three quarters of the time of a new grid."""
    walls = [(0, 14), (16, 17), (19, 30)]
    base = CORNERS.joined([Box(10, top, 11, bottom).solids for top, bottom in walls])
    grid, door = planning_grid(base, WALLED, 0.4), base.joined([Box(10, 14, 11, 16).solids])
    planned = planning_grid(door, WALLED, 0.4)
    monkeypatch.setattr(renewal, "regions", None)
    check(renewed_grid(grid, door, WALLED, None), planned)
    check(renewed_grid(planned, base, WALLED, None), grid)


def test_on_a_torus_all_is_planned_anew():
    """Where the plane wraps the result is that of planning from nothing, too."""
    torus, one, two = Plane((0, 0, 20, 20), "wrap"), Box(5, 5, 7, 9).solids, Disc(19, 3, 2).solids
    grid = planning_grid(one, torus, 0.5)
    renewed = renewed_grid(grid, one.joined([two]), torus, None)
    check(renewed, planning_grid(one.joined([two]), torus, 0.5))
    goal = as_targets([(10.0, 10.0)])
    field = renewed_field(flow_field(grid, goal), renewed)
    assert np.array_equal(field.distance, flow_field(renewed, goal).distance)


def test_a_chart_hands_on_what_areas_cost():
    """Where nodes lie where they lay, what areas cost them is not worked out again."""
    torus, mud = Plane((0, 0, 40, 30), "wrap"), (Area(Box(5, 5, 20, 20), 1.0, 3.0, None),)
    before = Chart(Solids(), torus, None)
    cost = before.slowness(0.4, mud)
    after = Chart(Box(10, 10, 12, 12).solids, torus, None, before)
    assert after.slowness(0.4, mud) is cost
    assert np.array_equal(slowness(after.grid(0.4), mud, torus), cost)
    assert after.slowness(0.8, mud).shape != cost.shape


def test_a_chart_hands_on_passages_that_are_alike():
    """A change that makes no narrow place leaves the passages the very ones that were."""
    base = CORNERS.joined([Box(10, 0, 11, 14).solids, Box(10, 15.2, 11, 30).solids])
    chart = Chart(base, WALLED, None)
    was = chart.passages(0.4)
    assert len(was.mouths) == 1
    after = Chart(base.joined([Box(30, 10, 32, 12).solids]), WALLED, None, chart)
    assert after.passages(0.4) is was
    shut = Chart(base.joined([Box(10, 14, 11, 15.2).solids]), WALLED, None, after)
    assert not len(shut.passages(0.4).mouths)


def test_a_renewed_field_is_told_its_passages_anew():
    """Two doors that stay as they are: a box on wide ground makes the other one the nearer."""
    walls = [(0, 8), (9.2, 20.8), (22, 30)]
    base = CORNERS.joined([Box(20, top, 21, bottom).solids for top, bottom in walls])
    chart, goal = Chart(base, WALLED, None), as_targets([(30.0, 15.2)])
    field = chart.flow(goal, 0.4)
    box = Box(24.5, 16.5, 25.5, 26).solids
    after = Chart(base.joined([box]), WALLED, None, chart)
    assert after.passages(0.4) is field.passages
    told = after.with_passages(after.renewed(field)).through
    known = Chart(base.joined([box]), WALLED, None).flow(goal, 0.4).through
    for one, other in zip(told, known, strict=True):
        assert np.array_equal(one, other)
    assert (told.passage != field.through.passage).any()


def test_passages_that_are_alike_are_known_after_a_chart_has_settled():
    """The ground of before is let go first; node by node they were compared within a step."""
    base = CORNERS.joined([Box(10, 0, 11, 14).solids, Box(10, 15.2, 11, 30).solids])
    chart = Chart(base, WALLED, None)
    was = chart.passages(0.4)
    after = Chart(base.joined([Box(30, 10, 32, 12).solids]), WALLED, None, chart)
    after.settle()
    assert after.passages(0.4) is was


def test_the_code_for_a_first_change_is_loaded_before_it(monkeypatch):
    """Adding the first part calls each kernel that a change takes: a door that closes loads none.

    Loaded at the first closing, on a map of 512 x 512, they took 15 ms of planning, and 20 where
    they had to come from disk.
    """
    called = []
    kernels = [
        (renewal, "relisted"), (renewal, "_mark_again"), (remarching, "_march_again"),
        (bends, "_mark"), (bends, "_bent"),
    ]  # fmt: skip
    for module, name in kernels:
        kernel = getattr(module, name)

        def spy(*given, kernel=kernel, name=name):
            called.append(name)
            return kernel(*given)

        monkeypatch.setattr(module, name, spy)
    readying.ready_for_changes.cache_clear()
    World(bounds=(0, 0, 9, 9), edges="wall").add_solid(Disc(4, 4, 1))
    assert set(called) == {name for _, name in kernels}
