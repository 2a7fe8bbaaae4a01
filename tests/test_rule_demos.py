"""What a demo says of its rule, in figures: with the rule, and with it switched off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from sim import World
from sim.scenario.build import build
from sim.scenario.load import load

MAPS = Path(__file__).resolve().parent.parent / "maps"


class Played(NamedTuple):
    """A demo that has been run."""

    world: World
    position: np.ndarray
    """(T, N, 2), from the start on."""

    @property
    def velocity(self) -> np.ndarray:
        """(N, 2) of the last step."""
        return self.world.units.velocity

    def nearest(self) -> float:
        """How near any two ever came, centre to centre."""
        return min(apart(places).min() for places in self.position)


def played(name: str, seconds: float, *off: str, seed: int | None = None) -> Played:
    """Some seconds of a demo, in which some rules say nothing at all in any group."""
    world = build(load(MAPS / f"{name}.toml", seed=seed))
    for group in world.groups:
        for rule in off:
            if rule in group.settings:
                group.configure(rule, weight=0.0)
    places = [world.units.position]
    while world.time < seconds:
        world.step()
        places.append(world.units.position)
    return Played(world, np.array(places))


def apart(places: np.ndarray) -> np.ndarray:
    """(n, n) distances between places (n, 2); infinite from each to itself."""
    off = places[:, None] - places
    found = np.hypot(off[..., 0], off[..., 1])
    np.fill_diagonal(found, np.inf)
    return found


def one_course(velocity: np.ndarray) -> float:
    """How much units (n, 2) go one way: 1 where all do, near 0 where each goes its own."""
    return float(np.hypot(*(velocity / np.hypot(*velocity.T)[:, None]).mean(axis=0)))


def test_obstacles():
    """The flock goes round the discs; without `avoid_discs` many fly into them."""
    touched = []
    for off in ((), ("avoid_discs",)):
        run, inside = played("obstacles", 6, *off), 0
        for places in run.position[::3]:
            inside += int((run.world.solids.depth(places, run.world.plane) > -0.9).sum())
        touched.append(inside)
    assert touched[0] == 0
    assert touched[1] > 20


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_flock_splits_at_the_discs_and_closes_up_again(seed):
    """Links of five lengths hold it together at first and at the end, and not between."""
    run = played("obstacles", 8, seed=seed)
    flocks = [connected_components(apart(places) < 60)[0] for places in run.position[::15]]
    assert flocks[0] == flocks[-1] == 1
    assert max(flocks) > 1


@pytest.mark.parametrize("name", ["ray_avoidance", "two_obstacles"])
def test_soldiers_stay_in_the_picture(name):
    """What they do is seen to the end of the run: none walks over the edge of the plane."""
    places = played(name, load(MAPS / f"{name}.toml").duration).position
    left, top, right, bottom = load(MAPS / f"{name}.toml").map.bounds
    assert (places > (left, top)).all()
    assert (places < (right, bottom)).all()


@pytest.mark.slow
def test_unaligned_avoidance():
    """Nobody touches anybody, and all arrive; without the rule files walk into each other."""
    foresees = played("unaligned_avoidance", 40)
    blind = played("unaligned_avoidance", 20, "unaligned_avoidance", "linear_separation")
    assert foresees.nearest() > 1.0
    assert foresees.world.orders.minds.arrived.all()
    assert blind.nearest() < 1.0


def test_velocity_matching():
    """From random headings all take up one course; without the rule each keeps its own."""
    matched = played("velocity_matching", 30)
    alone = played("velocity_matching", 10, "velocity_matching")
    assert one_course(matched.velocity) > 0.95
    assert one_course(alone.velocity) < 0.5


def test_separation():
    """The bunch bursts outward; without the rule two of it pass within a hull."""
    kept = played("separation", 5)
    loose = played("separation", 5, "separation")
    nearest = [np.median(apart(each.position[-1]).min(axis=1)) for each in (kept, loose)]
    assert nearest[0] > 1.2 * nearest[1]


def test_head_on():
    """Squares go round each other and arrive; without the rule they stand bow to bow."""
    assert played("head_on", 20).world.orders.minds.arrived.all()
    stuck = played("head_on", 20, "go_round").world
    timers = stuck.orders.minds
    assert not timers.arrived[[0, 5]].any()


def test_bump_from_behind():
    """The quick square gets ahead of the slow one; without the rule it stays behind."""
    ahead = [played("bump_from_behind", 8, *off).position[-1, :, 0] for off in ((), ("go_round",))]
    assert ahead[0][0] > ahead[0][1] + 14
    assert ahead[1][0] < ahead[1][1]


@pytest.mark.slow
def test_flee():
    """Sheep keep farther off the dogs than where they do not run."""
    off = []
    for rules in ((), ("flee",)):
        run = played("flee", 15, *rules)
        sheep, dogs = (run.world.group(name).rows for name in ("sheep", "dogs"))
        gap = run.position[:, sheep, None] - run.position[:, None, dogs]
        off.append(np.hypot(*np.moveaxis(run.world.plane.nearest(gap), -1, 0)).min())
    assert off[0] > 1.5 * off[1]


@pytest.mark.slow
def test_one_lane():
    """Taking turns all cross the bridge; without turns both sides stand in the middle of it."""
    turns = played("one_lane", 110).world.orders.minds.arrived
    jam = played("one_lane", 60, "take_turns").world.orders.minds.arrived
    assert turns.all()
    assert not jam.all()


def test_formations():
    """On the way they keep even distances in one file; without a formation they string out."""
    formed = played("formations", 15).world
    loose = build(load(MAPS / "formations.toml"))
    squad = loose.group("squad")
    squad.goal = replace(squad.goal, formation=None)
    while loose.time < 10:
        loose.step()
    gaps = [np.diff(np.sort(each.units.position[:, 0])) for each in (formed, loose)]
    assert np.ptp(formed.units.position[:, 1]) < 1.0
    assert np.ptp(gaps[0]) < 0.5
    assert np.ptp(gaps[1]) > 1.0


def test_fold():
    """A file before the gate and a wedge behind it; without halts at the gate it is neither."""
    before, behind = [], []
    for folds in (True, False):
        world = build(load(MAPS / "fold.toml"))
        bands = world.roster.orders_now().bands
        if not folds:
            (number,) = bands.known
            stops = tuple(halt for halt in bands.known[number].halts if halt.at[0] in (38.0, 5.0))
            bands.known[number] = bands.known[number]._replace(halts=stops)
            bands.loose.add(number)
        for x, widths in ((18.0, before), (30.0, behind)):
            while world.units.position[:, 0].mean() < x:
                world.step()
            widths.append(float(np.ptp(world.units.position[:, 1])))
    assert before[0] < 1.0 < 2.5 < before[1]
    assert behind[0] > 8.0 > 6.5 > behind[1]  # the wedge is 9.1 lengths wide
