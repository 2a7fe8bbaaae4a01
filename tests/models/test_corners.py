"""Walkers and soldiers that meet at the corner of a block all get round it."""

import numpy as np
import pytest

from sim import Goal, World

CORNER = np.array([[-1.20, -0.47], [-0.52, 0.34], [0.36, -0.52], [-0.44, -1.21]])
"""Where four stood in the scene `four_blocks` that held each other up for good, hull lengths from
the corner of the block: half the block away, and so far apart that none overlap."""
PUSHED, BOUND = np.array([180.0, 0.0, 90.0, -90.0]), np.array([-17.0, -90.0, 180.0, 90.0])
"""Degrees to which they were turned by then, and where they wanted to go."""
EAST, SOUTH = (29.0, -9.0), (-9.0, 29.0)


def passed(seed: int, turned: np.ndarray, seconds: float) -> float:
    """When all four have left the corner behind; NaN if they have not in that many seconds."""
    at = CORNER + np.random.default_rng(seed).uniform(-0.02, 0.02, (4, 2)) * (seed > 0)
    world = World(boxes=[(0, 0, 8, 8)])
    for k, name in enumerate("abcd"):
        goal = Goal.to(EAST if k < 2 else SOUTH, tolerance=5.0)
        heading = float(np.radians(turned[k]))
        world.add_group(
            name, at[k : k + 1], model="walkers", heading=heading, speed=0.25, goal=goal
        )
    while world.time < seconds:
        world.step()
        x, y = world.units.position.T
        if (x[:2] > 1.2).all() and (y[2:] > 1.2).all():
            return world.time
    return np.nan


@pytest.mark.parametrize("turned", [PUSHED, BOUND], ids=["pushed", "bound"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])
def test_four_at_a_corner(turned: np.ndarray, seed: int):
    """Of eight starts all do within 60 s: after 22 to 40 s.

    By the view along the bow, without a turn aside, none of six did in a minute.
    """
    assert passed(seed, turned, 60.0) < 60.0


def swap(world: World, model: str, places: tuple[np.ndarray, np.ndarray]) -> None:
    """Two groups that are to change places."""
    a, b = places
    room = np.sqrt(len(a))
    for name, at, to in (("a", a, b), ("b", b, a)):
        goal = Goal.to(to.mean(axis=0), tolerance=room)
        world.add_group(name, at, model=model, speed=1.3, goal=goal)


def arrivals(world: World, seconds: float) -> np.ndarray:
    """(N,) when each has arrived; NaN for those that have not in that many seconds."""
    when = np.full(len(world.units.position), np.nan)
    while world.time < seconds and np.isnan(when).any():
        world.step()
        when[world.roster.orders.minds.arrived & np.isnan(when)] = world.time
    return when


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("model", "most"), [("walkers", 43.0), pytest.param("soldiers", 60.0, marks=pytest.mark.slow)]
)
def test_four_against_four_round_a_block(model: str, most: float, seed: int):
    """All arrive, as those of `crowd` do after 39.3 s; `walkers` took 44.0 s (seed 0).

    Now these take 40.4 s, and `soldiers` 44.6.
    """
    rng = np.random.default_rng(seed)
    off = 2.0 * np.array([[x, y] for x in range(2) for y in range(2)])
    world = World(seed=seed, boxes=[(-10, -10, 10, 10)])
    a = np.array([-16, 13]) + off + rng.uniform(-0.2, 0.2, (4, 2))
    b = np.array([13, -16]) + off + rng.uniform(-0.2, 0.2, (4, 2))
    swap(world, model, (a, b))
    assert arrivals(world, 120.0).mean() < most  # NaN, so no, if one has not arrived


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("model", "most"), [("walkers", 30.0), ("soldiers", 50.0)])
def test_twenty_against_twenty_round_a_corner(model: str, most: float, seed: int):
    """All arrive round the corner of a wall; `walkers` took 33.7 s, now 29.2 (seed 0).

    `soldiers` take 41.1 s. All figures are means of the units' times.
    """
    rng = np.random.default_rng(seed)
    off = 1.5 * np.array([[x, y] for x in range(5) for y in range(4)])
    world = World(seed=seed, boxes=[(-15, -0.5, 0.5, 0.5), (-0.5, -0.5, 0.5, 15)])
    a = np.array([-10, -8]) + off + rng.uniform(-0.2, 0.2, (20, 2))
    b = np.array([3, 4]) + off + rng.uniform(-0.2, 0.2, (20, 2))
    swap(world, model, (a, b))
    assert arrivals(world, 150.0).mean() < most
