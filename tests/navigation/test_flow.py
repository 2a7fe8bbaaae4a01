"""Flow fields."""

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.resources import folder
from sim.core.solids import Solids
from sim.maps import read
from sim.navigation import flow_field, plan, planning_grid
from sim.navigation.beyond import from_beyond
from sim.navigation.flow import by_ring

from .making import OPEN, clearance, noise, on_tiles, places, rooms, tile_map


def walk(field, starts, step, most):
    """Tracks (t, n, 2) of points that follow the field until they are there."""
    at, tracks = np.array(starts, dtype=float), [np.array(starts, dtype=float)]
    for _ in range(most):
        aim, remaining = field.sample(at)
        away = np.hypot(*(aim - at).T)
        at = at + (aim - at) * np.minimum(1, step / np.maximum(away, 1e-12))[:, None]
        tracks.append(at)
        if (remaining < 1e-9).all():
            break
    return np.array(tracks)


def test_distances_on_open_ground():
    """Straight ones, within 1 %: no grid direction is preferred."""
    grid, _, _ = on_tiles(np.zeros((60, 80), bool), 0.5)
    field = flow_field(grid, (21.3, 30.2))
    known = np.hypot(*(places(grid) - (21.3, 30.2)).T)
    found = field.distance[grid.free > 0]
    assert (found >= known * (1 - 1e-9)).all()
    assert (found <= known * 1.01 + 1e-9).all()
    aim, remaining = field.sample(places(grid))
    assert remaining == pytest.approx(known)  # all see it
    assert aim == pytest.approx(np.broadcast_to((21.3, 30.2), aim.shape))


def test_distances_round_a_disc():
    """Behind a disc: tangents and the arc between them, within 2 %."""
    grid = planning_grid(Solids.of([[0, 0, 3.0]], [], []), Plane((-12, -12, 12, 12), "wall"), 1.0)
    field = flow_field(grid, (-9.0, 0.0))
    for x in (5.0, 7.0, 10.0):
        arc = 4 * (np.pi - np.arccos(4 / 9) - np.arccos(4 / x))
        known = np.sqrt(81 - 16) + np.sqrt(x * x - 16) + arc
        _, remaining = field.sample(np.array([[x, 0.0]]))
        assert known * 0.999 <= remaining[0] <= known * 1.02


def test_nothing_beyond_the_lattice_is_read():
    """In all its outermost cells: as Python, where an index beyond an array is an error."""
    grid = planning_grid(Solids.of([[0, 0, 3.0]], [], []), Plane((-12, -12, 12, 12), "wall"), 1.0)
    field, rows, columns = flow_field(grid, (-9.0, 0.0)), *(n - 1.5 for n in grid.free.shape)
    for row in (0.5, rows / 2, rows):
        for column in (0.5, columns / 2, columns):
            x, y = (grid.origin + grid.step * (column, row)).tolist()
            assert by_ring.py_func(grid, field.marched, x, y)[2] >= 0


@pytest.mark.parametrize("tiles", [rooms(33, 8, 1), noise(24, 2)], ids=["rooms", "noise"])
@pytest.mark.parametrize("radius", [0.5, 0.3])
def test_about_as_short_as_paths(tiles, radius):
    """Never longer than the way by eight directions, and hardly shorter than the path."""
    grid, _, _ = on_tiles(tiles, radius)
    rng, free = np.random.default_rng(3), places(grid)
    field = flow_field(grid, free[5])
    for start in free[rng.integers(len(free), size=20)]:
        path = plan(grid, start, free[5])
        _, remaining = field.sample(start[None])
        assert np.isfinite(remaining[0]) == path.found
        if path.found:
            by_grid = np.hypot(*np.diff(path.planned, axis=0).T).sum()
            assert 0.93 * path.length - 0.1 <= remaining[0] <= by_grid + 1e-9


