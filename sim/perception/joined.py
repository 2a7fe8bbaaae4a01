"""Groups solids too close together to pass between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.perception.outlines import Outlines, between


class Joined(NamedTuple):
    """Of each of k outlines those near it, itself first. Few arrays, as in `Outlines`."""

    first: Ints
    """(k + 1,) where each begins in the others."""
    other: Ints
    """(m,) those near."""
    shift: Floats
    """(m, 2) how far off its own place the image of it stands that is near; 0 but on a torus."""


def joined(outlines: Outlines, plane: Plane, room: float) -> Joined:
    """All that are nearer to each other than so much room (world units), overlapping ones too."""
    count = np.ones(len(outlines.circle), np.int64)
    order = np.argsort(outlines.circle[:, 0] - outlines.circle[:, 2], kind="stable")
    left = (outlines.circle[:, 0] - outlines.circle[:, 2])[order]
    asked = outlines, order, left, plane.size, room
    _pairs(*asked, count, np.zeros(0, np.int64), np.zeros((0, 2)))
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    other, shift = np.zeros(int(first[-1]), np.int64), np.zeros((int(first[-1]), 2))
    other[first[:-1]] = np.arange(len(count))
    count[:] = first[:-1] + 1
    _pairs(*asked, count, other, shift)
    return Joined(first, other, shift)


@njit(cache=True, error_model="numpy")
def _pairs(outlines, order, left, period, room, count, other, shift):  # type: ignore[no-untyped-def]
    """Count those near each, or write it down from `count` on, which moves along."""
    corners, begin, circle = outlines.corners, outlines.first, outlines.circle
    images = 3 if period[0] > 0 else 1
    widest = 2 * circle[:, 2].max() if len(circle) else 0.0
    for k in range(len(circle)):
        for image in range(images * images):
            x = (image // images - images // 2) * period[0]
            y = (image % images - images // 2) * period[1]
            # From the left, those whose circles come near enough.
            reach = circle[k, 2] + room
            n = np.searchsorted(left, circle[k, 0] - x - reach - widest)
            while n < len(left) and left[n] <= circle[k, 0] - x + reach:
                m, n = order[n], n + 1
                u, v = circle[m, 0] + x - circle[k, 0], circle[m, 1] + y - circle[k, 1]
                if u * u + v * v > (reach + circle[m, 2]) ** 2 or (m == k and x == y == 0.0):
                    continue
                apart = between(
                    corners, begin[k], begin[k + 1], corners, begin[m], begin[m + 1], x, y
                )
                if apart - circle[k, 3] - circle[m, 3] < room:
                    if len(other):
                        other[count[k]], shift[count[k], 0], shift[count[k], 1] = m, x, y
                    count[k] += 1
