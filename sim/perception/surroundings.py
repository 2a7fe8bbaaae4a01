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
from sim.perception.more_places import more_places
from sim.perception.outlines import Outlines, joined_outlines, outlines_of, standing
from sim.perception.places import Places, places_of

CELLS_ACROSS = 4
"""Cells are this many times narrower than what they list is far off: few are listed in vain."""


class Nearby:
    """Rows of solids, and for any distance a grid that tells which of them may be so near."""

    def __init__(self, rows: Floats, outlines: Outlines, plane: Plane) -> None:
        self.rows = rows
        """(k, 3) discs or (k, 4) faces, as in `Solids`."""
        self._outlines, self._plane = outlines, plane
        self._known: dict[float, Places] = {}
        self._base: Nearby | None = None
        self._more: Outlines | None = None

    def joined(self, rows: Floats, solids: Solids) -> Nearby:
        """These rows, and after them some more, which are those of some solids."""
        if not len(rows):
            return self
        more = outlines_of(solids)
        every = joined_outlines(self._outlines, more, Solids())
        found = Nearby(np.concatenate([self.rows, rows]), every, self._plane)
        found._base, found._more = self, more
        return found

    def for_readers(self) -> Nearby:
        """The same for rules of others, which cannot write to what it tells."""
        return NearbyShown(self)

    def within(self, distance: float) -> Places:
        """Cells that list, in ascending order, all rows within a distance (world units).

        On a torus a row may be listed again for another of its images.
        """
        if distance not in self._known:
            side = distance / CELLS_ACROSS
            if self._base is not None and self._more is not None:
                known = len(self._base.rows)
                found = more_places(self._base.within(distance), known, self._more, distance)
                if found is not None:
                    self._known[distance] = found
                    return found
            self._known[distance] = places_of(self._outlines, self._plane, distance, side)
        return self._known[distance]


class NearbyShown(Nearby):
    """What others are told of rows of solids: all arrays are read-only."""

    def __init__(self, held: Nearby) -> None:
        super().__init__(read_only(held.rows), held._outlines, held._plane)
        self._held = held

    def within(self, distance: float) -> Places:
        """As `Nearby.within`."""
        return read_only(self._held.within(distance))


class Surroundings(NamedTuple):
    """All that is solid in a world."""

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
            Feelers(plane, standing(solids, plane)),
        )

    def joined(self, known: Solids, parts: Sequence[Solids], faces: Floats) -> Surroundings:
        """These and some parts more, with their faces (k, 4); `known` is what these are of."""
        more = Solids().joined(parts)
        return Surroundings(
            self.discs.joined(more.discs, Solids(discs=more.discs)),
            self.faces.joined(faces, Solids(walls=faces)),
            self.feelers.joined(outlines_of(more), known),
        )
