"""The helm of walkers: it turns the bow to the course that is wanted, the less the less it is."""

from dataclasses import replace

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.units import Units
from sim.models.crowd import CROWD
from sim.steering.course import CourseHelm
from sim.steering.craft import Crafts, Drive

HULL = CROWD.hull
DT = 1 / 60


def walk(helm: CourseHelm, command, steps: int) -> tuple[np.ndarray, float]:
    """Velocity (2,) and heading, rad, after steps under a command that lasts in the own frame."""
    units = Units.blank(np.zeros(1, np.int64))
    speed = np.array([helm.terminal_speed(HULL.length)])
    crafts = Crafts.alike(HULL, speed, speed)
    for _ in range(steps):
        out = np.zeros((1, 3))
        drive = Drive(units, slice(0, 1), np.array([command], dtype=float), crafts, DT, out)
        helm.steer(drive)
        units.velocity[0] += out[0, :2] / HULL.mass * DT
        units.spin[0] += out[0, 2] / HULL.moment * DT
        units.angle[0] += units.spin[0] * DT
        units.heading[0] = np.cos(units.angle[0]), np.sin(units.angle[0])
    return units.velocity[0], float(units.angle[0])


def test_a_unit_that_steps_aside_keeps_facing_its_way():
    """A tenth of the speed to starboard is walked at once; in half a second it turns by under 15°.

    Without calm it would turn by more than 45°, and a queue would face any way.
    """
    velocity, turned = walk(CROWD.helm, (0, 0.1), 30)
    speed = CROWD.helm.terminal_speed(HULL.length)
    assert velocity[1] > 0.08 * speed
    assert 0 < turned < np.radians(15)
    assert walk(replace(CROWD.helm, heeded=0.25, calm=1.0), (0, 0.1), 30)[1] > np.radians(45)


def test_a_walking_unit_turns_at_once():
    """Half the speed or more is a course like any other."""
    plain = replace(CROWD.helm, calm=0.0)
    for command in ((0, 0.5), (0.3, 0.4), (-0.6, 0.8)):
        assert walk(CROWD.helm, command, 5)[1] == walk(plain, command, 5)[1] > 0.1


@pytest.mark.parametrize(("name", "value"), [("heeded", 0.0), ("calm", -0.1), ("calm", np.inf)])
def test_refuses(name: str, value: float):
    """What cannot be: told by its name."""
    with pytest.raises(BadInput, match=f"helm.{name} ="):
        CourseHelm(**{name: value})
