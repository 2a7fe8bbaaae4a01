"""Weights and parameters of rules that are drawn for each unit, from the run's seed."""

import tomllib

import numpy as np
import pytest

import sim
from sim import BadInput, Goal, Hull, Normal, Region, Uniform, World
from sim.behaviours import RULES
from sim.models import model as model_named
from sim.scenario.build import build
from sim.scenario.json_schema import json_schema
from sim.scenario.load import load
from sim.scenario.snippet import snippet
from tests.living.tracking import going_on, track

DISC = Hull.disc(0.25, 80.0)
FAR = [(0.0, 0.0), (0.0, 1e4), (0.0, 2e4)]
EXTRA = ("anti_gravity", "crossing_paths", "give_way", "unaligned_avoidance", "take_turns",
         "keep_right", "follow_route", "follow_flow")  # fmt: skip
CRAFT = ("avoid_discs", "avoid_walls", "head_for")


def scene(model: str, kind: str | None, behaviours=None, **options) -> World:
    """Some units among solids, and others that they may be after."""
    world = World(seed=3, walls=[(20, -20, 20, 5)], discs=[(-8, -8, 2)])
    hull = {"flock": Hull("wedge", 1.0, 0.5), "squares": Hull("box", 0.5, 0.5, 3.0)}.get(
        model, DISC
    )
    goal = Goal.to((30, 3)) if kind == "go" else Goal(kind, "b") if kind else None
    options = {"model": model, "hull": hull} | options
    world.add_group("b", Region(24, 0, 34, 10), count=3, **options)
    world.add_group(
        "a", Region(0, 0, 12, 12), count=12, goal=goal, behaviours=behaviours, **options
    )
    return world


def equal_lists(model: str, rules) -> dict:
    """The model's own numbers of some rules, as a list with the same for each of 12 units."""
    found = {}
    settings = model_named(model).compose(dict.fromkeys(rules, True))
    for rule in rules:
        given = settings[rule].given
        names = ["weight", *(n for n, p in RULES[rule].parameters.items() if p.drawn)]
        found[rule] = {name: [given[name]] * 12 for name in names if given[name] > 0}
        if settings[rule].range is not None:
            found[rule]["range"] = [settings[rule].range] * 12
    return found


@pytest.mark.parametrize(
    ("model", "kind", "extra"),
    [
        *((m, k, ()) for m in ("crowd", "soldiers") for k in ("go", "chase", "flee", "follow")),
        ("crowd", "approach", ()), ("soldiers", None, ()), ("mages", "go", ()),
        ("crowd", "go", EXTRA), ("flock", None, CRAFT), ("flock", "go", CRAFT),
        *(("flock", k, ()) for k in ("chase", "intercept", "flee", "follow")),
        *(("squares", k, ()) for k in ("go", "chase", "flee", "follow")),
    ],
)  # fmt: skip
def test_equal_ones_take_the_same_run(model, kind, extra):
    """Lists of one and the same number give the run of that number, bit for bit."""
    rules = (*model_named(model).behaviours, *extra)
    plain = scene(model, kind, dict.fromkeys(extra, True))
    listed = scene(model, kind, equal_lists(model, rules))
    assert track(plain, 40) == track(listed, 40)
    assert any(s.drawn for s in listed.groups[1].active)


def test_each_follows_its_own_weight():
    """Half the weight of the rule that leads to a place is half the speed."""
    world = World()
    group = world.add_group(
        "a", FAR[:2], hull=DISC, speed=2.0, heading=0.0,
        behaviours={"arrive": {"weight": [1, 0.5]}},
        goal=Goal.to([(900.0, y) for _, y in FAR[:2]]),
    )  # fmt: skip
    track(world, 240)
    assert np.hypot(*world.units.velocity.T) == pytest.approx([2.0, 1.0], rel=0.02)
    assert group.parameter("arrive").tolist() == [1.0, 0.5]


