"""Rays, free places and picking, by the engine's queries, also across the seam."""

import numpy as np
import pytest

from sim import BadInput, Hull, World

DISC = Hull.disc(2.0)


def scene(**options) -> World:
    """Two discs of radius 2 and a solid one of radius 3, on a plane or a torus of 100 x 60."""
    world = World(discs=[(50, 40, 3)], **options)
    world.add_group("a", [(10, 20), (30, 20)], model="player", hull=DISC, heading=0.0)
    return world


TORUS = {"bounds": (0, 0, 100, 60), "edges": "wrap"}


def test_first_thing_on_the_way():
    """A ray tells what it met first: where, how far along, which way it faces, and which unit."""
    hits = scene().queries.rays([(0, 20), (40, 20), (50, 20)], [(100, 20), (0, 20), (50, 60)])
    assert hits.hit.all()
    np.testing.assert_allclose(hits.fraction, [0.08, 0.2, 17 / 40], rtol=1e-9)
    np.testing.assert_allclose(hits.point, [(8, 20), (32, 20), (50, 37)], atol=1e-9)
    np.testing.assert_allclose(hits.normal, [(-1, 0), (1, 0), (0, -1)], atol=1e-9)
    assert hits.row.tolist() == [0, 1, -1]


def test_nothing_on_the_way():
    """A ray that meets nothing says so, and gives no numbers to misread."""
    hits = scene().queries.rays([(0, 5)], [(100, 5)])
    assert not hits.hit[0]
    assert hits.row[0] == -1
    assert np.isnan(hits.fraction[0])
    assert np.isnan(hits.point).all()
    assert scene().queries.rays([], []).hit.shape == (0,)


def test_own_hull_is_in_nobodys_way():
    """A ray from a unit's centre meets the next unit, not the one that cast it."""
    hits = scene().queries.rays([(10, 20), (30, 20)], [(60, 20), (-60, 20)], own=[0, 1])
    assert hits.row.tolist() == [1, 0]
    np.testing.assert_allclose(hits.point, [(28, 20), (12, 20)], atol=1e-9)


def test_thick_rays():
    """A thick ray meets what a thin one passes by, as soon as its edge does."""
    queries = scene().queries
    assert not queries.rays([(0, 23)], [(100, 23)]).hit[0]
    hits = queries.rays([(0, 23)], [(100, 23)], radius=1.5)
    assert hits.row[0] == 0
    np.testing.assert_allclose(hits.fraction, (10 - np.sqrt(3.5**2 - 3**2)) / 100, rtol=1e-6)


@pytest.mark.parametrize(
    ("start", "end", "row", "point"),
    [
        ((90, 20), (120, 20), 0, (108, 20)),
        ((5, 20), (-80, 20), 1, (-68, 20)),
        ((10, 50), (10, 85), 0, (10, 78)),
        ((95, 55), (113, 83), 0, None),
    ],
)
def test_rays_across_the_seam(start, end, row, point):
    """On a torus a ray goes on beyond the edge, and a corner; the point lies along the ray."""
    hits = scene(**TORUS).queries.rays([start], [end])
    assert hits.row[0] == row
    if point is not None:
        np.testing.assert_allclose(hits.point[0], point, atol=1e-9)
    along = np.array(start) + hits.fraction[0] * np.subtract(end, start)
    np.testing.assert_allclose(hits.point[0], along, atol=1e-9)


def test_a_twin_is_its_unit():
    """Whoever meets a unit's twin beyond the edge has met the unit."""
    world = World(**TORUS)
    world.add_group("a", [(1.0, 20), (96.9, 20)], model="player", hull=DISC, heading=0.0)
    world.step()
    assert (world.roster.bridge.seam.row >= 0).all() or len(world.roster.bridge.seam.bodies)
    assert world.queries.rays([(90, 20)], [(94, 20)], own=[0]).hit.tolist() == [False]
    assert world.queries.rays([(50, 21.5)], [(107, 21.5)], own=[1]).row.tolist() == [0]
    assert world.queries.pick((99.9, 20.0)) == 0
    assert world.queries.pick((0.9, 21.5)) == 0


def test_room_for_a_hull():
    """A place is free if the hull, turned as asked, touches nothing there."""
    queries = scene().queries
    box = Hull("box", 10, 1)
    places = [(10, 20), (20, 20), (20, 20), (14.9, 20), (15.1, 25), (50, 35)]
    found = queries.overlaps(box, places, [0, np.pi / 2, 0, np.pi / 2, 0, 0])
    assert found.tolist() == [True, False, False, False, False, False]
    assert queries.overlaps(box, [(16.5, 20)], 0.0).tolist() == [True]
    assert queries.clear(box, places, 0.0).tolist() == (~queries.overlaps(box, places, 0)).tolist()


@pytest.mark.parametrize("first", [Hull.disc(1.0), Hull("wedge", 4, 2), Hull("box", 3, 2)])
@pytest.mark.parametrize("second", [Hull.disc(1.0), Hull("wedge", 4, 2), Hull("box", 3, 2)])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.7, 0.3), (-1.1, 0.0)])
def test_any_two_hulls(first, second, offset):
    """Overlaps are found between hulls of any shapes, and units are not started in each other."""
    world = World()
    world.add_group("a", [(10, 20)], model="flock", hull=first, heading=0.0)
    place = [np.add((10, 20), offset)]
    assert world.queries.overlaps(second, place, 0.0).tolist() == [True]
    with pytest.raises(BadInput, match="overlaps another"):
        world.add_group("b", place, model="flock", hull=second, heading=0.0)


def test_room_beside_oneself():
    """A unit's own hull does not take its room, another's does."""
    queries = scene().queries
    assert queries.overlaps(DISC, [(11, 20), (11, 20)], 0.0, own=[0, 1]).tolist() == [False, True]


def test_room_across_the_seam():
    """A hull that reaches over the edge needs room on the other side."""
    world = World(**TORUS)
    world.add_group("a", [(1.0, 20)], model="player", hull=DISC, heading=0.0)
    assert world.queries.overlaps(DISC, [(98, 20), (96, 20)], 0.0).tolist() == [True, False]


def test_pick():
    """A point picks the unit under it, or the nearest within reach; solids are nobody."""
    queries = scene().queries
    assert queries.pick((10.5, 21)) == 0
    assert queries.pick((31, 19)) == 1
    assert queries.pick((20, 20)) is None
    assert queries.pick((19, 20), within=8.0) == 0
    assert queries.pick((21, 20), within=8.0) == 1
    assert queries.pick((50, 40)) is None
    assert queries.pick((50, 40), within=30.0) == 1


def test_pick_across_the_seam():
    """A hull drawn beyond the edge is picked there too."""
    world = World(**TORUS)
    world.add_group("a", [(1.0, 20), (50, 59.5)], model="player", hull=DISC, heading=0.0)
    assert world.queries.pick((99.5, 20)) == 0
    assert world.queries.pick((50, 0.7)) == 1
    assert world.queries.pick((99.5, 22)) is None
