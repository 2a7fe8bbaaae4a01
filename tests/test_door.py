"""Scenario files from Python: `sim.load_scenario` and `sim.build`."""

import numpy as np
import pytest

import sim


def test_a_scenario_is_read_changed_and_built(tmp_path, monkeypatch, scenario):
    """There was no public way from a file to a world; maps of the package are at hand."""
    world = sim.build(sim.load_scenario(scenario()))
    assert (len(world.groups[0]), world.groups[0].view) == (6, "wide")
    plan = sim.load_scenario(scenario(), ["groups.east.count=4", "duration=2"], seed=7)
    world = sim.build(plan, view="narrow")
    assert (plan.title, plan.duration, plan.groups[0].count) == ("Small", 2.0, 4)
    assert (world.seed, len(world.groups[0]), world.groups[0].view) == (7, 4, "narrow")
    world.step()
    assert np.isfinite(world.units.position).all()
    monkeypatch.chdir(tmp_path)
    assert sim.load_scenario("maps/hallway.toml").title == "Hallway"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sim.load_scenario(3), "path = 3: must be the name of a file"),
        (lambda: sim.load_scenario("no.toml"), "no.toml: no such file"),
        (lambda: sim.load_scenario("maps/hallway.toml", "seed=3"), "changes = 'seed=3': must be"),
        (lambda: sim.load_scenario("maps/hallway.toml", None), "changes = None: must be texts"),
        (lambda: sim.load_scenario("maps/hallway.toml", iter(["no=1"])), "no = 1: unknown key"),
        (lambda: sim.load_scenario("maps/hallway.toml", [3]), r"changes = \[3\]: must be texts"),
        (lambda: sim.load_scenario("maps/hallway.toml", seed="x"), 'seed = "x": must be'),
        (lambda: sim.build("maps/hallway.toml"), "plan = 'maps/hallway.toml': must be a scenario"),
        (lambda: sim.build(None), "plan = None: must be a scenario that was read"),
    ],
)
def test_what_is_no_scenario_is_refused(call, said):
    """By what it is, and what to give instead."""
    with pytest.raises(sim.BadInput, match=said):
        call()
