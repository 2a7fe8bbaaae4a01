"""The units' own hulls as things that rays meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.arrays import Ints
from sim.core.hull import Hull, Sizes
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.perception.outlines import UNIT, Outlines, starts
from sim.perception.places import Things, places_now


class Crowd:
    """The hulls of all units as things to meet, laid into cells once for each snapshot.

    Their outlines are in memory that stays.
    """

    def __init__(self, plane: Plane, hulls: Sequence[Hull], group: Ints, each: Sizes) -> None:
        n, corners = len(group), np.array([len(hull.outline) for hull in hulls], dtype=np.int64)
        first = starts(corners[group])
        self._plane, self._kind = plane, (group, each.share)
        self._shape = np.concatenate([hull.outline for hull in hulls])
        self._begin = starts(corners)
        self._outlines = Outlines(
            np.zeros((first[-1], 2)),
            first,
            np.column_stack([np.zeros((n, 2)), each.reach, each.rounding]),
            np.column_stack([np.full(n, UNIT), np.arange(n)]),
        )
        self._of: Units | None = None
        self._margin = 0.0

    def stand(self, units: Units, margin: float = 0.0) -> Things:
        """The hulls of a snapshot in cells, for rays no thicker than the margin.

        Those of units that left are NaN.
        """
        if units is not self._of or margin > self._margin:
            self._of, self._margin = units, margin
            outlines = self._outlines
            _lay(units.position, units.heading, self._kind, self._shape, self._begin, *outlines[:3])
            self._things = Things.of(outlines, places_now(outlines, self._plane, margin))
        return self._things


@njit(cache=True)
def _lay(position, heading, kind, shape, begin, corners, first, circle):  # type: ignore[no-untyped-def]
    """Turn and move the corners of each unit's hull to where it is.

    `kind` is the group of each, and how many times as large as the group's its hull is.
    """
    group, scale = kind
    for i in range(len(position)):
        circle[i, 0], circle[i, 1] = position[i, 0], position[i, 1]
        c, s, to = heading[i, 0], heading[i, 1], first[i]
        for k in range(begin[group[i]], begin[group[i] + 1]):
            ahead, starboard = scale[i] * shape[k, 0], scale[i] * shape[k, 1]
            corners[to, 0] = position[i, 0] + c * ahead - s * starboard
            corners[to, 1] = position[i, 1] + s * ahead + c * starboard
            to += 1
