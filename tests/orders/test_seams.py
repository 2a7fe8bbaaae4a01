"""On a torus, units that are sent across the seam come to rest as they do away from it."""

import numpy as np
import pytest

from sim import Goal, Region, World

TORUS = {"bounds": (0, 0, 30, 20), "edges": "wrap"}
ACROSS = (27, 6, 33, 14)


def rest(world: World, seconds: float) -> np.ndarray:
    """(N, 2) where all units stand, once none of them moves any more."""
    world.step()
    while world.roster.orders.minds.moving.any():
        world.step()
        assert world.time < seconds
    return world.units.position


def inside(world: World, region: tuple[float, ...]) -> np.ndarray:
    """(N,) which units are in a region, in any image."""
    low, high = np.array(region[:2]), np.array(region[2:])
    off = world.plane.nearest(world.units.position - (low + high) / 2)
    return (np.abs(off) <= (high - low) / 2).all(axis=1)


@pytest.mark.parametrize("start", [(8, 10), (22, 10)])
def test_a_unit_is_in_its_region_on_either_side_of_the_seam(start):
    """It has arrived as its centre comes in, from whichever side."""
    world = World(**TORUS)
    group = world.add_group("a", [start], goal=Goal.into(ACROSS))
    while not inside(world, ACROSS).any():
        world.step()
        assert world.time < 10
    world.step()  # the orders tell where it was before the step
    assert group.arrived.all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_wide_region_across_the_seam_is_filled(seed):
    """Ten rest in it within 30 s, as they do away from a seam (20 to 27 s)."""
    world, region = World(seed=seed, bounds=(0, 0, 50, 30), edges="wrap"), (5, -3, 20, 3)
    world.add_group("a", Region(28, 2, 46, 28), count=10, goal=Goal.into(region))
    rest(world, 30)
    assert inside(world, region).all()


@pytest.mark.parametrize("region", [(1, 2, 9, 9.8), (4, 4, 13.5, 13.5), (-5, -5, 25, 25)])
def test_a_region_as_large_as_the_torus(region):
    """Twenty of radius 0.5 spread over a torus of 10 x 10 without a touch, and rest."""
    world = World(seed=1, bounds=(0, 0, 10, 10), edges="wrap")
    world.add_group("a", Region(0, 0, 10, 10), count=20, goal=Goal.into(region))
    places = rest(world, 20)
    off = world.plane.nearest(places[:, None] - places)
    assert (np.hypot(off[..., 0], off[..., 1]) + 9 * np.eye(20)).min() > 1
    assert inside(world, region).all()


def test_places_beyond_the_seam_can_be_reached():
    """Half of the region is solid, its middle too: there is room only across the seam."""
    world = World(boxes=[[26, 2, 30, 18]], **TORUS)
    world.add_group("a", [(10, 8), (12, 12)], goal=Goal.into(ACROSS))
    rest(world, 20)
    assert inside(world, ACROSS).all()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_pack_round_a_point_on_the_seam(seed):
    """Units that find no room go round it, and rest as soon as those of a pack elsewhere do."""
    took = []
    for x in (0.5, 15.0):
        world = World(seed=seed, **TORUS)
        area = Region(x - 11, 2, x - 5, 18)
        world.add_group("a", area, count=24, model="walkers", goal=Goal.to((x, 10)))
        rest(world, 60)
        took.append(world.time)
    assert took[0] < 2 * took[1]
