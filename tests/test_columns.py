"""Numbers of equal rows, runs of rows, and bodies that are found where they were."""

import numpy as np
import pytest

from sim.core.columns import alike
from sim.core.relay import Relay, spread
from sim.engine.numbers import ABSENT, NO_BODY, where_now


@pytest.mark.parametrize("seed", range(20))
def test_equal_rows_have_one_number(seed):
    """As numpy's own `unique` numbers them, minus zero for zero; what is no number equals none."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-2, 3, (rng.integers(0, 60), rng.integers(1, 4))) * (-1.0) ** seed
    if len(rows):
        assert alike(rows).tolist() == np.unique(rows, axis=0, return_inverse=True)[1].tolist()
    assert len(np.unique(alike(np.full((500, 2), np.nan)))) == 500


@pytest.mark.parametrize("seed", range(10))
def test_runs_of_rows(seed):
    """Runs of any length, none included, one after another."""
    rng = np.random.default_rng(seed)
    first, counts = rng.integers(0, 90, (2, 7)), rng.integers(0, 4, 7)
    wanted = [k for a, n in zip(first[0], counts, strict=True) for k in range(a, a + n)]
    assert spread(first[0], counts).tolist() == wanted


@pytest.mark.parametrize("seed", range(20))
def test_bodies_are_found_wherever_they_are_now(seed):
    """Whatever was known of their places, and whether they are there at all."""
    rng = np.random.default_rng(seed)
    ids = rng.permutation(np.arange(1, 60, dtype=np.uint64))[: rng.integers(0, 40)]
    bodies = np.append(rng.permutation(ids)[:25], np.array([NO_BODY, 99], np.uint64))
    right = np.array([ids.tolist().index(b) if b in ids else ABSENT for b in bodies.tolist()])
    before = np.where(rng.random(len(bodies)) < 0.6, right, rng.integers(-1, 50, len(bodies)))
    assert where_now(ids, before, bodies).tolist() == right.tolist()


def test_columns_keep_their_kind():
    """Units keep what they had, new ones get the value of new ones, also where there were none."""
    lay = Relay(np.array([2, -1, 0]))
    assert lay.carried(np.array([1, 2, 3], np.int8), 9).tolist() == [3, 9, 1]
    assert lay.carried(np.array([True, False, False]), True).dtype == np.bool_
    none = Relay(np.array([-1, -1])).carried(np.zeros((0, 2)), np.nan)
    assert none.shape == (2, 2)
