"""Units that follow another keep out of its way."""

import numpy as np
import pytest

import sim


def rings(turn: float) -> np.ndarray:
    """Three rings of units (36, 2) that stand close round a place, turned by an angle."""
    angles = [turn + 2 * np.pi * np.arange(n) / n for n in (6, 12, 18)]
    return np.concatenate(
        [0.95 * k * np.column_stack([np.cos(a), np.sin(a)]) for k, a in enumerate(angles, 1)]
    )


def led_out(model: str, places: np.ndarray, speed: float = 1.0) -> float:
    """The time in which a leader amid units that follow it comes 12 lengths out of them."""
    world = sim.World(time_step=0.05)
    hull = sim.Hull.disc(0.4)
    leader = world.add_group(
        "leader", [(0, 0)], hull=hull, speed=speed, goal=sim.Goal.to((9.6, 0)), heading=0.0
    )
    world.add_group(
        "class", places, model=model, hull=hull, speed=1.5, goal=sim.Goal("follow", "leader"),
        heading=np.pi,
    )  # fmt: skip
    while not leader.arrived[0] and world.time < 60:
        world.step()
    return world.time


@pytest.mark.parametrize("turn", [0.0, 0.2])
@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "squares"])
def test_rings_of_followers_open(model, turn):
    """A leader shut in by three rings gets out; alone it takes 9 s.

    Those behind make room for the inner ones: else it stands shut in for good.
    """
    assert led_out(model, rings(turn)) < 20


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("model", ["crowd", "mages"])
def test_a_leader_that_turns_back_passes(model, seed):
    """In a dead end it goes through those that came behind it, and they follow it again.

    Alone it takes 30 s; they have to part along both walls.
    """
    world = sim.World(bounds=(0, 0, 22, 4), edges="wall", time_step=0.05, seed=seed)
    route = sim.Goal.along([(20, 2), (4, 2)], tolerance=1.0)
    leader = world.add_group("leader", [(6, 2)], hull=sim.Hull.disc(0.3), speed=1.0, goal=route)
    followers = world.add_group(
        "class", sim.Region(0.2, 0.2, 5, 3.8), model=model, count=20, hull=sim.Hull.disc(0.25),
        speed=1.5, goal=sim.Goal("follow", "leader"),
    )  # fmt: skip
    while not leader.arrived[0] and world.time < 90:
        world.step()
    assert world.time < 60
    for _ in range(100):
        world.step()
    assert np.hypot(*(followers.position - leader.position).T).max() < 6


def test_a_follower_goes_to_its_own_side():
    """Ahead of its leader it goes aside, in a dead heat to starboard of it."""
    places = [(2.0, -0.3), (2.0, 0.3), (1.2, 0.0), (-3.0, 0.3)]
    went = []
    for place in places:
        world = sim.World(time_step=0.05)
        world.add_group("leader", [(0, 0)], speed=0.5, goal=sim.Goal.to((50, 0)), heading=0.0)
        one = world.add_group(
            "one", [place], speed=1.5, goal=sim.Goal("follow", "leader"), heading=np.pi
        )
        for _ in range(20):
            world.step()
        went.append(one.position[0, 1] - place[1])
    assert went[0] == pytest.approx(-went[1], abs=0.05)
    assert went[1] > 0.4
    assert went[2] > 0.4
    assert abs(went[3]) < 0.3


@pytest.mark.parametrize("seed", [1, 2])
def test_followers_make_no_way_for_one_that_only_they_push(seed):
    """Round a leader at rest they stand: when they push it, it is not bound that way.

    Three seeds: from 20 s on they move at 0.4 on average, as without making way. Where they made
    way for that motion, they kept each other going at 0.8.
    """
    world = sim.World(time_step=0.05, seed=seed)
    hull = sim.Hull.disc(0.4)
    world.add_group("leader", [(0, 0)], hull=hull, goal=sim.Goal.to((6, 0)), heading=0.0)
    followers = world.add_group(
        "class", sim.Region(-8, -4, -2, 4), model="mages", count=12, hull=hull, speed=1.5,
        goal=sim.Goal("follow", "leader"),
    )  # fmt: skip
    speeds = []
    while world.time < 40:
        world.step()
        if world.time > 20:
            speeds.append(np.hypot(*followers.velocity.T).mean())
    assert np.mean(speeds) < 0.55
