"""A formation goes at the pace of its slowest unit, and so keeps its shape."""

from __future__ import annotations

import numpy as np
import pytest

from sim import Box, Formation, Goal, World
from sim.orders.bands import Bands

QUICK, SLOW = 1.3, 0.6


def column(speeds, route=((12, 0), (60, 0)), model: str = "crowd") -> World:
    """Units abreast, 2 lengths apart, that form up in a line across their way and patrol."""
    world = World(seed=0)
    places = [(0.0, 2.0 * k) for k in range(len(speeds))]
    formation = Formation("line", spacing=2.0)
    world.add_group(
        "a", places, heading=0, model=model, speed=speeds,
        goal=Goal.patrol(route, formation=formation),
    )  # fmt: skip
    return world


def deepest(world: World, begin: float, latest: float) -> float:
    """How far the foremost is ahead of the last at most, hull lengths, from x = `begin` to 40.

    Fails where it takes until after `latest`, s.
    """
    found, middle = 0.0, 0.0
    while middle < 40:
        world.step()
        assert world.time < latest
        x = world.units.position[:, 0]
        middle = x.mean()
        if middle > begin:
            found = max(found, float(np.ptp(x)))
    return found / world.groups[0].hull.length


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages"])
def test_a_slow_one_is_not_left_behind(model: str):
    """On the way from the first stop to the next the line of five is less than a length deep."""
    world = column([QUICK, QUICK, SLOW, QUICK, QUICK], model=model)
    assert deepest(world, 18, 110) < 1.0


def test_units_in_mud_slow_the_others():
    """The ground counts: one that wades at half its speed is not left behind either."""
    world = column([QUICK] * 5)
    world.add_area(Box(20, -9, 50, 1), speed=0.5, cost=1.0)
    assert deepest(world, 21, 90) < 1.0


def test_one_that_is_shut_in_holds_up_none():
    """Once it counts as stuck, 10 s after, the others go on at their own pace."""
    world = column([QUICK, SLOW, QUICK])
    while world.units.position[:, 0].mean() < 20:
        world.step()
    x, y = world.units.position[1]
    for wall in ((-1, -1, 1, -0.7), (-1, 0.7, 1, 1), (-1, -0.7, -0.7, 0.7), (0.7, -0.7, 1, 0.7)):
        left, top, right, bottom = wall
        world.add_solid(Box(x + left, y + top, x + right, y + bottom))
    begun = world.time
    while world.time < begun + 20:
        world.step()
    assert np.hypot(*world.groups[0].velocity[[0, 2]].T) == pytest.approx([QUICK] * 2, rel=0.1)


def test_is_the_least_of_those_on_their_way():
    """Of each band for itself; units in none, and units at their halts, keep their own speeds."""
    bands = Bands()
    bands.of, bands.given = np.array([0, 0, 1, -1, 1, 0]), 2
    speeds = np.array([1.0, 0.5, 2.0, 0.1, 3.0, 0.2])
    marches = np.array([True, True, True, True, True, False])
    assert bands.paced(speeds, marches).tolist() == [0.5, 0.5, 2.0, 0.1, 2.0, 0.2]
    assert bands.paced(speeds, np.zeros(6, np.bool_)) is speeds
