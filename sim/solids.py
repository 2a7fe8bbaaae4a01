"""What stands still: discs, boxes and walls, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.plane import Plane

Floats = NDArray[np.float64]


def rows(values: ArrayLike, width: int) -> Floats:
    """Values as a float array (k, width), k = 0 for none."""
    return np.array(values, dtype=float).reshape(-1, width)


@dataclass(frozen=True)
class Solids:
    """Solids as arrays, in world units.

    Discs (k, 3) are x, y, radius; boxes (k, 4) left, top, right, bottom; walls (k, 4) x1, y1, x2,
    y2.
    """

    discs: Floats = field(default_factory=lambda: rows((), 3))
    boxes: Floats = field(default_factory=lambda: rows((), 4))
    walls: Floats = field(default_factory=lambda: rows((), 4))

    def depth(self, places: Floats, plane: Plane) -> Floats:
        """How deep each of (n, 2) places lies inside a solid, (n,); negative: how far from all.

        On a walled plane what lies outside the bounds is solid; the walls have no inside.
        """
        deepest = np.full(len(places), -np.inf)
        for x, y, radius in self.discs:
            away = plane.nearest(places - (x, y))
            deepest = np.maximum(deepest, radius - np.hypot(away[:, 0], away[:, 1]))
        for left, top, right, bottom in self.boxes:
            half = np.array([right - left, bottom - top]) / 2
            away = np.abs(plane.nearest(places - (left + half[0], top + half[1]))) - half
            outside = np.hypot(*np.maximum(away, 0).T)
            deepest = np.maximum(deepest, -outside - np.minimum(away.max(axis=1), 0))
        for x1, y1, x2, y2 in self.walls:
            along = np.array([x2 - x1, y2 - y1])
            away = plane.nearest(places - (x1, y1))
            share = np.clip(away @ along / max(along @ along, 1e-300), 0, 1)
            deepest = np.maximum(deepest, -np.hypot(*(away - share[:, None] * along).T))
        if plane.edges == "wall" and plane.bounds is not None:
            left, top, right, bottom = plane.bounds
            inward = np.minimum(places - (left, top), np.array([right, bottom]) - places)
            deepest = np.maximum(deepest, -inward.min(axis=1))
        return deepest
