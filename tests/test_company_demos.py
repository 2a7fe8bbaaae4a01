"""What demos of soldiers, crowds and large parties say of their rules, in figures: on and off."""

from __future__ import annotations

import runpy
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from sim.models import MODELS
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.order import rank_order
from tests.test_party_demos import reach
from tests.test_rule_demos import MAPS, Played, apart, played


def touching(run: Played, width: float, every: int = 6) -> int:
    """How often hulls of a width were pressed together by more than a hundredth of it."""
    return sum(
        int((apart(places[np.isfinite(places[:, 0])]) < 0.99 * width).sum()) // 2
        for places in run.position[::every]
    )


@pytest.mark.slow
def test_battle():
    """Twelve stand at two lengths from an opponent; without the rule the companies stay apart."""
    met = reach(played("battle", 35), "blue", "red")[-1]
    assert np.median(met.min(axis=1)) == pytest.approx(2.0, abs=0.05)
    assert met.min(axis=1).max() < 2.1
    assert reach(played("battle", 35, "approach"), "blue", "red")[-1].min() > 30


@pytest.mark.slow
def test_rank_and_file():
    """Rows form within a minute; without the rule each marches for itself."""
    orders = []
    for off in ((), ("rank_and_file",)):
        world = played("rank_and_file", 60, *off).world
        orders.append(rank_order(world.units.position, world.units.angle, world.plane.size).mean())
    assert orders[0] > 0.4
    assert orders[1] < 0.2


@pytest.mark.slow
def test_one_formation_from_any_start():
    """In 20 of 20 seeds all stand within four lengths of the next, on one course, after 100 s."""
    plan = load(MAPS / "rank_and_file.toml")
    for seed in range(1, 21):
        world = build(plan.model_copy(update={"seed": seed}))
        while world.time < plan.duration:
            world.step()
        off = world.plane.nearest(world.units.position[:, None] - world.units.position)
        near = np.hypot(off[..., 0], off[..., 1]) < 4.0
        assert connected_components(near, directed=False)[0] == 1, seed
        assert np.hypot(*world.units.heading.mean(axis=0)) > 0.98, seed


def test_a_formation_stays_together():
    """Once all march as one, none goes its own way: it is looked at from 60 to 160 s, seed 18.

    Those of the first rank saw no other: one marched off 0.3 rad to port, and 23 were left. In four
    of four seeds that were watched to 240 s one or more went.
    """
    world = build(load(MAPS / "rank_and_file.toml").model_copy(update={"seed": 18}))
    while world.time < 160:
        world.step()
        if world.time > 60 and world.steps % 600 == 0:
            off = world.plane.nearest(world.units.position[:, None] - world.units.position)
            near = np.hypot(off[..., 0], off[..., 1]) < 4.0
            assert connected_components(near, directed=False)[0] == 1, world.time


def test_castle():
    """Parties that meet pass each other; without their rules they press through."""
    kept = played("castle", 20)
    width = 2 * kept.world.groups[0].hull.radius
    pressed = played("castle", 20, "personal_space", "take_turns", "keep_right")
    assert touching(kept, width) < 0.5 * touching(pressed, width)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "seconds", "more"), [("crowd", 20, 10), ("soldiers", 30, 8)])
def test_doors(model: str, seconds: float, more: int, monkeypatch: pytest.MonkeyPatch):
    """Many leave the queue for the wider door, farther off: far more are out in the same time.

    Of `crowd` 49 and 26 of 60 are; all are out after 22 s, by the shortest ways after 38.
    """
    asked, out = MODELS[model], []
    for quickest in (True, False):
        monkeypatch.setitem(MODELS, "crowd", replace(asked, quickest=quickest))
        out.append(int(played("doors", seconds).world.orders.minds.arrived.sum()))
    assert asked.quickest
    assert out[0] > out[1] + more


def test_lanes():
    """Streams pass nearly without touching; without the rule hulls press through each other."""
    seen = []
    for off in ((), ("keep_clear",)):
        run = played("lanes", 10, *off)
        seen.append(touching(run, 2 * run.world.groups[0].hull.radius))
    assert seen[0] < 0.1 * seen[1]


def test_flow_field():
    """The field leads the thousand towards the way out; without the rule each stays about."""
    ways = []
    for off in ((), ("follow_flow",)):
        places = played("flow_field", 3, *off).position
        ways.append(np.hypot(*(places[-1] - places[0]).T).mean())
    assert ways[0] > 3 * ways[1]


def test_ages():
    """Of units that are alike hardly one passes another; of units that differ a third of pairs."""
    world = build(load(MAPS / "ages.toml"))
    starts, came = world.units.position[:, 0].copy(), np.full(60, np.inf)
    while world.time < 60 and np.isinf(came).any():
        world.step()
        came[world.orders.minds.arrived & np.isinf(came)] = world.time
    alike, drawn = (
        np.mean((starts[part, None] > starts[part]) & (came[part, None] > came[part])) * 2
        for part in (slice(30), slice(30, 60))
    )
    assert np.isfinite(came).all()
    assert alike < 0.05 < 0.2 < drawn
    assert np.ptp(came[30:]) > 2 * np.ptp(came[:30])


def test_headway():
    """A crowd that keeps its headway draws out to twice its length; without the rule it does not.

    The others stay the block that they were: at 12 s it is within 5 % as long as at 6 s.
    """
    for rule, drawn in (("true", True), ("false", False)):
        changes = [f"groups.people.behaviours.keep_headway={rule}"]
        world, lengths = build(load(MAPS / "headway.toml", changes)), []
        for until in (6, 12):
            while world.time < until:
                world.step()
            x = world.units.position[:, 0]
            lengths.append((np.std(x[:80]), np.std(x[80:])))
        block, people = np.array(lengths).T
        assert block[1] < 1.05 * block[0]
        assert bool(people[1] > 1.8 * block[1]) is drawn
        assert world.units.present.all()


def test_own_bodies():
    """People hardly touch a disc of the script's own; unseen they walk into it."""
    begin = runpy.run_path(str(MAPS.parent / "demos" / "own_bodies.py"))["swing"]
    touches = []
    for seen in (True, False):
        world = build(load(MAPS / "own_bodies.toml"))
        begin(world, seen=seen)
        (disc,) = (body for body in world.space.bodies if body.mass > 10000)
        touches.append(0)
        while world.time < 25:
            world.step()
            touches[-1] += int((np.hypot(*(world.units.position - disc.position).T) < 1.3).sum())
    assert world.orders.minds.arrived.mean() > 0.9
    assert touches[0] < 0.2 * touches[1]  # with three seeds 0.01 to 0.12
