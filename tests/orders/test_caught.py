"""Units that have caught one at rest stand beside it until it moves on."""

import numpy as np
import pytest

from sim import Goal, Hull, World

MODELS = ["crowd", "mages", "soldiers", "squares", "walkers"]
START = [(0, 0), (1, -3), (-2, 4), (-3, -4), (-5, 1), (-6, -2)]
DISC = Hull.disc(0.5, 80.0)


def caught(model: str, count: int, kind: str, seconds: float = 20) -> World:
    """Some that have been after one at rest for so long."""
    world = World(time_step=0.025, seed=1)
    add = {"hull": DISC, "heading": 0.0}
    hunters = world.add_group("hunters", START[:count], model=model, speed=1.3, **add)
    world.add_group("quarry", [(8, 0)], model="walkers", speed=1.0, **add)
    hunters.goal = Goal(kind, "quarry")
    run(world, seconds)
    return world


def run(world: World, seconds: float) -> tuple[float, float]:
    """How far any unit moves in this time, world units, and turns, radians."""
    moved, turned = np.zeros((2, len(world.units)))
    for _ in range(round(seconds / world.time_step)):
        place, angle = world.units.position.copy(), world.units.angle.copy()
        world.step()
        moved += np.hypot(*(world.units.position - place).T)
        turned += np.abs(world.units.angle - angle)
    return float(moved.max()), float(turned.max())


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("kind", ["chase", "follow"])
@pytest.mark.parametrize("model", MODELS)
def test_units_stand_by_one_at_rest(model, kind, count):
    """Squares circled it, two walkers shoved it on, two mages shook: 30 radians in 10 s.

    It is not pushed off, and as soon as it sets off all are after it.
    """
    world = caught(model, count, kind)
    assert max(run(world, 10)) < 0.01
    hunters, quarry = world.group("hunters"), world.group("quarry")
    off = np.hypot(*(hunters.position - quarry.position).T)
    assert off.max() < (2.6 if kind == "follow" else 1.6)
    assert np.hypot(*(quarry.position[0] - (8, 0))) < 0.25
    quarry.go_to((60, 0))
    run(world, 0.5)
    assert np.hypot(*hunters.velocity.T).min() > 0.3
    run(world, 8)
    off = np.hypot(*(hunters.position - quarry.position).T)
    assert off.max() < 4.5


@pytest.mark.parametrize("count", [4, 6])
@pytest.mark.parametrize("model", MODELS)
def test_more_stand_round_it_or_behind(model, count):
    """The last of the squares circled the others at 1.1 a second, soldiers jostled.

    One that comes no nearer, as others that have caught it bar its way, stands behind them.
    """
    world = caught(model, count, "chase", 25)
    assert run(world, 10)[0] < 0.15
    hunters, quarry = world.group("hunters"), world.group("quarry")
    assert np.hypot(*(hunters.position - quarry.position).T).max() < 4.0
    quarry.go_to((60, 0))
    run(world, 4)
    assert np.hypot(*hunters.velocity.T).min() > 0.3


@pytest.mark.parametrize("kind", ["chase", "follow", "flee"])
@pytest.mark.parametrize("model", MODELS)
def test_units_stand_whose_quarry_has_gone(model, kind):
    """Mages drifted on together at 0.4 a second. They are after the next that comes."""
    world = caught(model, 4, kind, 2)
    quarry = world.group("quarry")
    world.remove(quarry.ids)
    run(world, 4)
    assert max(run(world, 4)) < 0.01
    hunters = world.group("hunters")
    x, y = hunters.position.mean(axis=0)
    quarry.add([(x + 9, y)])
    assert run(world, 2)[0] > 1


def behind(model: str, kind: str, speed: float, slow: float) -> World:
    """One that has been for 25 s after a slower one of `crowd` that walks on."""
    world = World(time_step=0.025, seed=1)
    world.add_group("hunters", [(-8, 0.2)], model=model, speed=speed, goal=Goal(kind, "quarry"))
    world.add_group("quarry", [(0, 0)], speed=slow, goal=Goal.to((200, 0)))
    run(world, 25)
    return world


@pytest.mark.parametrize(("speed", "slow"), [(1.5, 0.3), (1.5, 1.0), (3.0, 1.0)])
@pytest.mark.parametrize("kind", ["chase", "intercept"])
@pytest.mark.parametrize("model", ["crowd", "mages", "soldiers", "walkers"])
def test_one_keeps_up_with_one_that_walks_on(model, kind, speed, slow):
    """It does not push: walkers drove one of 0.3 a second on at 1.24, soldiers shoved it aside.

    Nor does it turn to and fro: one of `crowd` overtook what it was after, and turned at 4.4 rad/s.
    """
    world = behind(model, kind, speed, slow)
    hunters, quarry = world.group("hunters"), world.group("quarry")
    before = quarry.position[0].copy()
    _, turned = run(world, 5)
    way = quarry.position[0] - before
    assert np.hypot(*way) == pytest.approx(5 * slow, rel=0.02)
    assert way[0] > 0.99 * 5 * slow
    assert turned < 0.2
    assert np.hypot(*(hunters.position - quarry.position)[0]) < 1.5


@pytest.mark.parametrize("aside", [1.5, 3.0])
def test_a_hunter_goes_to_meet_one_that_runs_past(aside):
    """As the other came nearer it stood, for a second, and let it pass."""
    world = World(seed=1)
    goals = Goal("chase", "quarry"), Goal.to((60, aside))
    hunter = world.add_group("hunter", [(0, 0)], speed=1.3, goal=goals[0])
    quarry = world.add_group("quarry", [(-12, aside)], speed=2.0, goal=goals[1])
    run(world, 1)
    for _ in range(480):
        world.step()
        assert np.hypot(*hunter.velocity[0]) > 0.1
    assert quarry.position[0, 0] > hunter.position[0, 0]


@pytest.mark.parametrize("slow", [0.3, 1.0])
def test_some_that_keep_up_do_not_drive_one(slow):
    """Hulls that touched it, as it makes room for itself, led one in circles: 0.3 on in 40 s.

    They leave it the room that it keeps to others.
    """
    world = World(seed=1)
    starts = [(-8 - 1.5 * i, 0.2) for i in range(3)]
    world.add_group("hunters", starts, model="walkers", speed=1.5, goal=Goal("chase", "quarry"))
    quarry = world.add_group("quarry", [(0, 0)], speed=slow, goal=Goal.to((200, 0)))
    run(world, 40)
    assert quarry.position[0, 0] > 0.95 * 40 * slow
    hunters = world.group("hunters")
    assert np.hypot(*(hunters.position - quarry.position).T).max() < 2.2


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("model", ["mages", "soldiers", "walkers"])
def test_two_that_follow_each_other_stand(model, seed):
    """Each was in the way of the other, and dodged it: mages changed direction 12 times a second.

    What one comes up to does not bar its way.
    """
    world = World(time_step=0.025, seed=seed)
    for name, x, y, other in (("a", -16, 0.3, "b"), ("b", 18, 0, "a")):
        place, goal = (x, y + 0.4 * seed), Goal("follow", other)
        world.add_group(name, [place], model=model, heading=0.4 * seed, goal=goal)
    run(world, 25)
    assert max(run(world, 5)) < 0.01
    apart = world.group("a").position - world.group("b").position
    assert np.hypot(*apart[0]) == pytest.approx(2.0, abs=0.1)
