"""Model "walkers": exactly one of two gives way, nobody is locked, and rings untangle by rule."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sim import Goal, World
from sim.models import MODELS
from sim.scenario.build import build
from sim.scenario.load import loads
from sim.study.score import find_scene

from .meetings import Met, many_pairs, meet, pair, ring

LOCKED = 1.0
"""Seconds of crawling, both of a pair, that count as a deadlock."""
START = 0.2
"""Hull lengths that a start from rest costs, with nobody in the way: 0.1 s of lag and a little."""


@cache
def crossings(count: int) -> Met:
    """Pairs on course to touch at 30 to 150 degrees, each far from all others."""
    return meet(*many_pairs(count, seed=1), seconds=25.0)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_exactly_one_yields(count: int):
    """One of two goes on as if it were alone (off its line by 1 % at most), the other gives way."""
    met = crossings(count)
    asked, stray = np.sort(met.asked.reshape(-1, 2)), met.stray.reshape(-1, 2)
    yields = (asked[:, 0] < 0.02) & (asked[:, 1] > 0.05)
    holder = np.argmin(met.asked.reshape(-1, 2), axis=1)
    straight = stray[np.arange(count), holder] < 0.01
    assert (yields & straight).mean() >= 0.99


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_crossing_is_safe_and_quick(count: int):
    """None touch, all arrive, none is locked; one that yields loses less than 1.5 hull lengths."""
    met = crossings(count)
    assert not met.touches
    assert not np.isnan(met.ratio).any()
    assert met.slow.max() < LOCKED
    assert met.delay.reshape(-1, 2).max(axis=1).mean() < 1.5
    assert met.delay.reshape(-1, 2).min(axis=1).max() < START


def test_without_the_rule_they_touch():
    """The same pairs without it run into each other, nearly all, and some stay locked."""
    met = meet(*many_pairs(60, seed=1), seconds=25.0, behaviours={"give_way": False})
    assert len(met.touches) > 50
    assert (met.slow > LOCKED).any() or np.isnan(met.ratio).any()


@pytest.mark.parametrize(
    "angle",
    [
        30,
        90,
        150,
        180,
        -90,
        *(pytest.param(each, marks=pytest.mark.slow) for each in (60, 120, -30, -150)),
    ],
)
def test_dead_heats(angle: float):
    """Two exact mirror images of each other: no touch, at most 1.25 of the free time on average."""
    met = meet(*pair(angle), seconds=30.0)
    assert not met.touches
    assert met.ratio.mean() < 1.25
    yielding = met.asked > 0.05
    assert yielding.tolist() == ([True, True] if angle == 180 else [angle < 0, angle > 0])


@pytest.mark.parametrize(
    ("count", "radius", "most"),
    [
        (3, 8, 1.25),
        (4, 8, 1.25),
        (8, 8, 1.6),
        (20, 15, 1.6),
        pytest.param(20, 10, 1.6, marks=pytest.mark.slow),
        pytest.param(50, 20, 1.6, marks=pytest.mark.slow),
    ],
)
def test_rings_untangle(count: int, radius: float, most: float):
    """All swap places across a circle, with no random number in it; overlap under 5 %."""
    met = meet(*ring(count, radius), seconds=100.0)
    assert met.deepest < 0.05
    assert met.ratio.mean() < most  # NaN, so no, if anybody did not arrive


def test_overtaking():
    """A faster one goes round a slower one ahead, which goes on as if it were alone."""
    world = World()
    slow = world.add_group("a", [(0, 0)], model="walkers", speed=0.6, goal=Goal.to([(30, 0)]))
    fast = world.add_group("b", [(-5, 0)], model="walkers", speed=1.5, goal=Goal.to([(30, 3)]))
    nearest, asked = np.inf, 0.0
    for _ in range(900):
        world.step()
        nearest = min(nearest, np.hypot(*np.diff(world.units.position, axis=0)[0]))
        asked = max(asked, np.abs(slow.terms["give_way"]).max())
    assert nearest > 1.0
    assert asked < 0.02
    assert world.units.position[1, 0] > world.units.position[0, 0] + 3
    assert fast.command.shape == (1, 2)


def test_renumbered_pairs_do_the_same():
    """The unit listed first has no right of way from it."""
    starts, goals = many_pairs(20, seed=3)
    order = np.random.default_rng(4).permutation(len(starts))
    one = meet(starts, goals, seconds=25.0)
    other = meet(starts[order], goals[order], seconds=25.0)
    np.testing.assert_allclose(one.ratio[order], other.ratio, atol=1e-9)
    np.testing.assert_allclose(one.asked[order], other.asked, atol=1e-6)


@pytest.mark.slow
def test_four_streams_among_blocks(monkeypatch: pytest.MonkeyPatch):
    """All or nearly all come through, round the queues; by the shortest ways it takes longer.

    From three starts, the scene's own and two with all places moved by up to half a unit: 99, 99
    and 100 of 100 within 400 s, the last after 403. By the shortest ways 84 within that time, and
    the last after 471 (21, while units held each other up at the corners of blocks for good).
    """
    scene = find_scene("four_blocks").read_text()
    scene = scene.replace("[[groups]]", '[[groups]]\nmodel = "walkers"')
    share = []
    for seed, quickest in ((0, True), (1, True), (2, True), (0, False)):
        monkeypatch.setitem(MODELS, "walkers", replace(MODELS["walkers"], quickest=quickest))
        world = build(loads(moved(scene, seed), "four_blocks.toml"))
        while world.time < 400 and not world.roster.orders.minds.arrived.all():
            world.step()
        share.append(world.orders.minds.arrived.mean())
    assert np.mean(share[:3]) > 0.95
    assert share[3] < 0.9


def moved(scene: str, seed: int) -> str:
    """The scene with the places of all units moved by up to half a unit; as it is for seed 0."""
    rng = np.random.default_rng(seed)

    def away(place: re.Match[str]) -> str:
        x, y = (float(each) + rng.uniform(-0.5, 0.5) for each in place.groups())
        return f"[{x:.3f}, {y:.3f}]"

    def places(spawn: re.Match[str]) -> str:
        return re.sub(r"\[(-?\d+), (-?\d+)\]", away, spawn[0])

    return re.sub(r"points = \[.*?\n\]", places, scene, flags=re.DOTALL) if seed else scene
