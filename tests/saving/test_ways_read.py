"""Ways that come from a file: what they number is there, and fits their ground."""

import numpy as np
import pytest

from sim.navigation import Path
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import Passages
from sim.navigation.through import Crossings
from sim.saving.plan_checks import OF_VALUES, check_crossings

ONE = Passages(
    np.zeros(2), np.ones(2), np.zeros((2, 2), np.int32), np.zeros((1, MOUTHS, 2)),
    np.ones(1, np.int64),
)  # fmt: skip
POINTS = np.array([[0.0, 0.0], [1.0, 1.0]])


def crossing(*through: int) -> Crossings:
    """Of one passage, that is entered at 0 and left at 1."""
    return Crossings(np.array([0, 1]), np.array([[0.0, 1.0]]), np.array([through]))


def test_ways_that_are_ones():
    """Through a passage that is there, or through none."""
    OF_VALUES[Path](Path(POINTS, POINTS))
    OF_VALUES[Path](Path(POINTS, POINTS, "", crossing(0, -1, 1), ONE))
    OF_VALUES[Passages](ONE)


@pytest.mark.parametrize(
    "met", [crossing(1, 0, 1), crossing(-1, 0, 1), crossing(0, MOUTHS + 1, 1), crossing(0, 0, -2)]
)
def test_passages_and_mouths_that_are_not_there(met):
    """What is numbered from 0 to the end is read without a look at the end."""
    with pytest.raises(ValueError, match="crossings"):
        check_crossings(met, ONE)
    with pytest.raises(ValueError, match="crossings"):
        check_crossings(crossing(0, 0, 1), None)


@pytest.mark.parametrize(
    "path",
    [
        Path(POINTS.reshape(-1), POINTS), Path(POINTS, POINTS[:, :1]), Path(POINTS * 1e20, POINTS),
        Path(POINTS + np.nan, POINTS),
    ],
)  # fmt: skip
def test_places_that_are_none(path):
    """A way is rows of two finite numbers within the world."""
    with pytest.raises(ValueError, match="a way"):
        OF_VALUES[Path](path)
