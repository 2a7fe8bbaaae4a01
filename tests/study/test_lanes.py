"""Lane order: Rex and Löwen's figure, and when there is one."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from sim.study.lanes import ABREAST, Lanes

from .scenes import At, Inside, frame, setting


def streams(starts, ways, **more):
    """A setting of units that walk 20 along x, each its own way."""
    ends = np.array(starts) + 20 * np.array(ways)[:, None] * np.array([1.0, 0.0])
    return setting(starts, [At(tuple(end), 0.5) for end in ends.tolist()], **more)


def lanes_of(scene):
    """Lanes of units none of which has arrived."""
    return Lanes(scene, SimpleNamespace(step=np.full(len(scene), -1)))


def by_hand(starts, ways, width):
    """The definition, unit by unit."""
    orders = []
    for (_, y), way in zip(starts, ways, strict=True):
        mine = [w for (_, v), w in zip(starts, ways, strict=True) if abs(v - y) < width]
        like = mine.count(way)
        orders.append(((2 * like - len(mine)) / len(mine)) ** 2)
    return float(np.mean(orders))


def test_lanes_are_one_and_pairs_in_each_others_way_nought():
    """Two rows that each go one way; and two that face each other in one row."""
    here = np.ones(4, dtype=bool)
    rows = np.array([(0.0, 0), (3, 0), (0, 2), (3, 2)])
    for ways, order in (((1, 1, -1, -1), 1.0), ((1, -1, 1, -1), 0.0)):
        lanes = lanes_of(streams(rows, ways))
        lanes.observe(frame(rows, here))
        assert lanes.start == lanes.late == pytest.approx(order)


def test_is_the_published_mean():
    """Against the definition in plain Python, also for streams along a slanting axis."""
    rng = np.random.default_rng(3)
    starts, ways = rng.uniform(0, 10, (30, 2)), rng.choice([-1, 1], 30)
    lanes = lanes_of(streams(starts, ways))
    lanes.observe(frame(starts, np.ones(30, dtype=bool)))
    assert 0 < lanes.start < 0.9
    assert lanes.start == pytest.approx(by_hand(starts, ways.tolist(), ABREAST * 1.0))
    turn = np.array([[np.cos(0.7), np.sin(0.7)], [-np.sin(0.7), np.cos(0.7)]])
    ends = (starts + 20 * ways[:, None] * np.array([1.0, 0.0])) @ turn
    slanting = lanes_of(setting(starts @ turn, [At(tuple(end), 0.5) for end in ends]))
    slanting.observe(frame(starts @ turn, np.ones(30, dtype=bool)))
    assert slanting.start == pytest.approx(lanes.start)


def test_rises_while_lanes_form_and_stops_when_a_stream_is_half_gone():
    """The late figure is of the last quarter of the frames with two streams, and of no others."""
    start = np.array([(0.0, 0), (1, 0), (8, 0), (9, 0)])
    lanes, here = lanes_of(streams(start, (1, 1, -1, -1))), np.ones(4, dtype=bool)
    for step in range(8):
        aside = np.array([(0, 0.2 * step), (0, 0.2 * step), (0, 0), (0, 0)])
        lanes.observe(frame(start + aside, here))
    lanes.observe(frame(start, np.array([False, False, True, True])))
    lanes.observe(frame(start, here))
    assert (lanes.start, lanes.late) == (0.0, 1.0)


def test_undefined_without_two_opposite_streams():
    """One stream, streams that cross, and units without a goal have no lanes."""
    here = np.ones(2, dtype=bool)
    for wants in (
        [At((9.0, 0.0), 0.5), At((9.0, 1.0), 0.5)],
        [At((9.0, 0.0), 0.5), Inside((-1, -9, 1, -8))],
        [None, None],
        [At((9.0, 0.0), 0.5), None],
    ):
        lanes = lanes_of(setting([(0, 0), (0, 1)], wants))
        lanes.observe(frame(np.array([(0.0, 0), (0, 1)]), here))
        assert (lanes.start, lanes.late) == (None, None)
