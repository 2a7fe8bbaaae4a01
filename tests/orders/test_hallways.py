"""Parties of mages in close quarters: hallways, doors, errands (E4, E5)."""

import numpy as np
import pytest

from sim import Goal, Hull, World
from sim.navigation import plan

from . import halls

FAR = (22.0, 12.0)


def check_hallway(width: float, count: int, seeds: range, radius: float = 0.35) -> None:
    """All arrive, in good time, nobody stands for long and nobody goes through a wall.

    In good time: 1.3 times what each would need alone, at the desired speed all the way, and what
    the width costs: on the mean, until as many files as fit abreast have passed one point, each
    mage with half a hull of room behind it. A unit that waits for a door hardly wider than itself
    may stand a little longer than a second.
    """
    files = max(1, int(width / (2 * radius)))
    cost = 1.5 * radius * count / files / 2.0
    for seed in seeds:
        world = halls.bent(width, seed)
        halls.party(world, count, Goal.to(FAR), hull=Hull.disc(radius, 80.0))
        assert world.orders.guide is not None
        grid = world.roster.orders_now().guide.planner.grid(radius)
        alone = np.mean([plan(grid, place, FAR).length / 2.0 for place in world.units.position])
        watch = halls.Watch(world, 60)
        assert np.isfinite(watch.time).all(), seed
        assert watch.time.mean() <= 1.3 * alone + cost, seed
        assert watch.still.max() <= (1.0 if radius < 0.4 else 1.5), seed
        assert watch.crossings == 0, seed


def swap(seed: int, radius: float = 0.35) -> halls.Watch:
    """Two parties of ten change ends of a hallway of two tiles."""
    world, hull = halls.straight(2.0, seed), Hull.disc(radius, 80.0)
    halls.party(world, 10, Goal.to((24, 4)), "a", (0, 0, 8, 8), hull)
    halls.party(world, 10, Goal.to((4, 4)), "b", (20, 0, 28, 8), hull)
    return halls.Watch(world, 60)


@pytest.mark.parametrize(("width", "count", "seed"), [(2.0, 20, 0), (1.0, 12, 10)])
def test_hallway(width, count, seed):
    """Through two tiles and through one, round two corners (E4).

    At the door of one tile two pushed each other off, one on each side, and seven stood behind it.
    """
    check_hallway(width, count, range(seed, seed + 1))


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.25, 0.35, 0.45])
@pytest.mark.parametrize(("width", "count"), [(2.0, 20), (1.0, 12)])
def test_hallway_in_twenty_seeds(width, count, radius):
    """The same for hulls from half a tile to nearly a whole one."""
    check_hallway(width, count, range(20), radius)


@pytest.mark.parametrize("radius", [pytest.param(0.35, marks=pytest.mark.slow), 0.45])
def test_swap(radius):
    """Parties that meet in a hallway pass each other (E5), even with hardly any play."""
    watch = swap(1, radius)
    assert np.isfinite(watch.time).all()
    assert watch.crossings == 0


@pytest.mark.parametrize("count", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_swap_where_two_cannot_pass(count):
    """In a hallway too narrow for two abreast one side gives way, back to where there is room.

    Some come through each time that they change about: it takes its time, but all arrive.
    """
    world = halls.straight(1.0, seed=1)
    halls.party(world, count, Goal.to((24, 4)), "a", (0, 0, 8, 8))
    halls.party(world, count, Goal.to((4, 4)), "b", (20, 0, 28, 8))
    watch = halls.Watch(world, 120)
    assert np.isfinite(watch.time).all()
    assert watch.crossings == 0


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.25, 0.35, 0.45])
def test_swap_in_twenty_seeds(radius):
    """All arrive, whatever the start."""
    for seed in range(20):
        watch = swap(seed, radius)
        assert np.isfinite(watch.time).all(), seed
        assert watch.crossings == 0, seed


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_errands_on_a_large_map(seed):
    """Fifty on errands of their own through rooms, thin walls and doors: all arrive."""
    tiles = halls.rooms(64 if seed == 0 else 256, seed)
    rng = np.random.default_rng(seed)
    free = np.argwhere(~tiles.solid)
    places = free[rng.permutation(len(free))[:100]][:, ::-1] + 0.5
    world = World(seed=seed, map=tiles)
    world.add_group(
        "a", places[:50], model="mages", hull=halls.HULL, speed=4.0, goal=Goal.to(places[50:])
    )
    watch = halls.Watch(world, 60 if seed == 0 else 300)
    assert np.isfinite(watch.time).all()
    assert watch.crossings == 0
