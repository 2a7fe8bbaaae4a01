"""The helm of what moves any way without turning."""

import numpy as np
import pytest

from sim import Hull, World
from sim.core.errors import BadInput
from sim.core.units import Units
from sim.steering.craft import Crafts, Drive
from sim.steering.holonomic import HolonomicHelm

HELM = HolonomicHelm(pace=4.0, acceleration=2.0)
HULL = Hull("box", 2.0, 2.0, 3.0, upright=True)
SPEED = np.array([HELM.terminal_speed(HULL.length)])
CRAFTS = Crafts.alike(HULL, SPEED, SPEED)
DT = 1 / 60


def velocities(command, start=(0.0, 0.0), steps=1, heading=0.0):
    """(steps, 2) velocities under a lasting command, free of contacts."""
    units = Units.blank(np.zeros(1, np.int64))
    units.heading[0] = np.cos(heading), np.sin(heading)
    units.velocity[0] = start
    found = []
    for _ in range(steps):
        out = np.zeros((1, 3))
        drive = Drive(units, slice(0, 1), np.array([command], dtype=float), CRAFTS, DT, out)
        HELM.steer(drive)
        assert out[0, 2] == 0
        units.velocity[0] += out[0, :2] / HULL.mass * DT
        found.append(units.velocity[0].copy())
    return np.array(found)


def test_accelerates_any_way():
    """A command of 1 is the whole acceleration: 2 desired speeds (8 units / s) a second."""
    for x, y in ((1, 0), (0, -1), (-0.6, 0.8)):
        assert np.allclose(velocities((x, y)), [(16 * DT * x, 16 * DT * y)])
    assert np.allclose(velocities((3, 4)), velocities((0.6, 0.8)))
    assert np.allclose(velocities((0.5, 0)), [(8 * DT, 0)])


def test_commands_are_in_the_units_own_frame():
    """Ahead of a unit held at a quarter turn is down the screen."""
    assert np.allclose(velocities((1, 0), heading=np.pi / 2), [(0, 16 * DT)])


def test_speed_is_bounded():
    """It ends at the desired speed exactly, also where the course changes."""
    fast = velocities((1, 0), steps=60)
    assert fast[-1].tolist() == pytest.approx([HELM.terminal_speed(HULL.length), 0])
    turned = velocities((0, 1), start=(8.0, 0.0), steps=240)
    assert np.hypot(*turned.T).max() <= 8 + 1e-9
    assert turned[-1] == pytest.approx([0, 8], abs=0.05)


def test_a_unit_that_wants_nothing_stops():
    """Within speed / acceleration = half a second, and then stands exactly still."""
    slowing = velocities((0, 0), start=(4.8, -6.4), steps=40)
    assert np.hypot(*slowing[28]) > 0.05
    assert not slowing[31:].any()


def test_for_speed():
    """Another desired speed changes the acceleration with it."""
    helm = HELM.for_speed(20.0, 2.0)
    assert helm.terminal_speed(2.0) == 20.0
    assert helm.acceleration == HELM.acceleration


@pytest.mark.parametrize("name", ["pace", "acceleration"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_bounds(name, value):
    """Both must be greater than 0."""
    with pytest.raises(BadInput, match=f"helm.{name}"):
        HolonomicHelm(**{"pace": 1.0, "acceleration": 1.0, name: value})


def test_upright_units_never_turn():
    """Struck off centre they only move; without a heading their sides are along the axes."""
    world = World(seed=3)
    still = world.add_group("still", [(0.0, 0.0)], model="squares")
    pusher = world.add_group("pusher", [(-20.0, 9.0)], model="squares")
    pusher.go_to((60.0, 9.0))
    for _ in range(240):
        world.step()
    assert np.abs(world.units.position[still.rows]).max() > 1
    assert not world.units.angle.any()
    assert not world.units.spin.any()
