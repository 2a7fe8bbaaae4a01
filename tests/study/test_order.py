"""Polarisation and nearest neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from .scenes import DISC, WEDGE, figures, setting


def test_polarisation_is_one_aligned_and_zero_opposed():
    """Body angles alone count, not where the units drift."""
    start = np.array([[0.0, 0], [9, 0]])
    frames = np.stack([start, start - 1])
    assert figures(setting(start), frames, [[2, 2], [2, 2]])["polarisation"] == pytest.approx(1)
    opposed = figures(setting(start), frames, [[0, np.pi], [0, np.pi]])["polarisation"]
    assert opposed == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("frames", "used"), [(4, 2), (5, 3), (1, 1)])
def test_means_are_over_the_second_half(frames, used):
    """Of frames 0..T those from T / 2 on count, whenever the run ends."""
    gap = 2.0 ** np.arange(frames)
    position = np.stack([np.zeros((frames, 2)), np.stack([gap, 0 * gap], axis=1)], axis=1)
    result = figures(setting(position[0]), position)
    assert result["mean_nearest_distance"] == pytest.approx(gap[-used:].mean())


def test_long_runs_keep_their_second_half():
    """The series grows beyond its first memory."""
    position = np.zeros((3000, 2, 2))
    position[:, 1, 0] = np.arange(3000)
    result = figures(setting(position[0]), position)
    assert result["mean_nearest_distance"] == pytest.approx(np.arange(1500, 3000).mean())


def test_distances_are_in_lengths_of_each_units_own_hull_to_anyone():
    """A group of one has its nearest neighbour in another group."""
    groups = [("small", 1, DISC), ("long", 1, WEDGE)]
    start = np.array([[0.0, 0], [8, 0]])
    result = figures(setting(start, groups=groups), start[None])
    assert result["groups"]["small"]["mean_nearest_distance"] == pytest.approx(8)
    assert result["groups"]["long"]["mean_nearest_distance"] == pytest.approx(2)
    assert result["mean_nearest_distance"] == pytest.approx(5)


def test_a_lone_unit_has_no_nearest_neighbour():
    """Null, not zero or infinity."""
    start = np.zeros((1, 2))
    result = figures(setting(start), start[None])
    assert result["mean_nearest_distance"] is None
    assert result["polarisation"] == pytest.approx(1)


def test_absent_units_have_no_say():
    """A unit that left neither turns the mean heading nor is anyone's neighbour."""
    frames = np.array([[[0.0, 0], [2, 0], [7, 0]]] * 4)
    frames[2:, 1] = np.nan
    result = figures(setting(frames[0]), frames, [[0, np.pi, 0]] * 4)
    assert result["mean_nearest_distance"] == pytest.approx(7)
    assert result["polarisation"] == pytest.approx(1)


def test_nearest_is_across_the_seam():
    """On a torus the short way counts."""
    start = np.array([[0.5, 0.5], [9.5, 9.5]])
    result = figures(setting(start, period=(10, 10)), start[None])
    assert result["mean_nearest_distance"] == pytest.approx(np.sqrt(2))
