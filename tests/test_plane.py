"""The plane: its bounds, its edges, and the nearest image across a seam."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import BadInput
from sim.core.plane import Plane

ALLOWED = "must have left < right and top < bottom"


@pytest.mark.parametrize(
    ("bounds", "edges", "said"),
    [
        (None, "wrap", "edges = 'wrap' needs bounds = (left, top, right, bottom)"),
        (None, "wall", "edges = 'wall' needs bounds = (left, top, right, bottom)"),
        ((0, 0, 1, 1), "torus", "edges = 'torus': must be 'open', 'wall' or 'wrap'"),
        ((1, 0, 1, 1), "open", f"bounds = (1, 0, 1, 1): {ALLOWED}"),
        ((0, 2, 1, 1), "wrap", f"bounds = (0, 2, 1, 1): {ALLOWED}"),
        ((0, 0, nan, 1), "open", f"bounds = (0, 0, nan, 1): {ALLOWED}"),
        ((0, 0, inf, 1), "wall", f"bounds = (0, 0, inf, 1): {ALLOWED}"),
    ],
)
def test_refused(bounds, edges, said: str):
    """Bounds without an inside and edges without bounds are refused by name and value."""
    with pytest.raises(BadInput) as caught:
        Plane(bounds, edges)
    assert str(caught.value) == said


def test_only_a_torus_wraps():
    """Open and walled planes have no period and leave offsets as they are."""
    for edges in ("open", "wall"):
        plane = Plane((0, 0, 10, 8), edges)
        assert not plane.wraps
        assert np.isinf(plane.period).all()
        assert (plane.size == 0).all()
        assert (plane.nearest(np.array([9.0, 7.0])) == (9, 7)).all()
    assert Plane((2, 1, 12, 9), "wrap").period.tolist() == [10, 8]
    assert Plane((2, 1, 12, 9), "wrap").origin.tolist() == [2, 1]


coordinate = st.floats(-1e3, 1e3)


@given(coordinate, coordinate)
def test_nearest_image(x: float, y: float):
    """An offset and its nearest image differ by whole periods, and no image is shorter."""
    plane = Plane((0, 0, 10, 8), "wrap")
    near = plane.nearest(np.array([x, y]))
    assert (np.abs(near) <= plane.size / 2 + 1e-9).all()
    periods = (np.array([x, y]) - near) / plane.size
    assert np.allclose(periods, np.rint(periods), atol=1e-9)
