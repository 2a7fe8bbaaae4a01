"""Pairing off: nearest first, one each, whatever the numbering, and for good."""

import numpy as np
import pytest

from sim.orders.opponents import Opponents
from sim.plane import Plane
from sim.units import Units


def units(position: np.ndarray, group: np.ndarray) -> Units:
    """Units at rest."""
    blank = Units.blank(group)
    blank.position[:] = position
    return blank


def slow(position, group, reach) -> np.ndarray:
    """The same by sorting all pairs that may be: the nearest first, if both are free."""
    n, of = len(group), np.full(len(group), -1)
    pairs = [
        (float(np.hypot(*(position[j] - position[i]))), i, j)
        for i in range(n)
        for j in range(i + 1, n)
        if max(reach[group[i], group[j]], reach[group[j], group[i]]) >= 0
    ]
    for distance, i, j in sorted(pairs):
        far = max(reach[group[i], group[j]], reach[group[j], group[i]])
        if distance <= far and of[i] < 0 and of[j] < 0:
            of[i], of[j] = j, i
    return of


AFTER = {
    "each other": [[-1, 60.0], [60.0, -1]],
    "one the other": [[-1, 60.0], [-1, -1]],
    "near ones only": [[-1, 7.0], [-1, -1]],
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("after", AFTER)
def test_nearest_first(seed, after):
    """Nobody prefers another who would have it: as by sorting all pairs (B5)."""
    rng, reach = np.random.default_rng(seed), np.array(AFTER[after])
    position, group = rng.uniform(0, 30, (50, 2)), (np.arange(50) < 22).astype(np.int64)
    found = Opponents()
    found.pair_off(units(position, group), Plane(), reach)
    assert np.array_equal(found.of, slow(position, group, reach))


def test_numbering_does_not_matter():
    """Renumbered units are paired off alike, also where many are just as far apart."""
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    group = (grid[:, 0] >= 3).astype(np.int64)
    reach = np.array(AFTER["each other"])
    one, other = Opponents(), Opponents()
    order = np.random.default_rng(1).permutation(24)
    one.pair_off(units(grid, group), Plane(), reach)
    other.pair_off(units(grid[order], group[order]), Plane(), reach)
    assert np.array_equal(one.of[order], order[other.of])
    assert (one.of >= 0).all()


def test_pairs_last():
    """Who has paired off stays so when others come nearer, until one leaves or loses interest."""
    group = np.array([0, 1, 0, 1])
    reach, plane, found = np.array(AFTER["each other"]), Plane(), Opponents()
    found.pair_off(units(np.array([[0, 0], [5, 0], [0, 20], [5, 20.0]]), group), plane, reach)
    assert found.of.tolist() == [1, 0, 3, 2]
    nearer = units(np.array([[0, 19], [5, 0], [0, 1], [5, 20.0]]), group)
    found.pair_off(nearer, plane, reach)
    assert found.of.tolist() == [1, 0, 3, 2]
    nearer.present[0] = False
    found.pair_off(nearer, plane, reach)
    assert found.of.tolist() == [-1, -1, 3, 2]
    found.pair_off(nearer, plane, np.full((2, 2), -1.0))
    assert (found.of == -1).all()


def test_across_the_seam():
    """On a torus the short way counts."""
    plane, found = Plane((0.0, 0.0, 100.0, 100.0), "wrap"), Opponents()
    at = np.array([[1.0, 1.0], [99.0, 99.0], [9.0, 1.0]])
    found.pair_off(units(at, np.array([0, 1, 1])), plane, np.array(AFTER["each other"]))
    assert found.of.tolist() == [1, 0, -1]
