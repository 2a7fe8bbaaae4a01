"""Overlap of hulls against a slow and obvious oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.hull import Hull
from sim.core.overlap import FAR, Outlines, core_distance

SIDES = 3600
TURNS = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
NORMALS = np.stack([np.cos(TURNS), np.sin(TURNS)])

lengths = st.floats(0.2, 5)
hulls = st.one_of(
    st.builds(Hull, st.sampled_from(["wedge", "box"]), lengths, lengths),
    st.builds(Hull.disc, lengths),
)
angles = st.floats(-4, 4)
places = st.tuples(st.floats(-6, 6), st.floats(-6, 6))
quick = settings(max_examples=150, deadline=None)


def core(hull: Hull, angle: float) -> np.ndarray:
    """The corners (k, 2) of a hull that is turned."""
    c, s = np.cos(angle), np.sin(angle)
    return hull.outline @ np.array([[c, s], [-s, c]])


def distance(a: Hull, turn_a: float, b: Hull, turn_b: float, offset: tuple[float, float]) -> float:
    """Signed distance of two hulls, their roundings taken in."""
    p, q = core(a, turn_a), core(b, turn_b)
    apart = core_distance(p, len(p), q, len(q), *map(float, offset), FAR)
    return float(apart) - a.rounding - b.rounding


def oracle(a: Hull, turn_a: float, b: Hull, turn_b: float, offset: tuple[float, float]) -> float:
    """The widest gap over many directions: below the signed distance, by a step of them at most."""
    p, q = core(a, turn_a), core(b, turn_b) + np.array(offset)
    gaps = (q @ NORMALS).min(axis=0) - (p @ NORMALS).max(axis=0)
    return float(gaps.max()) - a.rounding - b.rounding


@quick
@given(hulls, angles, hulls, angles, places)
def test_depth_is_the_widest_gap_over_all_directions(a, turn_a, b, turn_b, offset):
    """Overlap and distance are those of the best of all directions."""
    exact, rough = distance(a, turn_a, b, turn_b, offset), oracle(a, turn_a, b, turn_b, offset)
    step = 2 * np.pi / SIDES * (a.reach + b.reach + np.hypot(*offset))
    assert rough - 1e-9 <= exact <= rough + step


@quick
@given(hulls, angles, hulls, angles, places, angles)
def test_depth_does_not_depend_on_order_or_view(a, turn_a, b, turn_b, offset, turn):
    """Swapping the two, or turning the whole picture, changes nothing."""
    here = distance(a, turn_a, b, turn_b, offset)
    back = distance(b, turn_b, a, turn_a, (-offset[0], -offset[1]))
    c, s = np.cos(turn), np.sin(turn)
    turned = (c * offset[0] - s * offset[1], s * offset[0] + c * offset[1])
    assert back == pytest.approx(here, abs=1e-9)
    assert distance(a, turn_a + turn, b, turn_b + turn, turned) == pytest.approx(here, abs=1e-9)


@quick
@given(hulls, angles, hulls, angles, places)
def test_moving_by_the_depth_parts_the_hulls(a, turn_a, b, turn_b, offset):
    """Some translation by the depth parts two hulls, and none by less does."""
    depth = -distance(a, turn_a, b, turn_b, offset)
    if depth <= 1e-6:
        return
    for share, parts in ((1.002, True), (0.99, False)):
        moves = depth * share * NORMALS[:, ::4].T
        apart = [distance(a, turn_a, b, turn_b, tuple(offset + m)) > -1e-9 for m in moves]
        assert any(apart) is parts


@pytest.mark.parametrize(
    ("a", "b", "offset", "expected"),
    [
        (Hull.disc(1), Hull.disc(2), (2.5, 0), -0.5),
        (Hull.disc(1), Hull.disc(1), (0, 0), -2.0),
        (Hull.disc(1), Hull("box", 4, 2), (0, 1.5), -0.5),
        (Hull.disc(1), Hull("box", 4, 2), (5, 5), np.hypot(3, 4) - 1),
        (Hull("box", 4, 2), Hull("box", 2, 2), (2.75, 0.5), -0.25),
        (Hull("wedge", 4, 2), Hull("wedge", 4, 2), (4.5, 0), 0.5),
        (Hull("wedge", 4, 2), Hull("wedge", 4, 2), (0, 1.5), -0.5),
    ],
)
def test_depths_worked_by_hand(a, b, offset, expected):
    """Side by side, nested, corner to corner."""
    assert distance(a, 0, b, 0, offset) == pytest.approx(expected, abs=1e-12)


def test_a_segment_has_ends():
    """Two pieces of one line are apart by the gap between their ends."""
    wall = np.array([[0.0, 0.0], [1.0, 0.0]])
    assert core_distance(wall, 2, wall, 2, 3.0, 0.0, FAR) == pytest.approx(2.0)


def test_outlines_turn_clockwise_on_screen():
    """The bow of a unit that points along +y (down) lies below its centre, its starboard left."""
    outlines = Outlines([Hull("wedge", 4, 2)], np.zeros(1, dtype=np.int64))
    outlines.turn(np.array([np.pi / 2]), np.array([True]))
    assert outlines.turned.corners[0, 2] == pytest.approx([0, 2])
    assert outlines.turned.corners[0, 3] == pytest.approx([-1, 0])
