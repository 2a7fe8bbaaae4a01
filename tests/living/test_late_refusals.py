"""What cannot be done when its time has come, and what can be known before."""

import json

import numpy as np
import pytest

import sim
from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import loads

START = """
title = "t"
duration = 4.0
[map]
boxes = [[9, -2, 13, 2]]
[[groups]]
name = "small"
hull = { shape = "disc", radius = 0.3, mass = 80 }
spawn = { points = [[0, 0], [0, 0.8]] }
goal = { point = [0, 20] }
"""


def test_an_event_that_cannot_be_done_ends_the_run_with_its_figures(cli, tmp_path):
    """The message names file, key and time; what was measured until then is written."""
    file, out = tmp_path / "t.toml", tmp_path / "out.json"
    file.write_text(START + '[[events]]\nat = 1.0\norder = "small"\ngoal = { point = [11, 0] }\n')
    said = cli("run", file, "--metrics", out)
    assert said.status == 2
    assert f"{file}: events[0].order, at 1 s: goal: no way leads" in said.err
    assert json.loads(out.read_text())["simulated_s"] == pytest.approx(1.0, abs=0.02)


def test_units_change_to_a_larger_hull_when_there_is_room():
    """Side by side they have none, and change as soon as one has gone aside."""
    larger = """
[[groups]]
name = "large"
count = 0
hull = { shape = "disc", radius = 0.6, mass = 80 }
[[events]]
at = 0.5
regroup = "small"
to = "large"
"""
    world = build(loads(START + larger, "t.toml"))
    small, large = world.groups
    for _ in range(60):
        world.step()
    assert (len(small), len(large)) == (2, 0)
    world.select(small.ids[:1]).go_to((-6.0, 0.0))
    world.select(small.ids[1:]).go_to((6.0, 8.0))
    for _ in range(240):
        world.step()
    assert (len(small), len(large)) == (0, 2)
    assert np.hypot(*(large.position[0] - large.position[1])) > 1.2


@pytest.mark.parametrize("region", [[9.5, -1.5, 12.5, 1.5], [90, 0, 99, 9]])
def test_a_source_in_a_region_that_is_solid_is_refused(region):
    """No unit could ever enter: the run went to its end without one."""
    text = START.replace("[map]", '[map]\nbounds = [-30, -30, 30, 30]\nedges = "wall"')
    source = f'[[sources]]\ngroup = "small"\nrate = 1\nspawn = {{ region = {region} }}\n'
    with pytest.raises(BadInput, match=r"sources\[0\].spawn.region: no room was found"):
        build(loads(text + source, "t.toml"))


@pytest.mark.parametrize("founded", [True, False])
def test_no_group_pursues_itself(founded):
    """It stood, and said nothing of it."""
    goal, world = sim.Goal("chase", "a"), sim.World()
    told = "group 'a' cannot chase itself"
    if founded:
        with pytest.raises(BadInput, match=told):
            world.add_group("a", [(0, 0)], model="walkers", goal=goal)
    else:
        group = world.add_group("a", [(0, 0)], model="walkers")
        with pytest.raises(BadInput, match=told):
            group.goal = goal
