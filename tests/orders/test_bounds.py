"""Places outside the walls of a plane that has nothing else on it."""

import numpy as np
import pytest

from sim import BadInput, Goal, Hull, World

ROOM = {"bounds": (0.0, 0.0, 20.0, 10.0), "edges": "wall"}


def one(**options):
    """A unit in a walled room."""
    world = World(**{**ROOM, **options})
    return world, world.add_group("a", [(5, 5)], hull=Hull.disc(0.5, 80.0), heading=0.0)


@pytest.mark.parametrize("place", [(25, 5), (5, -3), (19.95, 5)])
def test_a_place_outside_is_refused(place):
    """Outside, or so near to a wall that the hull gets nowhere near it; nothing has changed."""
    _, group = one()
    with pytest.raises(BadInput, match=r"goal: \(.*\) is outside the walls for a hull"):
        group.go_to(place, tolerance=0.2)
    assert group.goal is None


def test_the_nearest_is_taken_with_a_note():
    """Where `nearest` is asked for: half a length off the wall, and the unit comes there."""
    world, group = one()
    group.go_to((25, 5), nearest=True)
    while world.time < 20 and not world.roster.orders.minds.arrived.all():
        world.step()
    assert group.note == (
        "(25, 5) is outside the walls for a hull of radius 0.5: the nearest place is (19.5, 5)"
    )
    assert np.hypot(*(world.units.position[0] - (19.5, 5))) <= 0.5


def test_within_tolerance_of_a_place_at_a_wall():
    """A place on the wall will do where the unit can come within tolerance of it."""
    world, group = one()
    group.go_to((20, 5), tolerance=0.6)
    while world.time < 20 and not world.roster.orders.minds.arrived.all():
        world.step()
    assert world.orders.minds.arrived.all()
    assert not group.note


def test_a_region_outside_is_refused():
    """One that reaches into the room is taken."""
    _, group = one()
    with pytest.raises(BadInput, match=r"the region .* is outside the walls"):
        group.goal = Goal.into((21, 2, 25, 8))
    group.goal = Goal.into((18, 2, 25, 8))


def test_other_planes_have_no_outside():
    """An open plane goes on beyond its bounds, and a torus begins anew."""
    for edges in ("open", "wrap"):
        _, group = one(edges=edges)
        group.go_to((25, 5))


WALL = {"boxes": [[-1, -9, 1, -1], [-1, 1, 1, 9]], "bounds": (-12, -9, 12, 9), "edges": "wall"}


def behind(place, **options):
    """Where a unit stands at last that is sent through the gap of a wall, and its group."""
    world = World(**WALL)
    group = world.add_group("a", [(-5, 0)], hull=Hull.disc(0.5, 80.0), heading=0.0)
    group.goal = Goal.into(place, **options) if len(place) == 4 else Goal.to(place, **options)
    while world.time < 40 and not world.orders.minds.arrived.all():
        world.step()
    assert world.orders.minds.arrived.all()
    return group.position[0], group.note


@pytest.mark.parametrize("place", [(11.6, -5), (11.9, -5), (11.8, 8.7)])
def test_a_place_at_a_wall_far_from_all_solids(place):
    """The unit comes as near as it can, though no solid is near the place."""
    at, note = behind(place)
    assert np.hypot(*(at - np.clip(place, -100, (11.5, 8.5)))) <= 0.5
    assert not note


@pytest.mark.parametrize("place", [(12.5, -5), (100, -5)])
def test_the_nearest_inside_the_walls_far_from_all_solids(place):
    """Not the nearest one beside a solid."""
    at, note = behind(place, nearest=True)
    assert np.hypot(*(at - (11.5, -5))) <= 0.5
    assert note.endswith("the nearest place is (11.5, -5)")


def test_a_region_that_reaches_outside_far_from_all_solids():
    """It is taken for what is inside of it; one of which nothing is inside is refused."""
    at, note = behind((11.2, -3, 20, 3))
    assert at[0] > 11
    assert not note
    with pytest.raises(BadInput, match=r"the region .* has no room for a hull"):
        behind((13, -8, 14, 8))


def test_the_way_to_a_place_at_a_wall():
    """A path ends where the hull has room, and a place outside has none."""
    world = World(**WALL)
    np.testing.assert_allclose(world.path((-5, 0), (11.9, -5), 0.5).points[-1], (11.5, -5))
    assert "inside a solid" in world.path((-5, 0), (12.5, -5), 0.5).reason
