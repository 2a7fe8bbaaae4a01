"""Units that share a place: which of two is not kept clear of."""

import numpy as np

from sim.perception.bodies import Spared, spares


def spared(place, rests, final=(4.0, 0.0), near=5.0):
    """What the unit in row 0 spares, which pursues no unit and has its place at `final`."""
    return Spared(np.array([-1]), np.array(place), np.array(rests), np.array([final]), near, 0)


def test_the_nearer_goes_first():
    """Of two on their way to one place the nearer spares the other; at equal distances neither."""
    both = spared([7, 7], [False, False])
    assert spares(both, 0, 1, -1.0, 0.0)
    assert not spares(both, 0, 1, 1.0, 0.0)
    assert not spares(both, 0, 1, 8.0, 0.0)


def test_far_from_the_place_all_keep_clear():
    """On the way there a unit spares none that is bound for the same place."""
    assert not spares(spared([7, 7], [False, False], near=3.9), 0, 1, -1.0, 0.0)


def test_units_at_rest_hold_their_place():
    """Each spares the other where one rests, the one that rests too: it is not pushed off."""
    assert spares(spared([7, 7], [False, True]), 0, 1, 1.0, 0.0)
    assert spares(spared([7, 7], [True, False]), 0, 1, 1.0, 0.0)


def test_units_of_other_places_are_kept_clear_of():
    """Also where they rest, and by units that are sent nowhere."""
    assert not spares(spared([7, 8], [False, True]), 0, 1, -1.0, 0.0)
    assert not spares(spared([-1, -1], [False, False]), 0, 1, -1.0, 0.0)
