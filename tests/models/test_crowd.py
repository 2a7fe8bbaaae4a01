"""Model "crowd" gets everybody there: published scenes, exact symmetry, no nudges."""

from pathlib import Path

import numpy as np
import pytest

from sim import Goal, Hull, World
from sim.run import run
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.report import Report
from sim.study.score import LINES
from sim.study.trial import Trial, try_out

SCENES = Path(__file__).resolve().parents[2] / "maps" / "scenes"
QUICK = ["head_on", "crossing_pair", "two_files", "two_lines", "squeeze", "circle_20",
         "doorway_two_way", "crossing", "rimea_06", "overtake"]  # fmt: skip
LONG = ["circle_50", "circle_100", "corridor", "four_way", "doorway_30", "one_point",
        "oncoming_groups", "bottleneck_120", "rimea_12"]  # fmt: skip
DEEPEST = 0.05
"""Overlap allowed, as a share of a radius: what the engine leaves when hulls touch at a walk."""


def figures(name: str) -> dict:
    """The metrics of a scene, run as it stands."""
    plan = load(SCENES / f"{name}.toml", [])
    world = build(plan)
    report = Report(world, plan.title)
    outcome = run(world, plan.steps, [report], lambda: report.done)
    return report.result(outcome.wall_s)


RATIO = {"head_on": 1.05, "overtake": 1.04}
"""Mean time over the free time, at most: the social force model loses 4 % behind a slow one."""


def solved(found: dict) -> None:
    """Everybody arrived and rests, nobody was walked through, no wall was crossed."""
    assert found["arrived_share"] == 1.0
    assert found["settled_s"] is not None
    assert found["max_overlap_share"] <= DEEPEST
    assert found["wall_crossings"] == 0
    assert not found["jitter_flips"]


@pytest.mark.parametrize("name", QUICK)
def test_scenes(name: str):
    """Each scene is wholly solved, exact mirror images included.

    An exact head-on pair loses less than a twentieth of its time; behind a slow one in a corridor
    one passes, for less than 4 %.
    """
    found = figures(name)
    solved(found)
    assert found["mean_time_ratio"] < RATIO.get(name, np.inf)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_long_scenes(name: str):
    """Crowds are wholly solved too."""
    solved(figures(name))


def arch(seed: int, **change) -> float:
    """Seconds till all of fourteen are through a door of 0.8 m before which they stand wedged."""
    wedged = [
        (-0.203, -0.471), (-0.447, -0.147), (-0.458, 0.259), (-0.203, 0.575), (-0.591, -0.590),
        (-0.205, -0.877), (-0.838, -0.256), (-0.778, 0.508), (-1.100, 0.100), (-1.000, -0.690),
        (-0.620, 0.890), (-0.210, 0.985), (-1.190, 0.600), (-1.250, -0.330),
    ]  # fmt: skip
    jitter = np.random.default_rng(seed).uniform(-0.004, 0.004, (len(wedged), 2))
    places = 1.05 * np.array(wedged) + jitter  # apart by as much as this takes
    world = World(boxes=[[0, -4, 0.4, -0.4], [0, 0.4, 0.4, 4]], bounds=(-4, -4, 6, 4), edges="wall")
    world.add_group(
        "all", places, model="crowd", hull=Hull.disc(0.2, 80.0), speed=1.3, heading=0.0,
        goal=Goal.into((3.0, -2.0, 5.0, 2.0)), behaviours={"keep_clear": change},
    )  # fmt: skip
    while (world.units.position[:, 0] < 0.4).any() and world.time < 60:
        world.step()
    return world.time


@pytest.mark.parametrize("seeds", [(2, 3), pytest.param((1, 2, 3, 4), marks=pytest.mark.slow)])
def test_no_arch_stands_in_a_door(seeds):
    """Of some that stand wedged, hull to hull, the first goes.

    At the 1.3 a second that walkers make of such a door all are through in 11 s. Here it takes 10,
    in the mean of twelve starts, and 13 where nobody leaves room to the first.
    """
    times = [arch(seed) for seed in seeds]
    assert max(times) < 11.0
    assert np.mean(times) < 0.9 * np.mean([arch(seed, defer=0.0) for seed in seeds])


@pytest.mark.slow
def test_more_pass_a_wider_door():
    """Specific flow rises with the width, and is that of the laboratory: 1.6 to 2.0 a metre and s.

    (Kretz 2006; Seyfried et al. 2009.) Means of five starts, which are good to a tenth.
    """
    flows = []
    for width in ("080", "100", "120"):
        name = f"bottleneck_{width}"
        rows = [
            try_out(Trial(SCENES / f"{name}.toml", "crowd", seed, LINES[name]))[0]
            for seed in range(5)
        ]
        assert all(row["arrived_share"] == 1.0 for row in rows)
        flows.append(np.mean([row["specific_flow"] for row in rows]))
    assert flows == sorted(flows)
    assert 1.5 < flows[0] < flows[-1] < 2.1


def test_numbering_does_not_matter():
    """Units in another order do the same in that order."""
    rng = np.random.default_rng(3)
    places = np.array([[x, y] for x in range(4) for y in range(3)], dtype=float) * 1.7
    goals = np.add(places[::-1], [0.3, 0.1])
    order = rng.permutation(len(places))
    ends = []
    for rows in (np.arange(len(places)), order):
        world = World()
        world.add_group("a", places[rows], model="crowd", goal=Goal.to(goals[rows]))
        for _ in range(120):
            world.step()
        ends.append(world.units.position)
    assert np.allclose(ends[0][order], ends[1], atol=1e-6)


def test_a_unit_at_rest_makes_way_for_one_that_waits():
    """One that stands in a passage lets by another that has waited, and is not run over."""
    world = World(boxes=[[-5, -3, 5, -1.2], [-5, 1.2, 5, 3]])
    hull = Hull.disc(0.5, 80.0)
    world.add_group("there", [[0.0, 0.3]], model="crowd", hull=hull, goal=Goal.to([0.0, 0.3]))
    world.add_group("by", [[-4.0, 0.0]], model="crowd", hull=hull, goal=Goal.to([4.0, 0.0]))
    deepest = 0.0
    while world.time < 30 and not world.roster.orders.minds.arrived.all():
        world.step()
        apart = np.hypot(*np.diff(world.units.position, axis=0)[0])
        deepest = max(deepest, 1.0 - apart)
    assert world.orders.minds.arrived.all()
    assert deepest < DEEPEST * 0.5


def test_a_unit_that_is_left_alone_closes_up():
    """One that rests away from the place it shares, with nobody beside it, goes on to the rest."""
    world = World()
    group = world.add_group(
        "a", [[x, 0.0] for x in (-6.0, -7.5, -9.0)], model="crowd", goal=Goal.to([0.0, 0.0])
    )
    for _ in range(60 * 12):
        world.step()
    assert world.orders.minds.arrived.all()
    world.roster.orders_now().minds.moving[:] = False
    far = int(np.argmax(np.hypot(*world.units.position.T)))
    world.roster.bridge.bodies[far].position = (4.0, 0.0)
    for _ in range(60 * 12):
        world.step()
    apart = np.hypot(*world.units.position.T)
    assert apart[group.rows].max() < 2.5
