"""How large hulls are drawn that would be dots, and what a picture frames: alike everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sim.core.arrays import Floats
from sim.core.hull import Hull
from sim.core.plane import Bounds
from sim.core.solids import Solids

LEGIBLE = {"wedge": 8.0, "box": 6.0, "disc": 6.0}
"""Hulls are drawn at least this long, pixels: a craft of length 4 on a plane of 1024 would be a
dot."""
LARGER, LARGER_IN_THE_OPEN = 2.0, 4.0
"""But at most this many times life size, or they would seem to touch the discs, boxes and polygons
that they pass; more where there are none, for a flock keeps its units four lengths apart."""
CROWD = 0.6
"""But no longer than this share of the room each unit has, so that large flocks stay a picture."""
MARGIN = 0.03
"""Air round all that a run shows, as a share of its length."""


def most_times(solids: Solids) -> float:
    """How many times life size a hull may be drawn beside these solids."""
    passed = len(solids.discs) + len(solids.boxes) + len(solids.polygons)
    return LARGER if passed else LARGER_IN_THE_OPEN


def times(least: float, length: float, room: float, most: float) -> float:
    """How many times larger than life a hull is drawn, 1 where it is large enough to read.

    `length` is that of the hull in life size, `least` what it should be at least, `room` the side
    of the square of picture that each unit has, all in pixels; `most` bounds the result.
    """
    return max(1.0, min(most, least / length, CROWD * room / length))


def box_round(places: Iterable[Floats], solids: Sequence[Solids], hulls: Iterable[Hull]) -> Bounds:
    """The least box, with some air, round places (..., 2), NaN for none, with hulls, and solids."""
    corners = [np.stack(each.extent) for each in solids if not each.empty]
    all_places = np.concatenate([*(each.reshape(-1, 2) for each in places), *corners])
    reach = max(hull.reach for hull in hulls)
    low, high = np.nanmin(all_places, axis=0) - reach, np.nanmax(all_places, axis=0) + reach
    air = MARGIN * float((high - low).max())
    (left, top), (right, bottom) = (low - air).tolist(), (high + air).tolist()
    return left, top, right, bottom
