"""Parts of the ground as figures need them: where each is at a frame, and how it came there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from sim.core.arrays import Floats
from sim.core.pieces import Piece, Pose, onward
from sim.study.solids import Grid, Shapes

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
