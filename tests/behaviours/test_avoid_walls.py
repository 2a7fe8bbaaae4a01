"""What is flat is turned off in time, in corners too."""

import numpy as np
import pytest

import sim
from sim.run import run
from sim.study.report import Report

LENGTH = 4.0


def steering(place: tuple[float, float], degrees: float, **where: object) -> float:
    """The unweighted term to starboard of one unit."""
    world = sim.World(**where)
    rules = {"avoid_walls": {"weight": 1.0, "clearance": 0.0}}
    unit = world.add_group(
        "one", [place], model="player", heading=np.radians(degrees), behaviours=rules
    )
    world.step()
    ahead, starboard = unit.terms["avoid_walls"][0]
    assert ahead == 0
    return float(starboard)


def test_strength_is_look_ahead_over_distance() -> None:
    """A wall met at 40 units pushes 100 / 40 within 25 lengths, one beyond them not at all."""
    wall = [(0, -50, 0, 50)]
    assert steering((-40, 0), 0, walls=wall) == pytest.approx(100 / 40)
    assert steering((-101, 0), 0, walls=wall) == 0
    assert steering((-40, 0), 180, walls=wall) == 0, "a wall astern is no matter"
    assert steering((-40, 51), 0, walls=wall) == 0, "nor one that is passed"


@pytest.mark.parametrize(("degrees", "side"), [(30, 1), (-30, -1), (0, 1)])
def test_turn_is_the_shorter_way_along_the_wall(degrees: float, side: int) -> None:
    """A slanting course turns further the way it slants; a square one turns to starboard."""
    assert np.sign(steering((-40, 0), degrees, walls=[(0, -500, 0, 500)])) == side


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_corner_does_not_send_to_and_fro(turned: float) -> None:
    """Whatever the heading into a corner, each unit leaves it untouched and gets away."""
    for aim in (-40, -20, 0, 20, 40):
        world = sim.World(bounds=(-200, -200, 200, 200), edges="wall")
        angle = np.radians(turned + 45)
        start = 100 * np.array([np.cos(angle), np.sin(angle)])
        start = np.sign(start) * 140
        world.add_group(
            "one",
            [start],
            model="flock",
            heading=angle + np.radians(aim),
            behaviours={"cohesion": False},
        )
        report = Report(world, "corner")
        run(world, 300, [report])
        assert report.result(1.0)["max_wall_overlap_share"] == 0
        assert np.hypot(*world.units.velocity[0]) > 50, "it still flies"


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2, 3))])
@pytest.mark.parametrize("view", ["wide", "narrow"])
def test_walled_flock_touches_neither_wall_nor_mate(seed: int, view: str) -> None:
    """Twenty units among walls and a box keep clear of them and of each other, and keep flying."""
    bounds = (0, 0, 1024, 768)
    box = [(400, 300, 600, 450)]
    world = sim.World(seed=seed, bounds=bounds, edges="wall", boxes=box)
    room = sim.Region(40, 40, 984, 728)
    world.add_group("blue", room, model="flock", count=20, view=view, heading="random")
    for _ in range(120):  # whoever starts right before a wall has no room to turn
        world.step()
    report = Report(world, "walled")
    run(world, 1200, [report])
    figures = report.result(1.0)
    assert figures["wall_crossings"] == 0
    assert figures["max_wall_overlap_share"] == 0
    assert figures["contacts"] == 0
    assert np.hypot(*world.units.velocity.T).mean() > 60, "a stalled flock touches nothing either"
