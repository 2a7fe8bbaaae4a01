"""`python -m sim sweep`."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.study import sweep_table
from sim.study.journal import ROWS

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")
ROOT = Path(__file__).resolve().parents[2]
WEIGHT = "groups.east.behaviours.cohesion.weight"
SPEED = "groups.east.speed"


def lines(out: Path) -> list[dict]:
    """The rows that are kept."""
    return [json.loads(line) for line in (out / ROWS).read_text().splitlines()]


def test_it_writes_rows_summary_and_pictures_and_goes_on_where_it_was(cli, scenario, tmp_path):
    """What was made is not made again; a table is the same however it came about."""
    out = tmp_path / "out"
    command = ["sweep", scenario(), "--vary", f"{WEIGHT}=0:2:3", "--vary", f"{SPEED}=20,30",
               "--seeds", 2, "--out", out, "--jobs", 2]  # fmt: skip
    said = cli(*command)
    assert said.status == 0, said.err
    assert f"| {WEIGHT} | {SPEED} | runs | failed | polarisation |" in said.out
    assert {path.name for path in out.iterdir()} >= {"summary.md", ROWS, "plots"}
    assert (out / "plots" / "polarisation.png").stat().st_size > 10_000
    table = next(out.glob("rows.[pc]*"))
    before, whole = table.read_bytes(), lines(out)
    assert len(whole) == 12
    (out / ROWS).write_text("".join(json.dumps(row) + "\n" for row in whole[:5]))
    table.unlink()
    said = cli(*command)
    assert "5 of 12 runs were made before" in said.out
    assert table.read_bytes() == before
    assert [row["key"] for row in lines(out)][:5] == [row["key"] for row in whole[:5]]
    assert len(lines(out)) == 12
    said = cli(*command[:-4], "--out", out, "--seeds", 3)
    assert (said.status, "seeds differ" in said.err) == (2, True), said.err


def test_failed_runs_are_rows(cli, scenario, tmp_path):
    """And said; the others are in the summary."""
    said = cli("sweep", scenario(), "--vary", f"{SPEED}=-1,20", "--out", tmp_path / "o",
               "--jobs", 1, "--format", "csv", "--metric", "composite01")  # fmt: skip
    assert said.status == 0, said.err
    assert "1 of 2 runs failed; the first: " in said.out
    assert "speed" in said.out.splitlines()[-2]
    assert "| failed | composite01 |" in said.out
    assert (tmp_path / "o" / "rows.csv").read_text().count("\n") == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--vary", "groups.east.sped=1,2"], "did you mean 'speed'"),
        (["--vary", "groups.west.speed=1,2"], "no group 'west'"),
        (["--vary", f"{SPEED}=1:2"], "FIRST:LAST:HOW_MANY"),
        (["--vary", f"{SPEED}=1,2", "--vary", f"{SPEED}=3"], "twice"),
        (["--vary", f"{SPEED}=20", "--metric", "polarization"], "did you mean 'polarisation'"),
        (["--vary", f"{SPEED}=1:2:100000000"], "must be a whole one, 2 to 1,000,000"),
        (["--vary", f"{SPEED}=0:1:1000000", "--seeds", 2], "2,000,000 runs"),
        (["--engine", "dask"], "--address"),
        (["--set", "duration=-1"], "duration"),
        (["--line", "1,2"], "X1,Y1,X2,Y2"),
    ],
)
def test_refused_before_anything_runs(cli, scenario, tmp_path, options, words):
    """One clear line, exit status 2, and no folder that would refuse the corrected command."""
    if "dask" in options:
        pytest.importorskip("distributed")
    out = tmp_path / "o"
    said = cli("sweep", scenario(), *options, "--out", out)
    assert (said.status, words in said.err) == (2, True), said.err
    assert len(said.err.splitlines()) == 1
    assert not out.exists()


def test_a_refusal_names_the_file_as_it_was_given(cli, scenario, monkeypatch):
    """A table with it is the same in whatever folder it was made."""
    monkeypatch.chdir(scenario().parent)
    said = cli("sweep", "small.toml", "--vary", f"{SPEED}=-1,20", "--jobs", 1, "--out", "o")
    assert said.status == 0, said.err
    assert "the first: small.toml: groups.east.speed = -1" in said.out
    said = cli("sweep", "small.toml", "--vary", f"{SPEED}=-1", "--jobs", 1, "--out", "o")
    assert said.err.startswith("error: small.toml: groups.east.speed = -1")


@pytest.mark.parametrize(
    ("module", "options"),
    [("joblib", []), ("matplotlib.figure", []), ("pyarrow", ["--format", "parquet"]),
     ("distributed", ["--engine", "dask", "--address", "tcp://x:1"])],
)  # fmt: skip
def test_a_library_that_lacks_is_named(cli, scenario, tmp_path, monkeypatch, module, options):
    """With what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    said = cli("sweep", scenario(), "--jobs", 2, *options, "--out", tmp_path / "o")
    assert said.status == 2
    library = module.partition(".")[0]
    assert f"needs {library}, which is not installed: pip install {library}, or" in said.err
    assert 'pip install "groupmove[study]"' in said.err


