"""Room for a formation: its places that are not free move to the nearest that are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.geometry import nearest_image, periods
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.solids import Solids
from sim.navigation.grid import GRAZE, Grid
from sim.orders.reach import joined, parts_of

Free = Callable[[Floats], Bools]
APART = 2.1
"""How far a place that has moved keeps from all others, reaches of a hull."""
PITCH, RINGS = 0.5, 200
"""Rings round a place on which a free one is looked for: how far apart (hull radii), how many."""
MOST_LOOKS, FREE = 5_000_000_000, 1000
"""Pairs of a place on a ring and one that is taken, at most: some seconds; and how many of these
take as long as finding out whether a place is free."""


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
    parts = None if grid is None else parts_of(grid, here)

    def free(places: Floats) -> Bools:
        found = np.ones(len(places), np.bool_)
        if grid is not None and parts is not None:  # quick, and for most of them the answer
            found = joined(grid, parts, places)
        found[found] = solids.depth(places[found], plane) <= -radius * (1 - GRAZE)
        return found

    return free


def settled(places: Floats, middle: Floats, look: Look) -> tuple[Floats, Bools]:
    """The places (n, 2) round a `middle` (2,), and which of them had to move to the nearest room.

    Those nearest to the middle move first; each keeps clear of all others. Where that is looked for
    too long, the rest stay where no room is, and units go as near to these as they get.
    """
    room = look.room
    blocked = ~room.free(places)
    if not blocked.any():
        return places, blocked
    found, taken = places.copy(), ~blocked
    off = room.plane.nearest(places - middle)
    order = np.lexsort((off[:, 1], off[:, 0], np.hypot(*off.T)))
    for number in order[blocked[order]].tolist():
        place = look.nearest_free(places[number], found[taken])
        if place is not None:
            found[number] = place
        taken[number] = True
    return found, blocked


class Look:
    """Looks for room, one place after the other, until that has taken `MOST_LOOKS`."""

    def __init__(self, room: Room) -> None:
        self.room, self._left = room, MOST_LOOKS

    def nearest_free(self, place: Floats, taken: Floats) -> Floats | None:
        """The nearest free place that is clear of the taken places (k, 2); None if none is near."""
        room, pitch = self.room, PITCH * self.room.radius
        clear = APART * room.reach
        away = np.hypot(*room.plane.nearest(taken - place).T)
        order = np.argsort(away)
        taken, away = taken[order], away[order]
        for ring in range(1, RINGS):
            angle = np.linspace(0, 2 * np.pi, max(8, 6 * ring), endpoint=False)
            around = place + ring * pitch * np.column_stack([np.cos(angle), np.sin(angle)])
            # only these can be near to the ring; on a torus it comes round to its middle
            ends = ring * pitch + (1 + 1e-9) * np.array([-clear, clear])
            first, last = np.searchsorted(away, ends)
            first = 0 if room.plane.wraps else first
            self._left -= len(around) * (last - first + 1)
            if self._left < 0:
                return None
            around = around[clear_of_all(around, taken[first:last], clear, room.plane.size)]
            if len(around):
                self._left -= FREE * len(around)
                around = around[room.free(around)]
            if len(around):
                found: Floats = around[0]
                return found
        return None


@njit(cache=True, error_model="numpy")
def clear_of_all(places, taken, clear, size):  # type: ignore[no-untyped-def]
    """(k,) which of the places (k, 2) are as far as `clear` from all taken ones (n, 2)."""
    found, torus = np.ones(len(places), np.bool_), periods(size)
    for k in range(len(places)):
        for n in range(len(taken)):
            x, y = nearest_image(places[k, 0] - taken[n, 0], places[k, 1] - taken[n, 1], torus)
            if abs(x) < clear and abs(y) < clear and np.hypot(x, y) < clear:
                found[k] = False
                break
    return found
