"""Groups: what can change between steps, and what counts at the next one."""

from math import nan
from typing import Annotated

import numpy as np
import pytest

from sim import BadInput, Goal, Percepts, Region, Terms, Within, World, rule
from sim.perception.percepts import Seen
from sim.perception.sights import Weighed


def pair(**options) -> World:
    """Two units: the second close behind the first and to its starboard, both heading east."""
    world = World()
    world.add_group("a", [[0, 0], [-10, 4]], heading=0, **{"model": "flock", **options})
    return world


@pytest.fixture
def counted(own_rules: None) -> list[int]:  # noqa: ARG001
    """A rule named "counting" that tells how often it was asked."""
    calls: list[int] = []

    @rule("own")
    def counting(me: Percepts, *, push: Annotated[float, Within(0, 1, "ahead")] = 0.5) -> Terms:
        """Push ahead, and count."""
        calls.append(len(me.velocity))
        return np.tile([push, 0.0], (len(me.velocity), 1))

    return calls


def test_where_its_units_are():
    """Places, velocities and headings are those of its own rows, also by its ids; read-only."""
    world = pair(speed=20.0)
    group = world.add_group("b", [[50, 0], [60, 0], [70, 0]], model="flock", speed=10.0)
    for _ in range(30):
        world.step()
    picked = world.select(group.ids)
    for name in ("position", "velocity", "heading"):
        found = getattr(group, name)
        assert np.array_equal(found, getattr(world.units, name)[group.rows])
        assert np.array_equal(found, getattr(picked, name))
        assert np.hypot(*found.T).min() > 0.5
        with pytest.raises(ValueError, match="read-only"):
            found[:] = 0
    assert not group.stuck.any()


def test_command_is_the_sum_of_named_terms():
    """Every active rule has its weighted term by name; the command is their sum."""
    world = World(seed=3, bounds=(0, 0, 200, 150), edges="wrap", discs=[(120, 75, 35)])
    group = world.add_group("a", Region(0, 0, 80, 150), model="flock", count=12)
    for _ in range(5):
        world.step()
    assert set(group.terms) == {each.rule.name for each in group.active}
    assert all(term.shape == (12, 2) for term in group.terms.values())
    for name in ("cruise", "cohesion", "alignment", "separation", "avoid_discs"):
        assert np.abs(group.terms[name]).max() > 0
    assert np.array_equal(group.command, np.sum(list(group.terms.values()), axis=0))


def test_weight_scales_a_term():
    """Twice the weight is twice the term, and the others stay as they are."""
    terms = []
    for weight in (1.0, 2.0):
        world = pair(behaviours={"cohesion": {"weight": weight}})
        world.step()
        terms.append(world.group("a").terms)
    assert np.abs(terms[0]["cohesion"]).max() > 0
    assert np.array_equal(2 * terms[0]["cohesion"], terms[1]["cohesion"])
    assert np.array_equal(terms[0]["separation"], terms[1]["separation"])


@pytest.mark.parametrize("off", [{"weight": 0}, {"weight": 0.0}, False])
def test_weight_0_is_really_off(counted: list[int], off):
    """A rule of weight 0, or false, is not even asked, and has no term."""
    world = pair(behaviours={"counting": off})
    world.step()
    assert counted == []
    assert "counting" not in world.group("a").terms
    world.group("a").configure("counting", weight=1)
    world.step()
    assert counted == [2]
    world.group("a").configure("counting", weight=0)
    world.step()
    assert counted == [2]


def test_parameter_0_is_a_value(counted: list[int]):
    """A parameter of 0 is kept, not taken for unset; so is a range of 0."""
    world = pair(behaviours={"counting": {"push": 0}, "separation": {"range": 0}})
    world.step()
    assert counted == [2]
    assert (world.group("a").terms["counting"] == 0).all()
    assert (world.group("a").terms["separation"] == 0).all()


