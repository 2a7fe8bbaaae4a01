"""How large a pack round a shared place may be, and how units go round it to where it has room."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints

LOOSE = 1.6
"""Radius of a pack, as a share of that of a disc as large as all its hulls together: discs can be
packed to 1.05."""
GROWS = 1 / 6
"""By which share of the way that it might have walked meanwhile a unit that finds no room may rest
further off: in a narrow place a pack cannot be round."""
ONWARD = 1.0
"""Angle about the place by which a unit that goes round a pack aims ahead of itself, rad."""


def room_of_pack(area: Floats, end: Ints, there: Bools) -> Floats:
    """(N,) how far from its place each unit may rest, beside all others that are `there` (N,).

    By the `area` (N,) of the hulls, whatever their shapes and sizes.
    """
    taken = np.bincount(end[there], area[there], int(end.max(initial=0)) + 1)[end]
    return LOOSE * np.sqrt((taken + np.where(there, 0.0, area)) / np.pi)


def resting_in_pack(area: Floats, end: Ints, off: Floats, rests: Bools) -> Bools:
    """(N,) which of the units that rest are in the pack at their place, which is `off` (N,) off.

    A pack is as large as its own units need. Those farther off do not make it larger: they are
    taken out until all that are left have room.
    """
    while True:
        inside = rests & (off < room_of_pack(area, end, rests))
        if (inside == rests).all():
            return inside
        rests = inside


def side_to_go_round(
    rows: Ints, position: Floats, places: Floats, end: Ints, there: Bools
) -> NDArray[np.int8]:
    """(k,) 1 for units of `rows` (k,) that go round their pack clockwise on screen, -1 for others.

    `places` (N, 2) are the units' last places. Away from the middle of the units that are `there`.
    """
    size = int(end.max(initial=0)) + 1
    sums = [np.bincount(end[there], position[there, k], size) for k in range(2)]
    count = np.maximum(np.bincount(end[there], minlength=size), 1)
    middle = np.stack(sums, axis=1) / count[:, None]
    off, bulge = position[rows] - places[rows], middle[end[rows]] - places[rows]
    cross = bulge[:, 0] * off[:, 1] - bulge[:, 1] * off[:, 0]
    return np.where(cross >= 0.0, 1, -1).astype(np.int8)


def aim_round(
    position: Floats, places: Floats, room: Floats, side: NDArray[np.int8], out: Bools
) -> Floats:
    """(k, 2) where units at `position` (k, 2) head for that go round the packs at `places` (k, 2).

    Along a chord of a circle as large as the `room` (k,) of the pack, or as they are off already:
    it leads into gaps at the rim. Units that have to get `out` (k,) of the way of others go along
    the tangent, as hulls that rest at the rim may bar the chord.
    """
    off = position - places
    cosine, sine = np.cos(ONWARD), side * np.sin(ONWARD)
    turned = np.stack(
        [cosine * off[:, 0] - sine * off[:, 1], sine * off[:, 0] + cosine * off[:, 1]], axis=1
    )
    away = np.maximum(np.hypot(*off.T), 1e-300)
    longer = np.where(out, 1.0 / cosine, 1.0)
    aim: Floats = places + turned * (np.maximum(room / away, 1.0) * longer)[:, None]
    return aim
