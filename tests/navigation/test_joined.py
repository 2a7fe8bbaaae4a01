"""Which part of the ground places are joined to."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.grid import planning_grid
from sim.navigation.joined import joined_within, parts_at
from sim.navigation.search import ends

PLANES = {
    "open": Plane(),
    "walled": Plane((0, 0, 30, 20), "wall"),
    "torus": Plane((0, 0, 30, 20), "wrap"),
}


@pytest.mark.parametrize("name", PLANES)
def test_parts_are_those_of_the_first_node_that_a_place_is_joined_to(name):
    """Looked up where it is plain, and at random places, off the ground, and on the nodes."""
    rng, plane = np.random.default_rng(3), PLANES[name]
    for _ in range(6):
        low, size = rng.uniform((0, 0), (30, 20), (12, 2)), rng.uniform(0.5, 9, (12, 2))
        ground = Solids.of([(9, 9, 1.3)], np.hstack([low, low + size]), [])
        grid = planning_grid(ground, plane, float(rng.choice([0.3, 0.5, 1.0])))
        places = rng.uniform((-5, -5), (38, 28), (300, 2))
        places[::7] = grid.origin + np.rint((places[::7] - grid.origin) / grid.step) * grid.step
        nodes = [ends(grid, x, y, joined_within(grid))[0] for x, y in places]
        known = [grid.label.flat[each[0]] if len(each) else -1 for each in nodes]
        assert len(set(known)) > 1
        assert parts_at(grid, places).tolist() == known
