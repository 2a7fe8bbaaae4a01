"""The engine looks often enough for whoever is fast."""

import numpy as np
import pytest

import sim
from sim.run import run
from sim.study.report import Report


def test_the_flock_needs_one_look_a_step() -> None:
    """At its own speed nobody of a flock outruns half a hull length, so a step is one part."""
    world = sim.World()
    world.add_group("a", [(0, 0)], model="flock")
    assert world.substeps == 1


def test_parts_follow_speed_and_time_step() -> None:
    """400 units / s are 6.67 a step: four parts for hulls of length 4, by a new speed at once."""
    world = sim.World()
    group = world.add_group("a", [(0, 0)], model="flock")
    group.speed = 400
    assert world.substeps == 4
    slow = sim.World(time_step=0.1)
    slow.add_group("a", [(0, 0)], model="flock")
    assert slow.substeps == 4


def test_parts_do_not_change_a_free_flight() -> None:
    """The forces of a step act in each of its parts: the same change of velocity as in one."""
    ends = []
    for time_step, speed in ((1 / 60, 119.9), (1 / 60, 120.1)):
        world = sim.World(time_step=time_step)
        group = world.add_group("a", [(0, 0)], model="flock", heading=0.0)
        group.speed = speed
        for _ in range(120):
            world.step()
        ends.append((world.substeps, world.units.velocity[0, 0] / speed))
    assert [parts for parts, _ in ends] == [1, 2]
    assert ends[0][1] == pytest.approx(ends[1][1], rel=1e-3)


@pytest.mark.parametrize("seed", [0, 3, 4, 6, 11])
def test_fast_units_stay_within_walls(seed: int) -> None:
    """At 400 units / s no centre crosses a wall, and the units keep flying."""
    bounds = (0, 0, 2000, 1500)
    world = sim.World(seed=seed, bounds=bounds, edges="wall")
    world.add_group("a", sim.Region(*bounds), model="flock", count=10, speed=400)
    report = Report(world, "fast")
    run(world, 600, [report])
    assert report.result(1.0)["wall_crossings"] == 0
    assert np.hypot(*world.units.velocity.T).mean() > 200
