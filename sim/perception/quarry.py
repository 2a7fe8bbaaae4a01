"""The quarry of a group, seen from each of its units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.core.plane import Plane
from sim.orders.hunt import Hunt
from sim.orders.opponents import Opponents
from sim.perception.bodies import Bodies
from sim.perception.own_frame import own_frame


class Quarry(NamedTuple):
    """The units that n units pursue: an opponent, else the nearest of the target group.

    Of units that pair off: the nearest that it could pair off with, else the nearest. Own frame.
    """

    offset: Floats
    """(n, 2); zeros where there is no unit."""
    velocity: Floats
    """(n, 2)."""
    who: Ints
    """(n,) rows in `Units`; -1 where there is no unit."""
    paired: Bools
    """(n,) whether it is an opponent of one's own."""
    led: Bools
    """(n,) whether a unit goes by a way, as it sees no quarry in a straight line."""
    way: Floats
    """(n, 2) to the place that those head for now."""
    left: Floats
    """(n,) length of their way, world units."""
    all: slice
    """Rows in `Units` of the whole target group."""
    free: Bools
    """(n,) whether both have no opponent yet, and could have each other."""
    near: Bools
    """(n,) whether the units form for battle: one of them is so near that opponents pair off."""


def quarry(
    bodies: Bodies,
    plane: Plane,
    rows: slice,
    target: slice,
    opponents: Opponents | None = None,
    engage: float = -1.0,
    hunt: Hunt | None = None,
) -> Quarry:
    """The quarry of the units of some rows; `opponents` pair off within `engage`, world units.

    A `hunt` says which units the others pursue, and by which way; without one it is the nearest.
    """
    n = rows.stop - rows.start
    nobody = np.full(n, -1)
    own, sought = (opponents.of[rows], opponents.sought[rows]) if opponents else (nobody, nobody)
    paired, free = own >= 0, (sought >= 0) & (own < 0)
    led, way, left = np.zeros(n, np.bool_), np.zeros((n, 2)), np.zeros(n)
    if hunt is not None:
        left = hunt.left
        led = ~(hunt.direct | paired | free) & np.isfinite(left)
        sought = np.where(sought >= 0, sought, hunt.who)
        offset = plane.nearest(np.where(led[:, None], hunt.to - bodies.position[rows], 0.0))
        way = own_frame(offset, bodies.heading[rows])
    found = Quarry(
        np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64), paired, led, way, left, target,
        free, np.zeros(n, np.bool_),
    )  # fmt: skip
    prey = _Prey(target.start, target.stop, engage, found.offset, found.velocity, found.near)
    _nearest(found.who, sought, bodies, plane.size, prey)
    found.near[:] = found.near.any()
    return found


class _Prey(NamedTuple):
    """The rows of the target group, how near battle begins, and where to write what is found."""

    start: int
    stop: int
    engage: float
    offset: Floats
    velocity: Floats
    near: Bools


@Kernel
def _nearest(begin, end, pursued, sought, bodies, size, prey):  # type: ignore[no-untyped-def]
    position, moving, offset = bodies.position, bodies.velocity, prey.offset
    torus, engage = periods(size), prey.engage
    for i in range(begin, end):
        me = bodies.start + i
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        offset[i], prey.velocity[i], pursued[i] = 0.0, 0.0, -1
        best, least = np.inf, np.inf
        for j in range(prey.start, prey.stop):
            dx, dy = nearest_image(
                position[j, 0] - position[me, 0], position[j, 1] - position[me, 1], torus
            )
            squared = dx * dx + dy * dy
            least = min(least, squared)
            if j == sought[i] or (sought[i] < 0 and squared < best):
                best, pursued[i] = squared, j
                offset[i, 0], offset[i, 1] = to_own_frame(dx, dy, c, s)
                prey.velocity[i, 0], prey.velocity[i, 1] = to_own_frame(
                    moving[j, 0], moving[j, 1], c, s
                )
        prey.near[i] = engage >= 0.0 and least <= engage * engage
    return 0
