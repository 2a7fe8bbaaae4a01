"""The curve of cost over size, on flocks that are small enough to be quick."""

import sys
import tracemalloc

import numpy as np
import pytest

from sim import BadInput, World
from sim.study import bench_curve
from sim.study.bench_blocks import Spread
from sim.study.bench_curve import (
    CurveRow,
    Memory,
    format_curve,
    measure_curve,
    measure_memory,
    peak_mb,
    plot_curve,
)


def row(units, ratio=1.0, cost=2.0):
    """A size with a made-up cost, microseconds a unit."""
    cost_of = Spread(cost, cost / 2, cost * 2)
    return CurveRow(units, 10.0, Spread(cost * units / 1e3, 1.0, 9.0), cost_of, ratio)


def test_rows_fit_together(monkeypatch):
    """Cost a unit is that of the step over its units, and ratios are those to the base."""
    monkeypatch.setattr(bench_curve, "BASE", 30)
    said = []
    rows = measure_curve((20, 30, 60), blocks=3, seconds=0.0, say=said.append)
    assert [row.units for row in rows] == [20, 30, 60]
    turns = [f"block {k} of 3" for k in (1, 2, 3)]
    assert said == ["20 units", "30 units", "60 units", *turns]
    for each in rows:
        assert each.unit_us.median == pytest.approx(each.step_ms.median * 1e3 / each.units)
        assert each.unit_us.low <= each.unit_us.median <= each.unit_us.high
        assert each.ratio == pytest.approx(each.unit_us.median / rows[1].unit_us.median)
        assert each.neighbours > 1
    assert rows[1].ratio == 1.0


def test_without_the_base_the_first_size_is_the_base():
    """Ratios always have something to refer to."""
    assert measure_curve((20, 40), blocks=1, seconds=0.0)[0].ratio == 1.0


@pytest.mark.parametrize("sizes", [(), (0, 20)])
def test_no_sizes_are_refused(sizes):
    """A flock has at least one unit."""
    with pytest.raises(BadInput, match="must be one or more numbers of units"):
        measure_curve(sizes)


@pytest.mark.slow
def test_memory_of_a_flock_does_not_grow():
    """Between early and late steps nothing is added: less than one array of its units.

    Calls of compiled code keep the kinds of arguments that they have seen: 60 kB, most of it within
    2,000 steps, for any number of units.
    """
    memory = measure_memory(300, 2000, 2040)
    assert abs(memory.growth) < 300 * 8 / 1e6
    assert memory.steps == (2000, 2040)
    assert not tracemalloc.is_tracing()


def test_a_leak_would_be_seen(monkeypatch):
    """What is kept at every step adds up to the growth: 50 times what compiled code keeps."""
    kept = []
    step = World.step

    def leaking(self):
        kept.append(np.zeros(10_000))
        step(self)

    monkeypatch.setattr(World, "step", leaking)
    steps = 10 + 1  # of a part; the return to the start takes one more
    assert measure_memory(20, 20, 60).growth == pytest.approx(steps * 80_000 / 1e6, rel=0.1)


def test_the_peak_is_that_of_the_process():
    """In MB: more than an array just made, and no less than before it was made."""
    before = peak_mb()
    array = np.ones(4_000_000)
    assert peak_mb() >= max(before, array.nbytes / 1e6)


def test_in_words():
    """A line for each size, and the memory below."""
    memory = Memory(50_000, 612.4, (100.0, 100.001, 100.05), (100, 400))
    lines = format_curve([row(20, 3.1), row(1000), row(50_000, 1.31, 2.62)], memory).splitlines()
    assert lines[1].split("  ")[-1].strip() == "unit-steps/s"
    assert "x 1,000's" in lines[1]
    assert lines[2].startswith("20 ")
    assert lines[4].startswith("50,000")
    assert "2.62 (1.31 - 5.24)" in lines[4]
    assert "1.31  " in lines[4]
    assert lines[4].endswith("381,679")
    assert lines[5] == (
        "memory at 50,000 units: 612 MB at most; "
        "+0.001 MB more every 150 steps from step 100 to step 400"
    )


def test_the_plot_is_a_picture(tmp_path):
    """A PNG of some size, without a display."""
    pytest.importorskip("matplotlib")
    plot_curve([row(20), row(1000), row(50_000)], tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert [each.name for each in tmp_path.iterdir()] == ["curve.png"]


def test_a_plot_without_matplotlib_says_how(tmp_path, monkeypatch):
    """One line, and no file."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(BadInput, match=r"needs matplotlib.*pip install matplotlib"):
        plot_curve([row(20)], tmp_path / "curve.png")
    assert not list(tmp_path.iterdir())
