"""The demos of ground that changes: scripts and files say the same, and it makes a difference."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from sim.scenario.build import build
from sim.scenario.load import load, loads

from .test_parts import run

ROOT = Path(__file__).resolve().parents[2]


def by_hand(name):
    """The world of a demo script."""
    return runpy.run_path(str(ROOT / "demos" / f"{name}.py"))["world"]()


@pytest.mark.parametrize(
    ("name", "steps"), [("gate", 90), ("lift", 90), ("mud", 90), ("station", 1300)]
)
def test_script_and_file_are_one(name, steps):
    """The world that a script makes by hand runs like that of its file, bit for bit."""
    worlds = by_hand(name), build(load(ROOT / "maps" / f"{name}.toml"))
    for world in worlds:
        run(world, steps)
    assert np.array_equal(worlds[0].units.position, worlds[1].units.position)


@pytest.mark.slow
def test_the_gate_shortens_the_way():
    """Everybody is across at the end, and sooner than where the gate stays shut."""
    across = []
    for opens in (True, False):
        text = (ROOT / "maps/gate.toml").read_text(encoding="utf-8")
        if not opens:
            text = text.replace('open = "gate"', 'close = "gate"')
        world = build(loads(text, ROOT / "maps/gate.toml"))
        run(world, 2000)
        across.append(int(world.orders.minds.arrived.sum()))
        world.close()
    assert across[0] > across[1] + 4


def test_the_lift_is_let_pass():
    """All walkers come across, no walker is deep in a platform, and standing ones are moved."""
    world = by_hand("lift")
    stood = world.units.position[-3:].copy()
    deepest = -np.inf
    for _ in range(1800):
        world.step()
        deepest = max(deepest, float(world.solids.depth(world.units.position, world.plane).max()))
    assert deepest < 0  # no centre inside
    assert world.orders.minds.arrived[:14].all()
    assert np.hypot(*(world.units.position[-3:] - stood).T)[:2].min() > 0.5


def test_without_their_rule_walkers_run_into_the_lift():
    """Hulls touch a platform four times as long: 707 steps of units in place of 152."""
    touched = []
    for weight in (1.0, 0.0):
        world = by_hand("lift")
        walkers = world.groups[0]
        walkers.configure("keep_clear", weight=weight)
        touched.append(0)
        for _ in range(1800):
            world.step()
            depth = world.solids.depth(world.units.position[walkers.rows], world.plane)
            touched[-1] += int((depth > -walkers.hull.radius).sum())
    assert touched[0] < 0.5 * touched[1]


@pytest.mark.slow
def test_mud_parts_carts_from_feet():
    """Carts keep out of the mud, and those on foot wade through it."""
    shares = []
    for areas in (True, False):
        text = (ROOT / "maps/mud.toml").read_text(encoding="utf-8")
        mud = build(loads(text, ROOT / "maps/mud.toml")).areas[0]
        if not areas:
            begin, end = text.index("[[areas]]"), text.index("[[groups]]")
            text = text[:begin] + text[end:]
        world = build(loads(text, ROOT / "maps/mud.toml"))
        inside = np.zeros(20)
        for _ in range(1800):
            world.step()
            inside += mud.holds(world.units.position, world.plane)
        shares.append(((inside[:8] > 90).mean(), (inside[8:] > 90).mean()))
        world.close()
    assert shares[0][0] == 0
    assert shares[0][1] >= 0.9
    assert shares[1][0] >= 0.5
