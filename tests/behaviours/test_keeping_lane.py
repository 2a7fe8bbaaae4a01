"""Round a bend a throng keeps its lanes; on straight ways and before a door it does not."""

from pathlib import Path

import numpy as np
import pytest

from sim import Formation, Goal, Stop, World
from sim.core.arrays import Floats
from sim.scenario.build import build
from sim.scenario.load import load

CORNER = Path(__file__).resolve().parent.parent.parent / "maps" / "corner.toml"


def left_at(world: World, until: float, most: int = 80) -> Floats:
    """When the first `most` units left, in order, s; those that have not by then are left out."""
    times: list[float] = []
    while world.time < until and len(times) < most:
        world.step()
        gone = len(world.units.present) - int(world.units.present.sum())
        times += [world.time] * (gone - len(times))
    return np.array(times)


def rate(times: Floats) -> float:
    """Units a second, without the first fifth and the last."""
    return float((63 - 16) / (times[63] - times[16]))


@pytest.mark.parametrize(
    ("model", "times"), [("crowd", 1.6), pytest.param("walkers", 1.25, marks=pytest.mark.slow)]
)
def test_a_throng_goes_round_a_corner_abreast(model: str, times: float):
    """All get round, `times` as many a second as when all make for the inner corner.

    Measured in this seed: 3.9 to 1.8 for `crowd`, 2.4 to 1.7 for `walkers`.
    """
    changed = [f"groups.crowd.model='{model}'"]
    left = left_at(build(load(CORNER, changed)), 80.0)
    assert len(left) == 80
    changed += ["groups.crowd.behaviours.keep_lane.weight=0"]
    without = left_at(build(load(CORNER, changed)), 80.0, most=64)
    assert rate(left) > times * rate(without)


def added_to(world: World) -> Floats:
    """(n, 2) what `keep_lane` adds to what each unit of the first group wants."""
    return np.array(world.groups[0].terms["keep_lane"])


def abreast(y: Floats, steps: int = 30) -> World:
    """Units side by side at these y, headed east, in a corridor that bends south, after a while."""
    world = World(
        seed=0, bounds=(0, 0, 48, 30), boxes=[(0, 0, 48, 2), (0, 10, 36, 30), (44, 2, 48, 30)]
    )
    places = np.stack([np.full(len(y), 20.0), y], axis=1)
    world.add_group("a", places, heading=0.0, goal=Goal.into((37, 26, 43, 29)))
    for _ in range(steps):
        world.step()
    return world


def test_those_in_outer_lanes_turn_less_to_the_corner():
    """Each but the innermost is turned out from its shortest way, the outer ones more."""
    world = abreast(np.linspace(3, 9, 6))
    turned = added_to(world)[:, 1]
    assert (turned[:-1] < 0).all()
    assert turned[0] < 2 * turned[3] < 0
    command, turn = world.groups[0].terms["arrive"], world.groups[0].terms["keep_lane"]
    np.testing.assert_allclose(
        np.hypot(*(command + turn).T), np.hypot(*command.T), atol=1e-9
    )  # the speed wanted stays


@pytest.mark.parametrize("halts", [False, True])
def test_one_at_a_halt_does_not_count(halts: bool):
    """It will go on later; one beside it on its way turns another out."""
    world = abreast(np.array([3.0]), 0)
    there = Stop(20, 4.2, wait=60) if halts else (30, 4.2)
    goal = Goal.along([there, (37, 6)], formation=Formation("line", facing=0))
    other = world.add_group("b", [(20.0, 4.2)], model="crowd", heading=0.0, goal=goal)
    for _ in range(30):
        world.step()
    assert other.moving.all()
    assert bool((added_to(world) != 0).any()) is not halts


def test_few_others_count_for_less():
    """One of a pair is turned less than one of many, by more than the pair is less crooked."""
    pair, many = abreast(np.array([3.0, 4.2])), abreast(3.0 + 1.2 * np.arange(5))
    # A seventh of it; a fifth if one other had its whole weight.
    assert 0 > added_to(pair)[0, 1] > 0.18 * added_to(many)[0, 1]


