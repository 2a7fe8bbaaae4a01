"""Runs judged from their frames alone: live, recorded, and kept as rows."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.study import score
from sim.study.engines import engine
from sim.study.job import make
from sim.study.journal import journal
from sim.study.peers import Peer
from sim.study.trial import Trial, try_out


@pytest.mark.parametrize("suffix", ["npz", "txt"])
def test_a_recorded_run_has_the_same_figures(cli, walk, tmp_path, suffix):
    """`metrics` says of the frames what `run` said of the world, with and without the scenario."""
    motion, told = tmp_path / f"walk.{suffix}", tmp_path / "told.json"
    assert cli("run", walk, "--metrics", told, "--trajectory", motion).status == 0
    expected = json.loads(told.read_text())
    for options in ([], ["--scenario", walk]):
        found = json.loads(cli("metrics", motion, *options, "--line", "1,-1,1,3").out)
        assert expected["arrived"] == 2
        assert {"lane_order", "lane_order_start", "specific_flow"} == set(found) - set(expected)
        for key in set(expected) - {"wall_s", "unit_steps_per_s"}:
            assert found[key] == expected[key], key
    out = tmp_path / "out.json"
    assert cli("metrics", motion, "--out", out).status == 0
    assert json.loads(out.read_text())["arrived"] == 2


@pytest.mark.parametrize("told", ["", "[1]", "{", "[" * 5000, '{"sim": 1e999}', '{"sim": NaN}'])
def test_what_made_a_recording_may_be_nonsense(cli, walk, tmp_path, told):
    """What a stranger's recording says made it is repeated where it can be, else it is null."""
    motion = tmp_path / "walk.npz"
    assert cli("run", walk, "--seconds", 0.1, "--trajectory", motion).status == 0
    with np.load(motion) as file:
        np.savez(motion, **{**file, "made_by": np.array(told)})
    said = cli("metrics", motion)
    assert (said.status, json.loads(said.out)["made_by"]) == (0, None), said.err


def test_metrics_refuses_what_does_not_fit(cli, walk, tmp_path):
    """No such file, nothing that tells the scenario, other units, lines that are none."""
    motion = tmp_path / "walk.npz"
    assert cli("run", walk, "--trajectory", motion).status == 0
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("# framerate: 10\n0 0 1.0 2.0\n0 1 1.1 2.0\n")
    for options, words in (
        ([tmp_path / "none.npz"], "none.npz"),
        ([foreign], "--scenario FILE"),
        ([foreign, "--scenario", walk], "has 2 units; the trajectory has 1"),
        ([motion, "--line", "1,2,3"], "X1,Y1,X2,Y2"),
        ([motion, "--line", "1,2,1,2"], "two places apart"),
    ):
        said = cli("metrics", *options)
        assert said.status == 2
        assert words in said.err


def test_a_film_has_its_frames_and_the_last(walk):
    """As many a second as asked for, from the start to the very end."""
    figures, motion = try_out(Trial(walk, "crowd", 0), 0.5)
    assert motion.time[0] == 0
    assert motion.time[-1] == pytest.approx(figures["simulated_s"])
    assert np.diff(motion.time)[:-1] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[[sources]]\ngroup = "one"\nrate = 5.0\nspawn = { region = [9, 9, 19, 19] }', "sources"),
        ('[[events]]\nat = 0.5\nremove = "one"', "events: remove"),
    ],
)
def test_units_that_come_or_go_cannot_be_compared(cli, walk, tmp_path, more, said):
    """Frames of other units than the start's were once read beyond the end of arrays."""
    walk.write_text(f"{walk.read_text()}{more}\n")
    refused = f"walk.toml: {said}: all units must be there from the start"
    models = ["--models", "crowd"]
    for command in (
        ["compare", walk, "--gif", tmp_path / "a.gif", *models],
        ["score", walk, *models, "--peers", "", "--out", tmp_path],
    ):
        found = cli(*command)
        assert found.status == 2
        assert refused in found.err


def test_rows_are_made_once(walk, tmp_path):
    """A row is kept until the scene changes; a run that failed is a row with its error."""
    (tmp_path / "traces").mkdir()
    ran = []

    def row() -> dict[str, Any]:
        def work(entry):
            ran.append(entry.seed)
            return score.perform(entry, tmp_path)

        with journal(tmp_path, {"kind": "score"}) as kept, engine("serial", 1) as spread:
            return make([score.Entry(walk, "crowd", 0)], kept, spread, work=work)[0]

    first = row()
    assert (first["error"], first["figures"]["arrived"]) == (None, 2)
    assert row() == json.loads(json.dumps(first))
    assert len(ran) == 1
    text = walk.read_text()
    walk.write_text(text.replace("[2, 2]", "[2, 3]"))
    row()
    assert len(ran) == 2
    walk.write_text(text.replace("speed = 1.3", "speed = -1"))
    assert "speed" in row()["error"]
    row()
    assert len(ran) == 4


def test_rows_depend_on_rooms_that_there_are():
    """A room that was renamed would let rows of other code pass for new."""
    package = Path(score.__file__).parent.parent
    for room in score.THEIRS:
        assert list((package / room).glob("*.py")), room


def test_trials_are_as_many_as_the_lot_decides(walk, monkeypatch):
    """Once where neither scene nor runner draws; unknown names are refused before anything runs."""
    assert len(score.trials([walk], ["crowd"], [], 5)) == 1
    monkeypatch.setattr(Peer, "check", lambda _: None)
    for name, count in (("orca", 1), ("jps-avm", 5)):
        assert len(score.trials([walk], [], [name], 5)) == count
    one_point = score.find_scene("one_point")
    assert [t.seed for t in score.trials([one_point], ["crowd"], [], 3)] == [0, 1, 2]
    with pytest.raises(BadInput, match="did you mean 'orca'"):
        score.trials([walk], [], ["orka"], 1)
    with pytest.raises(BadInput, match="crowt"):
        score.trials([walk], ["crowt"], [], 1)
    twin = walk.parent / "more" / walk.name
    twin.parent.mkdir()
    twin.write_text(walk.read_text())
    with pytest.raises(BadInput, match="two of that name"):
        score.trials([walk, twin], ["crowd"], [], 1)


class Deadly(score.Entry):
    """A trial that takes with it whatever process it comes to."""

    def __reduce__(self):
        """Unpickled, it ends the process."""
        return os._exit, (1,)


@pytest.mark.slow
def test_a_process_that_dies_is_a_row_and_takes_nobody_with_it(walk, tmp_path):
    """The others are run all the same."""
    seeds = (Deadly, 1), (score.Entry, 0), (score.Entry, 2)
    entries = [kind(walk, "crowd", seed) for kind, seed in seeds]
    told, work = [], partial(score.perform, out=tmp_path)
    with journal(tmp_path, {"kind": "score"}) as kept, engine("joblib", 2) as spread:
        score.prepare_traces(entries, tmp_path)
        rows = make(entries, kept, spread, told.append, work)
    with journal(tmp_path, {"kind": "score"}) as again:
        for each in (rows, again.rows.values()):
            told_of = {row["seed"]: row["error"] for row in each}
            assert told_of == {0: None, 1: "its process died", 2: None}
    assert len(told) == 3
