"""Room for a formation: its places that are not free move to the nearest that are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.grid import Grid
from sim.orders.reach import joined

Free = Callable[[Floats], Bools]
APART = 2.1
"""How far a place that has moved keeps from all others, reaches of a hull."""
PITCH, RINGS = 0.5, 200
"""Rings round a place on which a free one is looked for: how far apart (hull radii), how many."""


class Room(NamedTuple):
    """Where units with hulls up to a size can stand."""

    plane: Plane
    length: float
    """The hull length by which their formation is measured, world units."""
    radius: float
    reach: float
    """The largest of their hulls', world units."""
    free: Free
    """Says of places (k, 2) which are free of solids, and can be got to."""
    grid: Grid | None = None
    """Of the ways of the largest; None where no ways are planned."""


def free_on(solids: Solids, plane: Plane, radius: float, grid: Grid | None, here: Floats) -> Free:
    """Says which places hulls of a radius can stand at, and get to from `here` (n, 2) by a grid."""

    def free(places: Floats) -> Bools:
        found: Bools = solids.depth(places, plane) <= -radius * (1 - 1e-9)
        if grid is not None and found.any():
            found[found] = joined(grid, here, places[found])
        return found

    return free


def settled(places: Floats, middle: Floats, room: Room) -> tuple[Floats, Bools]:
    """The places (n, 2) round a `middle` (2,), and which of them had to move to the nearest room.

    Those nearest to the middle move first; each keeps clear of all others.
    """
    blocked = ~room.free(places)
    if not blocked.any():
        return places, blocked
    found, taken = places.copy(), ~blocked
    off = room.plane.nearest(places - middle)
    order = np.lexsort((off[:, 1], off[:, 0], np.hypot(*off.T)))
    for number in order[blocked[order]].tolist():
        place = _nearest_free(places[number], found[taken], room)
        if place is not None:
            found[number] = place
        taken[number] = True
    return found, blocked


def _nearest_free(place: Floats, taken: Floats, room: Room) -> Floats | None:
    """The nearest free place that is clear of the taken places (k, 2); None if none is near."""
    pitch = PITCH * room.radius
    for ring in range(1, RINGS):
        angle = np.linspace(0, 2 * np.pi, max(8, 6 * ring), endpoint=False)
        around = place + ring * pitch * np.column_stack([np.cos(angle), np.sin(angle)])
        if len(taken):
            off = room.plane.nearest(around[:, None] - taken[None])
            around = around[np.hypot(off[..., 0], off[..., 1]).min(axis=1) >= APART * room.reach]
        if len(around):
            around = around[room.free(around)]
        if len(around):
            found: Floats = around[0]
            return found
    return None
