"""`python -m sim bench --curve`, `--draw` and `--peers`: what else can be timed."""

import json
import sys
from functools import partial

import pytest

from sim.screen import bench_draw
from sim.study import bench_curve, bench_peers


@pytest.fixture
def brief(monkeypatch):
    """Few blocks and frames, where it is asked what is said of them."""
    for module, name, less in (
        (bench_curve, "measure_curve", {"blocks": 2, "seconds": 0.0}),
        (bench_draw, "measure_draw", {"frames": 10}),
    ):
        monkeypatch.setattr(module, name, partial(getattr(module, name), **less))


@pytest.fixture
def short(brief, monkeypatch):  # noqa: ARG001
    """Few steps too: `test_json` has all, and asks for what is true of all alone."""
    less = partial(bench_curve.measure_memory, first=20, last=40)
    monkeypatch.setattr(bench_curve, "measure_memory", less)


@pytest.mark.usefixtures("short")
def test_curve(cli, tmp_path):
    """A row for each size, and the memory of the largest; a plot means a curve."""
    pytest.importorskip("matplotlib")
    plot = tmp_path / "curve.png"
    said = cli("bench", "--units", "20", "--units", "40", "--plot", str(plot))
    lines = said.out.splitlines()
    assert said.status == 0
    assert [line.split()[0] for line in lines[1:4]] == ["units", "20", "40"]
    assert lines[4].startswith("memory at 40 units: ")
    assert not said.err
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("missing", [False, True])
def test_a_plot_that_cannot_be_drawn_is_refused_at_once(cli, tmp_path, monkeypatch, missing):
    """Before anything is timed: no folder for it, or nothing to draw it with."""
    target = tmp_path / "curve.png" if missing else tmp_path / "no" / "curve.png"
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    said = cli("bench", "--plot", str(target))
    assert said.status == 2
    assert said.err.startswith(f"error: {target}: ")
    assert said.err.count("\n") == 1
    assert not said.out


@pytest.mark.usefixtures("short")
def test_draw(cli):
    """Frames of window and film, in words."""
    said = cli("bench", "--draw", "--units", "20")
    assert said.status == 0
    assert said.out.startswith("20 units drawn at 1280 x 720")
    assert "GIF 640 x 360" in said.out


def test_peers(cli, monkeypatch):
    """A line for each peer, also where none is installed."""
    monkeypatch.setattr(bench_peers, "version_of", lambda _: None)
    said = cli("bench", "--peers")
    assert said.status == 0
    assert said.out.count("not installed: pip install") == len(bench_peers.PEERS)


@pytest.mark.usefixtures("brief")
def test_json(cli):
    """All that was asked for in one object, and nothing else is printed."""
    said = cli("bench", "--curve", "--draw", "--units", "20", "--json")
    found = json.loads(said.out)
    assert set(found) == {"memory", "curve", "draw"}
    assert found["curve"][0]["units"] == found["draw"][0]["units"] == 20
    assert found["memory"]["growth"] == pytest.approx(0, abs=0.01)
    assert not said.err
