"""Solids as convex cores with a rounding, a grid to find the near ones, and parts that move."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.overlap import core_distance
from sim.core.pieces import Piece, Pose, onward
from sim.core.shared_cache import njit
from sim.core.solids import Solids, corners_of

DISC, SEGMENT, BOX = 1, 2, 4
"""A solid's kind is the number of its corners."""
MOST_CELLS = 256
"""Cells along the longer side of the grid at most."""


def _cores(solids: Solids) -> tuple[Floats, Ints, Floats]:
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
    corners[kind == BOX] = corners_of(boxes)
    corners[kind == SEGMENT, :2] = ends.reshape(-1, 2, 2)
    return corners, kind, rounding


class Shapes(NamedTuple):
    """S convex solids as kernels take them; made by `Shapes.of`."""

    corners: Floats
    """(S, 4, 2) clockwise on screen."""
    kind: Ints
    """(S,) corners in use."""
    rounding: Floats
    """(S,) what is swept around the corners."""
    low: Floats
    high: Floats
    """(S, 2) each, of the boxes that surround them."""

    @classmethod
    def of(cls, solids: Solids, size: Floats) -> Shapes:
        """The shapes of solids.

        On a torus of `size` (2,) every image is listed that comes nearer than half a period to the
        tile from the origin to `size`, so that what happens there needs no images of its own.
        """
        once = _surrounded(*_cores(solids))
        if not (len(once.kind) and np.any(size > 0)):
            return once
        found = []
        for shift in _shifts(once, size):
            moved = np.where(size > 0, shift * size, 0.0)
            inside = (once.high + moved >= -size / 2) & (once.low + moved <= 1.5 * size)
            near = np.all((size == 0) | inside, axis=1)
            found.append((once.corners[near] + moved, once.kind[near], once.rounding[near]))
        return _surrounded(*(np.concatenate(part) for part in zip(*found, strict=True)))


@njit(cache=True, error_model="numpy")
def overlaps(x: float, y: float, dx: float, dy: float, radius: float, shapes: Shapes) -> bool:
    """Whether a disc that goes by (dx, dy) from (x, y) overlaps a solid; False where it stays."""
    leg, low, high = np.zeros((2, 2)), shapes.low, shapes.high
    leg[1, 0], leg[1, 1] = dx, dy
    if dx == 0 and dy == 0:
        return False
    for s in range(len(shapes.kind)):
        if (
            max(x, x + dx) + radius < low[s, 0] or min(x, x + dx) - radius > high[s, 0]
            or max(y, y + dy) + radius < low[s, 1] or min(y, y + dy) - radius > high[s, 1]
        ):  # fmt: skip
            continue
        reach = radius + shapes.rounding[s]
        if core_distance(leg, 2, shapes.corners[s], shapes.kind[s], -x, -y, reach) < reach:
            return True
    return False


def _surrounded(corners: Floats, kind: Ints, rounding: Floats) -> Shapes:
    used = np.arange(4)[None, :, None] < kind[:, None, None]
    low = np.min(np.where(used, corners, np.inf), axis=1) - rounding[:, None]
    high = np.max(np.where(used, corners, -np.inf), axis=1) + rounding[:, None]
    return Shapes(corners, kind, rounding, low, high)


def _shifts(shapes: Shapes, size: Floats) -> Floats:
    """Whole periods (k, 2) that may bring some solid near the tile at the origin."""
    ranges = [np.zeros(1), np.zeros(1)]
    for axis in np.flatnonzero(size > 0).tolist():
        least = np.floor(-0.5 - shapes.high[:, axis].max() / size[axis])
        most = np.ceil(1.5 - shapes.low[:, axis].min() / size[axis])
        ranges[axis] = np.arange(least, most + 1)
    return np.stack(np.meshgrid(*ranges), axis=-1).reshape(-1, 2)


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


class Grid(NamedTuple):
    """Finds the solids whose surrounding boxes come nearer than a margin to a point.

    Cell (cx, cy) holds items[first[cy * nx + cx]:first[cy * nx + cx + 1]], nx being counts[0].
    Outside the grid there is nothing near.
    """

    origin: Floats
    """(2,) its corner."""
    cell: float
    """The side of a cell, world units."""
    counts: Ints
    """(2,) of cells, across and down."""
    first: Ints
    items: Ints

    @classmethod
    def of(cls, shapes: Shapes, margin: float) -> Grid:
        """The grid over some solids."""
        low, high = shapes.low - margin, shapes.high + margin
        origin, top = low.min(axis=0), high.max(axis=0)
        cell = max(2 * margin, float(np.max(top - origin)) / MOST_CELLS)
        counts = ((top - origin) // cell).astype(np.int64) + 1
        return cls(origin, cell, counts, *cells_of(low, high, origin, cell, counts))


Met = tuple[Shapes, Grid, Floats]
"""A part where it is now, and the motion (N, 2) of units as seen from it."""


class Pieces:
    """What stands besides what never changes, from frame to frame."""

    def __init__(self) -> None:
        self._now: list[Piece] = []
        self._was: dict[Hashable, Pose] = {}
        self._laid: dict[Hashable, tuple[Pose, float, Shapes, Grid]] = {}

    def stand(self, pieces: Sequence[Piece]) -> None:
        """From now on these are there, open or closed."""
        self._now = [piece for piece in pieces if piece.closed and not piece.solids.empty]

    @property
    def none(self) -> bool:
        """Whether nothing is there, nor was at the last frame."""
        return not (self._now or self._was)

    def met(self, size: Floats, margin: float, position: Floats, moved: Floats) -> list[Met]:
        """What units at `position` (N, 2) may meet at this frame, which have `moved` (N, 2).

        No unit has passed through what was not there at the last frame.
        """
        found, laid = [], {}
        for piece in self._now if len(position) else ():
            shapes, grid = self._lay(piece, size, margin)
            laid[piece.key] = piece.pose, margin, shapes, grid
            was = self._was.get(piece.key)
            if was is None:
                motion = np.zeros_like(moved)
            else:
                motion = moved
                if was != piece.pose:
                    motion = _seen(position, moved, was, onward(was, piece.pose, size))
            found.append((shapes, grid, motion))
        self._laid, self._was = laid, {piece.key: piece.pose for piece in self._now}
        return found

    def _lay(self, piece: Piece, size: Floats, margin: float) -> tuple[Shapes, Grid]:
        known = self._laid.get(piece.key)
        if known is not None and known[:2] == (piece.pose, margin):
            return known[2:]
        shapes = Shapes.of(piece.standing, size)
        return shapes, Grid.of(shapes, margin)


def _seen(position: Floats, moved: Floats, was: Pose, now: Pose) -> Floats:
    """(N, 2) how units have moved as seen from something that was in one pose and is in another."""
    turned, (c, s) = now[2] - was[2], (np.cos(now[2] - was[2]), np.sin(now[2] - was[2]))
    away = position - moved - was[:2]
    if turned != 0:
        away = away @ np.array([[c, s], [-s, c]])
    seen: Floats = position - (np.array(now[:2]) + away)
    return seen
