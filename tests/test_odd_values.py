"""Values of no fitting kind, given to the Python interface, are refused with what is allowed."""

import numpy as np
import pytest

from sim import BadInput, Box, Formation, Goal, Group, Hull, World, metrics, replay, rule
from sim.maps import read as read_map
from sim.record.trajectory import Trajectory
from sim.screen.capture import FilmRecorder

HUGE = 10**400


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: World(boxes=HUGE), "boxes"),
        (lambda: World(discs=[[0, 0, HUGE]]), "discs"),
        (lambda: World(edges=np.array([1, 2])), "edges = "),
        (lambda: World(edges=[]), "edges = "),
        (lambda: Hull(np.array([1, 2]), 1, 1), "hull.shape = "),
        (lambda: World().add_group("a", [[HUGE, 1]]), "spawn.points"),
        (lambda: World().add_group("a", [[1, 1]], behaviours="x"), "behaviours = 'x': must be a "),
        (lambda: World().add_group("a", [[1, 1]], behaviours=3), "behaviours = 3: must be a table"),
        (lambda: World().add_group("a", [[1, 1]], facing=HUGE), "facing"),
        (lambda: World().at([1], print), "time = [1]: must be seconds"),
        (lambda: World().at(1.0, 3), "act = 3: must be a function"),
        (lambda: World().add_area(Box(0, 0, 1, 1), groups=3), "groups = 3: must be names"),
        (lambda: World().add_area(Box(0, 0, 1, 1), groups=[3]), "groups = 3: must be a text"),
        (lambda: World().add_area(Box(0, 0, 1, 1), groups=np.array(3)), "groups = array(3): must"),
        (lambda: World().path(np.array(3.0), (1, 1), 0.5), "start = array(3.): must be two"),
        (lambda: World(bounds=np.array(3.0)), "bounds = array(3.): must be left"),
        (lambda: World().load(3), "path = 3: must be the name of a file"),
        (lambda: World().path("wrap", (1, 1), 0.5), "start = 'wrap': must be two numbers"),
        (lambda: World().path((0, 0), [1, [2, 3]], 0.5), "goal = [1, [2, 3]]: must be two"),
        (lambda: World().save(3), "path = 3: must be the name of a file"),
        (lambda: World().save(about="x"), "about = 'x': must be a Mapping"),
        (lambda: World().show(theme=[]), "theme = []: must be one of"),
        (lambda: World().show(np.array([1, 2])), "seconds = "),
        (lambda: Goal.to((1, 1), nearest=np.zeros(2)), "goal.nearest = "),
        (lambda: Goal.along([(1, 1), (2, 2)], loop="yes"), "goal.loop = 'yes': must be true or"),
        (lambda: World().select([1, [2, 3], []]), "must be ids of units"),
    ],
)
def test_values_of_another_kind(call, said):
    """Whole numbers beyond any float, and arrays where a word is meant, are `BadInput`."""
    with pytest.raises(BadInput) as refused:
        call()
    assert said in str(refused.value)


@pytest.mark.parametrize("offset", [np.nan, (1, np.nan), "ab", None, (1, 2)])
def test_a_part_is_not_put_anywhere(offset):
    """Such an offset once ended a step in the engine; its body stays where it is."""
    part = World().add_solid(Box(0, 0, 1, 1))
    with pytest.raises(BadInput, match="offset cannot be set: set velocity, or give it a path"):
        part.offset = offset


def test_an_array_of_one_number_is_a_speed():
    """What numpy hands out for a number is taken as that number."""
    assert World().add_group("a", [[1, 1]], speed=np.array(0.5)).speeds.tolist() == [0.5]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("view_angle", "x"), ("view_angle", HUGE), ("view_radius", []), ("script", 3.0),
        ("script", [[0, 1, 0]]), ("name", "b"), ("hull", Hull.disc(1.0)), ("model", "flock"),
    ],
)  # fmt: skip
def test_attributes_of_a_group(name, value):
    """What a group is made of stays; what can be set is checked when it is set."""
    group = World().add_group("a", [(0, 0)])
    with pytest.raises(BadInput, match=name):
        setattr(group, name, value)


