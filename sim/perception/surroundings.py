"""What stands still round the units, as their rules find it: near rows of solids, and feelers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.perception.feelers import Feelers
from sim.perception.outlines import Outlines, standing
from sim.perception.places import Places, places_of
from sim.plane import Plane
from sim.solids import Solids

Floats = NDArray[np.float64]
CELLS_ACROSS = 4
"""Cells are so many times narrower than what they list is far off: few are listed in vain."""


class Nearby:
    """Rows of solids, and for any distance a grid that tells which of them may be so near."""

    def __init__(self, rows: Floats, outlines: Outlines, plane: Plane) -> None:
        self.rows = rows
        """(k, 3) discs or (k, 4) faces, as in `Solids`."""
        self._outlines, self._plane = outlines, plane
        self._known: dict[float, Places] = {}

    def within(self, distance: float) -> Places:
        """Cells that list, in ascending order, all rows within a distance (world units).

        On a torus a row may be listed again for another of its images.
        """
        if distance not in self._known:
            side = distance / CELLS_ACROSS
            self._known[distance] = places_of(self._outlines, self._plane, distance, side)
        return self._known[distance]


class Surroundings(NamedTuple):
    """All that stands still in a world, made once."""

    discs: Nearby
    faces: Nearby
    """With their images across a seam: they are looked at as on an open plane."""
    feelers: Feelers

    @classmethod
    def of(cls, plane: Plane, solids: Solids, faces: Floats) -> Surroundings:
        """The surroundings on a plane of some solids and of all that is flat, (k, 4)."""
        return cls(
            Nearby(solids.discs, standing(Solids(discs=solids.discs), Plane()), plane),
            Nearby(faces, standing(Solids(walls=faces), Plane()), Plane()),
            Feelers(plane, solids),
        )
