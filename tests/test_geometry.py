"""The geometry that kernels share."""

import numpy as np
import pytest

from sim.core.geometry import closest_on_segment, nearest_image, periods, to_own_frame, to_world
from sim.core.plane import Plane

TORUS = Plane((-3.0, 2.0, 17.0, 9.0), "wrap")


@pytest.mark.parametrize("plane", [TORUS, Plane()])
def test_nearest_image(plane: Plane):
    """The same as the plane's own: the shortest of all images, and itself where nothing wraps."""
    for offset in np.random.default_rng(1).uniform(-60, 60, (200, 2)):
        found = nearest_image(*offset, periods(plane.size))
        assert found == pytest.approx(plane.nearest(offset), abs=1e-12)


def test_own_frame_and_back():
    """A heading itself lies ahead, its right hand to starboard; and back it is the same vector."""
    for angle, x, y in np.random.default_rng(2).uniform(-3, 3, (50, 3)):
        c, s = np.cos(angle), np.sin(angle)
        assert to_own_frame(c, s, c, s) == pytest.approx((1, 0))
        assert to_own_frame(-s, c, c, s) == pytest.approx((0, 1))
        assert to_world(*to_own_frame(x, y, c, s), c, s) == pytest.approx((x, y))


def test_closest_on_segment():
    """Nothing on the segment is nearer; a segment of no length is one point."""
    shares = np.linspace(0, 1, 2001)[:, None]
    for x, y, u, v in np.random.default_rng(3).uniform(-5, 5, (50, 4)):
        places = np.array([x, y]) + shares * np.array([u, v])
        nearest = places[np.argmin(np.hypot(*places.T))]
        assert closest_on_segment(x, y, u, v) == pytest.approx(nearest, abs=0.01)
    assert closest_on_segment(3.0, 4.0, 0.0, 0.0) == (3.0, 4.0)
