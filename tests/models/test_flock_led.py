"""Leaders lead flocks of any size to their quarry, on the torus too (rule A12)."""

from pathlib import Path

import numpy as np
import pytest

from sim import Goal, World
from sim.scenario.build import build
from sim.scenario.load import load

MAP = Path(__file__).resolve().parents[2] / "maps" / "leader.toml"
NEAR = 15.0
"""Lengths from the player."""


def led(count, seconds, seed):
    """Share near the player from 10 s on, over chance; and the share that leads."""
    world = build(load(MAP, [f"groups.blue.count={count}", f"seed={seed}"]))
    group, shares, leads = world.groups[0], [], []
    reach = NEAR * group.hull.length
    for step in range(seconds * 60):
        world.step()
        if step >= 600 and step % 15 == 0:
            player = world.units.position[count]
            away = world.plane.nearest(world.units.position[:count] - player)
            shares.append((np.hypot(*away.T) < reach).mean())
            leads.append(group.leads.mean())
    chance = np.pi * reach**2 / world.plane.size.prod()
    return np.mean(shares) / chance, np.mean(leads)


@pytest.mark.parametrize(
    ("count", "seconds", "seeds", "times"),
    [
        (20, 25, range(2), 2.0),
        (200, 25, range(1), 2.0),
        pytest.param(200, 25, range(10), 2.0, marks=pytest.mark.slow),
        pytest.param(2000, 20, range(1, 7), 1.5, marks=pytest.mark.slow),
    ],
)
def test_a_flock_of_any_size_is_led_to_the_player(count, seconds, seeds, times):
    """Near the player more than by chance in each start, in the mean `times` as many.

    Of 2,000, packed over a third of the torus, three times as many could not stand there.
    """
    near, leads = np.transpose([led(count, seconds, seed) for seed in seeds])
    assert near.mean() > times
    assert near.min() > 1
    assert leads.min() > 0
    assert leads.max() < 0.25


def within(count: int, side: int, seconds: int, seed: int, chases: bool) -> float:
    """Share within 50 lengths of the player from 10 s on, on a torus `side` times as wide."""
    wide = [0, 0, 1024 * side, 768 * side]
    given = [f"groups.blue.count={count}", f"seed={seed}", f"map.bounds={wide}"]
    given += [f"groups.blue.spawn.region={wide}"]
    given += [] if chases else ["groups.blue.behaviours.chase.weight=0"]
    world, shares = build(load(MAP, given)), []
    for step in range(seconds * 60):
        world.step()
        if step >= 600 and step % 15 == 0:
            away = world.plane.nearest(world.units.position[:count] - world.units.position[count])
            shares.append((np.hypot(*away.T) < 50 * world.groups[0].hull.length).mean())
    return float(np.mean(shares))


@pytest.mark.parametrize(
    ("count", "side", "seconds", "seeds"),
    [
        (20, 1, 15, range(3)),
        pytest.param(200, 1, 25, range(10), marks=pytest.mark.slow),
        pytest.param(2000, 3, 20, range(1, 3), marks=pytest.mark.slow),
    ],
)
def test_it_is_the_chase_that_leads(count, side, seconds, seeds):
    """Without it at most two thirds as many are with the player.

    2,000 fill the torus of the demo: there as many are near the player, led or not.
    """
    led, astray = (
        np.mean([within(count, side, seconds, seed, chases) for seed in seeds])
        for chases in (True, False)
    )
    assert led > 1.5 * astray


@pytest.mark.parametrize(
    ("model", "heading", "leads"),
    [
        ("flock", 0.0, [True, True]),
        ("flock", np.pi, [True, False]),
        ("flock_book", 0.0, [False, True]),
    ],
)
def test_a_mate_farther_from_the_quarry_is_not_followed(model, heading, leads):
    """Of two that fly away from their quarry both lead, toward it one; in the book one does."""
    world = World()
    group = world.add_group("a", [(100, 0), (160, 0)], heading=heading, model=model)
    world.add_group("prey", [(0, 0)], model="player", heading=0.0)
    group.goal = Goal("chase", "prey")
    world.step()
    assert group.leads.tolist() == leads


def test_the_nearer_mate_is_followed_across_the_seam():
    """Nearer is nearer by the short way: of two the one just before the seam leads."""
    world = World(bounds=(0, 0, 1024, 768), edges="wrap")
    group = world.add_group("a", [(900, 400), (1000, 400)], heading=0.0, model="flock")
    world.add_group("prey", [(20, 400)], model="player", heading=0.0)
    group.goal = Goal("chase", "prey")
    world.step()
    assert group.leads.tolist() == [False, True]
