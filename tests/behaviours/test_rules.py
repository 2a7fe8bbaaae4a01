"""Every rule against its slow, obvious form, in worlds full of moving units."""

import re
from typing import Annotated

import numpy as np
import pytest

from sim import Goal, Hull, Percepts, Region, Terms, Within, World, rule
from sim.core.errors import BadInput

from . import slow

VIEWS = ["wide", "limited", "narrow", "all"]
DISCS = [(80, 60, 9), (20, 15, 4), (118, 40, 6)]


def busy(seed: int, model: str = "flock_book", view: str = "wide", edges: str = "wrap", **options):
    """A small world some way into its run, and the group whose terms are to be looked at."""
    world = World(seed=seed, bounds=(0, 0, 160, 120), edges=edges, discs=DISCS)
    group = world.add_group(
        "a", Region(0, 0, 160, 120), count=14, model=model, view=view, heading="random", **options
    )
    world.add_group("b", Region(0, 0, 160, 120), count=5, hull=Hull.disc(1.5), model="flock_book")
    for _ in range(25 + seed):
        world.step()
    world.steer()
    return world, group


def agree(found: np.ndarray, expected: np.ndarray, within: float = 1e-9) -> None:
    """They are alike, and there was something to compare."""
    assert np.abs(expected).max() > 0
    np.testing.assert_allclose(found, expected, atol=within)


@pytest.mark.parametrize("edges", ["wrap", "open"])
@pytest.mark.parametrize("view", VIEWS)
def test_cohesion(view, edges):
    """Angle to the neighbours' mean position / pi, toward its side (A6)."""
    world, group = busy(1, view=view, edges=edges, behaviours={"cohesion": {"range": 12}})
    agree(group.terms["cohesion"], slow.cohesion(world, group, 48.0))


def test_cohesion_with_slack_and_throttle():
    """Nearer than the slack the pull fades, and the throttle goes by the cosine of the angle."""
    given = {"range": 12, "slack": 5, "throttle": 0.7, "weight": 3}
    world, group = busy(2, behaviours={"cohesion": given})
    agree(group.terms["cohesion"], 3 * slow.cohesion(world, group, 48.0, 20.0, 0.7))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("gain", [1.0, 5.0])
def test_alignment(view, gain):
    """Angle to the neighbours' mean velocity / pi, by the gain and at most 1 (A7)."""
    given = {"alignment": {"range": 15, "gain": gain}}
    world, group = busy(3, view=view, behaviours=given)
    agree(group.terms["alignment"], slow.alignment(world, group, 60.0, gain))


@pytest.mark.parametrize("own", VIEWS)
def test_separation(own):
    """Sum of range / distance away from each neighbour's side, through a view of its own (A8)."""
    given = {"separation": {"range": 7, "view": own}}
    world, group = busy(4, view="narrow", behaviours=given)
    agree(group.terms["separation"], slow.separation(world, group, own, 28.0))


def test_separation_takes_the_groups_view():
    """Without a view of its own the rule looks through the group's."""
    world, group = busy(4, view="narrow")
    agree(group.terms["separation"], slow.separation(world, group, "narrow", 20.0))


@pytest.mark.parametrize("seed", [5, 6])
def test_separation_foresees(seed):
    """With foresight a neighbour pushes from where it will pass closest, and less by the fade."""
    bent = {"range": 8, "fade": 0.6, "brake": 0.4, "foresight": 0.5}
    world, group = busy(seed, behaviours={"separation": bent})
    expected = slow.separation(world, group, "wide", 32.0, 0.6, 0.4, 0.5)
    agree(group.terms["separation"], expected, within=0.02)  # the oracle tries 20,000 moments


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_avoid_discs(seed):
    """Sum of look-ahead / distance off the centre line of each disc on course (A9)."""
    given = {"avoid_discs": {"ahead": 25, "clearance": 2}}
    world, group = busy(seed, behaviours=given)
    agree(group.terms["avoid_discs"], slow.avoid_discs(world, group, 100.0, 8.0))


@pytest.mark.parametrize("kind", ["chase", "intercept"])
@pytest.mark.parametrize("gain", [1.0, 4.0])
def test_pursuit(kind, gain):
    """Steering at the nearest of the other group: where it is, or where it will be (A11)."""
    given = {kind: {"gain": gain, "leaders_only": False}}
    world, group = busy(10, behaviours=given)
    group.goal = Goal(kind, "b")
    world.steer()
    agree(group.terms[kind], getattr(slow, kind)(world, group, world.group("b"), gain))


@pytest.mark.parametrize("pace", [0.0, 1e-310])
def test_intercept_without_closing_speed(pace):
    """At rest both, there is no closing time: an interceptor aims at where its quarry is.

    So it does where the quarry has all but stopped: the time was infinite, and the aim NaN.
    """
    world = World()
    group = world.add_group("a", [(0, 0)], model="flock_book", heading=0)
    world.add_group("b", [(0, 40)], model="player", heading=1)
    group.goal = Goal("intercept", "b")
    world.roster.bridge.bodies[1].velocity = pace, 0.0
    world.roster.read_anew()
    world.steer()
    assert group.terms["intercept"][0] == pytest.approx((0, 1))


def test_cruise_and_thrusters():
    """Full thrust always; a player's port thruster pushes the bow to starboard (A1, A10)."""
    world = World()
    flock = world.add_group("a", [(0, 0), (30, 0)], model="flock")
    player = world.add_group("p", [(0, 30)], model="player")
    player.controls[:] = 0.75, 0.25, 0.5
    world.steer()
    assert np.array_equal(flock.terms["cruise"], [(1, 0), (1, 0)])
    assert np.array_equal(player.terms["thrusters"], [(0.5, 0.5)])


def test_a_rule_of_the_package_is_not_replaced():
    """One's own of the same name took its place in all groups that came later."""

    def cohesion(me: Percepts) -> Terms:
        return np.zeros((len(me.velocity), 2))

    with pytest.raises(TypeError, match="cohesion: a rule of the package has this name"):
        rule("own")(cohesion)


def test_defaults_lie_within_their_bounds():
    """And bounds are the right way round."""

    def push(me: Percepts, *, strength: Annotated[float, Within(0, 1, "how hard")] = 3.0) -> Terms:
        return np.full((len(me.velocity), 2), strength)

    with pytest.raises(TypeError, match=r"strength = 3\.0: must be between 0 and 1"):
        rule("own")(push)
    for bounds, said in (
        ((3, 1, "none"), "Within(3, 1): the least must be at most"),
        (("x", 1, "none"), "Within.low = 'x': must be a number"),
        ((0, np.nan, "none"), "Within.high = nan: must be a number"),
        ((0, 1, 3), "Within.about = 3: must be a text"),
    ):
        with pytest.raises(BadInput, match=f"^{re.escape(said)}"):
            Within(*bounds)


def test_command_is_the_sum():
    """The helm gets the sum of the weighted terms, each to be had by name (A14)."""
    _, group = busy(11, model="flock")
    avoid = {"avoid_discs", "avoid_walls"}
    assert set(group.terms) == {"cruise", "cohesion", "alignment", "separation", *avoid}
    np.testing.assert_allclose(group.command, sum(group.terms.values()), atol=1e-12)
