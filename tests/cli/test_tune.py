"""`python -m sim tune`."""

from __future__ import annotations

import json

import pytest

from sim.study.journal import ROWS

pytest.importorskip("matplotlib")
pytest.importorskip("optuna")
WEIGHT = "groups.east.behaviours.cohesion.weight"


def test_it_leaves_a_scenario_that_runs(cli, scenario, tmp_path):
    """The best parameters in a file, whose run is the one that was judged; tables and pictures."""
    out = tmp_path / "out"
    command = ["tune", scenario(), "--objective", "polarisation", "--range", f"{WEIGHT}=0:9",
               "--range", "groups.east.view=wide,narrow", "--seeds", 2, "--held-out", 2,
               "--batch", 4, "--jobs", 1, "--out", out]  # fmt: skip
    said = cli(*command, "--trials", 6)
    assert said.status == 0, said.err
    assert "2 seeds held out: " in said.out
    assert {path.name for path in out.iterdir()} >= {"best.toml", "history.png", "study.db"}
    assert list(out.glob("trials.[pc]*"))
    told = tmp_path / "m.json"
    assert cli("run", out / "best.toml", "--metrics", told).status == 0
    ran = json.loads(told.read_text())["trajectory_sha256"]
    rows = [json.loads(line) for line in (out / ROWS).read_text().splitlines()]
    (mine,) = [row for row in rows if row.get("trajectory_sha256") == ran]
    assert mine["seed"] == 0
    assert all(f"  {change}" in said.out for change in mine["set"])
    again = cli(*command, "--trials", 8)
    assert "6 of 8 trials were made before" in again.out
    assert cli(*command, "--trials", 8, "--minimise").status == 2


def test_a_map_is_found_from_where_the_best_is_written(cli, tmp_path):
    """Its name is relative to the file."""
    out = tmp_path / "far" / "out"
    said = cli("tune", "maps/hallway.toml", "--set", "duration=0.1", "--trials", 1, "--seeds", 1,
               "--objective", "-composite01", "--held-out", 0, "--jobs", 1,
               "--out", out)  # fmt: skip
    assert said.status == 0, said.err
    assert cli("run", out / "best.toml", "--headless").status == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--objective", "polarization"], "did you mean 'polarisation'"),
        (["--objective", "open('x')"], "not allowed"),
        (["--objective", "arrived_share", "--trials", 2, "--seeds", 1], "arrived_share is null"),
        (["--objective", "contacts", "--range", f"{WEIGHT}=3:1"], "less than"),
        (["--objective", "contacts", "--range", "groups.east.sped=1:3"], "did you mean 'speed'"),
        (["--objective", "contacts", "--range", "groups.east.speed=-1:3"], "speed = -1.0"),
        (["--objective", "contacts", "--range", "groups.west"], "no number of it is in use"),
        (["--objective", "contacts", "--set", "groups.east.count=-1"], "count"),
    ],
)
def test_refused(cli, scenario, tmp_path, options, words):
    """One clear line, exit status 2."""
    said = cli("tune", scenario(), *options, "--jobs", 1, "--out", tmp_path / "o")
    assert (said.status, words in said.err) == (2, True), said.err
    assert len(said.err.splitlines()) == 1
