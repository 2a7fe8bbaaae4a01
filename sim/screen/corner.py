"""Which corner of the picture words may cover."""

from __future__ import annotations

import numpy as np
import pygame

from sim.core.arrays import Floats
from sim.screen.camera import Size

CORNERS = ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
"""Across and down, from 0 (left, top) to 1 (right, bottom); the first ones are liked best."""
BESIDE = 60
"""Pixels round the unit that a plate is about which it leaves free."""
HULL = 16
"""Pixels from the middle of a hull to its edge, about."""
WORTH = 3
"""A plate moves to where it hides no unit, or this many hulls fewer, and not for one of many."""


class Corner:
    """Keeps to a corner until another one hides clearly less."""

    def __init__(self) -> None:
        self._at = CORNERS[0]

    def choose(self, room: Size, plate: Size, hulls: Floats, about: int) -> tuple[float, float]:
        """The corner of a picture for a plate, given the pixels (n, 2) of all hulls.

        `about` is the row of the unit that the plate is about: it is never covered if that can be
        avoided.
        """
        hidden = {corner: self._hidden(room, plate, corner, hulls, about) for corner in CORNERS}
        best = min(CORNERS, key=lambda corner: hidden[corner])
        now, least = hidden[self._at], hidden[best]
        if now >= least + WORTH or now > least == 0:
            self._at = best
        return self._at

    def _hidden(
        self, room: Size, plate: Size, corner: tuple[float, float], hulls: Floats, about: int
    ) -> float:
        """How many hulls a plate in a corner would hide; the unit that it is about counts for all.

        Absent units (NaN) are nowhere.
        """
        covered = pygame.Rect((0, 0), plate)
        covered.topleft = tuple(
            round((whole - part) * share)
            for whole, part, share in zip(room, plate, corner, strict=True)
        )
        low, high = np.array(covered.topleft), np.array(covered.bottomright)
        count = int(((hulls > low - HULL) & (hulls < high + HULL)).all(axis=1).sum())
        near = bool(((hulls[about] > low - BESIDE) & (hulls[about] < high + BESIDE)).all())
        return count + near * (len(hulls) + WORTH)