def test_each_follows_its_own_parameter():
    """The sooner a unit slows down for its place, the farther it is from it then."""
    world = World()
    world.add_group(
        "a", FAR, hull=DISC, speed=2.0, heading=0.0,
        behaviours={"arrive": {"slowing": [0.5, 1.0, 4.0]}},
        goal=Goal.to([(20.0, y) for _, y in FAR]),
    )  # fmt: skip
    track(world, 600)
    left = 20.0 - world.units.position[:, 0]
    assert left[0] < left[1] < left[2] - 0.5


@pytest.mark.parametrize(
    ("model", "rule", "name"),
    [
        ("crowd", "keep_clear", "horizon"), ("crowd", "keep_right", "width"),
        ("crowd", "give_way", "clearance"), ("crowd", "crossing_paths", "strength"),
        ("crowd", "unaligned_avoidance", "foresight"), ("crowd", "ray_avoidance", "near"),
        ("soldiers", "rank_and_file", "spacing"), ("flock", "cohesion", "gain"),
        ("flock", "separation", "brake"), ("flock", "avoid_walls", "ahead"),
        ("flock", "head_for", "ring"), ("flock", "separation", "range"),
        ("flock", "cohesion", "range"), ("flock", "alignment", "range"),
        ("crowd", "keep_right", "range"), ("crowd", "personal_space", "range"),
        ("crowd", "keep_clear", "range"), ("soldiers", "linear_separation", "range"),
        *(("crowd", "ray_avoidance", each) for each in ("ahead", "foresight", "clearance")),
    ],
)  # fmt: skip
def test_kernels_read_the_number_of_the_unit(model, rule, name):
    """Units that are given in another order, with their numbers, take the same ways.

    Others than with the mean of these numbers.
    """
    places = np.array([(3.0 * k, 4.0 * (k % 2)) for k in range(8)])
    places *= 0.4 if model == "crowd" else 1.0
    own = RULES[rule].parameters
    usual = 8.0 if name == "range" else own[name].default
    values = (usual or 0.5) * np.linspace(0.5, 2.0, 8)
    others = {"others": True} if rule == "ray_avoidance" else {}
    goal = {"flock": Goal.to((10, 20)), "crowd": Goal.across((4.2, 0.81))}.get(model)
    hull = Hull("wedge", 1.0, 0.5) if model == "flock" else DISC
    ends = []
    for order in (np.arange(8), np.array([3, 6, 0, 7, 1, 5, 2, 4]), None):
        drawn = float(values.mean()) if order is None else values[order].tolist()
        order = np.arange(8) if order is None else order
        world = World(walls=[(30, -9, 30, 15)])
        world.add_group(
            "a", places[order], model=model, hull=hull, heading=0.0, goal=goal,
            behaviours={rule: {name: drawn, **others}},
        )  # fmt: skip
        track(world, 60)
        ends.append(world.units.position[np.argsort(order)])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert ends[0] != pytest.approx(ends[2], abs=1e-6)


@pytest.mark.parametrize("model", ["flock", "soldiers", "crowd"])
def test_each_sees_by_its_own_range(model):
    """Its terms are those it has among units that all have its range, whatever the others have."""
    looks = [r for r in model_named(model).behaviours if RULES[r].looks != "nobody"]
    looks = [r for r in looks if RULES[r].range is not None] or looks
    ranges = np.linspace(1.0, 9.0, 12)
    kind = "go" if model == "crowd" else None
    drawn = scene(model, kind, {rule: {"range": ranges.tolist()} for rule in looks})
    drawn.step()
    terms = drawn.groups[1].terms
    assert any(np.ptp(terms[rule]) > 0 for rule in looks if rule in terms)
    for unit in (0, 5, 11):
        alike = scene(model, kind, {rule: {"range": float(ranges[unit])} for rule in looks})
        alike.step()
        for rule, term in alike.groups[1].terms.items():
            assert term[unit].tolist() == terms[rule][unit].tolist(), rule


def test_a_weight_drawn_about_0_counts():
    """Its middle is 0, and yet each unit heeds the rule; the world is saved and loaded."""
    world = scene("flock", None, {"cohesion": {"weight": Uniform(-1, 1)}})
    assert "cohesion" in [each.rule.name for each in world.groups[1].active]
    World.load(world.save())


