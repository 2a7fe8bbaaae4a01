"""What `sim.rule` refuses: sights that no unit has, and functions that are no rule."""

import re
from typing import Annotated

import numpy as np
import pytest

import sim
from sim.behaviours import RULES
from sim.core.errors import BadInput

Push = Annotated[float, sim.Within(0, 9, "push")]


@pytest.fixture(autouse=True)
def rules_put_back():
    """Rules of these tests leave the table as it was."""
    before = dict(RULES)
    yield
    RULES.clear()
    RULES.update(before)


def still(me):
    """Ask for nothing."""
    return np.zeros_like(me.velocity)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"range": "10"}, "still: range = '10': must be a number"),
        ({"range": np.nan}, "still: range = nan: must be a finite number greater than 0"),
        ({"range": -1}, "still: range = -1: must be a finite number greater than 0"),
        ({"range": 0}, "still: range = 0: must be a finite number greater than 0"),
        ({"range": 1e9}, "still: range = 1e+09: must be from 1e-12 to 1e+06"),
        ({"view": "narow"}, "still: view = 'narow': must be one of wide, limited, narrow, all"),
    ],
)
def test_sights_are_checked_where_a_rule_is_made(given, said):
    """By the name of the rule and of what is wrong, and not when a group looks so."""
    with pytest.raises(BadInput, match=f"^{re.escape(said)}$"):
        sim.rule("own", looks="each", **given)(still)
    assert "still" not in RULES


def test_functions_that_are_no_rule():
    """Each is told by its name."""

    def nothing():
        return 0

    def named(me, *, weight: Push = 1.0):
        return weight * still(me)

    def reaching(me, *, range: Push = 1.0):
        return range * still(me)

    for function, said in (
        (nothing, "nothing: takes no percepts: the first argument is to be `me`"),
        (lambda me: still(me), "<lambda>: a rule is a function with a name: use def"),
        (3, "3: a rule is a function with a name: use def"),
        (named, "named: weight: rules are given one besides their own; choose another name"),
        (reaching, "reaching: range: rules are given one besides their own; choose another name"),
    ):
        with pytest.raises(TypeError, match=f"^{re.escape(said)}$"):
            sim.rule("own")(function)
    with pytest.raises(TypeError, match=r"^still: the family is missing: write @sim\.rule\("):
        sim.rule(still)


def test_a_rule_without_a_docstring():
    """It is a rule that has nothing to say of itself."""

    def silent(me):
        return still(me)

    sim.rule("own")(silent)
    assert RULES["silent"].about == ""


@pytest.mark.parametrize("part", ["summary", "each", "range"])
def test_a_rule_that_reads_what_it_does_not_see(part):
    """The mistake that is made first is told as such."""

    def blind(me):
        return still(me) * getattr(me.seen, part)

    sim.rule("own")(blind)
    world = sim.World()
    world.add_group("one", [(0, 0)], model="flock", behaviours={"blind": True})
    with pytest.raises(TypeError, match=f"^blind: reads me.seen.{part}, but looks at no unit: "):
        world.step()


def test_other_mistakes_of_a_rule_are_told_as_they_are():
    """An attribute that percepts do not have is not taken for one of what is seen."""

    def mistaken(me):
        return me.velocty

    sim.rule("own")(mistaken)
    world = sim.World()
    world.add_group("one", [(0, 0)], model="flock", behaviours={"mistaken": True})
    with pytest.raises(AttributeError, match="velocty"):
        world.step()
