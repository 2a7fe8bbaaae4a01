"""`python -m sim run FILE`: every option, and what it writes."""

import json
import re
from hashlib import sha256

import numpy as np
import pytest

import sim
from sim.record.trajectory import load

from .films import played

RUN = {
    "title", "seed", "units", "steps", "time_step_s", "simulated_s", "wall_s",
    "unit_steps_per_s", "trajectory_sha256", "made_by",
}  # fmt: skip
FIGURES = {
    "arrived", "arrived_share", "settled_s", "mean_time_s", "max_time_s", "mean_time_ratio",
    "max_time_ratio", "mean_path_ratio", "entered", "left", "stuck",
    "contacts", "max_overlap_share", "wall_crossings",
    "max_wall_overlap_share", "jitter_flips", "polarisation", "mean_nearest_distance",
    "rank_order",
    "composite01",
}  # fmt: skip


def refuse_constant(name: str) -> None:
    """NaN and Infinity are no JSON."""
    raise AssertionError(name)


@pytest.fixture
def metrics(cli, scenario, tmp_path):
    """Run the small scenario with some options and read its metrics."""

    def call(*options: object) -> dict:
        target = tmp_path / "metrics.json"
        said = cli("run", scenario(), "--metrics", target, *options)
        assert (said.status, said.err) == (0, "")
        return json.loads(target.read_text(), parse_constant=refuse_constant)

    return call


def test_headless(cli, scenario, tmp_path):
    """Without outputs a run says how it went, in two lines, and writes nothing."""
    said = cli("run", scenario(), "--headless")
    assert (said.status, said.err) == (0, "")
    first, second = said.out.splitlines()
    assert first.startswith("Small: 6 units, 0.5 s simulated in ")
    assert "polarisation" in second
    assert [each.name for each in tmp_path.iterdir()] == ["small.toml"]


def test_says_how_many_arrived(cli, tmp_path):
    """The number of units, and what share of those that were bound for a place."""
    file = tmp_path / "three.toml"
    file.write_text("""
title = "Three"
duration = 4.0
[[groups]]
name = "a"
spawn = { points = [[0, 0], [0, 5], [0, 10]] }
goal = { points = [[2, 0], [2, 5], [90, 10]] }
[[groups]]
name = "b"
spawn = { points = [[0, 50]] }
""")
    said = cli("run", file, "--headless")
    assert said.out.splitlines()[1].startswith("arrived 2 (66.7 %), polarisation ")


def test_without_a_display(cli, scenario):
    """Where there is no display, no window is asked for: the run is headless."""
    assert cli("run", scenario()).status == 0


def test_metrics_has_every_key(metrics):
    """One JSON object with the run, its figures, and the same figures a group."""
    found = metrics()
    assert set(found) == {*RUN, *FIGURES, "groups"}
    assert set(found["groups"]) == {"east"}
    assert set(found["groups"]["east"]) == FIGURES
    assert (found["title"], found["seed"], found["units"]) == ("Small", 0, 6)
    assert (found["steps"], found["simulated_s"]) == (30, 0.5)
    assert found["time_step_s"] == 1 / 60
    assert found["unit_steps_per_s"] == pytest.approx(6 * 30 / found["wall_s"])
    assert len(found["trajectory_sha256"]) == 64


def test_made_by(metrics, scenario, tmp_path):
    """Metrics and recordings tell the same of what made them: versions, platform, what was run."""
    for name in ("run.npz", "run.txt"):
        told = metrics("--trajectory", tmp_path / name, "--seed", 4)["made_by"]
        assert json.loads(load(tmp_path / name).made_by) == told
    assert told["scenario_sha256"] == sha256(scenario().read_bytes()).hexdigest()
    assert (told["sim"], told["seed"], told["changes"]) == (sim.__version__, 4, [])
    assert all(told[name] for name in ("python", "platform", "pymunk", "numpy", "numba"))
    assert metrics("--seconds", 0.1)["made_by"]["changes"] == ["duration=0.1"]


def test_fingerprint_is_of_the_trajectory(metrics, tmp_path):
    """The sha256 is over positions and angles of all units at all steps, row by row."""
    target = tmp_path / "all.npz"
    found = metrics("--trajectory", target)
    run = load(target)
    rows = np.concatenate([run.position, run.angle[..., None]], axis=2)
    assert found["trajectory_sha256"] == sha256(rows.astype("<f8").tobytes()).hexdigest()


def test_seed(metrics):
    """--seed overrides the file's, and is reported; the same one gives the same run."""
    first, again, other = metrics("--seed", 5), metrics("--seed", 5), metrics("--seed", 0)
    assert (first["seed"], other["seed"]) == (5, 0)
    assert first["trajectory_sha256"] == again["trajectory_sha256"] != other["trajectory_sha256"]
    assert other["trajectory_sha256"] == metrics()["trajectory_sha256"]


def test_seconds(metrics):
    """--seconds overrides the duration, rounded up to whole steps."""
    assert metrics("--seconds", 0.21)["steps"] == 13
    assert metrics("--seconds", 0.7)["simulated_s"] == pytest.approx(0.7)


