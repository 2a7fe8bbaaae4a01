"""The shipped scenes: they load, name their source and no behaviour, and are what they say."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.report import setting_of
from sim.study.score import LINES, find_scene, scene_files

UNITS = {
    "bottleneck_080": 200, "bottleneck_100": 200, "bottleneck_120": 200, "circle_100": 100,
    "circle_20": 20, "circle_50": 50, "corridor": 100, "crossing": 2, "crossing_pair": 2,
    "doorway_30": 30, "doorway_two_way": 2, "four_blocks": 100, "four_way": 60, "head_on": 2,
    "oncoming_groups": 12, "one_point": 50, "overtake": 2, "rimea_01": 1, "rimea_06": 20,
    "rimea_12": 150, "squeeze": 2, "two_files": 20, "two_lines": 20,
}  # fmt: skip
OWN = {"crossing_pair", "two_files", "two_lines"}
"""Scenes of no source: the simplest cases of their kind."""
SYMMETRIC = ("head_on", "two_files", "two_lines", "circle_20", "circle_50", "circle_100",
             "four_blocks", "squeeze")  # fmt: skip


def test_all_are_there():
    """The scenes that models are compared in, and no others; each by its name alone."""
    assert {file.stem for file in scene_files()} == set(UNITS)
    assert find_scene("squeeze").name == "squeeze.toml"
    assert set(LINES) <= set(UNITS)


def test_a_name_of_no_scene_is_refused():
    """The message names what is shipped."""
    with pytest.raises(BadInput, match=r"scene hallway: no such file.*; shipped: .*two_lines"):
        find_scene("hallway")


@pytest.mark.parametrize("name", UNITS)
def test_each_stands_on_its_own(name):
    """It loads, has room for all, names source and year, and tunes no rule."""
    plan = load(find_scene(name))
    world = build(plan)
    assert len(world.units) == UNITS[name]
    assert all(not group.behaviours for group in plan.groups)
    assert all(group.speed and group.hull for group in plan.groups)
    assert name in OWN or re.search(r"\b(19|20)\d\d\b|RVO2|RiMEA", plan.about)
    setting = setting_of(world)
    assert (setting.goals.kind != 0).all()
    if name in LINES:
        x1, y1, x2, y2 = LINES[name]
        ends = world.solids.depth(np.array([(x1, y1), (x2, y2)]), world.plane)
        middle = world.solids.depth(np.array([((x1 + x2) / 2, (y1 + y2) / 2)]), world.plane)
        assert ends == pytest.approx(0, abs=1e-9)
        assert -middle[0] == pytest.approx(np.hypot(x2 - x1, y2 - y1) / 2)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_scenes_are_exactly_so(name):
    """Turned half round, every start is another's start, and the goals go with them."""
    setting = setting_of(build(load(find_scene(name))))
    ends = setting.goals.points[setting.goals.first[1:] - 1]
    both = np.concatenate([setting.start, ends], axis=1)
    away = np.abs(both[:, None] + both[None]).max(axis=-1).min(axis=1)
    assert away.max() < 1e-12 * np.abs(both).max()
