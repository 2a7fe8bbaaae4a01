"""Hulls that are longer than wide turn no faster than their ends may swing out."""

import numpy as np
import pytest

from sim import Hull, World


def fastest(hull: Hull) -> float:
    """The most of its desired speed that a unit reaches as it turns off a wall beside it."""
    world = World(boxes=[(-2, -30, 0, 30)])
    group = world.add_group("one", [(-2.51, -8.0)], hull=hull, speed=1.5, heading=np.pi / 2)
    group.go_to((-10, -9))
    most = 0.0
    for _ in range(240):
        world.step()
        most = max(most, float(np.hypot(*group.velocity[0])) / 1.5)
    assert group.position[0, 0] < -4.0
    return most


@pytest.mark.parametrize(
    "hull", [Hull.box(2.0, 1.0), Hull.box(3.0, 1.0), Hull.wedge(2.0, 1.0), Hull.disc(0.5)]
)
def test_no_hull_is_thrown_off_a_wall(hull):
    """Its stern swings into the wall as its bow turns off it, and pushes it away.

    A box of 2 by 1 was thrown off at 2.25 times its speed, one of 3 by 1 at 3.5, a wedge at 2.0.
    """
    assert fastest(hull) < 1.25
