"""Search for near pairs."""

from __future__ import annotations

import numpy as np
import pytest

from sim.study.pairs import all_pairs, tree_pairs


@pytest.mark.parametrize("size", [(0.0, 0.0), (10.0, 10.0), (10.0, 0.0)])
def test_both_searches_agree(size):
    """All pairs and the tree find the same neighbours, across seams too, absent units left out."""
    rng = np.random.default_rng(3)
    position, period = rng.uniform(-5, 15, (80, 2)), np.array(size)
    present, within = rng.random(80) < 0.8, np.full(80, 0.7)
    position[~present] = np.nan
    a, b = np.zeros(80), np.zeros(80)
    few = {tuple(sorted(p)) for p in all_pairs(position, present, period, within, a).tolist()}
    many = {tuple(sorted(p)) for p in tree_pairs(position, present, period, within, b).tolist()}
    assert few == many
    assert len(few) > 5, few
    np.testing.assert_allclose(a, b)
    assert np.isnan(a[~present]).all()


def test_a_point_a_hair_below_zero_is_on_the_torus():
    """A remainder that rounds up to the period itself is still a place on it."""
    position = np.array([[-1e-20, 5.0], [9.5, 5.0]])
    nearest = np.zeros(2)
    ones = np.ones(2, dtype=bool)
    tree_pairs(position, ones, np.array([10.0, 10.0]), np.ones(2), nearest)
    assert nearest == pytest.approx([0.5, 0.5])
