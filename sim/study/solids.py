"""Solids as convex cores with a rounding, and a grid to find the near ones."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.solids import Solids

DISC, SEGMENT, BOX = 1, 2, 4
"""A solid's kind is the number of its corners."""
MOST_CELLS = 256
"""Cells along the longer side of the grid at most."""


def _shapes(solids: Solids) -> tuple[Floats, Ints, Floats]:
    """Corners (S, 4, 2), clockwise on screen, kinds (S,) and roundings (S,)."""
    boxes, ends = solids.boxes, np.concatenate([solids.walls, solids.sides])
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    dots = np.column_stack([ends[length == 0, :2], np.zeros(np.count_nonzero(length == 0))])
    discs, ends = np.concatenate([solids.discs, dots]), ends[length > 0]
    corners = np.zeros((len(discs) + len(boxes) + len(ends), 4, 2))
    kind = np.repeat([DISC, BOX, SEGMENT], [len(discs), len(boxes), len(ends)]).astype(np.int64)
    rounding = np.zeros(len(kind))
    rounding[kind == DISC] = discs[:, 2]
    corners[kind == DISC, 0] = discs[:, :2]
    corners[kind == BOX] = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
    corners[kind == SEGMENT, :2] = ends.reshape(-1, 2, 2)
    return corners, kind, rounding


class Shapes:
    """Corners (S, 4, 2), kind (S,), rounding (S,), surrounding boxes `low`, `high` (S, 2).

    On a torus of `size` (2,) every image is listed that comes nearer than half a period to the tile
    from the origin to `size`, so that what happens there needs no images of its own.
    """

    def __init__(self, solids: Solids, size: Floats) -> None:
        self.corners, self.kind, self.rounding = _shapes(solids)
        self._surround()
        if not (len(self.kind) and np.any(size > 0)):
            return
        corners, kind, rounding, low, high = self._all()
        found = []
        for shift in self._shifts(size):
            moved = np.where(size > 0, shift * size, 0.0)
            near = np.all(
                (size == 0) | ((high + moved >= -size / 2) & (low + moved <= 1.5 * size)), axis=1
            )
            found.append((corners[near] + moved, kind[near], rounding[near]))
        self.corners, self.kind, self.rounding = (
            np.concatenate(part) for part in zip(*found, strict=True)
        )
        self._surround()

    def _all(self) -> tuple[Floats, Ints, Floats, Floats, Floats]:
        return self.corners, self.kind, self.rounding, self.low, self.high

    def _shifts(self, size: Floats) -> Floats:
        """Whole periods (k, 2) that may bring some solid near the tile at the origin."""
        ranges = []
        for axis in (0, 1):
            period = size[axis]
            if period > 0:
                least = np.floor(-0.5 - self.high[:, axis].max() / period)
                most = np.ceil(1.5 - self.low[:, axis].min() / period)
                ranges.append(np.arange(least, most + 1))
            else:
                ranges.append(np.zeros(1))
        return np.stack(np.meshgrid(*ranges), axis=-1).reshape(-1, 2)

    def _surround(self) -> None:
        used = np.arange(4)[None, :, None] < self.kind[:, None, None]
        self.low = np.min(np.where(used, self.corners, np.inf), axis=1) - self.rounding[:, None]
        self.high = np.max(np.where(used, self.corners, -np.inf), axis=1) + self.rounding[:, None]


def cells_of(
    low: Floats, high: Floats, origin: Floats, cell: float, counts: Ints
) -> tuple[Ints, Ints]:
    """Solids by cell: `first` (cells + 1,) and `items`, for surrounding boxes already widened."""
    begin, end = (((corner - origin) // cell).astype(np.int64) for corner in (low, high))
    across, down = (end - begin + 1).T
    held = across * down
    solid = np.repeat(np.arange(len(low)), held)
    nth = np.arange(len(solid)) - np.repeat(np.cumsum(held) - held, held)
    column = begin[solid, 0] + nth // down[solid]
    here = (begin[solid, 1] + nth % down[solid]) * counts[0] + column
    first = np.zeros(int(counts.prod()) + 1, dtype=np.int64)
    np.cumsum(np.bincount(here, minlength=int(counts.prod())), out=first[1:])
    return first, solid[np.argsort(here, kind="stable")]


class Grid:
    """Finds the solids whose surrounding boxes come nearer than `margin` to a point.

    `origin` (2,), `cell` (side), `counts` (2,), `first`, `items`: cell (cx, cy) holds
    items[first[cy * nx + cx]:first[cy * nx + cx + 1]]. Outside the grid there is nothing near.
    """

    def __init__(self, shapes: Shapes, margin: float) -> None:
        low, high = shapes.low - margin, shapes.high + margin
        self.origin, top = low.min(axis=0), high.max(axis=0)
        self.cell = max(2 * margin, float(np.max(top - self.origin)) / MOST_CELLS)
        self.counts = ((top - self.origin) // self.cell).astype(np.int64) + 1
        self.first, self.items = cells_of(low, high, self.origin, self.cell, self.counts)
