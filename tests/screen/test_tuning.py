import tomllib

import numpy as np
import pytest

from sim.scenario.snippet import snippet
from sim.screen.tuning import STEPS, Tuning

from .worlds import chase, plane


@pytest.fixture
def tuning():
    """Two groups of a flock, and a player."""
    return Tuning(chase())


def test_the_first_choice_has_rules(tuning):
    """Not the player's craft but the first group whose rules can be weighed."""
    assert tuning.group.name == "flock"
    assert tuning.rule == next(iter(tuning.group.settings))


def test_choices_go_round(tuning):
    """Groups and rules follow each other and begin again after the last."""
    groups = [tuning.world.groups.index(tuning.group)]
    for _ in range(3):
        tuning.choose_group(1)
        groups.append(tuning.world.groups.index(tuning.group))
    assert groups == [1, 2, 0, 1]
    tuning.choose_rule(-1)
    assert tuning.rule == tuning.rules[-1]
    tuning.choose_rule(1)
    assert tuning.rule == tuning.rules[0]


def test_nudges_reach_both_ends_and_zero(tuning):
    """From end to end in twenty presses, no farther, and 0 is 0."""
    tuning.choose("cohesion")
    low, high = tuning.scale("cohesion")
    for _ in range(2 * STEPS):
        tuning.nudge(1)
    assert tuning.weight("cohesion") == pytest.approx(high)
    for _ in range(STEPS):
        tuning.nudge(-1)
    assert tuning.weight("cohesion") == low == 0


def test_a_negative_weight_has_a_scale_of_both_signs():
    """A rule turned about is offered as much on either side of 0."""
    world = plane()
    world.add_group("one", [[50, 50]], model="flock", behaviours={"cohesion": {"weight": -1.5}})
    tuning = Tuning(world)
    assert tuning.scale("cohesion") == (-5.0, 5.0)


def test_off_and_back(tuning):
    """Off is weight 0; again, and it weighs what it did, or what it did at the start."""
    tuning.choose("alignment")
    begun = tuning.weight("alignment")
    tuning.weigh("alignment", 1.25)
    tuning.switch_rule()
    assert tuning.weight("alignment") == 0
    tuning.switch_rule()
    assert tuning.weight("alignment") == 1.25
    tuning.weigh("alignment", 0.0)
    tuning.switch_rule()
    assert tuning.weight("alignment") == begun


def test_one_rule_alone(tuning):
    """All others of its group but `cruise` weigh 0, other groups stay; then all are back."""
    tuning.choose("separation")
    other = tuning.world.group("hunters").settings
    weights = {name: tuning.weight(name) for name in tuning.rules}
    kept = {name: each.weight for name, each in other.items()}
    tuning.isolate()
    assert [name for name in tuning.rules if tuning.weight(name)] == ["cruise", "separation"]
    assert {name: each.weight for name, each in other.items()} == kept
    tuning.isolate()
    assert {name: tuning.weight(name) for name in tuning.rules} == weights


def test_craft_go_on_with_one_rule_alone(tuning):
    """A unit that does not move shows nothing of a rule that steers."""
    tuning.choose("separation")
    tuning.isolate()
    for _ in range(300):
        tuning.world.step()
    rows = tuning.group.rows
    speed = np.hypot(*tuning.world.units.velocity[rows].T)
    assert speed.mean() > 0.8 * tuning.group.speed


def test_the_figures_of_a_view_have_sliders(tuning):
    """Degrees and lengths; a restart keeps them."""
    assert tuning.sliders[:2] == ["view_angle", "view_radius"]
    assert (tuning.weight("view_angle"), tuning.weight("view_radius")) == (pytest.approx(270), 200)
    tuning.weigh("view_angle", 120.0)
    tuning.weigh("view_radius", 40.0)
    assert np.degrees(tuning.group.view_angle) == pytest.approx(120)
    fresh = chase()
    tuning.follow(fresh)
    assert fresh.group("flock").view_radius == 40
    assert np.degrees(fresh.group("flock").view_angle) == pytest.approx(120)


def test_reset(tuning):
    """All weights of the group are as at the start."""
    weights = {name: tuning.weight(name) for name in tuning.rules}
    tuning.isolate()
    for name in tuning.rules:
        tuning.weigh(name, 0.3)
    tuning.reset()
    assert {name: tuning.weight(name) for name in tuning.rules} == weights
    assert not tuning.is_alone()


def test_a_weight_counts_from_the_next_step(tuning):
    """With all weights at 0 nobody wants anything."""
    for name in tuning.rules:
        tuning.weigh(name, 0.0)
    tuning.world.step()
    assert not tuning.group.command.any()
    assert not tuning.group.terms


def test_a_snippet_says_nothing_of_what_is_usual():
    """An untouched group has its name, model and view; a muted family weighs 0."""
    world = chase()
    said = snippet(world)
    assert "behaviours" not in said
    world.group("flock").switch("flocking", False)
    assert "behaviours.cohesion = { weight = 0 }" in snippet(world)


def test_a_snippet_says_long_names_whole():
    """A name is not cut as one in a message is: the snippet would be no TOML."""
    world = plane()
    world.add_group("long " * 20, [[50, 50]], model="flock")
    assert tomllib.loads(snippet(world))["groups"][0]["name"] == "long " * 20


def test_a_snippet_gives_the_same_group(scenario):
    """Its lines in a scenario file make a group of the same settings."""
    import tomllib

    from sim.scenario.build import build
    from sim.scenario.load import load

    world = build(load(scenario()))
    east = world.group("east")
    rng = np.random.default_rng(4)
    for name, setting in list(east.settings.items()):
        east.configure(name, weight=float(round(rng.uniform(0, 3), 3)))
        for key, value in setting.parameters.items():
            if not isinstance(value, bool):
                east.configure(name, **{key: value})
    east.configure("separation", view="all", range=4.0)
    words = snippet(world)
    group = tomllib.loads(words)["groups"][0]["behaviours"]
    text = "".join(f"\nbehaviours.{k} = {v}" for k, v in _lines(words, group).items())
    again = build(load(scenario(more=text, name="again.toml"))).group("east")
    for name, setting in east.settings.items():
        other = again.settings[name]
        assert (setting.weight, setting.view, setting.range) == (
            other.weight, other.view, other.range
        )  # fmt: skip
        assert dict(setting.parameters) == dict(other.parameters)


def _lines(words, rules):
    """What stands right of each rule's equals sign."""
    return {
        rule: next(
            line.partition(" = ")[2]
            for line in words.splitlines()
            if line.startswith(f"behaviours.{rule} ")
        )
        for rule in rules
    }
