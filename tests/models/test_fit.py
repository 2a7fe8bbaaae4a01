"""Which rules a model can have: its helm must take what they give."""

import numpy as np
import pytest

from sim import BadInput, Percepts, Terms, World, rule
from sim.behaviours import RULES
from sim.models import MODELS

OWN = [name for name, each in RULES.items() if each.of_ours]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", OWN)
def test_every_model_and_rule(model: str, name: str):
    """A rule that gives what the helm takes is accepted, any other refused, unless it is off."""
    made_of, found = MODELS[model], RULES[name]
    assert made_of.compose({name: {"weight": 0}})[name].weight == 0
    if made_of.helm.takes in found.gives:
        assert name in made_of.compose({name: {"weight": 1}})
        return
    with pytest.raises(BadInput) as refused:
        made_of.compose({name: {"weight": 1}})
    said, _, fitting = str(refused.value).partition("; rules that fit: ")
    assert said.startswith(f"behaviours.{name}: gives ")
    assert said.endswith(f"the helm of model {model!r} takes {made_of.helm.takes}")
    able = {each for each in OWN if made_of.helm.takes in RULES[each].gives}
    assert able <= set(fitting.split(", "))
    assert name not in fitting.split(", ")


def test_rules_added_later_must_fit_too():
    """A group that exists refuses them as well, and keeps the rules that it has."""
    group = World().add_group("a", [[0, 0]], model="flock")
    with pytest.raises(BadInput, match=r"behaviours\.keep_clear: gives velocity, but the helm of"):
        group.configure("keep_clear")
    assert "keep_clear" not in group.settings


@pytest.mark.usefixtures("own_rules")
@pytest.mark.parametrize("model", MODELS)
def test_a_rule_that_does_not_say_fits_all(model: str):
    """Rules of users that do not say what they give are up to them."""

    @rule("own")
    def aimless(me: Percepts) -> Terms:
        return np.zeros(me.velocity.shape)

    assert "aimless" in MODELS[model].compose({"aimless": True})


@pytest.mark.usefixtures("own_rules")
def test_parts_that_rules_ask_for():
    """A rule is handed the parts that its parameters name; other names are a mistake in it."""
    got = []

    @rule("own", looks="summary", range=5.0)
    def curious(me: Percepts, seen, wanted) -> Terms:
        got.append((seen is me.seen, wanted is me.wanted))
        return np.zeros(me.velocity.shape)

    world = World()
    world.add_group("a", [[0, 0], [3, 0]], model="flock", behaviours={"curious": True})
    world.step()
    assert got == [(True, True)]
    with pytest.raises(TypeError, match="wrong: asks for sene; did you mean 'seen'"):

        @rule("own", looks="each")
        def wrong(_: Percepts, sene) -> Terms:
            raise AssertionError(sene)

    with pytest.raises(TypeError, match="blind: asks for what is seen, but looks at no unit"):

        @rule("own")
        def blind(_: Percepts, seen) -> Terms:
            raise AssertionError(seen)