@pytest.mark.usefixtures("counted")
def test_configure_keeps_the_rest():
    """What a change leaves out stays as it was set before."""
    world = pair(behaviours={"counting": {"push": 0.25, "weight": 3}})
    group = world.group("a")
    group.configure("counting", weight=2)
    world.step()
    assert np.array_equal(group.terms["counting"], [[0.5, 0], [0.5, 0]])
    group.configure("separation", range=7)
    assert group.settings["separation"].view == "wide"
    group.configure("separation", view="narrow")
    assert group.settings["separation"].range == 7
    group.configure("separation", weight=0)
    group.configure("separation", range=0)
    group.configure("separation", view="wide")
    assert group.settings["separation"].weight == 0
    assert group.settings["separation"].range == 0


@pytest.mark.parametrize(("nearest", "mean"), [(0, 40.0), (1, 20.0), (2, 30.0), (9, 40.0)])
def test_only_the_nearest_count(nearest, mean):
    """A rule that sums up heeds so many of those seen, the nearest; 0: all."""
    world = World()
    places = [(0, 0), (40, 0), (20, 0), (60, 0)]
    given = {"cohesion": {"nearest": nearest, "nearness": 0.0}}
    group = world.add_group("a", places, model="flock", heading=0.0, behaviours=given)
    found = world.percepts(group)["cohesion"].seen.summary
    assert found.offset[0].tolist() == [mean, 0]
    assert found.count[0] == min(nearest or 3, 3)
    assert group.settings["cohesion"].told["nearest"] == nearest
    group.configure("cohesion", weight=1)
    assert group.settings["cohesion"].nearest == nearest


def test_a_rule_that_weighs_each_has_no_means_worked_out():
    """A rule reads weighted means or plain ones: what none reads stays 0. Counts are there."""
    world = World()
    group = world.add_group("a", [(0, 0), (40, 0)], model="flock_book", heading=0.0, view="wide")
    group.configure("alignment", weight=0)
    for nearness, mean in ((0.0, 40.0), (5.0, 0.0)):
        group.configure("cohesion", nearness=nearness)
        found = world.percepts(group)["cohesion"].seen.summary
        assert (found.count[0], found.offset[0, 0]) == (1, mean)


@pytest.mark.usefixtures("own_rules")
def test_a_rule_weighs_by_its_own_parameters_only():
    """A name that is no parameter of the rule is a mistake in the rule."""
    with pytest.raises(TypeError, match="weighs by far"):

        @rule("test", looks="summary")
        def wrong(_: Percepts, seen: Annotated[Seen, Weighed("far")]) -> Terms:
            raise AssertionError(seen)


def test_configure_adds_a_rule(counted: list[int]):
    """A rule that the model has not is added with its defaults."""
    world = pair()
    world.group("a").configure("counting")
    world.step()
    assert counted == [2]


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("cohesoin", {}, "behaviours.cohesoin: unknown behaviour; did you mean 'cohesion'?"),
        ("cohesion", {"weigth": 1}, "behaviours.cohesion.weigth: unknown parameter; did you"),
        ("cohesion", {"weight": nan}, "behaviours.cohesion.weight = nan: must be a finite number"),
        ("cohesion", {"weight": "2"}, "behaviours.cohesion.weight = '2': must be a number"),
        ("cohesion", {"weight": True}, "behaviours.cohesion.weight = True: must be a number"),
        ("cohesion", {"gain": -1}, "behaviours.cohesion.gain = -1: must be between 0 and 1000"),
        ("cohesion", {"view": "far"}, "behaviours.cohesion.view = 'far': must be one of wide,"),
        ("separation", {"range": -1}, "behaviours.separation.range = -1: must be between 0 and"),
        ("cohesion", {"nearest": 1.5}, "behaviours.cohesion.nearest = 1.5: must be a whole number"),
        ("cohesion", {"nearest": -1}, "behaviours.cohesion.nearest = -1: must be from 0 to 1e+06"),
        ("cruise", {"nearest": 3}, "behaviours.cruise.nearest: unknown parameter; allowed: weight"),
        ("cruise", {"view": "wide"}, "behaviours.cruise.view: unknown parameter; allowed: weight"),
        ("chase", {"leaders_only": 1}, "behaviours.chase.leaders_only = 1: must be true or false"),
    ],
)
def test_refused_parameters(name: str, parameters, said: str):
    """A change that does not fit is refused by name, value and what is allowed, and is not made."""
    world = pair()
    group = world.group("a")
    before = dict(group.settings)
    with pytest.raises(BadInput) as caught:
        group.configure(name, **parameters)
    assert str(caught.value).startswith(said)
    assert group.settings == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "flok"}, "model = 'flok': no such model; did you mean 'flock'?"),
        ({"view": "far"}, "view = 'far': must be one of wide, limited, narrow, all"),
        ({"view": ""}, "view = '': must be one of wide, limited, narrow, all"),
        ({"speed": 0}, "speed = 0: must be a finite number greater than 0"),
        ({"speed": nan}, "speed = nan: must be a finite number greater than 0"),
        ({"behaviours": {"cohesion": 3}}, "behaviours.cohesion = 3: must be a table of"),
        ({"behaviours": {"x": True}}, "behaviours.x: unknown behaviour; allowed: "),
        (
            {"goal": Goal("approach", "b"), "model": "flock"},
            "goal.approach: model 'flock' cannot do that yet; it can: c",
        ),
    ],
)
def test_refused_groups(options, said: str):
    """A group that is refused leaves nothing behind, and its name may be used again."""
    world = World()
    with pytest.raises(BadInput) as caught:
        world.add_group("a", [[0, 0]], **options)
    assert str(caught.value).startswith(said)
    assert not world.groups
    assert not world.space.bodies
    world.add_group("a", [[0, 0]], model="flock")


