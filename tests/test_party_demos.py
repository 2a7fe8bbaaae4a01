"""What demos of squares, soldiers and parties say of their rules, in figures: with and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core.resources import folder
from sim.models import MODELS
from sim.orders.timers import Timers
from sim.scenario.build import build
from sim.scenario.load import load
from tests.test_rule_demos import Played, apart, played
from tests.watching import figures


def reach(run: Played, group: str, other: str) -> np.ndarray:
    """(T, n, m) distances of the units of one group from those of another."""
    rows, others = (run.world.group(name).rows for name in (group, other))
    away = run.world.plane.nearest(run.position[:, rows, None] - run.position[:, None, others])
    return np.hypot(away[..., 0], away[..., 1])


def test_pursue():
    """The hunters come up with the quarry; without the rule they stay where they are."""
    near, far = (
        reach(played("pursue", 12, *off), "hunters", "quarry")[300:].mean()
        for off in ((), ("pursue",))
    )
    assert near < 0.3 * far


def test_path():
    """Both get to the other end of the maze; without the rules of ways neither sets off."""
    assert played("path", 40).world.orders.minds.arrived.all()
    still = played("path", 5, "follow_route", "follow_flow")
    assert np.allclose(still.position[-1], still.position[0])


def test_approach():
    """Each stops two lengths from one opponent; without the rule distances are as they come."""
    paired, loose = (
        np.sort(reach(played("approach", 18, *off), "blue", "red")[-1].min(axis=1))
        for off in ((), ("approach",))
    )
    assert np.allclose(paired, 2.0, atol=0.1)
    assert loose[-1] > 5.0


@pytest.mark.parametrize("patience", [1.0, np.inf])
def test_settle(patience: float, monkeypatch: pytest.MonkeyPatch):
    """All rest within 10 s, in a loose pack and each blue one at its post; else all go on."""
    squares = replace(MODELS["squares"], timers=Timers(patience=patience))
    monkeypatch.setitem(MODELS, "squares", squares)
    run = played("settle", 20)
    pack, posts, late = (run.world.group(name).rows for name in ("pack", "posts", "late"))
    speed = np.hypot(*np.moveaxis(np.diff(run.position[600:], axis=0), -1, 0)) * 60
    if patience < np.inf:
        assert speed.max() < 0.01
        full = 2 / 3 * np.sqrt(40 * 14**2 / np.pi)  # the mean distance in a disc as large as all
        assert np.hypot(*(run.position[-1, pack] - (440, 450)).T).mean() < 1.25 * full
        assert np.hypot(*(run.position[-1, late] - run.position[-1, posts]).T).max() < 13
    else:
        assert speed[:, pack].mean() > 28  # half of what they walk at
        assert speed[:, late].mean() > 28
    moved = run.position[:, posts] - run.position[0, posts]
    assert np.abs(moved).max() < 0.1


def test_make_way_closes():
    """The pack closes by a rule of its own; without it one stands three sides off its place."""
    off = (
        np.hypot(*np.moveaxis(run.position[-1, :30] - run.position[0, :30], -1, 0)).max()
        for run in (played("make_way", 20), played("make_way", 20, "close_ranks"))
    )
    closed, strewn = off
    assert closed < 7
    assert strewn > 28


def test_a_run_goes_on_until_all_that_were_pushed_off_their_places_are_back():
    """One rests before it sets out again: for three seconds all stood, and the run ended then."""
    world = build(load(folder("maps") / "make_way.toml"))
    start = world.units.position[:30].copy()
    figures(world, 1200, until_done=True)
    assert np.hypot(*(world.units.position[:30] - start).T).max() < 7


@pytest.mark.parametrize("span", [5.0, 0.0])
def test_make_way(span: float, monkeypatch: pytest.MonkeyPatch):
    """The pack opens and closes again; without the timer the one stays before it.

    The rule by which units at rest make way for one that only waits is off.
    """
    rules = {**MODELS["squares"].behaviours, "press_aside": {"weight": 0}}
    squares = replace(MODELS["squares"], timers=Timers(make_way=span), behaviours=rules)
    monkeypatch.setitem(MODELS, "squares", squares)
    run = played("make_way", 20)
    aside = np.hypot(*np.moveaxis(run.position[:, :30] - run.position[0, :30], -1, 0))
    one = run.position[-1, 30, 0]
    if span:
        assert one > 440
        assert aside.max() > 14  # the side of a square
        assert aside[-1].max() < 7
    else:
        assert one < 240


@pytest.mark.slow
def test_choke():
    """All of both groups are in the packs round their places; without the rule not half of them."""
    near = []
    for off in ((), ("go_round",)):
        world = played("choke", 60, *off).world
        away = world.units.position - world.orders.ends
        near.append(int((np.hypot(*away.T) < 60).sum()))  # twenty squares have room within 57
    assert near[0] == 40
    assert near[1] < 20


def test_hallway():
    """They keep off each other on their way; without the rule they go almost hull to hull."""
    gaps = []
    for off in ((), ("personal_space",)):
        places = played("hallway", 12, *off).position[240:720:60]  # before the first arrives
        gaps.append(np.median([apart(each).min(axis=1).mean() for each in places]) - 20)
    assert gaps[0] > 1.5
    assert gaps[1] < 0.5


def test_hallway_swap():
    """Where the files meet each unit is on its right; without the rule on its left."""
    means = []
    for off in ((), ("keep_right",)):
        places = played("hallway_swap", 20, *off).position
        before = places[:, :, 0] < 450  # the middle of the hallway
        passed = (before != before[0]).argmax(axis=0)
        crossing = places[passed, np.arange(len(passed)), 1] - 150
        means.append(np.where(before[0], crossing, -crossing).mean())
    assert means[0] > 10
    assert means[1] < 0