def test_draws_follow_from_the_order_of_entry_alone():
    """All at once, or one by one with others taken out between: the same; another seed, others."""
    rule = {"keep_clear": {"margin": Uniform(0.1, 0.5), "weight": Normal(0.9, 0.02)}}
    places = [(3.0 * k, 0.0) for k in range(8)]
    once = World(seed=5).add_group("a", places, behaviours=rule)
    group = World(seed=5).add_group("a", places[:3], behaviours=rule)
    group.remove(group.ids[1:2])
    for place in places[3:]:
        group.add([place])
    for name in ("margin", "weight"):
        known = once.parameter("keep_clear", name).tolist()
        assert group.parameter("keep_clear", name).tolist() == known[:1] + known[2:]
        assert len(set(known)) == 8
        other = World(seed=6).add_group("a", places, behaviours=rule)
        assert other.parameter("keep_clear", name).tolist() != known
    assert group.parameter("keep_clear", "horizon").tolist() == [2.0] * 7


def test_changed_while_it_runs():
    """What is not changed of a rule stays as it was drawn; a number makes all alike again."""
    group = scene("crowd", "go", {"keep_clear": {"margin": Uniform(0.1, 0.5)}}).groups[1]
    kept = group.parameter("keep_clear", "margin").tolist()
    group.configure("keep_clear", horizon=Uniform(1, 3))
    group.configure("arrive", slowing=list(range(1, 13)))
    assert group.parameter("keep_clear", "margin").tolist() == kept
    assert group.parameter("arrive", "slowing").tolist() == list(range(1, 13))
    group.configure("keep_clear", margin=0.2)
    assert group.parameter("keep_clear", "margin").tolist() == [0.2] * 12
    assert (group.parameter("keep_clear", "horizon") > 1).all()
    with pytest.raises(BadInput, match=r"arrive\.slowing: 2 numbers: must be one for each of 12"):
        group.configure("arrive", slowing=[1, 2])


def test_saved_and_loaded_it_goes_on(tmp_path):
    """Bit for bit, units that enter afterwards included, from memory and from a file."""
    world = scene("crowd", "go", {"keep_clear": {"horizon": Normal(2, 0.3, (1, 3))}})
    track(world, 20)
    ends = []
    for going in going_on(world, tmp_path / "a.state"):
        going.group("a").add([(40.0, 40.0), (44.0, 40.0)])
        ends.append(
            (track(going, 30), going.group("a").parameter("keep_clear", "horizon").tolist())
        )
    assert ends[0] == ends[1] == ends[2]


FILE = """
title = "x"
duration = 1.0
seed = 4
[[groups]]
name = "east"
count = 3
spawn = { region = [0, 0, 10, 10] }
goal = { point = [30, 0] }
[groups.behaviours]
keep_clear = { horizon = { uniform = [1, 3] }, margin = { each = [0.1, 0.2, 0.3] } }
arrive = { weight = { normal = [0.9, 0.1], within = [0.8, 1.0] } }
[[events]]
at = 0.5
set = { "groups.east.behaviours.keep_clear.horizon" = { uniform = [4, 5] } }
"""


def built(tmp_path, text=FILE) -> World:
    """The world of a scenario's text."""
    (tmp_path / "a.toml").write_text(text)
    return build(load(tmp_path / "a.toml"))


