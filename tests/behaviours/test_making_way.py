"""Which units a unit at rest makes way for."""

import numpy as np
import pytest

from sim.behaviours.avoidance.making_way import stands_before
from sim.orders.minds import PATIENCE, Minds
from sim.perception.lists import Neighbours

WEDGED, WAITS, ME = 0, 1, 2


def asked(places, blocked=2 * PATIENCE, end=1, near_by=0.5) -> int:
    """Which of two others makes one give way: the first rests, the second is on its way."""
    minds = Minds.blank(3)
    minds.moving[WAITS], minds.blocked[WAITS], minds.end[WAITS] = True, blocked, end
    x, y = np.array(places, dtype=float).T
    apart = np.hypot(x, y)
    near, both = np.argsort(apart), np.array([[WEDGED, WAITS]], np.int32)
    each = Neighbours(np.array([2]), both, x[None], y[None], apart[None], np.ones((1, 2), np.uint8))
    place = stands_before(0, each, near, 2, minds, ME, np.full(3, 0.5), near_by)
    return int(place)


def test_for_a_unit_that_waits_near_by():
    """Whoever is near by, bound for elsewhere and has waited; nobody else."""
    places = [(9, 9), (1.1, 0)]
    assert asked(places) == WAITS
    assert asked(places, blocked=PATIENCE) == -1
    assert asked(places, end=0) == -1
    assert asked([(9, 9), (1.6, 0)]) == -1


@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_for_a_wedged_unit(turn: float):
    """A unit at rest with another waiting behind it is made way for, but not one beside it."""
    c, s = np.cos(turn), np.sin(turn)

    def seen(*places):
        return [(c * x - s * y, s * x + c * y) for x, y in places]

    assert asked(seen((1.1, 0), (2.2, 0.3))) == WEDGED
    assert asked(seen((1.1, 0), (2.2, 0.3)), blocked=0.0) == -1
    assert asked(seen((1.1, 0), (2.9, 0))) == -1
    assert asked(seen((1.6, 0), (2.7, 0))) == -1
    assert asked(seen((1.1, 0), (0.9, 1.2))) == -1
