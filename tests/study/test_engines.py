"""Where runs are made makes no difference, and a process that dies costs nobody else anything."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from sim.core.errors import BadInput
from sim.core.sharing import threads
from sim.study.engines import engine
from sim.study.job import DEAD, make, perform, source
from sim.study.journal import journal
from sim.study.sweep import Sweep, varied

pytest.importorskip("joblib")
distributed = pytest.importorskip("distributed")


def square(number: int) -> tuple[int, int]:
    """A job's result, and how many threads it had."""
    return number**2, threads()


def deadly(number: int) -> int:
    """A job that takes its process with it where it is 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return number


def once(mark: str) -> str:
    """A job that takes its process with it the first time it is tried."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return mark


@pytest.fixture(scope="module")
def cluster():
    """A scheduler with two workers, each a process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as made:
        yield made


@pytest.fixture
def small(scenario) -> Sweep:
    """Two weights, two seeds, and a weight that is refused."""
    of = source(scenario(), ())
    return Sweep(of, (varied("groups.east.behaviours.cohesion.weight=0,1.5,heavy"),), 2)


def test_all_engines_give_the_same_rows(small, cluster, tmp_path):
    """One process, two of joblib's and a Dask cluster: the same tables, failed runs included."""
    tables = {}
    for name in ("serial", "joblib", "dask"):
        with (
            engine(name, 2, cluster.scheduler_address) as spread,
            journal(tmp_path / name, small.definition()) as kept,
        ):
            tables[name] = small.table(make(small.jobs(), kept, spread))
    assert tables["serial"] == tables["joblib"] == tables["dask"]
    assert [row["error"] is None for row in tables["serial"]] == [True] * 4 + [False] * 2
    assert "heavy" in tables["serial"][-1]["error"]
    hashes = {row["trajectory_sha256"] for row in tables["serial"][:4]}
    assert len(hashes) == 4


@pytest.mark.parametrize("name", ["serial", "joblib", "dask"])
def test_each_job_is_done_once_with_one_thread(name, cluster):
    """Whatever the engine, and threads are given back."""
    before = threads()
    with engine(name, 2, cluster.scheduler_address) as spread:
        found = sorted(spread(square, list(range(20))))
    assert found == [(k, (k**2, 1)) for k in range(20)]
    assert threads() == before


@pytest.mark.slow
@pytest.mark.parametrize(("name", "workers"), [("joblib", 1), ("joblib", 2), ("dask", 2)])
def test_a_deadly_job_has_no_result_and_the_others_have_theirs(name, workers, cluster):
    """It is tried with others beside it, then alone or elsewhere, and given up."""
    with engine(name, workers, cluster.scheduler_address) as spread:
        found = sorted(spread(deadly, list(range(8))))
    assert found == [(k, None if k == 3 else k) for k in range(8)]


@pytest.mark.parametrize("name", ["joblib", "dask"])
def test_a_worker_that_is_killed_costs_nothing(name, cluster, tmp_path):
    """What it had in hand is run again."""
    marks = [str(tmp_path / str(k)) for k in range(4)]
    for mark in marks[1:]:
        Path(mark).touch()
    with engine(name, 2, cluster.scheduler_address) as spread:
        assert sorted(spread(once, marks)) == list(enumerate(marks))


def test_a_dead_run_is_a_row(small, tmp_path):
    """With its error; it is tried again when the sweep is run again."""
    job = small.jobs()[0]
    with journal(tmp_path / "out", {}) as kept:
        (row,) = make([job], kept, lambda *_: iter([(0, None)]))
        assert row["error"] == DEAD
        with engine("serial", 1) as spread:
            (row,) = make([job], kept, spread)
        assert row["error"] is None


def test_a_cluster_that_is_not_there_is_refused(monkeypatch):
    """By its address, in one line, and soon."""
    monkeypatch.setattr("sim.study.engines.PATIENCE", 1)
    for address, word in (
        ("tcp://127.0.0.1:9", "127.0.0.1:9"),
        (None, "--address"),
        ("x:y", "x:y"),
    ):
        with pytest.raises(BadInput, match=word) as said, engine("dask", 1, address):
            pass
        assert len(str(said.value).splitlines()) == 1


def test_a_cluster_without_workers_is_waited_for(capsys):
    """And it is said; the jobs are done when one comes."""
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        engine("dask", 1, empty.scheduler_address) as spread,
    ):
        assert "waiting for the first" in capsys.readouterr().err
        results = spread(square, [3])
        empty.scale(1)
        assert list(results) == [(0, (9, 1))]


def test_a_worker_with_other_code_is_a_row_with_that_error(small):
    """Its rows would not be those of the others."""
    from dataclasses import replace

    assert "other code" in perform(replace(small.jobs()[0], code="0"))["error"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks the system about signals")
def test_workers_never_hear_ctrl_c():
    """From their birth: one that came while they imported this package ended in a traceback."""
    with engine("joblib", 2) as run:
        masks = dict(run(blocked, [0, 1]))
    assert all(int(signal.SIGINT) in mask for mask in masks.values())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


def blocked(_: int) -> list[int]:
    """The signals that the main thread of this process does not get."""
    words = Path("/proc/self/status").read_text(encoding="utf-8").split()
    mask = int(words[words.index("SigBlk:") + 1], 16)
    return [number for number in range(1, 65) if mask >> (number - 1) & 1]