@pytest.mark.parametrize("name", [float("nan"), [], 3, np.zeros(2)])
def test_names_of_groups_are_texts(name):
    """Asked for a group by something else, a world says what a name is."""
    with pytest.raises(BadInput, match="group = "):
        World().group(name)


@pytest.mark.parametrize("make", [Goal.to, Goal.along])
def test_places_beyond_any_float(make):
    """A goal whose place is no number that a float holds is refused."""
    with pytest.raises(BadInput):
        make([[HUGE, 0]])


def test_a_gallery_where_no_folder_can_be(cli, tmp_path):
    """A folder that cannot be made is named."""
    (tmp_path / "file").write_text("")
    said = cli("gallery", "flocking", "--out", tmp_path / "file")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"error: --out {tmp_path / 'file'}: cannot be written: ")


def test_a_hull_wider_than_a_torus_has_its_way_told_at_once():
    """The images of the same ground are not searched one by one."""
    world = World(bounds=(0, 0, 200, 100), edges="wrap", discs=[(50, 50, 8)])
    assert not world.path((0, 0), (90, 90), 2e9).found


def test_a_way_on_a_torus_begins_within_the_bounds():
    """A start beyond them is its image inside; the way is that from there."""
    world = World(bounds=(0, 0, 200, 100), edges="wrap", discs=[(50, 50, 8)])
    far = world.path((10 + 200e6, 50), (90, 50), 1)
    np.testing.assert_allclose(far.points, world.path((10, 50), (90, 50), 1).points, atol=1e-6)


ELSEWHERE = World()
OTHER = ELSEWHERE.add_group("a", [(0, 0)], model="crowd")
NONE_BUT_ONE = np.zeros(2)


class Unspeakable:
    """What cannot be written down."""

    def __repr__(self) -> str:
        raise RuntimeError


