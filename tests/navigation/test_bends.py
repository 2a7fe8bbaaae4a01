"""Where ways bend when the ground changes."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.shapes import Box
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation import flow_field, planning_grid
from sim.navigation.bends import ANYWHERE, bends, bent, squares_of
from sim.navigation.remarching import renewed_field
from sim.navigation.renewal import renewed_grid

from .making import places, rooms

SIZE, RADIUS = 96, 0.3


@pytest.mark.parametrize("seed", range(4))
def test_where_no_way_bends_those_of_before_are_as_short(seed):
    """For units anywhere, as doors shut and open: by where the old field led them.

    But for a tenth of a step: a slope may change by a twentieth, over two steps at most.
    """
    rng, plane = np.random.default_rng(seed), Plane((0, 0, SIZE, SIZE), "wall")
    solid = rooms(SIZE)
    doors = [(y, x) for y, x in np.argwhere(~solid).tolist() if (y % 16 == 0) != (x % 16 == 0)]
    tiles = TileMap(solid)
    bare = Solids(boxes=tiles.boxes)
    grid = planning_grid(bare, plane, RADIUS, tiles)
    field = flow_field(grid, rng.choice(places(grid)))
    straight, shares = rng.choice(places(grid), 2000), []
    for number in range(8):
        y, x = doors[rng.integers(len(doors))]
        shut = bare if number % 2 else bare.joined([Box(x, y, x + 1, y + 1).solids])
        before, grid = field, renewed_grid(grid, shut, plane, tiles)
        field = renewed_field(before, grid)
        some = straight[~bent(bends(before, field), field, straight)]
        (to, was), (_, left) = before.sample(some), field.sample(some)
        on = field.sample(to)[1] + np.hypot(*(to - some).T)
        assert (np.isfinite(was) == np.isfinite(left)).all()
        led = np.isfinite(left)
        assert (on[led] <= left[led] + 0.1 * grid.step[0]).all()
        shares.append(len(some) / len(straight))
    assert np.median(shares) > 0.5  # most are led as before


def test_all_may_bend_where_nodes_do_not_lie_where_they_lay():
    """On a torus, and on another lattice, nothing is compared."""
    solids = Box(8, 8, 12, 12).solids
    torus, walled = Plane((0, 0, 20, 20), "wrap"), Plane((0, 0, 20, 20), "wall")
    grids = [
        planning_grid(solids, plane, r) for plane, r in ((torus, 0.5), (walled, 0.5), (walled, 0.7))
    ]
    one, two, three = (flow_field(grid, (3.0, 3.0)) for grid in grids)
    for before, now in ((one, one), (two, three)):
        assert bends(before, now) is ANYWHERE
        assert bent(ANYWHERE, now, np.zeros((3, 2))).all()
    same = bends(two, two)
    assert same.shape == squares_of(two.grid)
    inside, beyond, away = two.grid.origin + two.grid.step, (-1.0, 3.0), (np.nan, 3.0)
    assert bent(same, two, np.array([inside, beyond, away])).tolist() == [False, True, True]
