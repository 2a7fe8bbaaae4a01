"""What a scenario file may say."""

import tomllib

import pydantic
import pytest

from sim.scenario.load import load
from sim.scenario.schema import Scenario

from .documents import EVERY_KEY, GOOD


def test_every_key_is_read() -> None:
    """Each key of the format arrives in the model under its own name."""
    scenario = Scenario.model_validate(tomllib.loads(EVERY_KEY))
    assert (scenario.seed, scenario.time_step, scenario.stop_when_arrived) == (7, 0.02, False)
    assert scenario.map.bounds == (0, 0, 1024, 768)
    assert scenario.map.edges == "wrap"
    assert scenario.map.walls == ((0, 0, 40, 0),)
    assert scenario.map.boxes == ((10, 10, 14, 12),)
    assert scenario.map.circles == ((20, 8, 2.5),)
    (east,) = scenario.groups
    assert east.hull is not None
    assert (east.hull.shape, east.hull.radius, east.hull.mass) == ("disc", 0.5, 80)
    assert (east.view, east.speed, east.color, east.size) == ("wide", 1.3, "red", 1)
    assert (east.spawn.kind, east.spawn.heading) == ("region", 0)
    assert east.goal is not None
    assert (east.goal.kind, east.goal.tolerance, east.goal.leave) == ("point", 0.5, True)
    assert east.behaviours["alignment"] is False
    assert east.behaviours["separation"] == {"weight": 1.5, "range": 2.0}
    assert scenario.player[0].script == ((0.0, 0.5, 0.0, 1.0),)


def test_defaults_are_those_of_the_format(read) -> None:
    """What a file leaves out has the format's value, and None where the model decides."""
    scenario = read(GOOD)
    assert (scenario.seed, scenario.time_step, scenario.stop_when_arrived) == (0, 1 / 60, True)
    assert (scenario.map.edges, scenario.map.bounds, scenario.player) == ("open", None, ())
    west = scenario.groups[1]
    assert (west.size, west.view, west.speed, west.hull, west.goal) == (2, None, None, None, None)
    assert west.behaviours == {}


def test_path_and_text_are_kept(read, tmp_path) -> None:
    """Outputs can name the file and carry its text, without what --set changed."""
    scenario = read(GOOD, "duration=3")
    assert scenario.path == tmp_path / "a.toml"
    assert scenario.text == GOOD
    assert scenario.duration == 3


@pytest.mark.parametrize(
    "spawn",
    [
        "{ points = [[1, 2], [3, 4]], heading = 90 }",
        "{ circle = [0, 0, 5], heading = 'random' }",
        "{ region = [0, 0, 1, 1], heading = -45.5 }",
    ],
)
def test_every_kind_of_spawn(read, spawn: str) -> None:
    """Each way of placing units is accepted."""
    assert read(GOOD, f"groups.east.spawn={spawn}").groups[0].spawn.kind in spawn


@pytest.mark.parametrize(
    ("goal", "kind"),
    [
        ("{ points = [[1, 2], [3, 4]] }", "points"),
        ("{ antipode = [0, 0], leave = true }", "antipode"),
        ("{ region = [0, 0, 1, 1] }", "region"),
        ("{ chase = 'west' }", "chase"),
        ("{ intercept = 'west' }", "intercept"),
        ("{ flee = 'west' }", "flee"),
        ("{ approach = 'west' }", "approach"),
        ("{ follow = 'west' }", "follow"),
        ("{ route = [[0, 0], [1, 1]], loop = true }", "route"),
        ("{ routes = [[[0, 0]], [[1, 1], [2, 2]]], tolerance = 1 }", "routes"),
    ],
)
def test_every_kind_of_goal(read, goal: str, kind: str) -> None:
    """Each kind of goal is accepted and known by its key."""
    found = read(GOOD, f"groups.east.goal={goal}").groups[0].goal
    assert found.kind == kind
    assert found.target == ("west" if "west" in goal else None)


def test_objects_of_a_tiled_map() -> None:
    """Spawns and goals may be objects where the map is one of Tiled's."""
    text = EVERY_KEY.replace("{ point = [15, 0]", "{ object = 'exit'")
    text = text.replace("{ region = [-20, -1, -10, 1]", "{ object = 'entry'")
    (east,) = Scenario.model_validate(tomllib.loads(text)).groups
    assert east.goal is not None
    assert (east.spawn.object, east.goal.object) == ("entry", "exit")


