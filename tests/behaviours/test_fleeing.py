"""Getting away: from all that come, and along walls."""

import numpy as np
import pytest

from sim import Goal, World

ROUND = 2 * np.pi


def herd(places, dogs, world=None, model="mages", speed=3.0, chase=True):
    """Sheep, and dogs that go after them."""
    world = World() if world is None else world
    sheep = world.add_group("sheep", places, model=model, speed=speed, heading=0.0)
    found = world.add_group("dogs", dogs, model=model, speed=2.5)
    sheep.goal = Goal("flee", "dogs")
    found.goal = Goal("chase", "sheep") if chase else None
    return world, sheep


def nearest(world):
    """Distance of the first unit from the nearest of the other group."""
    here = world.units.position
    rows = world.group("dogs").rows
    return float(np.hypot(*(here[rows] - here[0]).T).min())


@pytest.mark.parametrize("dogs", [[(-6, 1), (6, -1)], [(-6, 0), (6, 0)], [(0, -5), (0, 5)]])
def test_a_faster_one_gets_out_between_two(dogs):
    """From opposite sides, also exactly: it is not caught, and leaves them behind."""
    world, _ = herd([(0, 0)], dogs)
    least = np.inf
    while world.time < 25:
        world.step()
        least = min(least, nearest(world))
    assert least > 1.5
    assert nearest(world) > 8.0


def test_from_one_straight_away():
    """Whoever comes alone is fled in the opposite direction, from whichever side."""
    for k in range(8):
        way = np.array([np.cos(ROUND * k / 8), np.sin(ROUND * k / 8)])
        world, _ = herd([(0, 0)], [4.0 * way], chase=False)
        for _ in range(30):
            world.step()
        gone = world.units.position[0]
        assert gone @ way < -0.98 * np.hypot(*gone)


def test_a_near_one_counts_for_more():
    """Between a near one and two far ones the near one is got away from."""
    world, sheep = herd([(0, 0)], [(-2.5, 0), (6, 2), (6, -2)], chase=False)
    world.step()
    assert sheep.terms["flee"][0, 0] > 0.5
    world, sheep = herd([(0, 0)], [(-6, 0), (4, 1.5), (4, -1.5)], chase=False)
    world.step()
    assert sheep.terms["flee"][0, 0] < -0.3


def test_along_a_wall():
    """Driven into a wall at a slant it runs along it, and is not held up there."""
    world, _ = herd([(0, 3)], [(-3, 7)], World(walls=[[-40, 0, 60, 0]]))
    for _ in range(300):
        world.step()
    x, y = world.units.position[0]
    assert x > 8.0
    assert 0.4 < y < 3.0
    assert nearest(world) > 3.0


def test_out_of_a_corner():
    """Driven along one wall into a corner it goes on along the other."""
    world, _ = herd([(16, 3)], [(8, 1)], World(bounds=(0, 0, 20, 40), edges="wall"))
    while world.time < 8:
        world.step()
    assert world.units.position[0, 1] > 8.0
    assert nearest(world) > 4.0


def test_calm_far_off():
    """Beyond the alarm nothing is fled, and all of it is fled across a seam."""
    world, sheep = herd([(0, 0)], [(25, 0), (0, -30)], chase=False)
    world.step()
    assert not sheep.terms["flee"].any()
    world = World(bounds=(0, 0, 30, 30), edges="wrap")
    world, sheep = herd([(1, 15)], [(28, 15)], world, chase=False)
    world.step()
    assert sheep.terms["flee"][0, 0] > 0.95


@pytest.mark.parametrize("start", [(6.5, 6.1), (7.0, 5.9), (5.4, 6.2), (6.0, 5.8)])
def test_a_soldier_that_is_cornered_stands(start):
    """Its rays turned it off the walls into which it fled: it shook, by 2 to 8 in ten seconds."""
    world = World(time_step=0.025, seed=1, bounds=(0, 0, 20, 20), edges="wall")
    prey = world.add_group("prey", [start], model="soldiers", speed=1.0)
    hunter = world.add_group("hunter", [(14.0, 13.0)], model="crowd", speed=1.3)
    prey.goal, hunter.goal = Goal("flee", "hunter"), Goal("chase", "prey")
    moved = 0.0
    for step in range(1600):
        before = prey.position.copy()
        world.step()
        moved += float(np.hypot(*(prey.position - before).T)[0]) if step >= 1200 else 0.0
    assert moved < 0.1
