"""Whom a group pursues, seen from each of its units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.compiled import Kernel
from sim.orders.hunt import Hunt
from sim.orders.opponents import Opponents
from sim.perception.own_frame import own_frame
from sim.plane import Plane
from sim.units import Units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Quarry(NamedTuple):
    """Whom n units pursue: each its opponent if it has one, else the nearest of the target group.

    Of those that pair off: the nearest that it could pair off with, else the nearest. Own frame.
    """

    offset: Floats
    """(n, 2); zeros where there is nobody."""
    velocity: Floats
    """(n, 2)."""
    who: NDArray[np.int64]
    """(n,) rows in `Units`; -1 where there is nobody."""
    paired: NDArray[np.bool_]
    """(n,) whether it is an opponent of one's own."""
    led: NDArray[np.bool_]
    """(n,) whether a unit goes by a way, as it sees no quarry in a straight line."""
    way: Floats
    """(n, 2) to the place that those head for now."""
    left: Floats
    """(n,) length of their way, world units."""
    all: slice
    """Rows in `Units` of the whole target group."""
    free: NDArray[np.bool_]
    """(n,) whether both have no opponent yet, and could have each other."""
    near: NDArray[np.bool_]
    """(n,) whether the units form for battle: one of them is so near that opponents pair off."""


def quarry(
    units: Units,
    plane: Plane,
    rows: slice,
    target: slice,
    opponents: Opponents | None = None,
    engage: float = -1.0,
    hunt: Hunt | None = None,
) -> Quarry:
    """The quarry of the units of some rows; `opponents` pair off within `engage`, world units.

    A `hunt` says whom the others pursue, and by which way; without one it is the nearest.
    """
    n = rows.stop - rows.start
    nobody = np.full(n, -1)
    own, sought = (opponents.of[rows], opponents.sought[rows]) if opponents else (nobody, nobody)
    here, heading = units.position[rows], units.heading[rows]
    paired, free = own >= 0, (sought >= 0) & (own < 0)
    led, way, left = np.zeros(n, np.bool_), np.zeros((n, 2)), np.zeros(n)
    if hunt is not None:
        left = hunt.left
        led = ~(hunt.direct | paired | free) & np.isfinite(left)
        sought = np.where(sought >= 0, sought, hunt.who)
        way = own_frame(plane.nearest(np.where(led[:, None], hunt.to - here, 0.0)), heading)
    offset, velocity, who = np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64)
    near = np.zeros(n, np.bool_)
    _nearest(
        here, heading, sought, units.position, units.velocity, target.start, target.stop, engage,
        plane.size, offset, velocity, who, near,
    )  # fmt: skip
    near[:] = near.any()
    return Quarry(offset, velocity, who, paired, led, way, left, target, free, near)


@Kernel
def _nearest(  # type: ignore[no-untyped-def]
    begin,
    end,
    here,
    heading,
    sought,
    position,
    moving,
    start,
    stop,
    engage,
    size,
    offset,
    velocity,
    who,
    near,
):
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        offset[i], velocity[i], who[i] = 0.0, 0.0, -1
        best, least = np.inf, np.inf
        for j in range(start, stop):
            dx, dy = position[j, 0] - here[i, 0], position[j, 1] - here[i, 1]
            dx -= width * np.rint(dx * per_width)
            dy -= height * np.rint(dy * per_height)
            squared = dx * dx + dy * dy
            least = min(least, squared)
            if j == sought[i] or (sought[i] < 0 and squared < best):
                best, who[i] = squared, j
                offset[i, 0], offset[i, 1] = c * dx + s * dy, c * dy - s * dx
                velocity[i, 0] = c * moving[j, 0] + s * moving[j, 1]
                velocity[i, 1] = c * moving[j, 1] - s * moving[j, 0]
        near[i] = engage >= 0.0 and least <= engage * engage
    return 0
