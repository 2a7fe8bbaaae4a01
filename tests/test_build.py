"""From a scenario file to a world: every key arrives where it belongs."""

from math import pi

import numpy as np
import pytest

from sim import BadInput, Goal, Hull, World
from sim.models import MODELS
from sim.scenario.build import build
from sim.scenario.load import load

START = """
title = "Built"
duration = 1
"""
GROUP = """
[[groups]]
name = "a"
model = "flock"
spawn = { points = [[10, 10], [30, 10]] }
"""


@pytest.fixture
def world(tmp_path):
    """Write a scenario and build its world."""

    def make(text: str, view: str | None = None) -> World:
        file = tmp_path / "built.toml"
        file.write_text(START + text)
        return build(load(file), view)

    return make


def test_defaults_are_the_models(world):
    """What a file leaves out is the model's."""
    group, flock = world(GROUP).group("a"), MODELS["flock"]
    assert (group.hull, group.view, group.color) == (flock.hull, flock.view, flock.color)
    assert group.speed == flock.helm.terminal_speed(flock.hull.length)
    assert group.settings == flock.compose()
    assert group.goal is None


def test_the_whole_map(world):
    """Bounds, edges and solids."""
    made = world(
        "seed = 5\ntime_step = 0.02\n[map]\nbounds = [0, 0, 90, 60]\nedges = 'wall'\n"
        "walls = [[50, 5, 60, 5]]\nboxes = [[70, 10, 80, 20]]\ncircles = [[50, 40, 3]]\n" + GROUP
    )
    assert (made.seed, made.time_step) == (5, 0.02)
    assert (made.plane.bounds, made.plane.edges) == ((0, 0, 90, 60), "wall")
    assert made.solids.walls.tolist() == [[50, 5, 60, 5]]
    assert made.solids.boxes.tolist() == [[70, 10, 80, 20]]
    assert made.solids.discs.tolist() == [[50, 40, 3]]


def test_the_whole_group(world):
    """View, speed, colour and behaviours of a group."""
    group = world(
        GROUP + "view = 'narrow'\nspeed = 12\ncolor = 'red'\n[groups.behaviours]\n"
        "cohesion = false\nseparation = { range = 3, view = 'all' }\n"
    ).group("a")
    assert (group.view, group.color) == ("narrow", "red")
    assert group.speed == pytest.approx(12)
    assert group.settings["cohesion"].weight == 0
    assert group.settings["separation"].range == 3
    assert group.settings["separation"].view == "all"
    assert group.settings["alignment"] == MODELS["flock"].compose()["alignment"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('{ shape = "disc", radius = 2, mass = 80 }', Hull.disc(2, 80)),
        ('{ shape = "disc", radius = 2 }', Hull.disc(2, 10)),
        ('{ shape = "box", length = 5, width = 3 }', Hull("box", 5, 3, 10)),
        ('{ shape = "wedge", length = 8, width = 4, mass = 1 }', Hull("wedge", 8, 4, 1)),
        ("{ mass = 25 }", Hull("wedge", 4, 2, 25)),
    ],
)
def test_hulls(world, given: str, expected: Hull):
    """A hull as given; a mass alone changes the model's; one that is left out is the model's."""
    assert world(GROUP + f"hull = {given}\n").group("a").hull == expected


@pytest.mark.parametrize(
    ("spawn", "angles"),
    [
        ("points = [[0, 0], [20, 0]], heading = 90", [pi / 2, pi / 2]),
        ("points = [[0, 0], [20, 0]], heading = -45.0", [-pi / 4, -pi / 4]),
        ("points = [[0, 0], [20, 0]], heading = 0", [0, 0]),
        ("circle = [0, 0, 20]", [pi, 0]),
        ("circle = [0, 0, 20], heading = 90", [pi / 2, pi / 2]),
    ],
)
def test_headings(world, spawn: str, angles: list[float]):
    """Degrees, clockwise on screen; round a circle units face its centre."""
    text = GROUP.replace("points = [[10, 10], [30, 10]]", spawn)
    count = "" if "points" in spawn else "count = 2\n"
    assert np.allclose(np.abs(world(text + count).units.angle), np.abs(angles))
    found = world(text + count).units.heading
    assert np.allclose(found, np.stack([np.cos(angles), np.sin(angles)], axis=1))


