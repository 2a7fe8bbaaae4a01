"""Whose turn it is: both of a pair decide alike, whoever asks and wherever they are."""

import numpy as np
import pytest

from sim.behaviours.avoidance.right_of_way import passing_side, share_of_yielding
from sim.behaviours.avoidance.solver import nearest_soft

HEAT = 0.05


def decide(p, v, q, w) -> tuple[float, float]:
    """The side on which one at p moving at v and one at q at w pass, and the first one's share."""
    (x, y), (vx, vy), (ox, oy) = np.array([np.subtract(q, p), v, w], float)
    side = passing_side(x, y, ox - vx, oy - vy, HEAT)
    return side, share_of_yielding(x, y, vx, vy, ox, oy, side)


def test_both_decide_alike():
    """Both find the same side; the shares of yielding add up to one, or are both one."""
    rng = np.random.default_rng(1)
    for p, v, q, w in rng.normal(size=(500, 4, 2)):
        mine, other = decide(p, v, q, w), decide(q, w, p, v)
        assert mine[0] == other[0]
        assert mine[1] + other[1] == pytest.approx(1) or mine[1] == other[1] == 1


@pytest.mark.parametrize("turn", np.linspace(0, 2 * np.pi, 9))
def test_dead_heat_to_the_one_from_starboard(turn):
    """At the same time at the crossing, the one that has the other to starboard yields."""
    c, s = np.cos(turn), np.sin(turn)
    course = np.array([[c, s], [-s, c]])
    ahead, from_starboard = course[0], -course[1]  # y grows down: starboard of c, s is -s, c
    here, there = -5 * ahead, -5 * from_starboard
    assert decide(here, ahead, there, from_starboard) == (-1, 1)
    assert decide(there, from_starboard, here, ahead) == (-1, 0)


def test_first_goes_on():
    """Whoever comes first to the crossing goes on, from either side."""
    for side in (1, -1):
        late = (0, -6.0 * side)
        assert decide((-5, 0), (1, 0), late, (0, side))[1] == 0
        assert decide(late, (0, side), (-5, 0), (1, 0))[1] == 1
        assert decide((-5, 0), (0.5, 0), late, (0, side))[1] == 1


def test_head_on_both_swerve():
    """Half each, port to port."""
    assert decide((0, 0), (1, 0), (9, 0), (-1, 0)) == (-1, 0.5)


def test_from_astern_and_standing():
    """A unit from astern does it all; one that stands does nothing."""
    assert decide((0, 0), (2, 0), (5, 0), (1, 0))[1] == 1
    assert decide((5, 0), (1, 0), (0, 0), (2, 0))[1] == 0
    assert decide((0, 0), (2, 0), (5, 0), (0, 0))[1] == 1
    assert decide((5, 0), (0, 0), (0, 0), (2, 0))[1] == 0


def test_nothing_to_divide_by():
    """Both at rest, or at one point: figures all the same."""
    for q in ((0, 0), (1, 0)):
        for w in ((0, 0), (1, 0)):
            side, share = decide((0, 0), (0, 0), q, w)
            assert side in (1, -1)
            assert 0 <= share <= 1


def test_nearest_within_bounds():
    """No velocity that keeps all bounds is nearer to the wanted one."""
    rng = np.random.default_rng(2)
    trials = rng.uniform(-2, 2, (20000, 2))
    for _ in range(40):
        turn = rng.uniform(-2, 2, 3)
        bounds = np.zeros((5, 3))
        bounds[0], bounds[1] = -np.cos(turn), np.sin(turn)
        bounds[2] = rng.uniform(-0.9, 0.1, 3)  # at rest all but a few are kept
        x, y = nearest_soft(1.0, bounds, 3, 0.0)
        kept = (trials @ bounds[:2] >= bounds[2]).all(axis=1)
        if kept.any():
            assert (np.array([x, y]) @ bounds[:2] >= bounds[2] - 0.02).all()
            best = np.hypot(*(trials[kept] - (1, 0)).T).min()
            assert np.hypot(x - 1, y) < best + 0.03
