"""Paths of single units."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.resources import folder
from sim.core.solids import Solids
from sim.maps import read
from sim.navigation import plan, planning_grid
from sim.navigation.paths import polyline_length

from .making import OPEN, clearance, noise, on_tiles, rooms, shortest, tile_map

SHIPPED = sorted(folder("maps").glob("*.tmx"))


def errand(tiles, rng):
    """Two free tiles, (row, column) each."""
    free = np.argwhere(~tiles)
    a, b = free[rng.integers(len(free), size=2)]
    return tuple(a.tolist()), tuple(b.tolist())


def middle(tile):
    """Where the middle of a tile lies."""
    return tile[1] + 0.5, tile[0] + 0.5


def check(path, grid, ground, plane):
    """What holds of every path: clearance all along, and never longer after skipping."""
    assert polyline_length(path.points) <= polyline_length(path.planned) * (1 + 1e-12)
    for points in (path.points, path.planned):
        apart = max(0.01, grid.radius / 100)
        assert clearance(points, ground, plane, apart) >= grid.radius * (1 - 1e-6)


@pytest.mark.parametrize("tiles", [rooms(25, 6, 1), noise(20, 2)], ids=["rooms", "noise"])
@pytest.mark.parametrize("radius", [0.5, 0.3, 0.05])
def test_as_short_as_the_grid_allows(tiles, radius):
    """Before skipping at most as long as Dijkstra finds it on the tiles, by eight directions."""
    rng = np.random.default_rng(3)
    grid, ground, plane = on_tiles(tiles, radius)
    reached = 0
    for _ in range(14):
        start, goal = errand(tiles, rng)
        known, path = shortest(tiles, start, goal), plan(grid, middle(start), middle(goal))
        assert path.found == (known < np.inf)
        if path.found:
            assert path.reason == ""
            assert np.array_equal(path.points[[0, -1]], [middle(start), middle(goal)])
            assert polyline_length(path.planned) <= known * (1 + 1e-9)
            check(path, grid, ground, plane)
            reached += 1
        else:
            assert "no way to" in path.reason
    assert reached > 4


def test_exactly_as_short_where_the_grid_is_the_tiles():
    """With one node a tile the planned way is the optimum: neither longer nor through a corner."""
    tiles = np.pad(rooms(41, 8, 5), ((0, 560), (0, 560)), constant_values=True)
    grid, _, _ = on_tiles(tiles, 0.5)
    assert grid.step[0] == 1
    for start, goal in (errand(tiles, np.random.default_rng(seed)) for seed in range(12)):
        known, path = shortest(tiles, start, goal), plan(grid, middle(start), middle(goal))
        assert path.found == (known < np.inf)
        if len(path.planned) > 2:
            assert polyline_length(path.planned) == pytest.approx(known)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_on_any_tiles(data):
    """Also on the smallest and oddest maps."""
    columns, rows = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    cells = st.lists(st.booleans(), min_size=columns * rows, max_size=columns * rows)
    tiles = np.array(data.draw(cells)).reshape(rows, columns)
    tiles.flat[0] = False
    grid, ground, plane = on_tiles(tiles, data.draw(st.sampled_from([0.5, 0.4, 0.1])))
    free = np.argwhere(~tiles)
    goal = tuple(free[data.draw(st.integers(0, len(free) - 1))])
    known, path = shortest(tiles, (0, 0), goal), plan(grid, (0.5, 0.5), middle(goal))
    assert path.found == (known < np.inf)
    if path.found:
        assert (
            path.length <= polyline_length(path.planned) * (1 + 1e-12) <= known * (1 + 1e-9) + 1e-9
        )
        check(path, grid, ground, plane)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda path: path.stem)
def test_on_the_maps_that_come_along(file):
    """For units of half a tile, and for those just as wide as one."""
    tiles, rng = read(file), np.random.default_rng(1)
    for radius in (7.0, 15.0):
        grid = planning_grid(Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall"), radius, tiles)
        for _ in range(4):
            start, goal = errand(tiles.solid, rng)
            path = plan(grid, *(tiles.corners([middle(each)])[0] for each in (start, goal)))
            assert path.found == (shortest(tiles.solid, start, goal) < np.inf)
            if path.found:
                check(path, grid, Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall"))


def test_skipping_sees_past_corners():
    """Round one corner: three points, close to the shortest way there is."""
    grid, _, _ = on_tiles(
        tile_map(["#..........", "#.########.", "#.########.", "..........."]), 0.3
    )
    path = plan(grid, (1.5, 2.5), (5.5, 0.5))
    assert len(path.points) <= 4
    assert path.length < 5.6
    assert len(path.planned) > 8


def test_straight_where_nothing_is_in_the_way():
    """Two points, and no search."""
    ground = Solids.of([[5.0, 5.0, 1.0]], [], [])
    path = plan(planning_grid(ground, OPEN, 0.5), (0, 0), (10, 2))
    assert path.points.tolist() == [[0, 0], [10, 2]]
    assert path.length == pytest.approx(sqrt(104))


def test_round_a_disc_from_far_beyond_the_grid():
    """Starts and goals need not lie near the solids; within 1 % of tangents and an arc."""
    ground = Solids.of([[0.0, 0.0, 3.0]], [], [])
    grid = planning_grid(ground, OPEN, 1.0)
    path = plan(grid, (-50, 0.1), (60, 0.2))
    best = sqrt(50**2 - 16) + sqrt(60**2 - 16) + 4 * (np.pi - np.arccos(4 / 50) - np.arccos(4 / 60))
    assert best * (1 - 1e-3) <= path.length <= best * 1.01
    assert clearance(path.points, ground, OPEN) >= 1 - 1e-6


def test_no_way_says_why():
    """Refused with a reason, or led to the nearest place that can be reached, which is said."""
    tiles = tile_map(["......#..", "......#..", "......#..", "......#.."])
    grid, ground, plane = on_tiles(tiles, 0.5)
    path = plan(grid, (0.5, 0.5), (8.5, 3.5))
    assert not path.found
    assert path.length == np.inf
    assert path.reason == "no way to (8.5, 3.5) is wide enough for a hull of radius 0.5"
    near = plan(grid, (0.5, 0.5), (8.5, 3.5), nearest=True)
    assert near.points[-1].tolist() == [5.5, 3.5]
    assert near.reason == f"{path.reason}; the nearest that can be reached is (5.5, 3.5)"
    check(near, grid, ground, plane)
    inside = plan(grid, (0.5, 0.5), (6.5, 2.5))
    assert (inside.found, inside.reason) == (False, "(6.5, 2.5) lies inside a solid")
    assert plan(grid, (0.5, 0.5), (6.4, 2.5), nearest=True).points[-1].tolist() == [5.5, 2.5]


def test_too_wide_for_the_door():
    """A door is a way for one hull and none for another."""
    ground = Solids.of([], [], [[0, -50, 0, -1], [0, 1, 0, 50]])
    plane = Plane((-20, -50, 20, 50), "wall")
    ways = [plan(planning_grid(ground, plane, r, None), (-9, 9), (9, 9)) for r in (0.8, 1.2)]
    assert [way.found for way in ways] == [True, False]


def test_pressed_against_a_wall():
    """A unit that stands too near a wall sets off to where it has room, on its own side."""
    ground, rng = Solids.of([], [], [[0, 0, 10, 0]]), np.random.default_rng(1)
    grid = planning_grid(ground, OPEN, 0.5)
    for x, y in zip(rng.uniform(1, 9, 20), rng.uniform(-0.49, 0.49, 20), strict=True):
        path = plan(grid, (x, y), (5, 4))
        assert path.found
        assert (path.points[1, 1] > 0) == (y > 0) or path.points[1, 0] in path.points[:, 0]
        assert path.points[1, 1] * y > 0
        assert clearance(path.points[1:], ground, OPEN) >= 0.5 - 1e-6
        back = plan(grid, (5, 4), (x, y))
        assert back.found
        assert np.hypot(*(back.points[-1] - (x, y))) < 0.75
        assert clearance(back.points, ground, OPEN) >= 0.5 - 1e-6


def test_a_scaled_world_has_the_same_ways():
    """Nothing depends on what a unit of length is."""
    tiles, rng = rooms(25, 6, 1), np.random.default_rng(7)
    small, large = on_tiles(tiles, 0.3)[0], on_tiles(tiles, 0.3 * 30, 30.0)[0]
    for _ in range(10):
        start, goal = (np.array(middle(each)) for each in errand(tiles, rng))
        one, other = plan(small, start, goal), plan(large, start * 30, goal * 30)
        assert one.points * 30 == pytest.approx(other.points)


def test_a_large_map():
    """512 x 512 tiles of rooms behind thin walls: ways across all of it, and never too near."""
    tiles, rng = rooms(512, 16, 1), np.random.default_rng(5)
    grid, ground, plane = on_tiles(tiles, 0.5)
    found = 0
    for _ in range(6):
        path = plan(grid, *(middle(each) for each in errand(tiles, rng)))
        if path.found:
            assert path.length <= polyline_length(path.planned)
            assert clearance(path.points, ground, plane, 0.1) >= 0.5 * (1 - 1e-6)
            found += 1
    assert found >= 3


@pytest.mark.parametrize("place", [(1.0,), (np.nan, 0.0), (0.0, np.inf), [[0.0, 0.0]]])
def test_places_are_two_numbers(place):
    """Anything else is refused."""
    grid = planning_grid(Solids(), OPEN, 0.5)
    with pytest.raises(BadInput, match=r"start = .*: must be two numbers"):
        plan(grid, place, (0, 0))
    with pytest.raises(BadInput, match=r"goal = .*: must be two numbers"):
        plan(grid, (0, 0), place)


def test_the_nearest_to_a_place_outside_the_bounds():
    """It lies at the bounds, beyond the grid too."""
    plane = Plane((-12, -9, 12, 9), "wall")
    grid = planning_grid(Solids.of((), [[-1, -9, 1, -1], [-1, 1, 1, 9]], ()), plane, 0.5)
    path = plan(grid, (-5, 0), (100, -5), nearest=True)
    np.testing.assert_allclose(path.points[-1], (11.5, -5))
    assert (
        path.reason
        == "(100, -5) lies inside a solid; the nearest that can be reached is (11.5, -5)"
    )
