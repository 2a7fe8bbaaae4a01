"""Progress along routes."""

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.solids import Solids
from sim.navigation import follow, planning_grid, routes
from sim.navigation.routes import Followers

from .making import OPEN, on_tiles, tile_map

FREE = planning_grid(Solids(), OPEN, 0.5)


class Walkers:
    """Units on routes, one row each."""

    def __init__(self, lines, route, grid=FREE, look_ahead=1.0):
        n = len(route)
        self.lines, self.grid, self.look_ahead = lines, grid, look_ahead
        self.progress, self.remaining = np.zeros(n), np.zeros(n)
        self.aim, self.lost = np.zeros((n, 2)), np.zeros(n, np.bool_)
        self.units = Followers(np.array(route), self.progress, self.aim, self.remaining, self.lost)

    def at(self, *places):
        """They are here now."""
        here = np.array(places, dtype=float)
        follow(here, self.grid, self.lines, self.look_ahead, self.units)
        return self


def test_the_nearest_point_ahead():
    """Off to the side, progress is that of the nearest point; what one heads for is further on."""
    one = Walkers(routes([[(0, 0), (10, 0), (10, 10)]]), [0]).at((3, 1))
    assert one.progress[0] == pytest.approx(3)
    assert one.aim[0] == pytest.approx((4, 0))
    assert one.remaining[0] == pytest.approx(18)
    one.at((9.5, -0.3))
    assert one.progress[0] == pytest.approx(9.5)
    assert one.aim[0] == pytest.approx((10, 0.5))
    one.at((10.4, 9.9))
    assert one.aim[0] == pytest.approx((10, 10))


def test_progress_is_never_lost():
    """Pushed back, a unit goes on from where it was; no waypoint needs to be touched."""
    one = Walkers(routes([[(0, 0), (10, 0), (10, 10)]]), [0]).at((6, 0.2)).at((2, 0.4))
    assert one.progress[0] == pytest.approx(6)
    assert one.aim[0] == pytest.approx((7, 0))
    one.at((8.5, 3)).at((9, 5))  # past the corner, two lengths from it
    assert one.progress[0] == pytest.approx(15)


def test_random_pushes_never_bring_it_back():
    """Whatever happens to a unit, its progress does not fall, nor pass the end."""
    rng = np.random.default_rng(1)
    line = np.cumsum(rng.uniform(-1, 3, (12, 2)), axis=0)
    some = Walkers(routes([line, line[:5]]), [0, 1])
    before = some.progress.copy()
    for _ in range(200):
        some.at(*rng.uniform(-5, 20, (2, 2)))
        assert (some.progress >= before).all()
        assert (some.progress <= some.lines.along[some.lines.first[1:] - 1]).all()
        before = some.progress.copy()


def test_a_route_that_folds_back_is_not_cut_short():
    """Beyond a thin wall the way goes back beside itself: what is nearer there does not count."""
    picture = ["..........", "........#.", "#########.", ".........."]
    grid, _, _ = on_tiles(tile_map(["." * 10, "#" * 9 + ".", "." * 10]), 0.3)
    line = [(0.5, 0.5), (9.5, 0.5), (9.5, 2.5), (0.5, 2.5)]
    one = Walkers(routes([line]), [0], grid, look_ahead=2.0).at((4.5, 0.65))
    assert len(picture) == 4
    assert one.progress[0] == pytest.approx(4)
    assert not one.lost[0]


def test_what_is_headed_for_is_in_sight():
    """Before a corner the aim stays this side of it, and the hull could go straight there."""
    grid, _, _ = on_tiles(tile_map(["#####.", "......", "######"]), 0.4)
    one = Walkers(routes([[(0.5, 1.5), (5.5, 1.5), (5.5, 0.5)]]), [0], grid, look_ahead=3.0)
    one.at((3.2, 1.5))
    assert not one.lost[0]
    assert one.aim[0, 0] > 4
    assert one.aim[0, 1] > 1.3


def test_out_of_sight_is_lost():
    """Pushed round a corner, to where nothing of its route is in sight."""
    grid, _, _ = on_tiles(tile_map(["....#....", "....#....", "....#....", "........."]), 0.3)
    line = routes([[(0.5, 0.5), (3.0, 0.5)]])
    assert Walkers(line, [0], grid).at((6.5, 0.5)).lost[0]
    assert not Walkers(line, [0], grid).at((1.5, 2.5)).lost[0]


def test_no_route():
    """A unit without one heads for where it is, and nothing remains."""
    one = Walkers(routes([[(0, 0), (5, 0)]]), [-1, 0]).at((3, 3), (1, 1))
    assert one.aim[0].tolist() == [3, 3]
    assert one.remaining.tolist() == [0, pytest.approx(4 + 1)]
    assert not one.lost.any()


def test_a_single_point():
    """A route of one point leads there."""
    one = Walkers(routes([[(4, 3)]]), [0]).at((0, 0))
    assert one.aim[0].tolist() == [4, 3]
    assert one.remaining[0] == 5


def test_what_is_no_route():
    """Refused, with its number."""
    for line in ([], [(0, 0, 0)], 3.0, [(np.nan, 0)]):
        with pytest.raises(BadInput, match=r"routes\[1\]: must be"):
            routes([[(0, 0)], line])