@pytest.mark.parametrize("radius", [0.5, 0.4, 0.1])
@pytest.mark.parametrize("tiles", [rooms(33, 8, 1), noise(24, 2)], ids=["rooms", "noise"])
def test_followers_arrive_and_touch_nothing(tiles, radius):
    """From every walkable node, through doors and corridors of one tile, without a wall met."""
    grid, ground, plane = on_tiles(tiles, radius)
    part = grid.label == np.bincount(grid.label[grid.label >= 0]).argmax()
    starts = places(grid, part)[::41]
    tracks = walk(flow_field(grid, starts[3]), starts, 0.2, 900)
    assert tracks[-1] == pytest.approx(np.broadcast_to(starts[3], starts.shape))
    room = -ground.depth(tracks.reshape(-1, 2), plane)
    assert room.min() >= radius * (1 - 1e-6)


def test_nobody_is_sent_into_a_wall():
    """Also from where a unit is pressed against a wall or into a corner: it never gets closer."""
    tiles = rooms(25, 6, 1)
    grid, ground, plane = on_tiles(tiles, 0.45)
    field = flow_field(grid, places(grid)[20])
    at = np.random.default_rng(1).uniform(0, 25, (2000, 2))
    room = -ground.depth(at, plane)
    at, room = at[room > 0.05], room[room > 0.05]
    aim, remaining = field.sample(at)
    assert (np.hypot(*(aim - at).T)[np.isfinite(remaining)] > 0).all()
    for share in np.linspace(0, 1, 9):
        there = -ground.depth(at + share * (aim - at), plane)
        assert (there >= np.minimum(room, 0.45) * (1 - 1e-6)).all()
    _, onward = field.sample(aim)
    known = np.isfinite(remaining)
    closer = (remaining - onward)[known] - 0.9 * np.hypot(*(aim - at).T)[known]
    assert (closer > -0.02).all()


@pytest.mark.parametrize("name", ["hallway", "maze", "level"])
def test_on_the_maps_that_come_along(name):
    """From both camps to the other one's, for units just as wide as a tile too."""
    tiles = read(folder("maps") / f"{name}.tmx")
    ground, plane = Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall")
    for radius in (7.0, 15.0):
        grid = planning_grid(ground, plane, radius, tiles)
        starts = np.array([tiles.named("red").centre])
        field = flow_field(grid, tiles.named("blue").box)
        tracks = walk(field, starts, 5.0, 1000)[:, 0]
        left, top, right, bottom = tiles.named("blue").box
        assert left - 1e-9 <= tracks[-1, 0] <= right
        assert top - 1e-9 <= tracks[-1, 1] <= bottom
        assert clearance(tracks, ground, plane, 1.0) >= radius * (1 - 1e-6)


def test_several_points_and_regions():
    """The nearest of several; anywhere in a region, and nothing remains inside."""
    grid, _, _ = on_tiles(np.zeros((20, 20), bool), 0.5)
    at = np.array([[3.0, 3.0], [16.0, 15.0], [11.0, 9.0]])
    _, two = flow_field(grid, [(2, 3), (18, 15)]).sample(at)
    assert two == pytest.approx([1, 2, np.hypot(7, 6)])
    aim, region = flow_field(grid, (10, 8, 12, 10)).sample(at)
    assert region == pytest.approx([np.hypot(7, 5), np.hypot(4, 5), 0])
    assert aim.tolist() == [[10, 8], [12, 10], [11, 9]]


def test_from_beyond_the_grid():
    """On an open plane from anywhere to anywhere, round what is in between."""
    ground = Solids.of([], [[-2, -5, 2, 5]], [])
    grid = planning_grid(ground, OPEN, 0.5)
    starts = np.array([[-40.0, 0.5], [30.0, -1.0], [0.0, 60.0]])
    tracks = walk(flow_field(grid, (50.0, 0.0)), starts, 0.5, 400)
    assert tracks[-1] == pytest.approx(np.broadcast_to((50.0, 0.0), (3, 2)))
    assert (-ground.depth(tracks.reshape(-1, 2), OPEN)).min() >= 0.5 - 1e-6


