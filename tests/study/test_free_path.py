"""Free paths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from sim.solids import Solids
from sim.study.free_path import free_path
from sim.study.setting import Along, At, Inside

from .scenes import NOTHING, setting


def free(want, start=(0.0, 0.0), solids=NOTHING, **more):
    """The free path of one unit."""
    return free_path(setting([start], [want], solids=solids, **more))[0]


def test_straight_paths():
    """To the edge of the disc, to the nearest point of the region, 0 inside, NaN without a goal."""
    assert free(At((3, 4), 0.5)) == pytest.approx(4.5)
    assert free(At((3, 4), 6.0)) == 0
    assert free(Inside((3, 4, 9, 9))) == pytest.approx(5)
    assert free(Inside((-1, 4, 9, 9))) == pytest.approx(4)
    assert free(Inside((-1, -1, 9, 9))) == 0
    assert np.isnan(free(None))
    assert free(At((0, 0), 1.0), bounds=(-0.1, -9, 9, 9)) == 0


def test_torus_takes_the_nearest_image():
    """Across the seam when that is shorter."""
    assert free(At((9, 0), 0.25), period=(10, 10)) == pytest.approx(0.75)
    assert free(Inside((8, -1, 9, 1)), period=(10, 10)) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_routes_touch_every_disc_in_the_shortest_way(seed):
    """As short as a general optimiser finds it."""
    rng = np.random.default_rng(seed)
    centre, radius = rng.uniform(-10, 10, (5, 2)), 1.5

    def length(flat):
        return np.hypot(*np.diff(np.vstack([[0, 0], flat.reshape(-1, 2)]), axis=0).T).sum()

    inside = {
        "type": "ineq",
        "fun": lambda f: radius**2 - ((f.reshape(-1, 2) - centre) ** 2).sum(axis=1),
    }
    best = minimize(length, centre.ravel(), constraints=[inside], options={"maxiter": 500})
    mine = free(Along([tuple(c) for c in centre], radius))
    assert mine == pytest.approx(best.fun, rel=1e-4)
    assert mine <= best.fun * (1 + 1e-5)


@pytest.mark.parametrize(
    ("solids", "known"),
    [
        (Solids(walls=np.array([[5.0, -1, 5, 1]])), False),
        (Solids(walls=np.array([[5.0, 0.5, 5, 1]])), True),
        (Solids(walls=np.array([[5.0, 0.49, 5, 1]])), False),
        (Solids(walls=np.array([[12.0, 0, 13, 0]])), True),
        (Solids(discs=np.array([[5.0, 2, 1.5]])), True),
        (Solids(discs=np.array([[5.0, 2, 1.51]])), False),
        (Solids(boxes=np.array([[4.0, 0.5, 6, 3]])), True),
        (Solids(boxes=np.array([[4.0, -9, 6, -0.4]])), False),
        ((-1, -0.5, 11, 0.5), True),
        ((-1, -0.4, 11, 1), False),
    ],
)
def test_a_solid_in_the_way_leaves_it_unknown(solids, known):
    """The hull's radius must fit past: grazing is free, anything deeper is not known here."""
    among = {"bounds": solids} if isinstance(solids, tuple) else {"solids": solids}
    length = free(At((10, 0), 0.5), **among)
    assert np.isnan(length) != known
    if known:
        assert length == pytest.approx(9.5)


def test_solids_across_the_seam_stand_in_the_way():
    """A path through the seam meets the walls there."""
    wall = Solids(walls=np.array([[9.8, -1, 9.8, 1]]))
    assert np.isnan(free(At((8, 0), 0.25), (0.5, 0), wall, period=(10, 10)))
    assert free(At((4, 0), 0.25), (0.5, 0), wall, period=(10, 10)) == pytest.approx(3.25)
