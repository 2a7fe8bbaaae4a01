"""What is read from motion, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sim.record.run import Run
from sim.study.verify.measured import Measured, band
from sim.study.verify.reading import crowd, flow, pace, passed, set_off, steady

LINE = (5.0, -1.0, 5.0, 1.0)


def walk(speeds, starts=None, seconds: float = 20.0, angle: float = 0.0) -> Run:
    """Units that go along x at their speeds, frames a quarter of a second apart."""
    time = np.arange(0, seconds + 0.1, 0.25)
    n = len(speeds)
    x = np.array(starts if starts is not None else np.zeros(n)) + time[:, None] * np.array(speeds)
    position = np.stack([x, np.zeros_like(x)], axis=2)
    return Run(time, position, np.full(x.shape, angle), np.array(["a"] * n))


def test_times_at_a_line():
    """At 1 and 2 a second after 5 and 2.5 s; one that stands never."""
    assert passed(walk([1, 2, 0]), LINE) == pytest.approx([5, 2.5, np.nan], nan_ok=True)


def test_pace_between_two_lines():
    """Is the speed, whatever the start; of one that crosses only the first it is not known."""
    found = pace(walk([1.3, 0.5, 0.3]), LINE, (9, -1, 9, 1))
    assert found == pytest.approx([1.3, 0.5, np.nan], nan_ok=True)


def test_when_units_set_off():
    """The first frame more than a tenth off the start."""
    assert set_off(walk([1, 0.3, 0])) == pytest.approx([0.25, 0.5, np.nan], nan_ok=True)


def test_flow_is_the_rate_over_the_width():
    """Thirty in a file at 1 a second, 0.5 apart, through a line 2 wide: one a second and unit."""
    run = walk([1.0] * 30, starts=-0.5 * np.arange(30), seconds=30)
    assert flow(run, LINE) == pytest.approx(1.0)


def test_density_in_a_place():
    """Two of three inside 4 square units, at the first frame; all gone at the last."""
    run = walk([1, 1, 1], starts=[0.5, 1.5, 2.5])
    density = crowd(run, (0, -1, 2, 1))
    assert (density[0], density[-1]) == (0.5, 0.0)


@pytest.mark.parametrize("angle", [0.0, np.pi])
def test_steady_speed_round_a_torus(angle: float):
    """Across the seam, in frames that leap by the period, and forward is where a unit faces."""
    run = walk([1.2, -0.4], angle=angle)
    run.position[..., 0] %= 7.0
    assert steady(run, 5.0, 7.0) == pytest.approx(0.4 if angle == 0 else -0.4)


def test_band_of_what_was_measured():
    """The least and the greatest at a place, of the sets that reach so far."""
    sets = Measured("a", ((0, 1), (2, 3))), Measured("b", ((1, 5), (3, 5)))
    assert band(sets, 1.5) == (2.5, 5.0)
    assert band(sets, 0.5) == (1.5, 1.5)
    assert np.isnan(band(sets, 9)).all()