def test_without_pyarrow_the_table_is_csv(cli, scenario, tmp_path, monkeypatch):
    """No word is needed: pandas and polars read that as well."""
    monkeypatch.setattr(sweep_table, "installed", lambda _: False)
    assert cli("sweep", scenario(), "--jobs", 1, "--out", tmp_path / "o").status == 0
    assert (tmp_path / "o" / "rows.csv").stat().st_size


def test_a_full_disk_ends_it_with_one_line(cli, scenario, tmp_path):
    """What was made before is kept, and the same command goes on."""
    path, out = scenario(), tmp_path / "o"
    command = ["sweep", path, "--vary", f"{WEIGHT}=0:2:6", "--jobs", 1, "--out", out]
    assert cli(*command[:-1], tmp_path / "first").status == 0
    room = 2.5 * len((tmp_path / "first" / ROWS).read_bytes()) / 6
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), limits[1]))
    try:
        said = cli(*command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert said.status == 2
    assert "(2 rows are kept): cannot be written: File too large" in said.err
    assert len(said.err.splitlines()) == 1
    assert len(lines(out)) == 2
    assert "2 of 6 runs were made before" in cli(*command).out
    tables = [next((tmp_path / name).glob("rows.[pc]*")).read_bytes() for name in ("first", "o")]
    assert tables[0] == tables[1]


def started(command: list[object]) -> subprocess.Popen[str]:
    """A sweep in a process of its own, that leads a group of processes, as in a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "sim", *map(str, command)], cwd=ROOT, start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_for_rows(out: Path, count: int) -> None:
    """Until this number are kept."""
    end = time.monotonic() + 300
    while not (out / ROWS).exists() or (out / ROWS).read_bytes().count(b"\n") < count:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("sign", "jobs"), [pytest.param(signal.SIGKILL, 1, marks=pytest.mark.slow), (signal.SIGINT, 2)]
)
def test_stopped_in_the_middle_it_goes_on(cli, scenario, tmp_path, sign, jobs):
    """Killed, or by Ctrl-C, which says so in one line and leaves a table; no row is made twice."""
    path, out = scenario(("0.5", "10.0")), tmp_path / "o"
    command = ["sweep", path, "--vary", f"{WEIGHT}=0:2:8", "--seeds", 2, "--jobs", jobs,
               "--out", out]  # fmt: skip
    process = started(command)
    wait_for_rows(out, 2)
    os.killpg(process.pid, sign)
    said, wrong = process.communicate(timeout=300)
    before = [row["key"] for row in lines(out)]
    if sign == signal.SIGINT:
        assert process.returncode == 130, wrong
        assert f"stopped with {len(before)} of 16 rows" in said
        assert "Traceback" not in wrong
        assert wrong.count("\n") <= 1, wrong
        assert list(out.glob("rows.[pc]*"))
    assert 2 <= len(before) < 16
    said = cli(*command).out
    assert f"{len(before)} of 16 runs were made before" in said
    after = [row["key"] for row in lines(out)]
    assert after[: len(before)] == before
    assert len(set(after)) == len(after) == 16


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_nothing(cli, scenario, tmp_path):
    """All rows are there, once, and the same as in one process."""
    psutil = pytest.importorskip("psutil")
    path, out = scenario(("0.5", "12.0")), tmp_path / "o"
    command = ["sweep", path, "--vary", f"{WEIGHT}=0:2:8", "--seeds", 2, "--out"]
    process = started([*command, out, "--jobs", 2])
    wait_for_rows(out, 2)
    workers = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if any("loky" in word for word in child.cmdline())
        and not any("tracker" in word for word in child.cmdline())
    ]
    assert len(workers) >= 2
    workers[0].kill()
    said, wrong = process.communicate(timeout=300)
    assert process.returncode == 0, wrong
    assert "Traceback" not in wrong
    keys = [row["key"] for row in lines(out)]
    assert len(set(keys)) == len(keys) == 16
    assert "failed" not in said.splitlines()[-2]
    assert cli(*command, tmp_path / "one", "--jobs", 1).status == 0
    tables = [next((tmp_path / name).glob("rows.[pc]*")).read_bytes() for name in ("one", "o")]
    assert tables[0] == tables[1]
