"""Hulls: outlines, sizes and moments."""

from math import nan

import numpy as np
import pytest

from sim import BadInput, Hull, Region, Uniform, World
from sim.core.hull import sizes

HULLS = [Hull("wedge", 4, 2, 10), Hull("box", 14, 10, 2), Hull.disc(0.5, 80)]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Hull("box", -1, 1), "hull.length = -1: must be a finite number greater than 0"),
        (lambda: Hull("box", 1, 0), "hull.width = 0: must be a finite number greater than 0"),
        (lambda: Hull.disc(0.5, nan), "hull.mass = nan: must be a finite number greater than 0"),
        (lambda: Hull.disc(float("inf")), "hull.radius = inf: must be a finite number"),
        (lambda: Hull("egg", 1, 1), "hull.shape = 'egg': must be 'wedge', 'box' or 'disc'"),
    ],
)
def test_refused(make, said: str):
    """Sizes that are not positive and finite are refused by name, value and interval."""
    with pytest.raises(BadInput) as caught:
        make()
    assert str(caught.value).startswith(said)


def test_sizes_in_whole_numbers_are_floats():
    """Compiled code takes a whole number for another kind, and takes seconds to compile anew."""
    for hull in (Hull("wedge", 4, 2, 10), Hull("box", 2, 1, 3), Hull("disc", 2, 2, 3)):
        assert {type(each) for each in (hull.length, hull.width, hull.mass)} == {float}


def test_the_books_craft():
    """Length 4 and mass 10 give the book's moment of 10, and the bow lies half a length ahead."""
    assert Hull("wedge", 4, 2, 10).moment == 10
    assert Hull("wedge", 4, 2, 10).bow == 2


def test_wedge_points_ahead():
    """The stern's corners, the shoulders amidships and the bow, in the unit's own frame."""
    corners = {tuple(each) for each in Hull("wedge", 4, 2).outline.tolist()}
    assert corners == {(-2, -1), (0, -1), (2, 0), (0, 1), (-2, 1)}


@pytest.mark.parametrize("hull", HULLS[:2], ids=lambda hull: hull.shape)
def test_outline_is_clockwise(hull: Hull):
    """Corners go clockwise as seen on screen: with y down, the shoelace sum is positive."""
    x, y = hull.outline.T
    assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0


@pytest.mark.parametrize("hull", HULLS, ids=lambda hull: hull.shape)
def test_reach_is_the_farthest_part(hull: Hull):
    """The circle of that radius round the centre holds the whole hull and touches it."""
    farthest = np.hypot(*hull.outline.T).max() + hull.rounding
    assert hull.reach == pytest.approx(farthest)


def test_radius_of_hulls_with_corners():
    """Half the shorter side, as the format says; a disc's length is twice its radius."""
    assert Hull("box", 14, 10).radius == 5
    assert Hull("wedge", 4, 2).radius == 1
    assert Hull.disc(0.5).length == 1


@pytest.mark.parametrize("hull", HULLS[1:], ids=lambda hull: hull.shape)
def test_moment_is_the_engines(hull: Hull):
    """Boxes and discs have the moment of a uniform plate, as the engine computes it."""
    import pymunk

    if hull.shape == "disc":
        expected = pymunk.moment_for_circle(hull.mass, 0, hull.radius)
    else:
        expected = pymunk.moment_for_box(hull.mass, (hull.length, hull.width))
    assert hull.moment == pytest.approx(expected)


def test_boxes_held_upright():
    """Nothing turns them; their corners are rounded off, within the same length and width."""
    hull = Hull("box", 14, 10, upright=True)
    assert hull.moment == np.inf
    assert hull.rounding == pytest.approx(0.25)
    assert np.allclose(np.abs(hull.outline) + hull.rounding, (7, 5))
    assert hull.reach == pytest.approx(np.hypot(6.75, 4.75) + 0.25)
    assert Hull("box", 14, 10).rounding == 0


@pytest.mark.parametrize("shape", ["box", "wedge", "disc"])
def test_a_drawn_size_in_the_wrong_place_says_where_it_belongs(shape):
    """The class takes numbers; its makers by name take distributions and lists, and do so."""
    with pytest.raises(BadInput, match=rf"hull.length = .*: must be a number; .* Hull.{shape}\("):
        Hull(shape, Uniform(0.6, 0.9), 0.5)
    if shape != "disc":
        assert getattr(Hull, shape)(Uniform(0.6, 0.9), 0.5).spread is not None


def test_hulls_are_as_large_as_if_all_were_measured():
    """Units that come, go, change group or are loaded have the sizes of their own hulls."""
    world, spread = World(seed=1), Uniform(0.3, 0.6)
    hulls = (Hull.wedge(4, 2), Hull.disc(spread), Hull.box(spread, 0.2))
    groups = [
        world.add_group(f"g{k}", Region(0, 40 * k, 99, 40 * k + 30), count=4, hull=hull)
        for k, hull in enumerate(hulls)
    ]
    state = world.save()
    for work in (
        lambda: groups[1].add([(200, 0), (200, 9)]),
        lambda: world.remove(groups[0].ids[1:3]),
        lambda: world.regroup([*groups[0].ids[:1], *groups[1].ids[-2:]], groups[2]),
        lambda: world.load(state),
    ):
        work()
        people, radii = world.roster.people, [group.radii for group in groups]
        wanted = sizes(hulls, people.group_of, np.concatenate(radii))
        assert all(map(np.array_equal, people.sizes, wanted))
