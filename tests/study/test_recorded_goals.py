"""Recordings of runs in which units came and were sent elsewhere: measured as the run itself."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sim.commands.recorded import stage_of
from sim.core.errors import BadInput
from sim.record.trajectory import load
from sim.screen.replay import Replay
from sim.study.goal_notes import read_sent

SCENE = """
title = "Coming and going"
seed = 3
duration = 14.0
[map]
bounds = [0, 0, 30, 20]
edges = "wall"
[[groups]]
name = "east"
count = 3
speed = { uniform = [1.0, 1.6] }
hull = { shape = "disc", radius = { uniform = [0.2, 0.3] } }
spawn = { region = [1, 1, 6, 19] }
goal = { point = [25, 10], tolerance = 1.0, leave = true }
[[groups]]
name = "guests"
count = 0
goal = { region = [0.5, 15, 6, 19] }
[[groups]]
name = "post"
count = 4
spawn = { region = [10, 1, 20, 5] }
[[sources]]
group = "guests"
spawn = { region = [27, 1, 29, 19] }
rate = 1.0
total = 6
[[sources]]
group = "east"
poisson = 1.0
total = 5
[[events]]
at = 3.0
order = "post"
goal = { route = [[15, 15], [5, 5]] }
[[events]]
at = 5.0
order = "guests"
goal = { point = [20, 18] }
[[events]]
at = 8.0
regroup = "post"
to = "east"
"""
MADE = {"wall_s", "unit_steps_per_s", "made_by"}


@pytest.mark.parametrize("suffix", ["npz", "txt"])
def test_the_figures_are_those_of_the_run(cli, tmp_path, suffix):
    """Units that entered, left, were sent elsewhere and changed their group included.

    A .txt tells times by their rate, so there the last digits may differ.
    """
    scene, motion, told = tmp_path / "a.toml", tmp_path / f"run.{suffix}", tmp_path / "told.json"
    scene.write_text(SCENE)
    assert cli("run", scene, "--metrics", told, "--trajectory", motion).status == 0
    expected, found = json.loads(told.read_text()), json.loads(cli("metrics", motion).out)
    assert expected["entered"] == 11
    assert expected["left"] > 0
    for key in set(expected) - MADE - {"groups"}:
        near = isinstance(expected[key], float) and suffix == "txt"
        known = pytest.approx(expected[key], rel=1e-12) if near else expected[key]
        assert found[key] == known, key
    if suffix == "npz":
        assert found["groups"] == expected["groups"]


RESHAPED = """
title = "boxes become discs"
duration = 20
time_step = 0.05
[[groups]]
name = "discs"
count = 6
hull = { shape = "disc", radius = 0.3 }
spawn = { region = [0, 0, 8, 8] }
goal = { point = [12, 4] }
[[groups]]
name = "boxes"
count = 6
hull = { shape = "box", length = 2.4, width = 1.2 }
spawn = { region = [16, -2, 26, 10] }
goal = { point = [12, 4] }
[[events]]
at = 2
regroup = "boxes"
to = "discs"
"""


def test_the_shape_is_that_of_the_group_a_unit_is_in(cli, tmp_path):
    """Discs that were boxes touch as discs: by the boxes they overlapped by more than a radius.

    A recording tells it too.
    """
    scene, motion, told = tmp_path / "a.toml", tmp_path / "run.npz", tmp_path / "told.json"
    scene.write_text(RESHAPED)
    assert cli("run", scene, "--metrics", told, "--trajectory", motion).status == 0
    expected, found = json.loads(told.read_text()), json.loads(cli("metrics", motion).out)
    assert expected["max_overlap_share"] < 0.05  # what contacts give way at a push
    assert {k: found[k] for k in set(expected) - MADE} == {
        k: expected[k] for k in set(expected) - MADE
    }


@pytest.mark.parametrize("suffix", ["npz", "txt"])
def test_a_replay_draws_the_hull_that_a_unit_has_at_the_time(cli, tmp_path, suffix):
    """Boxes that became discs were drawn as boxes to the end; now as the group that they are of."""
    scene, motion = tmp_path / "a.toml", tmp_path / f"run.{suffix}"
    scene.write_text(RESHAPED)
    assert cli("run", scene, "--seconds", 4, "--trajectory", motion).status == 0
    run = load(motion)
    replay = Replay(*stage_of(motion, run, None))
    for time, shown in ((0.0, [6, 6]), (1.9, [6, 6]), (2.1, [12, 0]), (4.0, [12, 0])):
        replay.time = time
        present = replay.units.present
        assert [present[group.rows].sum() for group in replay.groups] == shown
        frame = int(np.flatnonzero(run.time <= time + 1e-9)[-1])
        places = replay.units.position[present], run.position[frame]
        assert np.allclose(*(each[np.lexsort(each.T)] for each in places))
    assert replay.groups[0].radii == pytest.approx(np.full(12, 0.3))
    assert cli("replay", motion, "--html", tmp_path / "a.html").status == 0


def test_without_the_notes_it_is_refused(cli, tmp_path):
    """A recording that does not say where those that came were sent cannot be measured."""
    scene, motion = tmp_path / "a.toml", tmp_path / "run.npz"
    scene.write_text(SCENE)
    assert cli("run", scene, "--seconds", 2, "--trajectory", motion).status == 0
    with np.load(motion) as file:
        np.savez(motion, **{name: file[name] for name in file if name != "sent"})
    refused = cli("metrics", motion)
    assert refused.status == 2
    assert "has 7 units; the trajectory has" in refused.err


def test_a_hull_that_is_not_there_is_named(cli, tmp_path):
    """The number that the recording gives, and which there are; a replay draws it as before."""
    scene, motion = tmp_path / "a.toml", tmp_path / "run.npz"
    scene.write_text(SCENE)
    assert cli("run", scene, "--seconds", 2, "--trajectory", motion).status == 0
    with np.load(motion) as file:
        kept = {name: file[name] for name in file}
    sent = json.loads(str(kept["sent"]))
    sent[0]["hull"][-1] = 9
    np.savez(motion, **kept | {"sent": json.dumps(sent)})
    refused = cli("metrics", motion)
    assert refused.status == 2
    assert "sent: hull = 9: must be from 0 to " in refused.err
    stage, laid = stage_of(motion, load(motion), None)
    assert stage.units == len(laid.group) == len(kept["group"])


GOOD = {
    "frame": 1, "ids": [3], "kind": [1], "count": [1], "points": [[1.0, 2.0]], "stays": [False],
    "tolerance": [0.5], "region": [[0, 0, 0, 0]], "leave": [False], "speed": [1.5],
    "hull": [0], "radius": [0.4],
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"frame": 0}, {"frame": 9}, {"frame": "x"}, {"ids": [4]}, {"ids": [-1]}, {"ids": [1, 2]},
        {"ids": 3}, {"kind": [3]}, {"kind": [1.5]}, {"count": [0]}, {"count": [2]}, {"count": [-1]},
        {"points": [[1.0]]}, {"points": []}, {"points": [[1e99, 0]]}, {"stays": [1]},
        {"speed": [0]}, {"speed": [True]}, {"region": [[0, 0, 0]]}, {"leave": None},
        {"hull": [0.5]}, {"radius": [0]}, {"radius": None},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(change):
    """Before compiled code reads a row that is not there; with a message, never a traceback."""
    assert read_sent(json.dumps([GOOD]), 5, 4)[GOOD["frame"]].goals.points.tolist() == [[1.0, 2.0]]
    with pytest.raises(BadInput, match=r"^sent: "):
        read_sent(json.dumps([GOOD | change]), 5, 4)
    for text in ("", "3", "[3]", "[" * 9999, json.dumps([GOOD, GOOD])):
        with pytest.raises(BadInput, match=r"^sent: "):
            read_sent(text, 5, 4)


@pytest.mark.parametrize(
    ("name", "value"), [("count", 0), ("count", -1), ("speed", -2.5), ("radius", 0.0)]
)
def test_a_value_out_of_bounds_is_named(name: str, value: float):
    """With what is allowed."""
    with pytest.raises(BadInput, match=f"^sent: {name} = {value}: must be "):
        read_sent(json.dumps([GOOD | {name: [value]}]), 5, 4)
