"""What the demos of views, squares and the station say, in figures: with their rule and without."""

from __future__ import annotations

import runpy

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from sim import World
from sim.core.resources import folder
from sim.scenario.build import build
from sim.scenario.load import load
from sim.scenario.playlist import Playlist
from tests.test_rule_demos import apart

MAPS = folder("maps")


def rooms(world: World) -> np.ndarray:
    """(3, 2) spread of the units of each room (the sum of the deviations of x and y), and flocks.

    Mean of twice a second from 12 to 20 s.
    """
    found = []
    while world.time < 20:
        world.step()
        if world.time > 12 and world.steps % 30 == 0:
            places = [world.units.position[group.rows] for group in world.groups]
            found.append(
                [
                    (each.std(axis=0).sum(), connected_components(apart(each) < 40)[0])
                    for each in places
                ]
            )
    return np.mean(found, axis=0)


def moved(seed: int) -> World:
    """The demo of views from a start in which all are up to 3 units off; 0: its own."""
    world = build(load(MAPS / "views.toml"))
    start = world.units.copy()
    start.position[:] += np.random.default_rng(seed).uniform(-3, 3, (len(start), 2)) * (seed > 0)
    world.roster.bridge.put(start)
    world.roster.read_anew()
    return world


def test_views():
    """Wide: all close up. Limited: they do not. Narrow: more bands still. One view: rooms alike.

    In the mean of eight starts: crashes make of each what they will.
    """
    wide, limited, narrow = np.mean([rooms(moved(seed)) for seed in range(8)], axis=0)
    assert limited[0] > 1.5 * wide[0]
    assert narrow[0] > 1.5 * wide[0]
    assert narrow[1] > 1.3 * limited[1]
    assert limited[1] > 1.1 * wide[1]
    alike = moved(0)
    for group in alike.groups:
        group.view = "wide"
    spreads, flocks = rooms(alike).T
    assert np.ptp(spreads) < 20
    assert np.ptp(flocks) < 1


def test_squares():
    """Both groups are at the last of their places after 60 s; without the rule some are stuck."""
    clicks = runpy.run_path(str(folder("demos") / "squares.py"))["CLICKS"]
    near = []
    for weight in (None, 0.0):
        world = Playlist(MAPS / "squares.toml", clicks=clicks).build()
        if weight is not None:
            for group in world.groups:
                group.configure("go_round", weight=weight)
        while world.time < 60:
            world.step()
        for name in ("red", "blue"):
            off = world.units.position[world.group(name).rows] - clicks[name][-1][1]
            near.append(int((np.hypot(*off.T) < 120).sum()))
    assert near[:2] == [20, 20]
    assert min(near[2:]) < 17


@pytest.mark.slow
def test_station():
    """Told so at 45 s, all turn to the lower train; without the event all board the upper one."""
    below = []
    for told in (True, False):
        plan = load(MAPS / "station.toml")
        if not told:
            events = type(plan.events)(each for each in plan.events if each.at != 45.0)
            plan = plan.model_copy(update={"events": events})
        world = build(plan)
        while world.time < 70:
            world.step()
        x, y = world.units.position[world.group("leaving").rows].T
        assert (x > 18).sum() >= 4  # on the platforms
        below.append((y[x > 18] > 12).mean())
    assert below[0] > 0.8
    assert below[1] < 0.2