def test_view_counts_from_the_next_step():
    """A unit abaft the beam is seen by the wide view and not by the narrow one, a step later."""
    world = World()
    group = world.add_group(
        "a", [[0, 0], [-3, 8]], heading=0, model="flock_book",
        behaviours={"separation": {"range": 20}},
    )  # fmt: skip
    world.step()
    assert group.view == "wide"
    assert group.terms["separation"][0, 1] < 0  # away from whoever is to starboard
    before = group.terms
    group.view = "narrow"
    assert all(np.array_equal(group.terms[name], term) for name, term in before.items())
    world.step()
    assert group.view == "narrow"
    assert (group.terms["separation"] == 0).all()
    with pytest.raises(BadInput, match=r"^view = 'blind': must be one of wide, limited, narrow"):
        group.view = "blind"
    assert group.view == "narrow"


@pytest.mark.parametrize(("view", "seen"), [("wide", True), ("limited", False), ("narrow", False)])
def test_what_a_view_sees(view: str, seen: bool):
    """A neighbour a little behind the beam is in the wide view only."""
    world = World()
    group = world.add_group(
        "a",
        [[0, 0], [-3, 8]],
        model="flock",
        heading=0,
        view=view,
        behaviours={"separation": False},
    )
    world.step()
    assert (group.terms["cohesion"][0, 1] != 0) == seen


def test_a_view_of_its_own():
    """A rule with a view of its own keeps it whatever the group's view is."""
    world = pair(view="narrow", behaviours={"separation": {"view": "all", "range": 20}})
    world.step()
    assert (world.group("a").terms["separation"][:, 1] != 0).all()


def test_speed_is_reached():
    """Full thrust ends at the desired speed, and a change of it counts while running."""
    world = World()
    group = world.add_group("a", [[0, 0]], model="flock", heading=0, speed=20.0)
    assert group.speed == pytest.approx(20)
    for _ in range(240):
        world.step()
    assert np.hypot(*world.units.velocity[0]) == pytest.approx(20, rel=0.005)
    group.speed = 5.0
    for _ in range(600):
        world.step()
    assert np.hypot(*world.units.velocity[0]) == pytest.approx(5, rel=0.02)
    with pytest.raises(BadInput, match=r"^speed = -1: must be a finite number greater than 0$"):
        group.speed = -1
    assert group.speed == pytest.approx(5)


