"""What the command line says while it works: only to people, and only when it takes long."""

import sys

import pytest
from numba import njit

from sim import World
from sim.commands import compare, progress, replay
from sim.study import bench_curve


class Terminal:
    """A stream that is one, or not."""

    def __init__(self, is_one: bool) -> None:
        self.is_one, self.said = is_one, ""

    def isatty(self) -> bool:
        """Whether somebody looks."""
        return self.is_one

    def write(self, text: str) -> int:
        """Keep it."""
        self.said += text
        return len(text)

    def flush(self) -> None:
        """Nothing to do."""


@pytest.mark.parametrize(("is_one", "patience"), [(True, 0.0), (False, 0.0), (True, 999.0)])
def test_bar(monkeypatch: pytest.MonkeyPatch, is_one: bool, patience: float):
    """A bar appears on a terminal once patience is at its end; never in a file, nor at once."""
    stream = Terminal(is_one)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setattr(progress, "INTERVAL", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    world = World()
    bar = progress.Bar("Small", 3)
    for _ in range(3):
        world.step()
        bar.observe(world)
    bar.close()
    bar.close()
    assert bool(stream.said) == (is_one and patience == 0)
    assert ("Small" in stream.said) == (is_one and patience == 0)


@pytest.mark.parametrize("is_one", [True, False])
def test_figures_are_not_worked_out_in_silence(monkeypatch: pytest.MonkeyPatch, is_one: bool):
    """What takes long after a run is named on a terminal, and nowhere else."""
    stream = Terminal(is_one)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress.working("counting"):
        pass
    assert ("counting" in stream.said) == is_one


@pytest.mark.parametrize("before", [True, False])
def test_compiling_is_told_once(monkeypatch, capsys, before: bool):
    """The first start ever says that it compiles; later ones say nothing."""
    monkeypatch.setattr(progress, "compiled_before", lambda _: before)
    progress.say_if_compiling()
    said = capsys.readouterr()
    assert said.out == ""
    assert ("ompil" in said.err) == (not before)


def test_compiling_is_told_when_it_happens(capsys, monkeypatch):
    """A kernel that is compiled is told of, the second is not, nor one that is there already."""
    twice = njit(lambda x: 2 * x)
    monkeypatch.setattr(progress._Told, "told", False)
    progress.listen.cache_clear()
    progress.say_when_compiling()
    assert capsys.readouterr().err == ""
    assert [twice(2), twice(2.0), twice(3)] == [4, 4.0, 6]
    assert capsys.readouterr().err == progress.ONCE + "\n"


def test_a_comparison_names_the_runner_at_work(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """On a terminal `compare` names each runner while it works, and says when it films."""
    stream = Terminal(True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    scene = tmp_path / "one.toml"
    scene.write_text(ONE)
    compare.command(str(scene), tmp_path / "one.gif", "crowd,mages")
    for said in ("crowd runs one", "mages runs one", "filming"):
        assert said in stream.said


ONE = """title = "One"
duration = 0.2
[[groups]]
name = "one"
spawn = { points = [[0, 0]] }
goal = { point = [5, 0] }
"""


@pytest.mark.parametrize("is_one", [True, False])
def test_a_film_of_a_recording_is_not_made_in_silence(cli, scenario, tmp_path, monkeypatch, is_one):
    """How far it has come is shown on a terminal, and nowhere else."""
    run = tmp_path / "run.npz"
    assert cli("run", scenario(), "--seconds", 0.2, "--trajectory", run).status == 0
    stream = Terminal(is_one)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    recorder = replay.command(run, film=tmp_path / "film.gif")
    assert recorder is None
    assert ("film" in stream.said) == is_one


def test_memory_is_not_measured_in_silence():
    """A flock of a million takes an hour: which step it is at is told."""
    said: list[str] = []
    bench_curve.measure_memory(20, first=20, last=40, say=said.append)
    assert said == ["memory of 20 units", *(f"memory of 20 units: step {k} of 40"
                                            for k in (10, 20, 30, 40))]  # fmt: skip


def test_blocks_are_not_timed_in_silence():
    """Which block begins is told."""
    said: list[str] = []
    bench_curve.measure_curve([20], blocks=2, seconds=0.0, say=said.append)
    assert said == ["20 units", "block 1 of 2", "block 2 of 2"]