def test_one_that_is_slow_makes_for_the_way_out():
    """The rule fades with the share of the desired speed that a unit makes, as in a queue."""
    world = abreast(np.linspace(3, 9, 6))
    before = added_to(world)[0, 1]
    world.groups[0].speed *= 10  # they make a tenth of it now: a fifth of the pull is left
    world.step()
    assert before < 0
    assert 0.45 * before < added_to(world)[0, 1] < 0


def test_others_that_are_slow_count_for_less():
    """A queue beside one turns it out less: at a quarter of its speed each counts for a quarter."""
    turned = []
    for share in (1.0, 0.25):
        world = abreast(np.array([3.0]), 0)
        speed = share * world.groups[0].speed
        world.add_group("b", [(20, 4.2), (20, 5.4)], model="crowd", heading=0.0, speed=speed,
                        goal=Goal.into((37, 26, 43, 29)))  # fmt: skip
        for _ in range(30):
            world.step()
        turned.append(added_to(world)[0, 1])
    assert 0.7 * turned[0] < turned[1] < 0


def test_those_at_rest_lead_no_way():
    """Units that stand, however they face, turn none."""
    world = abreast(np.array([3.0]), steps=0)
    x, y = world.units.position[0]
    world.add_group("b", [(x + 2, y + 1.5), (x + 2, y + 2.7)], heading=0.0)
    for _ in range(30):
        world.step()
    assert not added_to(world).any()


def test_a_new_order_has_not_bent():
    """What an order before led round is forgotten: straight ways of the next keep no lane."""
    world = abreast(np.linspace(3, 9, 6))
    assert added_to(world).any()
    world.groups[0].goal = Goal.into((30, 3, 34, 9))
    for _ in range(3):
        world.step()
    assert not added_to(world).any()


def test_one_alone_takes_the_shortest_way():
    """Without others near there is no lane to keep."""
    assert not added_to(abreast(np.array([3.0]))).any()


def test_on_straight_ways_no_lane_is_kept():
    """Where nothing is solid, and where the way does not bend, the rule says nothing."""
    for walls in ([], [(0, 0, 48, 2), (0, 10, 48, 12)]):
        world = World(seed=0, boxes=walls)
        places = np.stack([np.full(6, 20.0), np.linspace(3, 9, 6)], axis=1)
        world.add_group("a", places, heading=0.0, goal=Goal.to((60, 6)))
        for _ in range(30):
            world.step()
        assert not added_to(world).any()


def test_before_a_wall_no_lane_is_kept():
    """Those to the side of a door, which would walk into the wall beside it, make for the door."""
    world = World(
        seed=0, bounds=(0, -20, 48, 20), boxes=[(30, -20, 30.5, -0.7), (30, 0.7, 30.5, 20)]
    )
    places = np.stack([np.full(6, 24.0), np.linspace(5, 11, 6)], axis=1)
    world.add_group("a", places, heading=0.0, goal=Goal.into((40, -5, 46, 5)))
    for _ in range(30):
        world.step()
    assert not added_to(world).any()


@pytest.mark.parametrize("shift", [0.0, 34.0, 36.5])
def test_walls_beyond_a_seam_bar_lanes(shift: float):
    """Beside a door on a narrow torus, wherever its seam lies."""
    moved = [
        ((left + shift) % 60, top, (left + shift) % 60 + 0.5, bottom)
        for left, top, bottom in ((30.0, 0.0, 2.3), (30.0, 3.7, 16.0), (2.0, 0.0, 16.0))
    ]
    world = World(seed=0, bounds=(0, 0, 60, 16), edges="wrap", boxes=moved)
    places = np.stack([np.full(6, (23.0 + shift) % 60), np.linspace(7, 13, 6)], axis=1)
    x = (40 + shift) % 60
    world.add_group("a", places, heading=0.0, goal=Goal.into((x - 2, 1, x + 2, 6)))
    for _ in range(90):
        world.step()
        assert not added_to(world).any()
