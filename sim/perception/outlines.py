"""Outlines: all that a ray may meet, as convex rows of corners with a rounding.

A disc is one corner, a wall two, a box four, a hull its own corners: what is measured or met, and
how, is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.hull import Hull
from sim.plane import Plane
from sim.solids import Solids
from sim.units import Units

Floats = NDArray[np.float64]
NOTHING, DISC, BOX, WALL, BOUND, UNIT = range(-1, 5)
"""Kinds of things. Their index is that of the row in `Solids`, of the side of a walled plane (left,
top, right, bottom), or of the unit."""
BEYOND = 0.25
"""How thick the bounds of a walled plane are, as a share of its shorter side."""


class Outlines(NamedTuple):
    """k convex outlines, in world units."""

    corners: Floats
    """(m, 2) the corners of one after the other, each clockwise as seen on screen."""
    first: NDArray[np.int64]
    """(k + 1,) where each begins in `corners`."""
    rounding: Floats
    """(k,) how far each reaches beyond its corners."""
    middle: Floats
    """(k, 2) centres of circles that hold them,"""
    extent: Floats
    """(k,) and the radii of these."""
    kind: NDArray[np.int64]
    """(k,) `DISC`, `BOX`, `WALL`, `BOUND` or `UNIT`."""
    who: NDArray[np.int64]
    """(k,) which of its kind."""


def standing(solids: Solids, plane: Plane) -> Outlines:
    """The outlines of all that stands still, the bounds of a walled plane included."""
    boxes, bounds = solids.boxes, np.zeros((0, 4))
    if plane.edges == "wall" and plane.bounds is not None:
        left, top, right, bottom = plane.bounds
        deep = BEYOND * min(right - left, bottom - top)
        bounds = np.array([
            (left - deep, top - deep, left, bottom + deep),
            (left - deep, top - deep, right + deep, top),
            (right, top - deep, right + deep, bottom + deep),
            (left - deep, bottom, right + deep, bottom + deep),
        ])  # fmt: skip
    parts = [solids.discs[:, None, :2], _rectangles(boxes), solids.walls.reshape(-1, 2, 2)]
    parts.append(_rectangles(bounds))
    middle = np.concatenate([(part.min(axis=1) + part.max(axis=1)) / 2 for part in parts])
    reach = [np.hypot(*(part.max(axis=1) - part.min(axis=1)).T) / 2 for part in parts]
    counts = [len(part) for part in parts]
    rounding = np.zeros(sum(counts))
    rounding[: counts[0]] = solids.discs[:, 2]
    return Outlines(
        np.concatenate([part.reshape(-1, 2) for part in parts]),
        _starts(np.repeat([1, 4, 2, 4], counts)),
        rounding, middle, np.concatenate(reach) + rounding,
        np.repeat([DISC, BOX, WALL, BOUND], counts),
        np.concatenate([np.arange(count) for count in counts]),
    )  # fmt: skip


class Hulls:
    """The outlines of all units, laid anew for each snapshot in memory that stays."""

    def __init__(self, hulls: Sequence[Hull], group: NDArray[np.int64]) -> None:
        n = len(group)
        first = _starts(np.array([len(hull.outline) for hull in hulls], dtype=np.int64)[group])
        self._group = group
        self._shape = np.concatenate([hull.outline for hull in hulls])
        self._begin = _starts(np.array([len(hull.outline) for hull in hulls]))
        self.outlines = Outlines(
            np.zeros((first[-1], 2)), first,
            np.array([hull.rounding for hull in hulls])[group], np.zeros((n, 2)),
            np.array([hull.reach for hull in hulls])[group],
            np.full(n, UNIT), np.arange(n),
        )  # fmt: skip

    def lay(self, units: Units) -> Outlines:
        """The outlines of units as a snapshot has them; NaN for those that left."""
        _lay(units.position, units.heading, self._group, self._shape, self._begin, self.outlines)
        return self.outlines


@njit(cache=True, error_model="numpy")
def away(corners, x, y):  # type: ignore[no-untyped-def]
    """How far a place lies from some corners' outline, and the unit vector from it to there.

    Inside it is minus the depth, and the vector leads out: to any side from a wall's own line, and
    zeros from the very middle of a disc.
    """
    k = len(corners)
    if k == 1:
        dx, dy = x - corners[0, 0], y - corners[0, 1]
        distance = np.sqrt(dx * dx + dy * dy)
        return distance, dx / max(distance, 1e-300), dy / max(distance, 1e-300)
    shallow, side_x, side_y = -np.inf, 0.0, 0.0
    squared, near_x, near_y = np.inf, 0.0, 0.0
    for a in range(k):
        b = a + 1 if a + 1 < k else 0
        ex, ey = corners[b, 0] - corners[a, 0], corners[b, 1] - corners[a, 1]
        dx, dy = x - corners[a, 0], y - corners[a, 1]
        length = np.sqrt(ex * ex + ey * ey)
        share = min(max((dx * ex + dy * ey) / max(length * length, 1e-300), 0.0), 1.0)
        off_x, off_y = dx - share * ex, dy - share * ey
        if off_x * off_x + off_y * off_y < squared:
            squared, near_x, near_y = off_x * off_x + off_y * off_y, off_x, off_y
        if length > 0.0:
            out = (dx * ey - dy * ex) / length
            if out > shallow:
                shallow, side_x, side_y = out, ey / length, -ex / length
    if squared == 0.0 or (k > 2 and shallow <= 0.0):
        return min(shallow, 0.0), side_x, side_y
    distance = np.sqrt(squared)
    return distance, near_x / max(distance, 1e-300), near_y / max(distance, 1e-300)


@njit(cache=True)
def _lay(position, heading, group, shape, begin, outlines):  # type: ignore[no-untyped-def]
    """Turn and move the corners of each unit's hull to where it is."""
    for i in range(len(position)):
        outlines.middle[i, 0], outlines.middle[i, 1] = position[i, 0], position[i, 1]
        c, s, to = heading[i, 0], heading[i, 1], outlines.first[i]
        for k in range(begin[group[i]], begin[group[i] + 1]):
            ahead, starboard = shape[k, 0], shape[k, 1]
            outlines.corners[to, 0] = position[i, 0] + c * ahead - s * starboard
            outlines.corners[to, 1] = position[i, 1] + s * ahead + c * starboard
            to += 1


def _rectangles(boxes: Floats) -> Floats:
    """The corners of boxes (k, 4), clockwise as seen on screen: (k, 4, 2)."""
    return boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each begins that has so many: (k + 1,)."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
