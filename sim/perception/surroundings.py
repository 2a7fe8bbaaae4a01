"""What stands still round the units, as their rules find it: near rows of solids, and feelers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.core.units import read_only
from sim.perception.feelers import Feelers
from sim.perception.outlines import outlines_of, standing
from sim.perception.places import Places
from sim.perception.still import Listed

CELLS_ACROSS = 4
"""Cells are this many times narrower than what they list is far off: few are listed in vain."""


class Nearby:
    """Rows of solids, and for any distance a grid that tells which of them may be so near."""

    def __init__(self, rows: Floats, listed: Listed) -> None:
        self.rows = rows
        """(k, 3) discs or (k, 4) faces, as in `Solids`."""
        self._listed = listed

    def joined(self, rows: Floats, solids: Solids) -> Nearby:
        """These rows, and after them some more, which are those of some solids."""
        if not len(rows):
            return self
        every = self._listed.joined(outlines_of(solids), Solids())
        return Nearby(np.concatenate([self.rows, rows]), every)

    def for_readers(self) -> Nearby:
        """The same for rules of others, which cannot write to what it tells."""
        return NearbyShown(read_only(self.rows), self._listed)

    def within(self, distance: float) -> Places:
        """`Listed.within` a distance (world units)."""
        return self._listed.within(distance)


class NearbyShown(Nearby):
    """What others are told of rows of solids: all arrays are read-only."""

    def within(self, distance: float) -> Places:
        """As `Nearby.within`."""
        return read_only(super().within(distance))


class Surroundings(NamedTuple):
    """All that is solid in a world."""

    discs: Nearby
    faces: Nearby
    """With their images across a seam: they are looked at as on an open plane."""
    feelers: Feelers

    @classmethod
    def of(cls, plane: Plane, solids: Solids, faces: Floats) -> Surroundings:
        """The surroundings on a plane of some solids and of all that is flat, (k, 4)."""
        discs = outlines_of(Solids(discs=solids.discs))
        return cls(
            Nearby(solids.discs, Listed(discs, plane, CELLS_ACROSS)),
            Nearby(faces, Listed(outlines_of(Solids(walls=faces)), Plane(), CELLS_ACROSS)),
            Feelers(plane, Listed(standing(solids, plane), plane)),
        )

    def joined(self, known: Solids, parts: Sequence[Solids], faces: Floats) -> Surroundings:
        """These and some parts more, with their faces (k, 4); `known` is what these are of."""
        more = Solids().joined(parts)
        return Surroundings(
            self.discs.joined(more.discs, Solids(discs=more.discs)),
            self.faces.joined(faces, Solids(walls=faces)),
            self.feelers.joined(outlines_of(more), known),
        )
