"""Battles of soldiers: they end, with pairs face to face and all others in reserve."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

from sim import Goal, World
from sim.scenario.build import build
from sim.scenario.load import load

from .companies import until_rest

MAPS = Path(__file__).parents[2] / "maps"


def facing(world: World) -> tuple[np.ndarray, np.ndarray]:
    """Which units are paired, and how far off its opponent or the nearest enemy each heads, rad."""
    units, of = world.units, world.orders.opponents.of
    away = units.position[None] - units.position[:, None]
    foes = units.group[None] != units.group[:, None]
    nearest = np.where(foes, np.hypot(away[..., 0], away[..., 1]), np.inf).argmin(axis=1)
    at = away[np.arange(len(of)), np.where(of >= 0, of, nearest)]
    off = np.arctan2(at[:, 1], at[:, 0]) - units.angle
    return of >= 0, np.abs(np.arctan2(np.sin(off), np.cos(off)))


def battle(side: int, rank: int, seed: int, seconds: float) -> dict[str, np.ndarray]:
    """Two companies in ranks meet, that stand up to 0.2 lengths out of line.

    Which are paired, facing and distance at the end, speed, contacts after the lines met.
    """
    rng, k = np.random.default_rng(seed), np.arange(side)
    place = np.stack([-12.0 - 2 * (k // rank), 2.0 * (k % rank)], axis=1)
    world = World(seed=seed)
    for name, sign, angle in (("a", 1, 0.0), ("b", -1, np.pi)):
        spots = place * (sign, 1) + rng.uniform(-0.2, 0.2, (side, 2))
        goal = Goal("approach", "a") if name == "b" else None
        world.add_group(name, spots, model="soldiers", heading=angle, goal=goal)
    world.group("a").goal = Goal("approach", "b")
    contacts = 0
    for step, _ in enumerate(until_rest(world, seconds)):
        at = world.units.position
        if step % 6 == 0:
            contacts += len(cKDTree(at).query_pairs(0.998))
    paired, off = facing(world)
    of = world.orders.opponents.of
    return {
        "paired": paired,
        "off": off,
        "distance": np.hypot(*(at[of[paired]] - at[paired]).T),
        "speed": np.hypot(*world.units.velocity.T),
        "contacts": contacts,
    }


@pytest.mark.parametrize(
    ("side", "rank", "seed"),
    [
        (12, 10, 5),
        *(
            pytest.param(side, rank, seed, marks=pytest.mark.slow)
            for side in (12, 50, 200)
            for rank in (5, 10)
            for seed in range(5)
        ),
    ],
)
def test_battles_end(side, rank, seed):
    """A minute after they met all are paired, face to face, or face the enemy in reserve, at rest.

    Nobody touches anybody (B5).
    """
    found = battle(side, rank, seed, 68)
    assert found["paired"].sum() >= rank  # more than half of the first ranks
    assert found["contacts"] == 0
    assert found["speed"].max() < 0.01
    assert np.abs(found["distance"] - 2).max() < 0.1
    assert found["off"][found["paired"]].max() < np.radians(5)
    assert found["off"].max() < np.radians(30)


def test_twelve_pairs_stay_twelve_pairs():
    """The demo: all pair off at once, stay so, and stand face to face after ten seconds (B5)."""
    world = build(load(MAPS / "approach.toml"))
    for step in range(600):
        world.step()
        if step == 60:
            first = world.orders.opponents.of.copy()
    of, units = world.orders.opponents.of, world.units
    assert (of >= 0).all()
    assert np.array_equal(of, first)
    assert np.array_equal(of[of], np.arange(24))
    assert np.abs(np.hypot(*(units.position[of] - units.position).T) - 2).max() < 0.1
    assert facing(world)[1].max() < np.radians(5)
    assert np.hypot(*units.velocity.T).max() < 0.01


def test_the_reserve_takes_the_place_of_losses():
    """Soldiers of the line leave: those behind come up, and it all ends at rest again."""
    world = build(load(MAPS / "battle.toml"))
    while world.time < 30:
        world.step()
    lost = np.flatnonzero(world.orders.opponents.of >= 0)
    lost = lost[lost >= 12][[2, 7]]
    for row in lost:
        world.roster.bridge.remove(row)
    world.roster.read_anew()
    for _ in until_rest(world, 30):
        pass
    of, units = world.orders.opponents.of, world.units
    paired = np.flatnonzero(of >= 0)
    assert len(paired) >= 22
    assert not np.isin(paired, lost).any()
    assert (
        np.abs(np.hypot(*(units.position[of[paired]] - units.position[paired]).T) - 2).max() < 0.1
    )
    assert np.hypot(*units.velocity[units.present].T).max() < 0.01


@pytest.mark.parametrize("aside", [0.0, 0.3, 1.0])
def test_one_left_over_amid_opponents_rests(aside):
    """It stands between two pairs: stepping back from one it would step up to the other.

    It went to and fro between the two, and turned round again and again.
    """
    world = World(seed=1)
    world.add_group("a", [(-2.4, 0), (2.4, 0)], heading=[np.pi, 0.0], model="soldiers")
    spots = [(-4.4, 0), (4.4, 0), (0.1, aside)]
    group = world.add_group("b", spots, heading=[0.0, np.pi, 0.0], model="soldiers")
    group.goal = Goal("approach", "a")
    world.group("a").goal = Goal("approach", "b")
    speed = []
    while world.time < 30:
        world.step()
        if world.time > 20:
            speed.append(np.hypot(*world.units.velocity.T).max())
    assert world.orders.opponents.of.tolist() == [2, 3, 0, 1, -1]
    assert max(speed) < 0.01
    assert facing(world)[1].max() < np.radians(5)


def test_the_reserve_does_not_step_back_up_to_a_wall():
    """Two that are too near to an opponent, a wall behind them, stop a length before it and rest.

    They went to and fro before it, at up to 0.53 lengths / s.
    """
    world = World(seed=1, walls=[(9, -5, 9, 5)])
    spots = [(10.3, -2.0), (10.4, 1.5), (10.0, 4.0)]
    group = world.add_group("a", spots, heading=0.0, model="soldiers")
    world.add_group("b", [(12, 0.4)], heading=0.0, model="soldiers", goal=Goal.to((12, 0.4)))
    group.goal, speed = Goal("approach", "b"), []
    while world.time < 25:
        world.step()
        if world.time > 20:
            speed.append(np.hypot(*world.units.velocity.T).max())
    assert max(speed) < 0.01
