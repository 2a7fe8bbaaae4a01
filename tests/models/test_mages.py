"""Model "mages": what they pursue and flee, and the company they keep (E2, E3)."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World

ALL = ["crowd", "mages", "soldiers", "walkers"]


def pair(goal: Goal, **more) -> World:
    """A mage with a goal 6 lengths from another that walks across its bow at 0.5."""
    world = World(time_step=1 / 60)
    world.add_group("a", [(0, 0)], model="mages", heading=0.0, goal=goal, speed=1.0, **more)
    world.add_group(
        "b", [(6, -3)], model="mages", heading=np.pi / 2, speed=0.5, goal=Goal.to((6, 100))
    )
    return world


def test_pursue_goes_where_the_other_will_be():
    """It catches the other sooner than by going where that is, and ahead of where it was."""
    caught = {}
    for prediction in (0.0, 10.0):
        world = pair(Goal("chase", "b"), behaviours={"pursue": {"prediction": prediction}})
        while world.time < 60 and np.hypot(*np.diff(world.units.position, axis=0)[0]) > 1.8:
            world.step()
        caught[prediction] = world.time
    assert caught[10.0] < caught[0.0] < 60


def test_flee_gets_away_and_calms_down():
    """A faster one ends beyond the alarm's half and then stands; one that is far does nothing."""
    world = World()
    sheep = {"flee": {"alarm": 10.0, "prediction": 0.0}}
    world.add_group("a", [(0, 0), (40, 0)], model="mages", goal=Goal("flee", "b"), behaviours=sheep)
    world.add_group("b", [(3, 0)], model="mages", goal=None)
    for _ in range(600):
        world.step()
    x, velocity = world.units.position[:, 0], world.units.velocity
    assert 5 < 3 - x[0] <= 10
    assert abs(x[1] - 40) < 1e-9
    assert np.hypot(*velocity[0]) < 0.05


def test_follow_keeps_its_gap():
    """It catches up with one that walks, keeps a hull and the gap away, and its pace."""
    world = pair(Goal("follow", "b"))
    for _ in range(40 * 60):
        world.step()
    assert abs(np.hypot(*np.diff(world.units.position, axis=0)[0]) - 2.0) < 0.3
    assert abs(np.hypot(*world.units.velocity[0]) - 0.5) < 0.05


def test_personal_space_is_kept_from_anyone():
    """A crowd sent to places of its own walks with gaps, friend or not, but for what it must."""
    world = World(seed=2)
    for name in "ab":
        world.add_group(
            name, Region(0, 0, 8, 8), count=12, model="mages", goal=Goal("chase", "c"), speed=1.0
        )
    world.add_group("c", [(200, 4)], model="mages")
    for _ in range(600):
        world.step()
    here = world.units.position[:24]
    apart = np.hypot(*(here[:, None] - here[None]).transpose(2, 0, 1)) + 9 * np.eye(24)
    assert apart.min() > 1.02


def test_cohesion_is_with_friends_only():
    """Strangers near by do not pull; friends do."""
    rules = {"cohesion": {"weight": 1.0, "range": 20.0}, "personal_space": False}
    world = World()
    goal = Goal.to((100.0, 0.0))
    a = world.add_group("a", [(0, 0), (0, 6)], model="mages", heading=0.0, goal=goal,
                        behaviours=rules)  # fmt: skip
    world.add_group("b", [(0, -3), (1, -5)], model="mages", heading=0.0)
    world.step()
    assert a.terms["cohesion"][0, 1] > 0.5
    assert a.terms["cohesion"][1, 1] < -0.5


def test_a_unit_at_rest_is_left_in_peace():
    """Nobody that has arrived answers friends or strangers."""
    world = World()
    group = world.add_group(
        "a", [(0, 0), (0.0, 1.2)], model="mages", goal=Goal.to([(0, 0), (0, 1.2)])
    )
    for _ in range(3):
        world.step()
    assert all(not term.any() for term in group.terms.values())


def test_one_that_runs_into_another_overlaps_it_little():
    """At full speed into one at rest, 16 times: less than 5 % of a radius.

    With two parts a step it was 5.6 %; it takes three.
    """
    world = World(seed=0)
    y, hull = 100.0 * np.arange(16), Hull.disc(9.0, 80.0)
    here, there = np.full(16, 100.0), np.full(16, 400.0)
    world.add_group(
        "rest", np.c_[here, y], model="mages", hull=hull, speed=64.0, heading=0.0,
        goal=Goal.to(np.c_[here, y]), behaviours={"step_aside": False},
    )  # fmt: skip
    world.add_group(
        "walk", np.c_[-0.07 * np.arange(16), y], model="mages", hull=hull, speed=64.0, heading=0.0,
        goal=Goal.to(np.c_[there, y]),
    )  # fmt: skip
    deepest = 0.0
    while world.time < 2:
        world.step()
        rest, walk = (group.position for group in world.groups)
        deepest = max(deepest, float((18 - np.hypot(*(walk - rest).T)).max() / 9))
    assert 0.0 < deepest < 0.05


@pytest.mark.parametrize(
    ("seed", "model"),
    [(1, "mages")] + [pytest.param(2, each, marks=pytest.mark.slow) for each in ALL],
)
def test_a_crowd_does_not_lock_in_an_arch_before_a_door(seed: int, model: str):
    """Of 150 in a room with two doors of 1.4 hulls some come out in each 20 s, until all are.

    The last of `soldiers`, the slowest, comes out after 217 s with seed 1. Those in front pushed
    each other off, as each headed for the corner next to it, and others pressed from behind: of
    `mages` 17 to 71 came out in three runs, and then none for 30 s or more; so with `soldiers`.
    """
    walls = [[-20, -10, 0, -10], [-20, 10, 0, 10], [-20, -10, -20, 10], [0, -10, 0, -5.7],
             [0, -4.3, 0, 4.3], [0, 5.7, 0, 10]]  # fmt: skip
    world = World(seed=seed, walls=walls)
    room = Region(-19.5, -9.5, -0.5, 9.5)
    goal = Goal.to((15, 5), leave=True)
    group = world.add_group("a", room, count=150, model=model, speed=1.3, goal=goal)
    inside = 150
    for _ in range(15):
        for _ in range(1200):
            world.step()
        before, inside = inside, np.count_nonzero(group.position[:, 0] < 0.5)
        if not inside:
            break
        assert inside < before
    assert not inside
