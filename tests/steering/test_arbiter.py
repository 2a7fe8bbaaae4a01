"""The arbiter: sums, ranks that take precedence, and the winning rule."""

import numpy as np
import pytest

from sim import Goal, Percepts, World, rule
from sim.behaviours.table import Told
from sim.models import MODELS
from sim.steering.arbiter import Asked, precede, winners
from sim.steering.arbiter import decide as decided

RANKED = [["wall"], ["other"], ["flock", "march"]]


def terms(wall: float, other: float = 0.0) -> dict[str, np.ndarray]:
    """One unit that would march on and flock, and has something in its way."""
    return {
        "march": np.array([[1.0, 0.0]]),
        "wall": np.array([[0.0, wall]]),
        "other": np.array([[0.0, -other]]),
        "flock": np.array([[0.0, 0.25]]),
    }


def decide(found, ranked):
    """The command that some terms of one unit come to."""
    nothing = np.zeros((1, 2))
    return precede([sum((found[n] for n in names if n in found), nothing) for names in ranked])


def test_without_ranks_it_is_the_sum():
    """One rank alone: the plain sum of all terms, to the last bit (A14)."""
    found = terms(0.3, 0.1)
    assert np.array_equal(decide(found, [list(found)]), sum(found.values()))
    assert np.array_equal(decide({}, [[]]), np.zeros((1, 2)))


@pytest.mark.parametrize("heavy", [1.0, 1.5])
def test_a_heavy_term_takes_all(heavy):
    """A term of 1 or more of the first rank leaves nothing to those below (B10)."""
    found = terms(heavy, 0.9)
    assert decide(found, RANKED)[0] == pytest.approx((0, heavy))
    assert winners(found, RANKED, 1)[0] == "wall"


def test_between_it_goes_smoothly():
    """From no say to all of it the command changes without a jump, and the march only shrinks."""
    ahead = [decide(terms(wall), RANKED)[0, 0] for wall in np.linspace(0, 1, 201)]
    assert ahead[0] == 1
    assert ahead[-1] == 0
    assert np.diff(ahead).max() <= 0
    assert np.abs(np.diff(ahead)).max() < 0.01
    assert abs(ahead[1] - 1) < 1e-3  # and flat at either end
    assert ahead[-2] < 1e-3


@pytest.mark.parametrize(
    ("wall", "other", "won"),
    [(0, 0, "march"), (0, 0.8, "other"), (0.9, 0.8, "wall"), (0, 1, "other")],
)
def test_the_largest_part_wins(wall, other, won):
    """The winner is the rule with the largest part in the command, not the loudest one."""
    assert winners(terms(wall, other), RANKED, 1)[0] == won


def test_nobody_wins_without_terms():
    """No rule asked, or none that wants anything: no name."""
    assert winners({}, [["wall"]], 2).tolist() == ["", ""]
    assert winners({"wall": np.zeros((1, 2))}, [["wall"]], 1).tolist() == [""]


def test_group_says_which_rule_won():
    """Unit by unit, of the last step: one before a disc, one on its own way."""
    world = World(discs=[(2.6, 0, 1.5)])
    group = world.add_group(
        "a", [(0, 0), (0, 50)], model="soldiers", heading=0.0, goal=Goal.to([(9, 0), (9, 50)])
    )
    world.step()
    assert group.winner.tolist() == ["ray_avoidance", "arrive"]


@pytest.mark.usefixtures("own_rules")
def test_what_amends_all_ranks_is_heard_whole():
    """A rule that turns round all that is wanted does so before a disc as well, and has won."""

    @rule("own")
    def turn_round(me: Percepts, wanted: np.ndarray) -> np.ndarray:  # noqa: ARG001
        return -2 * wanted

    before_a_disc = World(discs=[(2.6, 0, 1.5)])
    goal = Goal.to([(9, 0), (9, 50)])
    group = before_a_disc.add_group(
        "a", [(0, 0), (0, 50)], model="soldiers", heading=0.0, goal=goal,
        behaviours={"turn_round": {}},
    )  # fmt: skip
    before_a_disc.step()
    assert group.winner.tolist() == ["turn_round", "turn_round"]
    terms = {name: term for name, term in group.terms.items() if name != "turn_round"}
    wanted = precede([sum(terms.get(n, np.zeros((2, 2))) for n in rank) for rank in group.ranked])
    assert group.command == pytest.approx(-wanted)
    assert np.hypot(*wanted.T) == pytest.approx(1, abs=0.1)


def test_other_models_have_no_ranks():
    """Models that name no priorities have one rank: their command is the sum it was before."""
    for model in MODELS.values():
        if not model.priority:
            world = World()
            group = world.add_group("a", [(0, 0), (60, 20)], model=model.name, heading=0.0)
            assert len(group.ranked) == 1
            world.steer()
            assert np.array_equal(group.command, sum(group.terms.values(), np.zeros((2, 2))))


@pytest.mark.usefixtures("own_rules")
def test_figures_that_rules_tell():
    """What a rule tells beside its term is kept for pictures, by rule, and changes no command."""

    @rule("own")
    def open_hearted(me: Percepts) -> Told:
        return Told(np.full(me.velocity.shape, 0.5), {"places": me.units.position[me.rows]})

    world = World()
    group = world.add_group("a", [(3, 4)], model="player", behaviours={"open_hearted": True})
    world.step()
    assert group.figures["open_hearted"]["places"].tolist() == [[3, 4]]
    assert group.terms["open_hearted"].tolist() == group.command.tolist() == [[0.5, 0.5]]


def test_rays_tell_the_hit_that_they_go_by():
    """The place on the disc that bars the way; nothing where the clearance lets the way pass."""
    for clearance, told in ((1.0, True), (0.0, False)):
        world = World(discs=[(2.0, 1.05, 0.5)])
        rays = {"ray_avoidance": {"clearance": clearance}}
        group = world.add_group("a", [(0, 0)], model="soldiers", heading=0.0, behaviours=rays)
        world.step()
        hit = group.figures["ray_avoidance"]["hits"][0]
        assert np.isfinite(hit).all() == told


@pytest.mark.usefixtures("own_rules")
def test_figures_are_those_of_the_units_that_a_rule_is_asked_for():
    """Asked for one unit and then for another, it has told of each what it was asked for it.

    Of a unit that it was not asked for it tells nothing. The last call alone counted for all.
    """

    @rule("errands")
    def tells(me: Percepts) -> Told:
        return Told(np.zeros(me.velocity.shape), {"at": me.speeds, "way": me.velocity})

    world = World()
    group = world.add_group("a", [(0, 0), (0, 9), (0, 18)], model="crowd")
    group.configure("tells", weight=1.0)
    setting, me = group.settings["tells"], world.percepts(group)["tells"]
    asked = [
        Asked(setting, me._replace(speeds=np.full(3, value)), np.arange(3) == unit)
        for unit, value in enumerate((2.0, 5.0))
    ]
    figures = decided(asked, [["tells"]], np.ones(3, np.bool_)).figures["tells"]
    assert np.array_equal(figures["at"], [2.0, 5.0, np.nan], equal_nan=True)
    assert np.array_equal(figures["way"], [[0, 0], [0, 0], [np.nan, np.nan]], equal_nan=True)
