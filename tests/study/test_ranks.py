"""The order of ranks: 1 for offset rows, 0 by chance, wherever and however turned."""

import numpy as np
import pytest

from sim.study.order import rank_order

from .scenes import DISC, figures, setting

OPEN = np.zeros(2)


def lattice(rows: int, files: int) -> np.ndarray:
    """Offset rows across +x, neighbours 2 apart."""
    row, file = np.divmod(np.arange(rows * files), files)
    return np.stack([-row * np.sqrt(3.0), file * 2.0 + row % 2], axis=1)


@pytest.mark.parametrize("turn", [0.0, 0.7, -2.5])
def test_offset_rows_are_in_order(turn):
    """Rows offset by half a gap have order 1, and so has one row alone, in any direction."""
    c, s = np.cos(turn), np.sin(turn)
    for rows in (1, 5):
        places = lattice(rows, 6) @ np.array([[c, s], [-s, c]])
        assert rank_order(places, np.full(len(places), turn), OPEN) == pytest.approx(1)


def test_other_formations_are_not():
    """A file is -1, and offset rows that march end-on; a square grid comes out between."""
    file = np.stack([np.arange(9.0), np.zeros(9)], axis=1)
    assert rank_order(file, np.zeros(9), OPEN) == pytest.approx(-1)
    assert rank_order(lattice(5, 6), np.full(30, np.pi / 2), OPEN) == pytest.approx(-1)
    square = np.stack(np.divmod(np.arange(100), 10), axis=1).astype(float)
    assert abs(rank_order(square, np.zeros(100), OPEN).mean()) < 0.1


def test_chance_is_zero():
    """Random places, or rows of random headings, have no order in the mean."""
    rng = np.random.default_rng(0)
    places, angle = rng.uniform(0, 100, (4000, 2)), rng.uniform(-np.pi, np.pi, 4000)
    assert abs(rank_order(places, angle, OPEN).mean()) < 0.03
    assert abs(rank_order(lattice(50, 80), angle, OPEN).mean()) < 0.03


def test_across_the_seam():
    """On a torus rows go on beyond the edge."""
    places = lattice(4, 5)
    size = np.array([4 * np.sqrt(3.0), 10.0])
    assert rank_order(places, np.zeros(20), size) == pytest.approx(1)
    assert rank_order(places + 3.3, np.zeros(20), size) == pytest.approx(1)


def test_the_figure_of_a_run():
    """By group, over the second half; nobody's neighbour, no order."""
    start = np.concatenate([lattice(2, 3), [[500.0, 0]]])
    groups = [("rows", 6, DISC), ("one", 1, DISC)]
    found = figures(setting(start, groups=groups), np.stack([start] * 40))
    assert found["rank_order"] == pytest.approx(1)
    assert found["groups"]["rows"]["rank_order"] == pytest.approx(1)
    assert found["groups"]["one"]["rank_order"] is None


def test_a_unit_a_hair_below_the_seam_is_on_the_torus():
    """A remainder that rounds up to the size itself is still a place on it."""
    places, torus = np.array([[-1e-20, 5.0], [9.5, 5.0]]), np.array([10.0, 10.0])
    assert rank_order(places, np.zeros(2), torus) == pytest.approx([-1, -1])
