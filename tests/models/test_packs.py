"""Many at one point: they pack round it and rest, whatever their pace and shape."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.run import run
from sim.study.report import Report

HULLS = {
    "disc": Hull.disc(0.5, 80.0),
    "box": Hull("box", 1.2, 0.6, 80.0),
    "wedge": Hull("wedge", 1.2, 0.6, 80.0),
}


def rests(
    shape: str, count: int, pace: float, seed: int, *, model: str = "crowd", away: float = 4.0
) -> bool:
    """Whether all rest within twice the free time and a second a unit; `pace` in lengths / s.

    They start `away` lengths from the point and more.
    """
    hull = HULLS[shape]
    length = hull.length
    side = max(8.0, 3.0 * np.sqrt(count)) * length
    world = World(seed=seed)
    world.add_group(
        "a", Region(-away * length - side, -side / 2, -away * length, side / 2), count=count,
        hull=hull, speed=pace * length, model=model, goal=Goal.to((0, 0)),
    )  # fmt: skip
    far = np.hypot(*world.units.position.T).max()
    bound = 2 * (far - hull.radius) / (pace * length) + count
    report = Report(world, "pack")
    run(world, round(bound / world.time_step), [report], lambda: report.done)
    return report.done


@pytest.mark.parametrize("shape", sorted(HULLS))
@pytest.mark.parametrize("pace", [1.3, 6.0, 12.5])
def test_a_pack_rests_at_any_speed(shape: str, pace: float):
    """Eleven at a walking pace, at the pace of games and beyond."""
    assert rests(shape, 11, pace, seed=1)


@pytest.mark.parametrize("shape", sorted(HULLS))
@pytest.mark.parametrize("model", ["mages", "soldiers", "walkers"])
def test_packs_of_other_models_rest(model: str, shape: str):
    """Long hulls at a slow pace: neither two that bar each other's place nor a pack stir on."""
    assert rests(shape, 11, 1.0, seed=1, model=model)


def test_the_first_to_come_holds_the_place():
    """Wedges longer than the tolerance: the first stays there, though ten others push on."""
    world = World(seed=0)
    pack = world.add_group(
        "a", Region(-29, -5, -18, 5), count=11, hull=HULLS["wedge"], speed=1.6, goal=Goal.to((0, 0))
    )
    while not pack.arrived.any() and world.time < 30:
        world.step()
    first = int(np.flatnonzero(pack.arrived)[0])
    until = world.time + 6.0
    while world.time < until:
        world.step()
    assert np.hypot(*pack.position[first]) <= pack.hull.radius
    assert not pack.moving[first]


@pytest.mark.slow
@pytest.mark.parametrize("shape", sorted(HULLS))
@pytest.mark.parametrize("count", [1, 11, 30, 100])
@pytest.mark.parametrize("pace", [0.25, 1.0, 4.0, 8.0, 15.0])
def test_packs_of_all_kinds_rest(shape: str, count: int, pace: float):
    """From a quarter to fifteen lengths a second, alone and a hundred together, ten seeds each."""
    assert all(rests(shape, count, pace, seed, away=15.0) for seed in range(10))


@pytest.mark.parametrize(
    ("model", "ordered"), [("crowd", True), ("crowd", False), ("soldiers", True)]
)
def test_a_pack_makes_way_whether_ordered_or_not(model: str, ordered: bool):
    """One passes straight through forty that stand, and were or were never sent there.

    Soldiers without an order march on. Without `step_aside` it takes one 40 s, with it 20.
    """
    places = 1.15 * np.stack(np.divmod(np.arange(42), 7), axis=1).astype(float)
    world = World(seed=1)
    pack = world.add_group("pack", places, model=model, heading=0.0)
    if ordered:
        pack.go_to(places)
    world.add_group("walker", [(-4, 3.6)], model=model, heading=0.0, goal=Goal.to((12, 3.6)))
    while world.time < 30 and not world.roster.orders.minds.arrived[-1]:
        world.step()
    assert world.orders.minds.arrived[-1]


@pytest.mark.parametrize("count", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_squares_pack_round_a_point(count: int):
    """Within twice the free time and 0.2 s a unit: the last neither circle nor stir the pack."""
    side = 14.0 * max(8.0, 2.0 * np.sqrt(count))
    world = World(seed=1)
    pack = world.add_group(
        "a", Region(-210 - side, -side / 2, -210, side / 2), count=count, model="squares",
        goal=Goal.to((0, 0)),
    )  # fmt: skip
    free = (np.hypot(*pack.position.T).max() - pack.hull.radius) / pack.speed
    report = Report(world, "pack")
    steps = round((2 * free + 0.2 * count) / world.time_step)
    run(world, steps, [report], lambda: report.done)
    assert report.done