def soldiers() -> tuple[World, Group]:
    """A world with a group."""
    world = World(bounds=(0, 0, 100, 100), edges="wall")
    return world, world.add_group("a", [(20, 20), (30, 30)], model="crowd")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda *_: World(space=3), "space = 3: must be a Space"),
        (lambda *_: World(neighbour_search=NONE_BUT_ONE), "neighbour_search = array"),
        (lambda world, _: world.percepts(None), "group = None: must be a text"),
        (lambda world, _: world.percepts(OTHER), "group 'a': is a group of another world"),
        (lambda world, _: world.regroup([0], OTHER), "group 'a': is a group of another world"),
        (lambda world, _: world.regroup([0], 3), "group = 3: must be a text"),
        (lambda world, _: world.select([0]).chase(3), "group = 3: must be a text"),
        (lambda world, _: world.select([0]).order(3), "goal = 3: must be a Goal"),
        (lambda world, _: world.select([0]).go_to((1, 1), queue=NONE_BUT_ONE), "queue = array"),
        (lambda world, _: world.rng(3), "name = 3: must be a text"),
        (lambda world, _: world.rng("\ud800"), "name = '\\ud800': must be a text"),
        (lambda world, _: world.add_area(Unspeakable()), " = <Unspeakable>: must be"),
        (lambda _, group: group.switch("avoidance", NONE_BUT_ONE), "on = array"),
        (lambda _, group: group.parameter([], "x"), "rule = []: must be a text"),
        (lambda _, group: group.parameter("keep_clear", 3), "parameter = 3: must be a text"),
        (lambda _, group: group.configure("keep_clear", whom=NONE_BUT_ONE), "whom = array"),
        (lambda _, group: setattr(group, "color", 3), "color = 3: must be a text"),
        (lambda _, group: setattr(group, "schedule", 3.0), "schedule = 3.0: must be a list"),
        (lambda _, group: setattr(group, "schedule", [3]), "schedule = [3]: must be a list"),
        (lambda world, _: world.queries.clear(3, [(1, 1)], [0.0]), "hull = 3: must be a Hull"),
        (lambda world, _: world.queries.rays([(1, 1)], [(2, 2)], own=[2]), "own = [2]: must be"),
        (lambda world, _: world.queries.rays([(1, 1)], [(2, 2)], own="x"), "own = 'x': must be"),
        (lambda world, _: world.feelers.cast([(1, 1)], [(2, 2)], own=[0.5]), "own = [0.5]: must"),
        (lambda world, _: world.feelers.cast([(1, 1)], [(2, 2)], crowd=[[]]), "crowd = [[]]: must"),
        (lambda *_: Formation(NONE_BUT_ONE), "formation"),
        (lambda *_: rule(3), "family = 3: must be a text"),
        (lambda *_: rule("x", looks=NONE_BUT_ONE), "looks = array"),
        (lambda *_: rule("x", nearest=NONE_BUT_ONE), "nearest = array"),
        (lambda *_: rule("x", serves=None), "serves = None: must be a word"),
        (lambda *_: metrics(None), "path = None: must be the name of a file"),
        (lambda *_: replay(3), "path = 3: must be the name of a file"),
        (lambda *_: read_map(3), "path = 3: must be the name of a file"),
        (lambda *_: read_map("x.map", tile="x"), "x.map: tile = 'x': must be a finite number"),
        (lambda *_: Trajectory(3), "path = 3: must be the name of a file"),
        (lambda *_: Trajectory("x.npz", every="x"), "a frame every 'x' steps: must be a whole"),
        (lambda world, _: FilmRecorder(3, world), "path = 3: must be the name of a file"),
        (lambda world, _: FilmRecorder("x.gif", world, size=3), "size = 3: must be 1 to"),
        (lambda world, _: FilmRecorder("x.gif", world, size=(9000, 9000)), "must be 1 to 8192"),
        (lambda world, _: FilmRecorder("x.gif", world, fps="x"), "fps = 'x': must be from"),
        (lambda world, _: FilmRecorder("x.gif", world, speed=None), "speed = None: must be from"),
        (lambda world, _: FilmRecorder("x.gif", world, start="x"), "from 'x' s to inf s: must be"),
        (lambda world, _: FilmRecorder("x.gif", world, loop=None), "loop = None: must be 0 to"),
    ],
)
def test_values_of_another_kind_for_what_a_world_hands_out(tmp_path, monkeypatch, call, said):
    """Groups, selections, queries, rules, recordings and films."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.map").write_text("type octile\nheight 1\nwidth 1\nmap\n.\n")
    with pytest.raises(BadInput) as refused:
        call(*soldiers())
    assert said in str(refused.value)
    assert [each.name for each in tmp_path.iterdir()] == ["x.map"]


@pytest.mark.parametrize(
    "none",
    [
        np.array([(1j, 2)]),
        np.array([(1, 2)], "m8[s]"),
        np.array([(1, 2)], "M8[s]"),
        np.ma.masked_array([(1.0, 2.0)], mask=[(True, False)]),
        [("1", "2")],
    ],
)
def test_what_is_no_real_number_is_none(none):
    """The real part was taken, the days, what a mask hides; a speed in days was a traceback."""
    world = World()
    group = world.add_group("a", [(0, 0)])
    for call in (
        lambda: world.add_group("b", none),
        lambda: group.go_to(none),
        lambda: Formation(offsets=none),
        lambda: world.path(none[0], (1, 1), 0.5),
        lambda: world.add_group("c", [(9, 9)], speed=none[0][0]),
    ):
        with pytest.raises(BadInput):
            call()


@pytest.mark.usefixtures("own_rules")
def test_a_rule_that_returns_no_real_numbers():
    """It was asked for its real part, with a warning of numpy's."""

    @rule("odd")
    def whirls(me):
        return np.full(me.velocity.shape, 1j)

    world = World()
    world.add_group("a", [(0, 0)]).configure("whirls")
    with pytest.raises(BadInput, match=r"behaviour 'whirls' returned .*must be numbers"):
        world.step()