def test_families_are_switched():
    """Flocking can be switched off and on; the other families go on."""
    world = pair()
    group = world.group("a")
    group.switch("flocking", on=False)
    world.step()
    assert not {"cohesion", "alignment", "separation"} & set(group.terms)
    assert "cruise" in group.terms
    group.switch("flocking", on=True)
    group.switch("flocking", on=True)
    world.step()
    assert {"cohesion", "alignment", "separation"} <= set(group.terms)
    with pytest.raises(BadInput, match=r"^family 'singing': must be one of errands, flocking, "):
        group.switch("singing", on=False)


def test_goals_come_and_go():
    """Rules that serve a goal are asked only while the group has one of that kind."""
    world = pair()
    world.add_group("prey", [[100, 100]], model="flock", heading=0)
    group = world.group("a")
    world.step()
    assert not {"chase", "intercept"} & set(group.terms)
    for kind, other in (("chase", "intercept"), ("intercept", "chase")):
        group.goal = Goal(kind, "prey")
        world.step()
        assert kind in group.terms
        assert other not in group.terms
    group.goal = None
    world.step()
    assert not {"chase", "intercept"} & set(group.terms)
    with pytest.raises(BadInput, match=r"^goal\.dance: model 'flock' cannot do that yet; it can: "):
        group.goal = Goal("dance", "prey")


def test_goal_without_a_target():
    """A goal may be given before its target joins, but not be pursued without one."""
    world = pair(goal=Goal("chase", "prey"))
    with pytest.raises(BadInput, match=r"^goal\.chase = 'prey': no group of that name$"):
        world.step()
    world.add_group("prey", [[100, 100]], model="flock", heading=0)
    world.step()


def test_script_holds_until_its_next_row():
    """Thrusters are those of the last row at or before the time, and rest before the first."""
    world = World(time_step=0.25)
    player = world.add_group("player", [[0, 0]], heading=0, model="player")
    player.script = np.array([[0.5, 0.1, 0.2, 1.0], [1.0, 0.0, 0.3, 0.5]])
    said = []
    for _ in range(6):
        world.step()
        said.append(player.controls[0].tolist())
    assert said == [[0, 0, 0]] * 2 + [[0.1, 0.2, 1.0]] * 2 + [[0.0, 0.3, 0.5]] * 2


def test_thrusters_steer():
    """The port thruster pushes the bow to starboard: clockwise on screen."""
    for controls, sign in (([1, 0, 1], 1), ([0, 1, 1], -1)):
        world = World()
        player = world.add_group("player", [[0, 0]], heading=0, model="player")
        player.controls[:] = controls
        for _ in range(30):
            world.step()
        assert np.sign(world.units.spin[0]) == sign
        assert np.sign(world.units.position[0, 1]) == sign


@pytest.mark.parametrize("model", ["crowd", "flock", "squares"])
def test_only_what_is_steered_takes_controls(model: str):
    """Controls and a script of a group that no rule of it reads were taken, and did nothing."""
    world = World()
    group = world.add_group("a", [[0, 0]], model=model)
    said = "no rule of it reads them; 'thrusters' does, which model 'player' has"
    with pytest.raises(BadInput, match=f"^group 'a': controls: {said}$"):
        group.controls = (1, 0, 1)
    with pytest.raises(BadInput, match=f"^group 'a': script: {said}$"):
        group.script = [(0, 1, 0, 1)]
    world.step()
    group.controls[:, 2] = 1.0
    with pytest.raises(BadInput, match=f"^group 'a': controls: {said}$"):
        world.step()


@pytest.mark.usefixtures("own_rules")
def test_controls_for_a_rule_of_ones_own():
    """A rule of one's own may read them, and `thrusters` may join the rules of another model."""

    @rule("own")
    def push(me: Percepts) -> Terms:
        """Thrust as it is told."""
        return me.controls[:, [2, 0]]

    for own in ("push", "thrusters"):
        world = World()
        group = world.add_group("a", [[0, 0]], model="flock", behaviours={own: True})
        group.controls = (0, 0, 0.5)
        world.step()
        assert group.terms[own].tolist() == [[0.5, 0]]