def test_from_a_file(tmp_path):
    """As in Python; events set others; the snippet that the window copies says the same again."""
    world = built(tmp_path)
    group = world.groups[0]
    assert group.parameter("keep_clear", "margin").tolist() == [0.1, 0.2, 0.3]
    horizon = group.parameter("keep_clear", "horizon")
    assert ((horizon > 1) & (horizon < 3)).all()
    said = tomllib.loads(snippet(world))["groups"][0]["behaviours"]
    assert said["keep_clear"] == {
        "horizon": {"uniform": [1, 3]},
        "margin": {"each": [0.1, 0.2, 0.3]},
    }
    assert said["arrive"]["weight"] == {"normal": [0.9, 0.1], "within": [0.8, 1]}
    track(world, 40)
    horizon = group.parameter("keep_clear", "horizon")
    assert ((horizon > 4) & (horizon < 5)).all()
    horizon = json_schema()["$defs"]["Group"]["properties"]["behaviours"]["properties"][
        "keep_clear"
    ]
    kinds = horizon["anyOf"][1]["properties"]["horizon"]["anyOf"]
    assert [each["type"] for each in kinds] == ["number", "object"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("uniform = [1, 3]", "uniform = [1, 90]",
         r"keep_clear\.horizon = \{ uniform = \[1, 90\] \}: is drawn from 1 to 90: must be between "
         r"0\.05 and 60"),
        ("uniform = [1, 3]", "uniform = [3, 1]",
         r"east\.behaviours\.keep_clear\.horizon\.uniform = \[3, 1\]: must have low < high"),
        ("uniform = [1, 3]", "equal = [1, 3]",
         r"keep_clear\.horizon\.equal = \[1, 3\]: unknown key"),
        ("each = [0.1, 0.2, 0.3]", "each = [0.1]",
         r"keep_clear\.margin\.each = \[0\.1\]: has 1 for 3 units"),
        ("margin =", "nearest =", r"keep_clear\.nearest = .*: must be a whole number"),
        ("uniform = [4, 5]", "uniform = [4, 500]", r"events\[0\]\.set: .*: must be between 0\.05"),
        ('horizon" = { uniform = [4, 5] }', 'horizon.uniform" = [4, 5]',
         r"events\[0\]\.set: .*: horizon must be set as a whole"),
    ],
)  # fmt: skip
def test_refused_in_a_file(tmp_path, old, new, said):
    """With the file, the key, the value and what is allowed."""
    assert old in FILE
    with pytest.raises(BadInput, match=said):
        built(tmp_path, FILE.replace(old, new))


def test_what_is_alike_for_all_of_a_group():
    """Switches, and from how far off a group pairs off, with the names of what may be drawn."""
    with pytest.raises(BadInput, match=r"approach\.engage: must be alike .* each: weight"):
        RULES["approach"].configure({"engage": Uniform(1, 2)}, "behaviours.approach")
    with pytest.raises(BadInput, match=r"chase\.leaders_only: must be alike"):
        RULES["chase"].configure({"leaders_only": [1, 2]}, "chase")


def test_a_rule_of_ones_own_gets_an_array():
    """Where its parameter is an `Amount`: (n,) numbers, one for each unit."""
    from typing import Annotated

    from sim.behaviours import Amount, Within, rule

    seen = []

    def dawdle(me, *, pace: Annotated[Amount, Within(0, 1, "share")] = 0.5):
        seen.append(pace)
        return np.stack([np.broadcast_to(pace, len(me.velocity)), np.zeros(len(me.velocity))], 1)

    dawdle.__annotations__ = {"pace": Annotated[Amount, Within(0, 1, "share")]}
    rule("mine", gives=sim.behaviours.commands.VELOCITY)(dawdle)
    try:
        world = World()
        world.add_group("a", FAR, behaviours={"dawdle": {"pace": [0.2, 0.4, 0.6]}})
        world.step()
        assert seen[-1].tolist() == [0.2, 0.4, 0.6]
    finally:
        del RULES["dawdle"]


def test_the_engine_finds_the_same_within_own_ranges():
    """The slow search of neighbours, narrowed alike, gives the same run to the last bit."""
    runs = []
    for search in ("grid", "pymunk"):
        world = World(seed=3, bounds=(0, 0, 30, 30), edges="wrap", neighbour_search=search)
        rules = {name: {"range": Uniform(1, 12)} for name in ("separation", "cohesion")}
        world.add_group("a", Region(0, 0, 30, 30), count=15, model="flock", behaviours=rules)
        runs.append(track(world, 30))
    assert runs[0] == runs[1]
