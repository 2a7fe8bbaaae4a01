"""What cannot be done when its time has come, and what can be known before."""

import json

import numpy as np
import pytest

import sim
from sim.core.errors import BadInput, NoRoom
from sim.engine import placing
from sim.engine.build import make_body
from sim.living import changes
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


@pytest.mark.parametrize("points", ["[[0.0, 9.0]]", "[[0.0, 9.0], [3.0, 9.0], [6.0, 9.0]]"])
def test_an_order_for_another_number_of_units_than_are_there_then(cli, tmp_path, points):
    """One place, too: it is not for all where it is written as one a unit."""
    file, many = tmp_path / "t.toml", points.count("[") - 1
    source = '[[sources]]\ngroup = "small"\ntimes = [3.0]\nspawn = { points = [[-9, 0]] }\n'
    order = f'[[events]]\nat = 1.0\norder = "small"\ngoal = {{ points = {points} }}\n'
    file.write_text(START + source + order)
    state = tmp_path / "state"
    told = f"events[0].goal.points = {points}, at 1 s: has {many} for 2 units; must be one a unit"
    for call in ((file, "--headless", "--save", state, "--at", 0.5), ("--load", state)):
        said = cli("run", *call)
        assert (said.status, f"{file}: {told}" in said.err) == (2, True)


PREY = """
[[groups]]
name = "prey"
spawn = { points = [[0, 30]] }
"""
LARGER = """
[[groups]]
name = "large"
count = 0
hull = { shape = "disc", radius = 0.6, mass = 80 }
[[events]]
at = 0.5
regroup = "small"
to = "large"
"""


def test_units_change_to_a_larger_hull_when_there_is_room(monkeypatch):
    """Side by side they have none, and change as soon as one has gone aside.

    Till then no bodies are made: of 1,000 that waited, at each step.
    """
    made: list[sim.Hull] = []
    monkeypatch.setattr(placing, "make_body", lambda hull: (made.append(hull), make_body(hull))[1])
    world = build(loads(START + LARGER, "t.toml"))
    small, large = world.groups
    for _ in range(60):
        world.step()
    assert not made
    assert (len(small), len(large)) == (2, 0)
    world.select(small.ids[:1]).go_to((-6.0, 0.0))
    world.select(small.ids[1:]).go_to((6.0, 8.0))
    for _ in range(240):
        world.step()
    assert (len(small), len(large), len(made)) == (0, 2, 2)
    assert np.hypot(*(large.position[0] - large.position[1])) > 1.2


@pytest.mark.parametrize("region", [[9.5, -1.5, 12.5, 1.5], [90, 0, 99, 9]])
def test_a_source_in_a_region_that_is_solid_is_refused(region):
    """No unit could ever enter: the run went to its end without one."""
    text = START.replace("[map]", '[map]\nbounds = [-30, -30, 30, 30]\nedges = "wall"')
    source = f'[[sources]]\ngroup = "small"\nrate = 1\nspawn = {{ region = {region} }}\n'
    with pytest.raises(BadInput, match=r"sources\[0\].spawn.region = .*: no room was found"):
        build(loads(text + source, "t.toml"))


@pytest.mark.parametrize("rule", ["trail", "turn_away"])
def test_an_order_that_no_rule_serves_is_refused_when_the_file_is_read(rule):
    """Not when its time has come; but where an event sets a rule before, that may serve it."""
    text = START.replace('name = "small"', 'name = "small"\nmodel = "flock_book"')
    text = text.replace("goal = { point = [0, 20] }", "") + PREY
    kind = {"trail": "follow", "turn_away": "flee"}[rule]
    order = f'[[events]]\nat = 9.0\norder = "small"\ngoal = {{ {kind} = "prey" }}\n'
    told = rf"^t\.toml: events\[0\]\.order, at 9 s: goal\.{kind}: model 'flock_book' cannot do"
    with pytest.raises(BadInput, match=told):
        build(loads(text + order, "t.toml"))
    settings = f'[[events]]\nat = 8.0\nset = {{ "groups.small.behaviours.{rule}" = true }}\n'
    build(loads(text + order + settings, "t.toml"))


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


@pytest.mark.parametrize("target", ["a", "b"])
def test_a_kind_of_goal_that_is_misspelled(target):
    """It is named, with the kind that is meant, though it be after the group itself."""
    group = sim.World().add_group("a", [(0, 0)], model="walkers")
    with pytest.raises(BadInput, match=r"^goal\.chsae: model 'walkers' cannot .*mean 'chase'\?$"):
        group.goal = sim.Goal("chsae", target)


@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize(
    "hull", [sim.Hull.disc(0.6), sim.Hull.wedge(1.6, 0.8), sim.Hull.disc(sim.Uniform(0.3, 0.9))]
)
def test_no_room_at_a_look_is_no_room_for_the_engine(hull, edges, monkeypatch):
    """Bodies are left out where they surely have none, and there alone."""
    look, both = changes.check_crowd, []
    monkeypatch.setattr(changes, "check_crowd", lambda *_: None)
    for seed in range(40):
        world = sim.World(seed=seed, bounds=(0, 0, 8, 8), edges=edges)
        for name in ("a", "b"):
            world.add_group(name, sim.Region(0, 0, 8, 8), count=3, hull=sim.Hull.disc(0.3))
        group = world.add_group("c", [], hull=hull)
        rows = np.arange(3)
        seen = refused(look, world.roster, rows, group)
        both.append((seen, refused(world.regroup, world.ids[rows], group)))
    assert {(True, True), (False, False)} <= set(both)
    assert (True, False) not in both


def refused(call, *given) -> bool:
    """Whether there is no room."""
    try:
        call(*given)
    except NoRoom:
        return True
    return False


def test_an_event_that_raises_takes_no_other_with_it():
    """Others of its time are done before the next step, before what was put in meanwhile."""
    world, done = sim.World(), []
    world.add_group("a", [(0, 0)])

    def fail(world):
        world.at(0, lambda _: done.append("put in"))
        raise ZeroDivisionError

    world.at(0, fail)
    world.at(0, lambda _: done.append("other"))
    with pytest.raises(ZeroDivisionError):
        world.step()
    world.step()
    assert done == ["other", "put in"]
