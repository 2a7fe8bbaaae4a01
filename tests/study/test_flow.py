"""Flow through a line, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.study.flow import Flow

from .scenes import frame, setting


def file_of(count, gap, frames, step=0.1, y=0.0):
    """Positions (frames, count, 2): a file that walks 1 a second along x, `gap` apart."""
    start = np.stack([-gap * (np.arange(count) + 0.5), np.full(count, y)], axis=1)
    shift = step * np.arange(frames)[:, None, None] * np.array([1.0, 0.0])
    return start + shift


def flow_of(position, line, step=0.1, present=None):
    """The specific flow of such frames."""
    flow = Flow(setting(position[0]), line)
    for number, where in enumerate(position):
        here = np.ones(len(where), dtype=bool) if present is None else present[number]
        flow.observe(frame(where, here, number * step))
    return flow.specific


@pytest.mark.parametrize("step", [0.1, 0.37])
def test_is_the_rate_over_the_width(step):
    """One every 0.8 s through 1.25: exactly one a second and unit, whatever the frames."""
    position = file_of(20, 0.8, int(20 / step), step)
    assert flow_of(position, (0, -0.5, 0, 0.75), step) == pytest.approx(1.0)


def test_direction_of_the_line_and_of_the_walk_do_not_matter():
    """The same line the other way round, and the same walk from the other side."""
    position = file_of(20, 0.8, 200)
    one = flow_of(position, (0, -0.5, 0, 0.5))
    assert flow_of(position, (0, 0.5, 0, -0.5)) == pytest.approx(one)
    assert flow_of(position * [-1, 1], (0, -0.5, 0, 0.5)) == pytest.approx(one)


def test_only_the_steady_part_counts():
    """A unit that comes long after the others does not thin the flow out."""
    position = file_of(20, 0.5, 400)
    late = position.copy()
    late[:, 18:, 0] -= 10
    assert flow_of(late, (0, -0.5, 0, 0.5)) == pytest.approx(2.0)


def test_each_is_counted_once_and_only_where_it_crosses():
    """Going to and fro adds nothing; units beside the line or gone are not counted."""
    position = file_of(20, 0.5, 200)
    there = np.concatenate([position, position[::-1], position])
    assert flow_of(there, (0, -0.5, 0, 0.5)) == pytest.approx(2.0)
    assert flow_of(position, (0, 1, 0, 2)) is None
    assert flow_of(position, (0, -0.5, 0, 0.5), present=np.zeros((200, 20), dtype=bool)) is None


def test_nothing_is_said_of_a_few():
    """Nine are no flow."""
    assert flow_of(file_of(9, 0.5, 200), (0, -0.5, 0, 0.5)) is None


@pytest.mark.parametrize("line", [(0, 0, 0, 0), (0, 0, np.nan, 1)])
def test_a_line_needs_two_points(line):
    """A point is no line."""
    with pytest.raises(BadInput, match="line"):
        Flow(setting([(0, 0)]), line)