@pytest.mark.parametrize(
    ("spawn", "middle"),
    [
        ("points = [[100, 10], [100, 30]]", (100, 20)),
        ("circle = [10, 100, 20]", (10, 100)),
        ("region = [100, 100, 200, 160]", (150, 130)),
    ],
)
def test_pursuers_face_their_target(world, spawn: str, middle: tuple[float, float]):
    """Without a heading a group that chases faces the middle of where its target starts."""
    made = world(
        GROUP + 'goal = { chase = "b" }\n[[groups]]\nname = "b"\nmodel = "flock"\n'
        f"spawn = {{ {spawn} }}\n" + ("" if "points" in spawn else "count = 2\n")
    )
    assert made.group("a").goal == Goal("chase", "b")
    expected = [np.arctan2(middle[1] - 10, middle[0] - x) for x in (10, 30)]
    assert np.allclose(made.units.angle[:2], expected)


def test_random_headings(world):
    """Without a goal, and where asked for, headings are random, from the seed."""
    angles = [
        world(GROUP.replace("]] }", f"]]{heading} }}")).units.angle.tolist()
        for heading in ("", ', heading = "random"')
    ]
    assert angles[0] == angles[1]
    assert angles[0][0] != angles[0][1]


def test_file_order_and_the_player_last(world):
    """Units are numbered group by group in file order; the player comes last, with its script."""
    made = world(
        "[[player]]\nspawn = { points = [[90, 90]], heading = 180 }\n"
        "script = [[0.0, 0.5, 0.0, 1.0], [1.0, 0, 0, 0]]\n" + GROUP + GROUP.replace('"a"', '"b"')
        .replace("[[10, 10], [30, 10]]", "[[10, 50]]")
    )  # fmt: skip
    assert [group.name for group in made.groups] == ["a", "b", "player"]
    assert made.units.group.tolist() == [0, 0, 1, 2]
    assert made.units.position.tolist() == [[10, 10], [30, 10], [10, 50], [90, 90]]
    player = made.group("player")
    assert player.model is MODELS["player"]
    assert player.script is not None
    assert player.script.tolist() == [[0, 0.5, 0, 1], [1, 0, 0, 0]]
    assert made.units.heading[3, 0] == pytest.approx(-1)
    made.step()
    assert player.controls.tolist() == [[0.5, 0, 1]]


def test_a_player_without_a_script(world):
    """It lies still until somebody takes the helm."""
    made = world(GROUP + "[[player]]\nspawn = { points = [[90, 90]] }\n")
    made.step()
    assert made.group("player").script is None
    assert (made.units.velocity[2] == 0).all()


def test_view_for_all_groups(world):
    """A view from the command line is that of every group, whatever the file says."""
    text = GROUP + "view = 'limited'\n" + GROUP.replace('"a"', '"b"').replace("10]", "50]")
    assert [group.view for group in world(text).groups] == ["limited", "wide"]
    assert [group.view for group in world(text, "narrow").groups] == ["narrow", "narrow"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GROUP + 'goal = { approach = "b" }\n'
         '[[groups]]\nname = "b"\nspawn = { points = [[99, 9]] }\n',
         "groups.a.goal.approach: model 'flock' cannot do"),
        (GROUP.replace("[10, 10]", "[29, 10]"), "groups.a.spawn: unit "),
        (GROUP + "[map]\ncircles = [[10, 10, 1]]\n", "groups.a.spawn: unit 0 at (10, 10) starts"),
        (GROUP + "[[player]]\nspawn = { points = [[10, 10]] }\n", "player.spawn: unit 0 at (10, "),
        (GROUP + "[[player]]\nspawn = { region = [0, 0, 1, 1] }\n",
         "player.spawn.region = [0, 0, 1, 1]: too small for"),
    ],
)  # fmt: skip
def test_refused(world, tmp_path, text: str, said: str):
    """What does not fit is told with the file and the group."""
    with pytest.raises(BadInput) as caught:
        world(text)
    assert str(caught.value).startswith(f"{tmp_path / 'built.toml'}: {said}")