@pytest.mark.usefixtures("own_rules")
def test_a_rule_of_ones_own():
    """A decorated function joins the table, takes a weight, a view and a range, and steers."""

    @rule("comfort", looks="summary", range=10.0)
    def shy(me: Percepts, *, strength: Annotated[float, Within(0, 9, "steering")] = 0.5) -> Terms:
        """Turn to starboard where anybody is near."""
        assert me.seen is not None
        near = me.seen.summary.count > 0
        return np.stack([np.zeros(len(near)), strength * near], axis=1)

    world = World()
    group = world.add_group(
        "a", [[0, 0], [20, 0], [300, 0]], model="flock", heading=0,
        behaviours={"shy": {"weight": 2, "view": "all", "strength": 1.5}},
    )  # fmt: skip
    world.step()
    assert np.array_equal(group.terms["shy"], [[0, 3], [0, 3], [0, 0]])


@pytest.mark.usefixtures("own_rules")
@pytest.mark.parametrize(
    ("result", "said"),
    [
        (np.zeros(2), r"behaviour 'odd' returned shape \(2,\), not \(2, 2\)"),
        (np.zeros((3, 2)), r"behaviour 'odd' returned shape \(3, 2\), not \(2, 2\)"),
        (0.0, r"behaviour 'odd' returned shape \(\), not \(2, 2\)"),
        (None, r"behaviour 'odd' returned None: must be numbers of shape \(2, 2\)"),
    ],
)
def test_wrong_result_of_a_rule(result, said: str):
    """A rule that does not return one term a unit is named, with both shapes."""

    @rule("own")
    def odd(me: Percepts) -> Terms:  # noqa: ARG001
        """Return something else."""
        return result

    world = pair(behaviours={"odd": True})
    with pytest.raises(BadInput, match=f"^{said}$"):
        world.step()


@pytest.mark.usefixtures("own_rules")
def test_parameters_need_bounds():
    """A rule whose parameter has no bounds or no default is refused where it is written."""
    with pytest.raises(TypeError, match=r"^loose: far needs Annotated"):

        @rule("own")
        def loose(me: Percepts, *, far: float = 1.0) -> Terms:  # noqa: ARG001
            """Take whatever comes."""
            return me.velocity


def test_a_schedule_of_orders():
    """Each order is given when its time has come, to the nearest place that can be reached."""
    world = World(boxes=[(90, -10, 110, 10)])
    group = world.add_group("a", [(0.0, 0.0)], model="squares")
    group.schedule = [(0.0, (50.0, 0.0)), (0.5, (100.0, 0.0))]
    world.step()
    assert world.orders.points.tolist() == [[50.0, 0.0]]
    for _ in range(30):
        world.step()
    assert not group.schedule
    (x, y) = world.orders.points[0]
    assert max(abs(x - 100), abs(y)) > 10


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hull": 6}, "hull = 6: must be a Hull, such as Hull.disc(0.5)"),
        ({"goal": (3, 4)}, "goal = (3, 4): must be a Goal, such as Goal.to((3, 4))"),
        ({"goal": "here"}, "goal = 'here': must be a Goal, such as Goal.to((3, 4))"),
        (
            {"color": "blurple"},
            "color = 'blurple': must be the name of a colour or '#rrggbb'; did you mean 'purple'?",
        ),
    ],
)
def test_other_kinds_of_things_are_refused(options, said: str):
    """What is no hull or no goal is refused by what it is, and by what to give instead."""
    world = World()
    with pytest.raises(BadInput) as caught:
        world.add_group("a", [(0.0, 0.0)], **options)
    assert str(caught.value) == said
    assert not world.groups


def test_a_goal_of_another_kind_is_refused_later_too():
    """The goal that a group has stays."""
    group = World().add_group("a", [(0.0, 0.0)], goal=Goal.to((3, 4)))
    with pytest.raises(BadInput, match="must be a Goal"):
        group.goal = (3, 4)
    assert group.goal == Goal.to((3, 4))


def test_the_name_of_a_map_is_no_map():
    """A world takes a map that was read, and says how to read one."""
    with pytest.raises(BadInput, match=r"map = 'x.tmx': must be a TileMap, such as sim.maps.read"):
        World(map="x.tmx")
