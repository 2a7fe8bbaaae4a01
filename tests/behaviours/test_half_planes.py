"""The little linear programme behind giving way, against plain sampling."""

import numpy as np
import pytest

from sim.behaviours.avoidance.solver import ENOUGH, LANES, ROWS, compromise, nearest

MOST = 1.3


def planes_of(rng: np.random.Generator, count: int, reach: float) -> np.ndarray:
    """Half-planes in random directions, whose edges pass within `reach` of standing still."""
    angle = rng.uniform(-np.pi, np.pi, count)
    return np.stack([np.cos(angle), np.sin(angle), rng.uniform(-reach, reach / 2, count)], axis=1)


def table_of(planes: np.ndarray, room: int = 0, left: float = 0.0) -> np.ndarray:
    """Half-planes (m, 3) as the solver takes them, with room for more, where anything is `left`."""
    table = np.full((ROWS, -(-max(len(planes), room) // LANES) * LANES), left)
    table[:3, : len(planes)] = planes.T
    return table


def sampled(planes: np.ndarray, wish: np.ndarray) -> tuple[np.ndarray | None, float]:
    """The best of a fine grid of velocities; and the grid's step."""
    line = np.linspace(-MOST, MOST, 261)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    grid = grid[np.hypot(*grid.T) <= MOST]
    good = grid[(grid @ planes[:, :2].T >= planes[:, 2]).all(axis=1)]
    if not len(good):
        return None, line[1] - line[0]
    return good[np.argmin(np.hypot(*(good - wish).T))], line[1] - line[0]


@pytest.mark.parametrize("seed", range(30))
def test_nearest(seed: int):
    """Nothing allowed lies nearer to what is wanted, and what is found is allowed."""
    rng = np.random.default_rng(seed)
    planes, wish = planes_of(rng, 6, 0.8), rng.uniform(-MOST, MOST, 2)
    x, y, takes, _ = nearest(table_of(planes), len(planes), 0, 0.0, *wish, MOST)
    best, step = sampled(planes, wish)
    if takes != ENOUGH:
        assert best is None or (planes[:, :2] @ best - planes[:, 2]).min() < 2 * step
        return
    assert (planes[:, :2] @ (x, y) >= planes[:, 2] - 1e-9).all()
    assert np.hypot(x, y) <= MOST + 1e-9
    if best is not None:
        assert np.hypot(x - wish[0], y - wish[1]) <= np.hypot(*(best - wish)) + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_order_does_not_matter(seed: int):
    """The half-planes in another order give the same velocity."""
    rng = np.random.default_rng(seed)
    planes, wish = planes_of(rng, 8, 0.5), rng.uniform(-1, 1, 2)
    one = compromise(table_of(planes), 8, 0, *wish, MOST)
    other = compromise(table_of(rng.permutation(planes)), 8, 0, *wish, MOST)
    assert np.allclose(one, other, atol=1e-3)


def test_firm_planes_hold():
    """Where no velocity will do, the firm ones hold, and the others give way evenly."""
    planes = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.6], [0.0, -1.0, 0.2]])
    x, y, back = compromise(table_of(planes), 3, 1, -1.0, 0.0, MOST)
    assert x >= -1e-9
    # 0.6 - y = 0.2 + y: both are missed by as much.
    assert y == pytest.approx(0.2, abs=2e-3)
    assert back == pytest.approx(0.4, abs=2e-3)


@pytest.mark.parametrize("seed", range(40))
def test_the_least_that_will_do(seed: int):
    """Half-planes are moved back as little as possible: by a thousandth less nothing is left.

    Each step of that bounds it from below.
    """
    rng = np.random.default_rng(seed)
    planes, firm = planes_of(rng, 14, 1.5), int(rng.integers(0, 3))
    planes[:, 2] += 0.4
    planes[:firm, 2] = -0.2
    *_, back = compromise(table_of(planes), 14, firm, 1.0, 0.2, MOST)
    takes = nearest(table_of(planes), 14, firm, 0.0, 1.0, 0.2, MOST)[2]
    assert (takes == ENOUGH) == (back == 0.0)
    if 0 < back < np.inf:
        assert takes <= back
        assert nearest(table_of(planes), 14, firm, back, 1.0, 0.2, MOST)[2] == ENOUGH
        assert nearest(table_of(planes), 14, firm, back - 4e-3, 1.0, 0.2, MOST)[2] != ENOUGH


def test_firm_ones_that_contradict_each_other():
    """One that is too near to two comes no nearer to either, but may go sideways between them."""
    planes = np.array([[1.0, 0.0, 0.3], [-1.0, 0.0, 0.1], [0.0, 1.0, 0.6]])
    assert compromise(table_of(planes), 3, 2, -1.0, 0.0, MOST) == pytest.approx((0.0, 0.6, 0.0))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_in_the_table_changes_nothing(seed: int):
    """Half-planes are taken in whole lanes: what stands beyond the last of a unit is not read."""
    rng = np.random.default_rng(seed)
    planes, wish = planes_of(rng, 5 + seed % LANES, 0.8), rng.uniform(-1, 1, 2)
    found = [
        compromise(table_of(planes, 20, left), len(planes), 1, *wish, MOST)
        for left in (0.0, 7.0, np.nan)
    ]
    assert found[0] == found[1] == found[2]
