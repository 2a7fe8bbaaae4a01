"""Pairing off: as many as can, one each, whatever the numbering, and near ones for good."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from sim.core.plane import Plane
from sim.core.units import Units
from sim.orders.free_lines import COVER
from sim.orders.opponents import WIDE, Opponents


def units(position: np.ndarray, group: np.ndarray) -> Units:
    """Units at rest."""
    blank = Units.blank(group)
    blank.position[:] = position
    return blank


def allowed(position, group, reach) -> np.ndarray:
    """(n, n) the squared distances of units that may pair off, infinite for all others."""
    away = position[:, None] - position
    square = (away**2).sum(axis=-1)
    far = np.maximum(reach, reach.T)[group[:, None], group]
    return np.where((far >= 0) & (square <= far**2), square, np.inf)


NO_LENGTH = np.zeros(2)
"""Of the hulls of two groups: none is in the way of others."""
AFTER = {
    "each other": [[-1, 60.0], [60.0, -1]],
    "one the other": [[-1, 60.0], [-1, -1]],
    "near ones only": [[-1, 7.0], [-1, -1]],
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("after", AFTER)
def test_as_many_as_can_and_nobody_crosses(seed, after):
    """As many pairs as there can be, and no two of them are shorter with partners changed (B5)."""
    rng, reach = np.random.default_rng(seed), np.array(AFTER[after])
    position, group = rng.uniform(0, 30, (50, 2)), (np.arange(50) < 22).astype(np.int64)
    found = Opponents()
    found.pair_off(units(position, group), Plane(), reach, NO_LENGTH)
    cost = allowed(position, group, reach)
    graph = csr_array(np.isfinite(cost[:22, 22:]).astype(float))
    ones = np.flatnonzero(found.of[:22] >= 0)
    others = found.of[ones]
    assert len(ones) == (maximum_bipartite_matching(graph) >= 0).sum()
    assert np.array_equal(found.of[others], ones)
    assert np.isfinite(cost[ones, others]).all()
    alone = cost[ones, others]
    changed = cost[ones[:, None], others] + cost[ones[:, None], others].T
    assert (changed >= alone[:, None] + alone - 1e-9).all()


def line(*places: tuple[float, float]) -> Units:
    """Units one behind the other: the first half of one group, the others of another."""
    return units(np.array(places), (np.arange(len(places)) >= len(places) // 2).astype(np.int64))


def test_the_first_rank_alone_pairs_off():
    """Nobody pairs off with somebody behind another, on either side, and it is not sought (B5)."""
    files = line((-4, 0), (-2, 0), (2, 0), (4, 0))
    reach, found = np.array(AFTER["each other"]), Opponents()
    for _ in range(2):
        found.pair_off(files, Plane(), reach, np.ones(2))
        assert found.of.tolist() == [-1, 2, 1, -1]
        assert found.sought.tolist() == [-1, 2, 1, -1]


def test_losses_are_made_good():
    """Whose opponent leaves pairs off with the one behind; a unit that comes is paired, too."""
    files = line((-4, 0), (-2, 0), (2, 0), (4, 0))
    reach, found = np.array(AFTER["each other"]), Opponents()
    found.pair_off(files, Plane(), reach, np.ones(2))
    assert found.of.tolist() == [-1, 2, 1, -1]
    files.present[2], files.position[2] = False, np.nan
    found.pair_off(files, Plane(), reach, np.ones(2))
    assert found.of.tolist() == [-1, 3, -1, 1]
    more = units(np.concatenate([files.position, [(-2, 9), (2, 9)]]), np.array([0, 0, 1, 1, 0, 1]))
    more.present[2] = False
    found.pair_off(more, Plane(), reach, np.ones(2))
    assert found.of.tolist() == [-1, 3, -1, 1, 5, 4]


def test_partners_change_far_off_alone():
    """While they are far apart all are paired anew as they move; near ones keep each other."""
    reach, found = np.array([[-1, 10.0], [10.0, -1]]), Opponents()
    found.pair_off(line((0, 0), (0, 20), (9, 0), (9, 20)), Plane(), reach, NO_LENGTH)
    assert found.of.tolist() == [2, 3, 0, 1]
    found.pair_off(line((0, 0), (0, 6), (8, 6), (8, 0)), Plane(), reach, NO_LENGTH)
    assert found.of.tolist() == [3, 2, 1, 0]
    found.pair_off(line((0, 0), (0, 2), (4, 0), (4, 2)), Plane(), reach, NO_LENGTH)
    assert found.of.tolist() == [3, 2, 1, 0]


def test_numbering_does_not_matter():
    """Renumbered units are paired off alike, also where many are just as far apart."""
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    group = (grid[:, 0] >= 3).astype(np.int64)
    reach = np.array(AFTER["each other"])
    one, other = Opponents(), Opponents()
    order = np.random.default_rng(1).permutation(24)
    one.pair_off(units(grid, group), Plane(), reach, NO_LENGTH)
    other.pair_off(units(grid[order], group[order]), Plane(), reach, NO_LENGTH)
    assert np.array_equal(one.of[order], order[other.of])
    assert (one.of >= 0).all()


def test_pairs_last():
    """A pair stays one when others come nearer, until one leaves or loses interest."""
    group = np.array([0, 1, 0, 1])
    reach, plane, found = np.array(AFTER["each other"]), Plane(), Opponents()
    found.pair_off(
        units(np.array([[0, 0], [5, 0], [0, 20], [5, 20.0]]), group), plane, reach, NO_LENGTH
    )
    assert found.of.tolist() == [1, 0, 3, 2]
    nearer = units(np.array([[0, 19], [5, 0], [0, 1], [5, 20.0]]), group)
    found.pair_off(nearer, plane, reach, NO_LENGTH)
    assert found.of.tolist() == [1, 0, 3, 2]
    nearer.present[0] = False
    found.pair_off(nearer, plane, reach, NO_LENGTH)
    assert found.of.tolist() == [-1, -1, 3, 2]
    found.pair_off(nearer, plane, np.full((2, 2), -1.0), NO_LENGTH)
    assert (found.of == -1).all()


def test_across_the_seam():
    """On a torus the short way counts."""
    plane, found = Plane((0.0, 0.0, 100.0, 100.0), "wrap"), Opponents()
    at = np.array([[1.0, 1.0], [99.0, 99.0], [9.0, 1.0]])
    found.pair_off(units(at, np.array([0, 1, 1])), plane, np.array(AFTER["each other"]), NO_LENGTH)
    assert found.of.tolist() == [1, 0, -1]


def between(plane: Plane, at: np.ndarray, i: int, j: int, half: float) -> np.ndarray:
    """(N,) distances from unit i of the units on its line to unit j; infinite for others."""
    line = plane.nearest(at[j] - at[i])
    off = plane.nearest(at - at[i])
    along, across = off @ line, off[:, 0] * line[1] - off[:, 1] * line[0]
    on = (along > 0) & (along < line @ line) & (np.abs(across) < half * np.hypot(*line))
    on[[i, j]] = False
    return np.where(on, np.hypot(*off.T), np.inf)


def sought(plane: Plane, at: np.ndarray, group: np.ndarray, length: np.ndarray) -> np.ndarray:
    """(N,) the nearest that each unit could pair off with, or -1: the rule in plain words."""
    found = np.full(len(at), -1)
    for i, one in enumerate(group):
        able = [
            (float(np.hypot(*plane.nearest(at[j] - at[i]))), j)
            for j, other in enumerate(group)
            if one != other
            and not np.isfinite(between(plane, at, i, j, WIDE * length[one])).any()
            and not (between(plane, at, j, i, WIDE * length[other]) < COVER * length[other]).any()
        ]
        found[i] = min(able)[1] if able else -1
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("side", [20.0, 40.0])
def test_each_seeks_the_nearest_that_it_could_have(seed, edges, side):
    """In throngs and loose crowds, with hulls of two sizes: equal to the rule in plain words."""
    rng = np.random.default_rng(seed)
    at, group = rng.uniform(0, side, (90, 2)), (np.arange(90) < 40).astype(np.int64)
    plane, length = Plane((0.0, 0.0, side, side), edges), np.array([1.0, 0.7])
    found, reach = Opponents(), np.array([[-1, 0.0], [0.0, -1]])  # all are farther off than 0
    found.pair_off(units(at, group), plane, reach, length)
    assert (found.of == -1).all()
    assert (found.sought >= 0).sum() > 10
    assert np.array_equal(found.sought, sought(plane, at, group, length))
