"""Where a change of the ground may join places to another part of it than before."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.shapes import Box
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.grid import planning_grid
from sim.navigation.joined import joined_within, parts_at
from sim.navigation.renewal import EVERYWHERE, renewed_grid, reshaped

from .making import rooms

SIZE, RADIUS = 64, 0.3


def with_doors(closed):
    """The planning grid of rooms in which these doors, tiles (k, 2) as row and column, are shut."""
    tiles = TileMap(rooms(SIZE))
    shut = [Box(x, y, x + 1, y + 1).solids for y, x in closed]
    return tiles, Solids(boxes=tiles.boxes).joined(shut)


@pytest.mark.parametrize("seed", range(3))
def test_outside_places_are_joined_to_what_they_were_joined_to(seed):
    """Random places, as doors of a house shut and open one by one; most leave another way round."""
    rng, plane = np.random.default_rng(seed), Plane((0, 0, SIZE, SIZE), "wall")
    open_ = np.argwhere(~rooms(SIZE))
    doors = [(y, x) for y, x in open_.tolist() if (y % 16 == 0) != (x % 16 == 0)]
    closed, boxes = set(), []
    tiles, solids = with_doors(closed)
    grid = planning_grid(solids, plane, RADIUS, tiles)
    for _ in range(12):
        closed ^= {doors[rng.integers(len(doors))]}
        tiles, solids = with_doors(sorted(closed))
        after = renewed_grid(grid, solids, plane, tiles)
        within, box = joined_within(after), reshaped(grid, after)
        boxes.append(tuple(box))
        places = rng.uniform(0, SIZE, (2000, 2))
        out = ~((places >= box[:2]) & (places <= box[2:])).all(axis=1)
        same = parts_at(grid, places) == parts_at(after, places)
        assert same[out].all()
        grid = after
    small = [box for box in boxes if box != EVERYWHERE]
    assert small
    # A door of one tile; on each side the hull, what is joined from there, and two steps of nodes.
    most = 1 + 2 * (RADIUS + within + 2 * float(grid.step.max()))
    assert all(b[2] - b[0] < most and b[3] - b[1] < most for b in small)


def test_a_door_that_shuts_a_room_off_is_felt_everywhere():
    """What was one part is two: units far off are cut off from there."""
    ground = Solids(boxes=np.array([(0, 10, 9, 11), (11, 10, 20, 11)], dtype=float))
    plane = Plane((0, 0, 20, 20), "wall")
    before = planning_grid(ground, plane, RADIUS)
    after = renewed_grid(before, ground.joined([Box(9, 10, 11, 11).solids]), plane, None)
    assert tuple(reshaped(before, after)) == EVERYWHERE


def test_a_ground_that_stays_leaves_all_as_it_was():
    """No place is inside the box."""
    ground, plane = Solids(boxes=np.array([(4.0, 4, 9, 11)])), Plane((0, 0, 20, 20), "wall")
    grid = planning_grid(ground, plane, RADIUS)
    left, top, right, bottom = reshaped(grid, grid)
    assert left > right
    assert top > bottom
