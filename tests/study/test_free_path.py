"""Free paths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from sim.core.solids import Solids
from sim.navigation.paths import plan
from sim.study import detours
from sim.study.free_path import free_path

from .scenes import NOTHING, Along, At, Inside, setting


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


def test_a_unit_that_was_away_at_the_start_has_none():
    """Beside one that has: it stopped all figures of a run that goes on from a state."""
    wants, wall = [At((9, 0), 0.5)] * 2, Solids(walls=np.array([[5.0, -1, 5, 1]]))
    lengths = free_path(setting([(np.nan, np.nan), (0.0, 0.0)], wants, solids=wall))
    assert np.isnan(lengths[0])
    assert lengths[1] > 8.5


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
    ("solids", "free_way"),
    [
        (Solids(walls=np.array([[5.0, -1, 5, 1]])), False),
        (Solids(walls=np.array([[5.0, 0.5, 5, 1]])), True),
        (Solids(walls=np.array([[5.0, 0.49, 5, 1]])), False),
        (Solids(walls=np.array([[12.0, 0, 13, 0]])), True),
        (Solids(discs=np.array([[5.0, 2, 1.5]])), True),
        (Solids(discs=np.array([[5.0, 2, 1.51]])), False),
        (Solids(boxes=np.array([[4.0, 0.5, 6, 3]])), True),
        (Solids(boxes=np.array([[4.0, -9, 6, -0.4]])), False),
    ],
)
def test_a_solid_in_the_way_makes_it_longer(solids, free_way):
    """The hull's radius must fit past: grazing is free, anything deeper is a detour."""
    length = free(At((10, 0), 0.5), solids=solids)
    assert length == pytest.approx(9.5) if free_way else length > 9.5 + 1e-5


def tangent(x, y, radius):
    """Length of a tangent from the origin to a circle, and how far it lies off the straight line.

    That is an angle, on the far side of the x axis.
    """
    away = np.hypot(x, y)
    return np.sqrt(away**2 - radius**2), np.arctan2(y, x) + np.arcsin(radius / away)


def test_round_a_disc():
    """Two tangents and the arc between them, by hand."""
    length, off = tangent(5, 0, 1.5)
    known = 2 * length + 1.5 * 2 * off - 0.5
    assert free(At((10, 0), 0.5), solids=Solids(discs=np.array([[5.0, 0, 1]]))) == pytest.approx(
        known
    )


def test_round_a_box():
    """Tangent, arc round one corner, along the side, arc round the other, tangent."""
    length, off = tangent(4, 1, 0.5)
    known = 2 * length + 2 + 0.5 * 2 * off - 0.5
    box = Solids(boxes=np.array([[4.0, -2, 6, 1]]))
    assert free(At((10, 0), 0.5), solids=box) == pytest.approx(known)


def test_round_the_end_of_a_wall():
    """Tangent, arc, tangent."""
    length, off = tangent(5, 2, 0.5)
    wall = Solids(walls=np.array([[5.0, -50, 5, 2]]))
    known = 2 * length + 0.5 * 2 * off - 0.5
    assert free(At((10, 0), 0.5), solids=wall) == pytest.approx(known)
    # Straight across the side of a region: the arc goes on until the way runs along x.
    known = length + 0.5 * off + (8 - 5)
    assert free(Inside((8, -50, 9, 50)), solids=wall) == pytest.approx(known)


@pytest.mark.parametrize(("width", "known"), [(1.0, True), (1.4, True), (0.99, False)])
def test_through_a_door(width, known):
    """As wide as the hull is wide enough; a narrower one is none, and then there is no way."""
    door = Solids(walls=np.array([[5.0, -50, 5, 3], [5.0, 3 + width, 5, 50]]))
    length = free(At((10, 0), 0.5), solids=door, bounds=(-50, -50, 50, 50))
    straight, off = tangent(5, 3, 0.5)
    around = 2 * straight + 0.5 * 2 * off - 0.5
    assert length == pytest.approx(around) if known else np.isnan(length)


def test_walled_bounds_bar_the_way():
    """Nothing leads outside; what lies beyond the hull's room is not reached."""
    assert free(At((10, 0), 0.5), bounds=(-1, -0.5, 11, 0.5)) == pytest.approx(9.5)
    box = Solids(boxes=np.array([[4.0, -3, 6, 2.5]]))
    assert np.isnan(free(At((10, 0), 0.5), solids=box, bounds=(-1, -3, 11, 3)))
    assert free(At((10, 0), 0.5), solids=box, bounds=(-1, -3, 11, 3.5)) < 13


def test_a_pressed_start():
    """A unit that starts nearer to a wall than its radius has a way all the same."""
    wall = Solids(walls=np.array([[-9.0, 0.499, 5, 0.499]]))
    assert free(At((9, 3), 0.5), solids=wall) == pytest.approx(
        free(At((9, 3), 0.5), (0, -0.001), solids=wall), rel=1e-3
    )


def test_solids_across_the_seam_stand_in_the_way():
    """A path through the seam goes round the walls there, whichever way is shorter."""
    wall = Solids(walls=np.array([[9.8, -1, 9.8, 1]]))
    assert free(At((4, 0), 0.25), (0.5, 0), wall, period=(10, 10)) == pytest.approx(3.25)
    around = free(At((8, 0), 0.25), (0.5, 0), wall, period=(10, 10))
    flat = free(At((-2, 0), 0.25), (0.5, 0), Solids(walls=np.array([[-0.2, -1, -0.2, 1]])))
    assert around == pytest.approx(flat)
    assert around > 2.25


def test_routes_among_solids_are_not_known():
    """Where a solid stands in the straight way through all points."""
    wall = Solids(walls=np.array([[5.0, -1, 5, 1]]))
    assert np.isnan(free(Along([(3, 0), (10, 0)], 0.5), solids=wall))
    assert free(Along([(3, 0), (4, 0)], 0.5), solids=wall) == pytest.approx(3.5)


@pytest.mark.parametrize("period", [(np.inf, np.inf), (60.0, 40.0)])
def test_many_with_one_goal_share_the_search(monkeypatch, period):
    """A thousand that go to one point take one field, not a thousand searches; to the same bits."""
    solids = Solids(
        boxes=np.array([[10.0, 5, 12, 35], [20.0, 0, 22, 30]]), discs=np.array([[27.0, 33, 2]])
    )
    starts = np.random.default_rng(1).uniform((1, 1), (8, 39), (24, 2))
    made = setting(starts, [At((28, 15), 0.5)] * 24, solids=solids, period=period)
    with monkeypatch.context() as patched:
        patched.setattr(detours, "FEW", 10**6)
        alone = free_path(made)
    searches = []
    monkeypatch.setattr(detours, "plan", lambda *given: searches.append(given) or plan(*given))
    shared = free_path(made)
    assert np.isfinite(shared).all()
    assert np.array_equal(shared, alone)
    images = 1 if np.isinf(period[0]) else 9
    assert len(searches) <= detours.FEW * images
