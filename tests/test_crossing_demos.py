"""What the demos of crossing paths show, in figures."""

from pathlib import Path

import numpy as np
import pytest

from sim import World
from sim.run import run
from sim.scenario.build import build
from sim.scenario.load import load

MAPS = Path(__file__).resolve().parent.parent / "maps"


def played(name: str, *off: str) -> tuple[World, np.ndarray]:
    """The world of a demo at its end, and all positions (T, N, 2); some rules weigh nothing."""
    plan = load(MAPS / f"{name}.toml")
    world = build(plan)
    for group in world.groups:
        for rule in off:
            group.configure(rule, weight=0.0)
    places = [world.units.position]
    while world.time < plan.duration:
        world.step()
        places.append(world.units.position)
    return world, np.array(places)


def nearest(places: np.ndarray, i: int, j: int) -> float:
    """How near two ever come, centre to centre."""
    return float(np.hypot(*(places[:, i] - places[:, j]).T).min())


def test_crossing():
    """Nobody touches; the second of the two goes as straight as if it were alone; all arrive."""
    world, places = played("crossing")
    assert world.orders.minds.arrived.all()
    assert np.abs(places[:, 1, 0] + 9).max() < 0.02
    assert np.abs(places[:, 0, 1]).max() > 0.1
    assert min(nearest(places, i, j) for i in range(14) for j in range(i)) > 0.975


@pytest.mark.parametrize(
    ("name", "least"), [("crossing", 0.98), ("chase_ignored", 1.0), ("chicken", 0.97)]
)
def test_without_their_rule_they_stand_hull_to_hull(name: str, least: float):
    """Some run into each other, and are still in each other's way at the end; a hull is 1 wide."""
    world, places = played(name, "give_way")
    off = places[:, :, None] - places[:, None]
    away = np.hypot(off[..., 0], off[..., 1]) + 9.0 * np.eye(places.shape[1])
    assert away.min() < least
    assert world.orders.minds.arrived.mean() < 0.5


def test_chicken_without_its_rule():
    """Neither of the two swerves: they end bow to bow."""
    places = played("chicken", "give_way")[1]
    assert np.abs(places[:, :2, 1] + 2).max() < 0.01


def test_after_you():
    """Red waits for red until the end, green has long arrived."""
    world, _ = played("after_you")
    assert world.orders.minds.arrived.tolist() == [False, False, True, True]


def test_after_you_without_its_rule():
    """Green: the one from starboard holds its course, the other passes astern; else both stop.

    Without the rule they stand hull to hull, as red does with its own; a hull is 1 wide.
    """
    world, places = played("after_you")
    assert np.abs(places[:, 2, 1] - 7).max() < 0.01
    assert places[:, 3, 0].min() < -0.5  # it goes behind the one that comes from the west
    assert nearest(places, 2, 3) > 1.2
    world, places = played("after_you", "crossing_paths")
    assert not world.orders.minds.arrived.any()
    assert max(nearest(places, 0, 1), nearest(places, 2, 3)) < 1.0


def test_step_aside():
    """Above the one is through and arrives; below, where the rule is off, it waits to the end.

    With the rule at both lines both are through.
    """
    world, places = played("step_aside")
    assert world.orders.minds.arrived[10:].tolist() == [True, False]
    assert places[-1, 11, 0] < 0.0
    moved, radius = np.hypot(*np.moveaxis(places - places[0], -1, 0)).max(axis=0), 0.3
    assert np.sum(moved[:5] > radius) >= 2  # one on each side of the guest
    assert moved[5:10].max() < radius
    with_both = build(load(MAPS / "step_aside.toml", ["groups.shut.behaviours.step_aside=true"]))
    run(with_both, 25 * 60)
    assert with_both.orders.minds.arrived[10:].all()


def test_chase_ignored():
    """While it follows the faster red one, a blue one holds course and speed; nobody touches."""
    world, places = played("chase_ignored")
    before = places[120:300, 2]
    assert np.ptp(before[:, 1]) < 0.02
    assert np.diff(before[:, 0]).min() > 0.98 * 1.3 * world.time_step
    assert world.orders.minds.arrived.all()
    assert min(nearest(places, i, j) for i in range(4) for j in range(i)) > 1.0


def test_chicken():
    """Both of two swerve, by as much, to starboard; four pass through one point; nobody touches."""
    world, places = played("chicken")
    one, other = places[:, 0, 1] + 2, places[:, 1, 1] + 2
    assert 0.4 < one.max() < 1.2  # y grows down: starboard of the unit that goes right
    np.testing.assert_allclose(one, -other, atol=1e-6)
    assert world.orders.minds.arrived.all()
    assert min(nearest(places, i, j) for i in range(6) for j in range(i)) > 1.0
