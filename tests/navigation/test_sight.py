"""Lines of sight as thick as a hull."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation import planning_grid
from sim.navigation.distances import from_segment
from sim.navigation.sight import in_sight, room_at, sees

from .making import OPEN, clearances, noise, on_tiles, rooms

NUMBERS = st.floats(-10, 10).map(lambda x: round(x, 3))
PLACE = st.tuples(NUMBERS, NUMBERS)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_ray_goes_where_all_of_it_keeps_its_distance(data):
    """The same answer as measuring every solid along the whole ray."""
    discs = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS, st.floats(0.01, 2)), max_size=4))
    walls = data.draw(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=4))
    corners = data.draw(
        st.lists(st.tuples(PLACE, st.floats(0.1, 5), st.floats(0.1, 5)), max_size=3)
    )
    boxes = [(x, y, x + w, y + h) for (x, y), w, h in corners]
    plane = data.draw(st.sampled_from([OPEN, Plane((-11, -11, 11, 11), "wall")]))
    grid = planning_grid(Solids.of(discs, boxes, walls), plane, 0.6)
    for _ in range(20):
        (ax, ay), (bx, by) = data.draw(PLACE), data.draw(PLACE)
        away = min((from_segment(ax, ay, bx, by, solid) for solid in grid.solids), default=np.inf)
        assert sees(grid, ax, ay, bx, by, 0.6) == (away >= 0.6 * (1 - 1e-9))
        assert sees(grid, ax, ay, bx, by, 0.1) == (away >= 0.1 * (1 - 1e-9))


@pytest.mark.parametrize("tiles", [rooms(33, 8, 1), noise(30, 2, 0.1)], ids=["rooms", "noise"])
def test_rays_on_maps(tiles):
    """Seen is what sampling the ray finds clear, to the accuracy of the sampling."""
    rng = np.random.default_rng(4)
    grid, ground, plane = on_tiles(tiles, 0.3)
    starts = rng.uniform(0.5, len(tiles) - 0.5, (300, 2))
    ends = starts + rng.uniform(-6, 6, starts.shape)
    seen = [sees(grid, *a, *b, 0.3) for a, b in zip(starts, ends, strict=True)]
    room = clearances(starts, ends, ground, plane)
    assert np.array_equal(
        np.array(seen)[abs(room - 0.3) > 0.01], (room > 0.3)[abs(room - 0.3) > 0.01]
    )
    assert 10 < sum(seen) < 290


def test_room_is_the_distance():
    """As far as the radius; negative outside walled bounds and inside discs."""
    ground, plane = Solids.of([[0, 0, 1]], [[3, -1, 5, 1]], []), Plane((-5, -5, 9, 9), "wall")
    grid = planning_grid(ground, plane, 0.8)
    for x, y in np.random.default_rng(1).uniform(-6, 10, (300, 2)):
        depth = ground.depth(np.array([[x, y]]), plane)[0]
        if depth < 0:
            assert room_at(grid, x, y) == pytest.approx(min(0.8, -depth))
        else:
            assert room_at(grid, x, y) <= 0


def test_a_pressed_hull_sees_along_its_wall():
    """One that is nearer to a wall than its radius is as thin as it takes to stand there."""
    grid = planning_grid(Solids.of([], [], [[0, 0, 10, 0]]), OPEN, 0.5)
    starts = np.array([[2.0, 0.45], [2.0, 0.45], [2.0, 0.45]])
    ends = np.array([[8.0, 0.45], [8.0, 0.4], [8.0, -0.5]])
    assert in_sight(grid, starts, ends).tolist() == [True, False, False]
