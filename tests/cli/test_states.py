"""`run --save`, `--at` and `--load`: a run that goes on from a file."""

import json

import numpy as np
import pytest


def test_goes_on(cli, scenario, tmp_path):
    """The rest of a run from its state is the rest of the run, and is judged by the same rules."""
    state, whole, rest = (tmp_path / name for name in ("run.state", "whole.npz", "rest.npz"))
    said = cli("run", scenario(), "--save", state, "--at", 0.2, "--trajectory", whole)
    assert (said.status, said.err) == (0, "")
    assert f"wrote {state}" in said.out
    said = cli("run", "--load", state, "--trajectory", rest, "--metrics", tmp_path / "m.json")
    assert (said.status, said.err) == (0, "")
    one, other = np.load(whole), np.load(rest)
    for name in ("time", "position", "angle"):
        assert np.array_equal(one[name][12:], other[name])
    assert str(one["text"]) == str(other["text"])
    figures = json.loads((tmp_path / "m.json").read_text())
    assert (figures["title"], figures["steps"]) == ("Small", 18)


def test_at_the_end(cli, scenario, tmp_path):
    """Without --at it is the end that is saved; from there --seconds goes further."""
    state = tmp_path / "run.state"
    assert cli("run", scenario(), "--save", state).status == 0
    told = "state     of a run after 0.5 s; run --load goes on from it\nunits     6 in 1 group\n"
    assert cli("check", state).out == told
    assert "0.0 s simulated" not in cli("run", "--load", state, "--seconds", 1).out
    assert cli("run", "--load", state, "--seconds", 0.6, "--save", tmp_path / "b").status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--load", "run.state", "small.toml"], "leave out FILE"),
        (["--load", "run.state", "--seed", 0], "leave out --seed"),
        (["--load", "run.state", "--set", "seed=3"], "leave out --set"),
        (["--load", "small.toml"], "small.toml: not a state that can be loaded"),
        (["--load", "none.state"], "none.state: no such file"),
        (
            ["--load", "run.state", "--seconds", 0.05],
            "run.state: lasts 0.05 s: its state is of 0.1 s",
        ),
        (
            ["--load", "run.state", "--save", "run.state"],
            "is read by this command; choose another name",
        ),
        (
            ["--load", "run.state", "--save", "x", "--at", 0.05],
            "--at 0.05: must be from 0.1 to 0.5, the end of the run",
        ),
        (["small.toml", "--at", 0.1], "--at 0.1: says when to --save"),
        (["small.toml", "--save", "x", "--at", 9], "--at 9: must be from 0 to 0.5"),
        (["small.toml", "--save", "x", "--at", "nan"], "--at nan: must be from 0 to 0.5"),
        (["small.toml", "--save", "gone/x"], "there is no folder"),
        ([], "name a scenario file, or a state to --load"),
    ],
)
def test_refused(cli, scenario, tmp_path, monkeypatch, arguments, said):
    """What cannot be is refused in one line, with status 2, before anything is run."""
    monkeypatch.chdir(tmp_path)
    scenario()
    assert cli("run", "small.toml", "--save", "run.state", "--at", 0.1).status == 0
    found = cli("run", *arguments)
    assert found.status == 2
    assert said in found.err


def test_figures_of_a_run_from_which_some_had_left(cli, tmp_path):
    """A unit that left before the state has nowhere to arrive; it ended the run with an error."""
    file, state, out = tmp_path / "t.toml", tmp_path / "run.state", tmp_path / "m.json"
    file.write_text(
        'title = "t"\nduration = 8.0\n'
        '[[groups]]\nname = "a"\nspawn = { points = [[0, 0], [0, 9]] }\n'
        "goal = { point = [2, 0], tolerance = 1.0, leave = true }\n"
    )
    assert cli("run", file, "--save", state, "--at", 4).status == 0
    said = cli("run", "--load", state, "--metrics", out, "--trajectory", tmp_path / "t.npz")
    assert (said.status, said.err) == (0, "")
    recorded = json.loads(cli("metrics", tmp_path / "t.npz").out)
    for figures in (json.loads(out.read_text()), recorded):
        assert (figures["units"], figures["arrived"], figures["arrived_share"]) == (2, 1, 1.0)
