"""A blocked unit turns to starboard, or to port where a stream crosses its way from there."""

from types import SimpleNamespace as Record

import numpy as np
import pytest

from sim.behaviours.avoidance.aside import turns_to_port
from sim.orders.minds import Minds

EAST, SOUTH, WEST, NORTH = (10.0, 0.0), (0.0, 10.0), (-10.0, 0.0), (0.0, -10.0)
"""World units on screen: of a unit that goes east, one that goes south crosses from port."""


def asks(ways, size=(0.0, 0.0), stopped=(), halted=()):
    """Whether the first of some units turns to port, with all others near it; not compiled.

    Units in some rows have `stopped`, or stand at a halt.
    """
    n = len(ways)
    minds = Minds.blank(n)
    minds.moving[:] = True
    minds.moving[list(stopped)], minds.halts[list(halted)] = False, True
    position = np.column_stack((np.arange(n) + 0.5, np.zeros(n)))
    bound_for = position + ways
    crowd = Record(
        bodies=Record(start=0, position=position), bound_for=bound_for, size=np.array(size),
        minds=minds,
    )  # fmt: skip
    each = Record(index=np.arange(1, n)[None])
    return bool(turns_to_port.py_func(0, each, np.arange(n - 1), n - 1, crowd))


@pytest.mark.parametrize(
    ("others", "port"),
    [
        ([SOUTH], True), ([NORTH], False), ([WEST], False), ([EAST], False), ([], False),
        ([SOUTH, NORTH], False), ([SOUTH, SOUTH, WEST], True), ([SOUTH, SOUTH, NORTH], False),
        ([SOUTH, WEST], False),
        ([SOUTH, EAST, EAST], True), ([SOUTH, (np.nan, np.nan)], True),
    ],
)  # fmt: skip
def test_the_mean_of_all_that_go_another_way_decides(others, port):
    """Mates have no say, nor units bound nowhere; streams from both sides cancel out."""
    assert asks([EAST, *others]) is port


def test_units_at_rest_have_no_say():
    """Where they once went does not matter, nor where units at a halt will go."""
    assert not asks([EAST, SOUTH], stopped=[1])
    assert not asks([EAST, SOUTH], halted=[1])


def test_ways_across_a_seam_are_the_short_ones():
    """On a torus 12 high a place 10 to the north is 2 to the south."""
    assert asks([EAST, NORTH], size=(40.0, 12.0))