def test_where_no_way_leads():
    """The place itself, an infinite rest, and a reason where nobody gets there."""
    grid, _, _ = on_tiles(tile_map(["...#...", "...#...", "...#..."]), 0.5)
    aim, remaining = flow_field(grid, (0.5, 0.5)).sample(np.array([[5.5, 1.5], [1.5, 1.5]]))
    assert aim.tolist() == [[5.5, 1.5], [0.5, 0.5]]
    assert remaining[0] == np.inf
    assert remaining[1] == pytest.approx(np.sqrt(2))
    blocked = flow_field(planning_grid(Solids.of([], [[0, 0, 9, 9]], []), OPEN, 0.5), (4, 4))
    assert blocked.reason == "a hull of radius 0.5 has no room there"
    assert not np.isfinite(blocked.distance).any()


@pytest.mark.usefixtures("shared_out")
def test_the_number_of_units_does_not_matter():
    """The same aim in a crowd, on several threads, as alone."""
    grid, _, _ = on_tiles(rooms(33, 8, 1), 0.4)
    field, rng = flow_field(grid, places(grid)[9]), np.random.default_rng(2)
    at = rng.uniform(0, 33, (400, 2))
    aim, remaining = field.sample(at)
    for i in range(0, len(at), 50):
        alone = field.sample(at[i : i + 1])
        assert np.array_equal(alone[0][0], aim[i])
        assert alone[1][0] == remaining[i]


@pytest.mark.parametrize(
    "destination", [3.0, (1, 2, 3), (5, 5, 1, 9), (0, np.nan), np.zeros((0, 2))]
)
def test_what_is_no_destination(destination):
    """Refused, in one line."""
    with pytest.raises(BadInput, match="destination = "):
        flow_field(planning_grid(Solids(), OPEN, 0.5), destination)


@pytest.mark.parametrize("side", [(-20, 15), (70, 15), (20, -30), (20, 90), (-20, -30), (80, 75)])
def test_from_beyond_the_best_of_the_border_is_taken(side):
    """Places beyond the lattice: no node of the sides that face them leads on a shorter way."""
    ground = Solids(boxes=[(10, 0, 12, 30), (30, 20, 32, 60), (0, 55, 25, 57)])
    grid = planning_grid(ground, OPEN, 0.5)
    field = flow_field(grid, (20.0, 45.0))
    rng = np.random.default_rng(0)
    for place in np.array(side) + rng.uniform(-5, 5, (5, 2)):
        remaining = from_beyond(grid, field.distance, field.lengths, *place, 1.0)[2]
        ny, nx = grid.free.shape
        high = grid.origin + (nx - 1, ny - 1) * grid.step
        faces = []
        for axis, count in ((0, ny), (1, nx)):
            for end, out in ((0, place < grid.origin), (nx + ny - 1 - count, place > high)):
                if out[axis]:
                    nodes = np.full((count, 2), end)
                    nodes[:, 1 - axis] = np.arange(count)
                    away = np.hypot(*(grid.origin + nodes * grid.step - place).T)
                    faces.append(field.distance[nodes[:, 1], nodes[:, 0]] + away)
        assert remaining == pytest.approx(np.concatenate(faces).min(), rel=1e-12)


@pytest.mark.parametrize(
    "region", [(25, 2, 38, 38), (-30, -40, -9, 15), (3, 44, 30, 60), (26, -30, 33, -12)]
)
def test_a_region_beyond_the_lattice(region):
    """It is as far as the nearest place in it, not as far as its middle."""
    wall = Solids(boxes=np.array([(20.0, 0, 21, 33), (20, 35, 21, 40)]))
    field = flow_field(planning_grid(wall, Plane(), 0.3), np.array(region, float))
    far = Solids(discs=np.array([(-35.0, -45, 0.01), (45, 65, 0.01)]))
    whole = flow_field(planning_grid(wall.joined([far]), Plane(), 0.3), np.array(region, float))
    spots = np.random.default_rng(1).uniform((19, -1), (22, 41), (200, 2))
    spots = spots[wall.depth(spots, Plane()) < -0.35]
    found, known = field.sample(spots)[1], whole.sample(spots)[1]
    assert np.allclose(found, known, atol=0.35, rtol=0.02)
