"""A unit that would queue for long goes another way, if the model takes the quickest."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.models import MODELS

SHELL = [(-1, -1, 17, 0), (-1, 14, 17, 15), (-1, 0, 0, 14), (16, 0, 17, 14)]
ONE_DOOR = [*SHELL, (10, 0, 10.5, 1.5), (10, 2.3, 10.5, 14)]
TWO_DOORS = [*SHELL, (10, 0, 10.5, 1.5), (10, 2.3, 10.5, 11.7), (10, 12.5, 10.5, 14)]


@pytest.fixture(autouse=True)
def shortest_ways(monkeypatch):
    """A crowd that takes the shortest ways, whoever queues there."""
    model = replace(MODELS["crowd"], name="shortest", quickest=False)
    monkeypatch.setitem(MODELS, "shortest", model)


def hall(boxes, model: str = "crowd", count: int = 40, seed: int = 1) -> World:
    """A crowd in a hall, close to the upper door."""
    world = World(seed=seed, boxes=boxes)
    world.add_group(
        "crowd", Region(4, 0.5, 9, 4.0), count=count, model=model,
        hull=Hull.disc(0.2, 80.0), speed=1.3, goal=Goal.into((13, 0, 16, 14), leave=True),
    )  # fmt: skip
    return world


def through(world: World, seconds: float) -> tuple[float, int]:
    """Mean time to arrive, and how many went by the lower door."""
    time, lower = np.full(len(world.units), np.inf), np.zeros(len(world.units), np.bool_)
    while world.time < seconds and np.isinf(time).any():
        world.step()
        x, y = world.units.position.T
        lower |= (x > 10) & (x < 10.5) & (y > 7)
        time[world.roster.orders.minds.arrived & np.isinf(time)] = world.time
    return float(time.mean()), int(lower.sum())


LONG, EARLY = 90, 8.0
"""s: in which all are out, and of which two runs are compared."""


class Out(NamedTuple):
    """A crowd that has gone out by two doors."""

    world: World
    early: np.ndarray
    """(N, 2) where all were after the first seconds."""
    queued: bool
    """Whether they were then shown ways round a queue."""
    seconds: float
    """Mean time to arrive."""
    lower: int
    """How many went by the lower door."""


@pytest.fixture(scope="module")
def out() -> Out:
    """One run for the tests that look at it."""
    world = hall(TWO_DOORS)
    while world.time < EARLY:
        world.step()
    early, queued = world.units.position.copy(), bool(party(world).quickest)
    return Out(world, early, queued, *through(world, LONG))


def party(world: World):
    """What leads the crowd."""
    return world.roster.orders_now().guide.parties[0]


def test_some_take_the_farther_door(out: Out):
    """Of a crowd at two doors some go by the farther one; without the rule not half as many.

    With it 13 do, without it 5: those at the edge of the throng, from where that door is nearer.
    """
    assert 5 <= out.lower <= 20
    assert through(hall(TWO_DOORS, "shortest", seed=1), 30)[1] < out.lower / 2


@pytest.mark.slow
def test_a_crowd_takes_both_doors():
    """All get out, some by the farther door, and in less than 0.95 of the time: it is 0.88.

    Of three starts together, as it makes a difference what clogs when: 39 of 120 go by the farther
    door, by the shortest ways 15.
    """
    shortest = [through(hall(TWO_DOORS, "shortest", seed=seed), 90) for seed in (1, 2, 3)]
    both = [through(hall(TWO_DOORS, seed=seed), 90) for seed in (1, 2, 3)]
    assert all(5 <= some <= 20 for _, some in both)
    assert sum(few for _, few in shortest) < sum(some for _, some in both) / 2
    assert np.mean([time for time, _ in both]) < 0.95 * np.mean([time for time, _ in shortest])
    assert np.isfinite([time for time, _ in both]).all()


def test_few_take_the_shortest_way():
    """Nobody goes round a queue that is hardly one."""
    assert through(hall(TWO_DOORS, count=4), 60)[1] == 0


def test_at_the_only_door_nothing_changes():
    """Where no other way leads, a run is the same, bit for bit."""
    worlds = [hall(ONE_DOOR, model) for model in ("shortest", "crowd")]
    for _ in range(600):
        for world in worlds:
            world.step()
    assert worlds[1].orders.guide.parties[0].quickest  # it was looked into
    same, other = (world.units.position for world in worlds)
    assert np.array_equal(same, other, equal_nan=True)


def test_one_seed_one_run(out: Out):
    """Quickest ways are found on another thread, and taken up at a step decided beforehand."""
    world = hall(TWO_DOORS)
    while world.time < EARLY:
        world.step()
    assert out.queued
    assert np.array_equal(world.units.position, out.early, equal_nan=True)


def test_when_the_queue_is_gone_so_are_the_ways_round_it(out: Out):
    """What was found for a queue does not outlast it."""
    assert out.queued
    assert out.seconds < np.inf
    out.world.step()
    assert not party(out.world).quickest
