"""Narrow passages are found from clearance, and ways know which of them they lead through."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.flow import flow_field
from sim.navigation.grid import planning_grid
from sim.navigation.mouths import MOUTHS, mouths_of
from sim.navigation.passages import find_passages
from sim.navigation.paths import plan
from sim.navigation.through import INSIDE, along_field, along_route

RADIUS = 0.5


def hall(gap: float, thick: float = 2.0, scale: float = 1.0):
    """The planning grid of two rooms, joined by a gap of some hulls in a thick wall."""
    half, side = gap * RADIUS, thick / 2
    boxes = np.array([[-side, -9, side, -half], [-side, half, side, 9]]) * scale
    plane = Plane(tuple(scale * np.array([-12.0, -9.0, 12.0, 9.0])), "wall")
    return planning_grid(Solids.of([], boxes, []), plane, RADIUS * scale)


@pytest.mark.parametrize(
    ("gap", "thick"), [(1.2, 0.1), (1.7, 0.1), (1.2, 2.0), (2.4, 2.0), (1.7, 8.0), (2.4, 8.0)]
)
def test_a_door_too_narrow_for_two_is_a_passage(gap, thick):
    """One passage, a mouth on either side, in line with the door.

    In a thin wall two hulls pass each other in a gap of 2.4 hulls: there the thick walls count.
    """
    found = find_passages(hall(gap, thick))
    assert len(found.mouths) == 1
    mouths = found.mouths[0][np.isfinite(found.mouths[0, :, 0])]
    assert sorted(np.sign(mouths[:, 0]).tolist()) == [-1, 1]
    assert np.abs(mouths[:, 1]).max() < 0.2


def test_a_wide_door_and_an_empty_room_hold_none():
    """Where two streams pass each other nobody has to wait, nor in the corners of a room."""
    assert len(find_passages(hall(3.3)).mouths) == 0


@pytest.mark.parametrize(("gap", "lanes"), [(1.2, 1), (2.4, 1), (2.8, 2), (3.0, 2)])
@pytest.mark.parametrize("thick", [2.0, 8.0])
def test_lanes_of_a_passage(gap, lanes, thick):
    """Two hulls pass each other in the wider ones, two streams in none of them."""
    assert find_passages(hall(gap, thick)).lanes.tolist() == [lanes]


def test_scaled_ground_has_the_same_passages():
    """Nothing depends on the size of a world unit."""
    plain, large = find_passages(hall(1.4)), find_passages(hall(1.4, scale=30.0))
    assert np.allclose(large.mouths[0, :2], 30.0 * plain.mouths[0, :2])


def test_pillars_that_stand_close_are_no_passage():
    """Ground with many mouths has other ways round: a wood of pillars is not closed to one side."""
    places = np.stack(np.meshgrid(np.arange(-6, 7, 2.2), np.arange(-6, 7, 2.2)), axis=-1)
    discs = np.column_stack([places.reshape(-1, 2), np.full(places.size // 2, 0.4)])
    grid = planning_grid(Solids.of(discs, [], []), Plane(), RADIUS)
    assert len(find_passages(grid).mouths) == 0


def test_a_field_tells_the_next_passage():
    """Ahead of the door it is named with how far it is; inside it is 0; beyond there is none."""
    grid = hall(1.4)
    passages = find_passages(grid)
    field = flow_field(grid, (8, 0))
    table = along_field(grid, (field.distance, field.lengths), passages)
    columns = grid.free.shape[1]

    def at(x: float):
        column = round((x - grid.origin[0]) / grid.step[0])
        row = round((0 - grid.origin[1]) / grid.step[1])
        node = row * columns + column
        return [int(part[node]) for part in table[:3]], float(table.ahead[node])

    left = int(np.argmin(passages.mouths[0, :2, 0]))
    # The lattice covers the wall and a hull more on either side.
    before, inside, beyond = at(-1.9), at(0.0), at(1.9)
    assert before[0] == [0, left, 1 - left]
    assert before[1] == pytest.approx(-1.9 - passages.mouths[0, left, 0], abs=0.6) or before[1] > 0
    assert inside == ([0, -1, 1 - left], 0.0)
    assert beyond[0][0] == -1


def test_a_route_tells_the_same_as_a_field():
    """Entry and exit, and where along the way."""
    grid = hall(1.4)
    passages = find_passages(grid)
    way = plan(grid, (-8, 3), (8, 3))
    crossed = along_route(way.points, passages)
    left = int(np.argmin(passages.mouths[0, :2, 0]))
    assert crossed.through.tolist() == [[0, left, 1 - left]]
    enters, leaves = crossed.span[0]
    assert 0 < enters < leaves < way.length
    assert leaves - enters == pytest.approx(2.0, abs=1.5)


def test_a_way_that_ends_inside_says_so():
    """A place in the corridor itself has no exit beyond."""
    grid = hall(1.4, thick=8.0)
    crossed = along_route(plan(grid, (-8, 0), (0, 0)).points, find_passages(grid))
    assert crossed.through[0, 2] == INSIDE == MOUTHS
    assert crossed.span[0, 1] == np.inf


def test_a_way_past_a_door_leads_through_none():
    """Along the wall, across the mouth of a door, and on: it only grazes the passage."""
    grid = hall(2.4)
    crossed = along_route(np.array([(-1.6, -6.0), (-1.6, 6.0)]), find_passages(grid))
    assert len(crossed.span) == 0


def test_ground_across_a_thin_wall_is_no_mouth():
    """A mouth without a node had its middle at NaN, and counted as one more way out."""
    inside, wide = np.zeros((2, 7, 9), np.bool_)
    inside[3, 2:5] = wide[3, :2] = wide[3, 5] = True
    wide[1:6, 7:] = True  # beyond a wall one step thick
    middles, mouth = mouths_of(inside, wide)
    np.testing.assert_array_equal(middles, [(3, 1), (3, 5)])
    assert mouth[3].tolist() == [0, 1, 0, 0, 0, 2, 0, 0, 0]
