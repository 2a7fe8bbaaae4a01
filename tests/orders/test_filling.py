"""Units that come into a region stand in it, those that came first at the far side."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.orders.filling import Lattice

HALL = (20, 5, 28, 15)


def at_rest_in(world: World, region: tuple[float, ...], seconds: float) -> np.ndarray:
    """(N, 2) where all units stand, none of them outside of a region, after so long at most."""
    world.step()
    while world.roster.orders.minds.moving.any():
        world.step()
        assert world.time < seconds
    places = world.units.position
    low, high = np.array(region[:2]), np.array(region[2:])
    assert ((places > low) & (places < high)).all()
    return places


@pytest.mark.parametrize("model", ["crowd", "mages", "walkers"])
def test_a_door_lets_all_into_a_region(model):
    """They rested in a heap by the far wall, some outside, and 15 still pushed after 45 s."""
    door = [[14, 0, 15, 9], [14, 11, 15, 20]]
    world = World(seed=2, bounds=(0, 0, 30, 20), edges="wall", boxes=door)
    world.add_group(
        "a", Region(1, 1, 10, 19), count=24, hull=Hull.disc(0.3, 80), speed=1.3, model=model,
        goal=Goal.into(HALL),
    )  # fmt: skip
    places = at_rest_in(world, HALL, 60)
    assert places[:, 1].max() - places[:, 1].min() > 6  # all along the far side
    apart = np.hypot(*(places[:, None] - places).T) + 9 * np.eye(len(places))
    assert np.median(apart.min(axis=0)) > 1.2 * 0.6  # a pack has 1.0 to 1.1


def test_sides_come_into_one_region():
    """Parties from all four sides, more than one ring of places: none bars the way of another."""
    world, hall = World(seed=1), (-5, -5, 5, 5)
    for k, (x, y) in enumerate([(-20, 0), (20, 0), (0, -20), (0, 20)]):
        world.add_group(
            f"g{k}", Region(x - 4, y - 4, x + 4, y + 4), count=12, hull=Hull.disc(0.3, 80),
            speed=1.3, goal=Goal.into(hall),
        )  # fmt: skip
    at_rest_in(world, hall, 40)


def test_places_in_what_is_solid_are_not_taken():
    """A pillar stands in the far half of the region: units stand round it."""
    world = World(boxes=[[24, 7, 28, 13]])
    world.add_group(
        "a", Region(0, 0, 10, 20), count=30, hull=Hull.disc(0.3, 80), speed=1.3,
        goal=Goal.into(HALL),
    )  # fmt: skip
    at_rest_in(world, HALL, 40)


def test_more_than_a_region_holds_go_as_far_as_they_can():
    """It is filled; the others rest round it, and have arrived as far as there is room.

    They went round it without end.
    """
    world, small = World(seed=1), (20.0, 9.0, 22.0, 11.0)
    group = world.add_group(
        "a", Region(0, 5, 10, 15), count=30, hull=Hull.disc(0.3, 80), speed=1.3,
        goal=Goal.into(small),
    )  # fmt: skip
    while group.moving.any():
        world.step()
        assert world.time < 60
    assert group.arrived.all()
    inside = (np.abs(world.units.position - (21, 10)) < 1).all(axis=1)
    assert inside.sum() >= 7  # of nine to eleven that there is room for


def test_a_unit_that_is_in_the_region_stays():
    """It has arrived at once, and does not walk to the far side."""
    world = World()
    group = world.add_group("a", [(24, 10), (26, 12)], model="crowd", goal=Goal.into(HALL))
    before = world.units.position
    for _ in range(60):
        world.step()
    assert group.arrived.all()
    assert not group.moving.any()
    np.testing.assert_allclose(world.units.position, before, atol=0.01)


def test_many_come_into_a_large_region():
    """800 where 1,300 have room, over the whole of an edge: all come in, and soon stand.

    110 were pushed out at the far side, up to 5 hulls, and 380 still walked after 45 s.
    """
    world, hall = World(seed=1), np.array([[30, 0], [60, 30]])
    group = world.add_group(
        "a", Region(-12, -5, 28, 35), count=800, hull=Hull.disc(0.3, 80), speed=2.0,
        goal=Goal.into(hall.ravel()),
    )  # fmt: skip
    while world.time < 45 and not (group.arrived.all() and group.moving.sum() <= 8):
        world.step()
    assert group.arrived.all()
    assert group.moving.sum() <= 8
    places = world.units.position
    off = np.maximum(hall[0] - places, places - hall[1]).max(axis=1)
    assert (off > 0).sum() <= 8
    assert off.max() < 2 * 0.6


@pytest.mark.parametrize("count", [1, 20, 100_000])
def test_places_are_even_and_inside(count):
    """In a region of any shape, no nearer than hulls, and no more of them than is stated."""
    for region in ((0, 0, 8, 10), (0, 0, 0.4, 10), (0, 0, 0.1, 0.1), (0, 0, 1e6, 1e-3)):
        lattice = Lattice.inside(np.array(region, float), 0.3, count)
        places, size = lattice.places, np.subtract(region[2:], region[:2])
        assert 1 <= len(places) <= 4500
        slack = np.maximum(size / 2 - 0.3, 0.0)
        assert (np.abs(places - size / 2) <= slack + 1e-6).all()
        assert lattice.apart >= 0.66