@pytest.mark.parametrize(
    ("hull", "shape"),
    [
        ("{ shape = 'box', length = 2, width = 1 }", "box"),
        ("{ shape = 'wedge', length = 4, width = 2, mass = 10 }", "wedge"),
        ("{ mass = 3 }", None),
    ],
)
def test_every_kind_of_hull(read, hull: str, shape: str | None) -> None:
    """Each shape is accepted with its sizes, and the mass alone."""
    assert read(GOOD, f"groups.east.hull={hull}").groups[0].hull.shape == shape


@pytest.mark.parametrize("color", ["red", "#FF00ff", "Steel Blue", "grey61"])
def test_colours_that_pygame_knows(read, color: str) -> None:
    """Names, whatever their case and spaces, and "#rrggbb" are colours."""
    assert read(GOOD, f'groups.east.color="{color}"').groups[0].color == color


@pytest.mark.parametrize("view", ["wide", "limited", "narrow", "all"])
def test_every_view(read, view: str) -> None:
    """The four fields of view are accepted."""
    assert read(GOOD, f"groups.east.view={view}").groups[0].view == view


def test_the_player_can_be_chased(read) -> None:
    """A goal may name the player's group where there is a player, without a script too."""
    text = f"{GOOD}\n[[player]]\nspawn = {{ points = [[0, 0]] }}\n"
    scenario = read(text, "groups.east.goal={ chase = 'player' }")
    assert scenario.groups[0].goal.target == "player"
    assert scenario.player[0].script == ()


def test_rows_at_the_same_time(read) -> None:
    """Two rows of a script may have the same time: the later one counts from then on."""
    text = f"{GOOD}\n[[player]]\nspawn = {{ circle = [0, 0, 1] }}\nscript = "
    script = read(f"{text}[[0, 0, 0, 1], [2, 1, 0, 1], [2, 0, 1, 1]]").player[0].script
    assert [row[0] for row in script] == [0, 2, 2]


def test_zero_is_a_value(read) -> None:
    """A weight of 0 stays 0, and so do a seed and a heading of 0."""
    scenario = read(
        f"seed = 5\n{GOOD}",
        "groups.east.behaviours.cohesion.weight=0",
        "groups.east.spawn.heading=0",
        seed=0,
    )
    assert scenario.groups[0].behaviours == {"cohesion": {"weight": 0}}
    assert (scenario.seed, scenario.groups[0].spawn.heading) == (0, 0)


@pytest.mark.parametrize(
    ("duration", "time_step", "steps"),
    [
        ("60", "0.016666666666666666", 3600),
        ("0.3", "0.1", 3),
        ("0.7", "0.1", 7),
        ("0.14", "0.02", 7),
        ("0.9", "0.25", 4),
        ("1e-9", "0.1", 1),
        ("60.001", "0.016666666666666666", 3601),
        ("3600", "0.016666666666666666", 216000),
    ],
)
def test_steps_are_rounded_up(read, duration: str, time_step: str, steps: int) -> None:
    """The last part of a step counts whole, but a rounding error is no part of a step."""
    assert read(GOOD, f"duration={duration}", f"time_step={time_step}").steps == steps


def test_every_second_has_sixty_steps(read) -> None:
    """No whole number of seconds gains a step from the binary fraction of 1/60."""
    scenario = read(GOOD)
    found = [scenario.model_copy(update={"duration": float(s)}).steps for s in range(1, 3000)]
    assert found == [60 * s for s in range(1, 3000)]


def test_a_byte_order_mark_is_no_error(tmp_path) -> None:
    """Files of editors that mark UTF-8 are read like the others."""
    path = tmp_path / "marked.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load(path).title == "Two groups"


def test_titles_of_any_language(read) -> None:
    """Signs and spaces of other languages are fine in titles and names."""
    assert read(GOOD.replace("Two groups", "Deux\u202fgroupes !")).title == "Deux\u202fgroupes !"


def test_scenarios_are_frozen(read) -> None:
    """A scenario cannot be changed behind the back of whoever holds it."""
    scenario = read(GOOD)
    with pytest.raises(pydantic.ValidationError):
        scenario.groups[0].speed = 3.0
