"""`python -m sim models [NAME]`: what a model is made of, in the keys of a scenario file."""

import tomllib

import pytest

from sim.models import MODELS
from sim.scenario.build import build
from sim.scenario.load import load

SCENARIO = """
title = "From a model"
duration = 1

[[groups]]
name = "a"
count = 3
spawn = { region = [0, 0, 90, 90] }
"""
TABLE = [name for name in MODELS if name != "player"]


def test_list(cli):
    """Without a name all are listed, each with what it is."""
    said = cli("models")
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert [line.split()[0] for line in lines] == list(MODELS)
    assert all(MODELS[line.split()[0]].about in line for line in lines)


@pytest.mark.parametrize("name", MODELS)
def test_prints_toml(cli, name: str):
    """A model prints as TOML: hull, speed, view, and every rule with every parameter."""
    said = cli("models", name)
    assert (said.status, said.err) == (0, "")
    found = tomllib.loads(said.out)
    made_of = MODELS[name]
    assert (found["model"], found["view"]) == (name, made_of.view)
    assert found["speed"] == pytest.approx(made_of.helm.terminal_speed(made_of.hull.length), 1e-3)
    hull = found["hull"]
    assert (hull["shape"], hull["mass"]) == (made_of.hull.shape, made_of.hull.mass)
    rules = found["groups"]["behaviours"]
    assert set(rules) == set(made_of.behaviours)
    for name_, setting in made_of.compose().items():
        assert rules[name_]["weight"] == setting.weight
        assert {key: rules[name_][key] for key in setting.parameters} == setting.parameters
        assert ("range" in rules[name_]) == (setting.sight is not None)


@pytest.mark.parametrize("name", TABLE)
def test_prints_a_group(cli, tmp_path, name: str):
    """What is printed, put into a group of a scenario file, is the model itself."""
    file = tmp_path / "a.toml"
    file.write_text(SCENARIO + cli("models", name).out)
    copy = build(load(file)).group("a")
    file.write_text(SCENARIO + f'model = "{name}"\n')
    original = build(load(file)).group("a")
    assert copy.hull == original.hull
    assert copy.view == original.view
    assert copy.speed == pytest.approx(original.speed, rel=1e-3)
    assert set(copy.settings) == set(original.settings)
    for rule, setting in original.settings.items():
        assert copy.settings[rule].weight == setting.weight
        assert copy.settings[rule].parameters == setting.parameters
        if setting.sight is not None:
            assert original.settings[rule].sight is not None
            assert copy.resolve(copy.settings[rule].sight) == original.resolve(setting.sight)


def test_says_which_models_go_round_queues(cli):
    """Of `crowd` it is said, of `mages` not."""
    assert "round queues" in cli("models", "crowd").out
    assert "round queues" not in cli("models", "mages").out