def test_view(metrics):
    """--view is that of all groups: the run becomes another one."""
    hashes = {metrics("--view", view)["trajectory_sha256"] for view in ("wide", "limited")}
    hashes.add(metrics("--view", "narrow")["trajectory_sha256"])
    assert len(hashes) == 3
    assert metrics()["trajectory_sha256"] == metrics("--view", "wide")["trajectory_sha256"]
    as_key = metrics("--set", "groups.east.view=narrow")
    assert as_key["trajectory_sha256"] == metrics("--view", "narrow")["trajectory_sha256"]


def test_set(metrics):
    """--set changes a key of the file, as often as it is given, the last one of a key counting."""
    found = metrics("--set", "title=Other", "--set", "groups.east.count=3", "--set", "seed=7",
                    "--set", "groups.east.count=4")  # fmt: skip
    assert (found["title"], found["units"], found["seed"]) == ("Other", 4, 7)
    assert metrics("--set", "duration=0.1", "--seconds", 0.2)["steps"] == 12


def test_text_trajectory(cli, scenario, tmp_path):
    """A .txt has the frame rate, and a row a unit and frame: id, frame, x, y and the heading."""
    target = tmp_path / "out.txt"
    assert cli("run", scenario(), "--trajectory", target).out.endswith(f"wrote {target}\n")
    lines = target.read_text().splitlines()
    assert float(lines[0].removeprefix("# framerate: ")) == 60
    rows = np.loadtxt(target, comments="#")
    assert rows.shape == (31 * 6, 5)
    assert set(rows[:, 0]) == set(range(6))
    assert set(rows[:, 1]) == set(range(31))


def test_npz_trajectory(cli, scenario, tmp_path):
    """A .npz has time, position, angle, the group of each unit and the scenario's text."""
    target, file = tmp_path / "out.npz", scenario()
    assert cli("run", file, "--trajectory", target).status == 0
    with np.load(target, allow_pickle=False) as arrays:
        assert {"time", "position", "angle", "group"} <= set(arrays)
        assert arrays["time"].shape == (31,)
        assert arrays["position"].shape == (31, 6, 2)
        assert arrays["angle"].shape == (31, 6)
        assert arrays["group"].tolist() == ["east"] * 6
    assert load(target).text == file.read_text()
    assert load(target).time[-1] == pytest.approx(0.5)


@pytest.mark.parametrize("suffix", ["txt", "npz"])
def test_trajectory_every(cli, scenario, tmp_path, suffix: str):
    """--trajectory-every thins the frames; the start is the first of them."""
    whole, thin = tmp_path / f"whole.{suffix}", tmp_path / f"thin.{suffix}"
    assert cli("run", scenario(), "--trajectory", whole).status == 0
    assert cli("run", scenario(), "--trajectory", thin, "--trajectory-every", 10).status == 0
    assert np.allclose(load(thin).position, load(whole).position[::10])
    assert np.allclose(load(thin).time, np.arange(4) / 6)


def test_gif(cli, scenario, tmp_path):
    """--gif films the run without a display, in the size and at the rate asked for."""
    target = tmp_path / "out.gif"
    said = cli("run", scenario(), "--gif", target, "--gif-size", "160x120", "--gif-fps", 10)
    assert (said.status, said.err) == (0, "")
    size, length, pictures = played(target)
    assert size == (160, 120)
    assert pictures > 3
    assert 500 <= length <= 600


def test_gif_defaults(cli, scenario, tmp_path):
    """A GIF has the shape of the map, and plays as long as the run lasts."""
    target = tmp_path / "out.gif"
    assert cli("run", scenario(), "--gif", target).status == 0
    (width, height), length, pictures = played(target)
    assert pictures > 3
    assert width / height == pytest.approx(200 / 150, rel=0.1)
    assert 480 <= length <= 560


def test_outputs_together(cli, scenario, tmp_path):
    """All outputs in one run; what was there before is replaced; nothing else is left."""
    targets = [tmp_path / name for name in ("m.json", "t.txt", "g.gif")]
    for target in targets:
        target.write_text("old")
    said = cli("run", scenario(), "--headless", "--metrics", targets[0], "--trajectory",
               targets[1], "--gif", targets[2])  # fmt: skip
    assert said.status == 0
    assert said.out.splitlines()[2:] == [f"wrote {target}" for target in targets]
    assert all(target.read_bytes() != b"old" for target in targets)
    names = {each.name for each in tmp_path.iterdir()}
    assert names == {"small.toml", "m.json", "t.txt", "g.gif"}


def test_outputs_do_not_change_the_run(metrics, tmp_path):
    """Watchers read and never write: the same fingerprint with and without them."""
    watched = metrics("--gif", tmp_path / "g.gif", "--trajectory", tmp_path / "t.txt")
    assert watched["trajectory_sha256"] == metrics("--headless")["trajectory_sha256"]


def test_help(cli):
    """--help names every option, those of films under their older names too."""
    said = cli("run", "--help")
    assert said.status == 0
    for option in ("seed", "seconds", "metrics", "trajectory", "trajectory-every", "film", "gif",
                   "film-size", "gif-size", "film-fps", "gif-fps", "headless", "view",
                   "set"):  # fmt: skip
        assert re.search(rf"--{option}[ ,\n]", said.out), option
