"""The quarry of a group, seen from each of its units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel
from sim.core.geometry import nearest_image, own_frame, periods, to_own_frame
from sim.core.plane import Plane
from sim.orders.hunt import Hunt
from sim.orders.opponents import Opponents
from sim.perception.bodies import Bodies


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
    first: Ints
    stop: Ints
    """(n,) rows in `Units` of the whole group that each is after, up to `stop`; none for others."""
    free: Bools
    """(n,) whether both have no opponent yet, and could have each other."""
    near: Bools
    """(n,) whether the units form for battle: one of them is so near that opponents pair off."""
    fled: Bools
    """(n,) whether the unit is in flight from it."""
    comes: Bools
    """(n,) whether it is itself after units of this group."""


class Target(NamedTuple):
    """What some of n units are after."""

    mine: Bools
    """(n,) which units these are."""
    rows: slice
    """Of the target group, in `Units`."""
    engage: float
    """From how near opponents pair off, world units; -1 where they do not."""
    hunt: Hunt | None
    """The ways to it, if it is led there."""
    fled: bool = False
    """Whether it is what they flee."""


def quarry(
    bodies: Bodies, plane: Plane, rows: slice, targets: Sequence[Target], opponents: Opponents,
    coming: Bools,
) -> Quarry:  # fmt: skip
    """The quarry of the units of some rows, each after one of some targets, or after none.

    `coming` (N,) are the units that are after some of these. A hunt says which units those after
    its target pursue, and by which way; without one it is the nearest.
    """
    n = rows.stop - rows.start
    engage = np.full(n, -1.0)
    for target in targets:
        engage[target.mine] = target.engage
    own = sought = np.full(n, -1)
    if (engage >= 0).any():
        own = np.where(engage >= 0, opponents.of[rows], -1)
        sought = np.where(engage >= 0, opponents.sought[rows], -1)
    paired, free = own >= 0, (sought >= 0) & (own < 0)
    led, way, left = np.zeros(n, np.bool_), np.zeros((n, 2)), np.zeros(n)
    first, stop, to = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros((n, 2))
    for target in targets:
        mine, hunt = target.mine, target.hunt
        first[mine], stop[mine] = target.rows.start, target.rows.stop
        if hunt is not None:
            left[mine] = hunt.left[mine]
            led |= mine & ~(hunt.direct | paired | free) & np.isfinite(hunt.left)
            sought = np.where(mine & (sought < 0), hunt.who, sought)
            to[led & mine] = hunt.to[led & mine]
    if led.any():
        offset = plane.nearest(np.where(led[:, None], to - bodies.position[rows], 0.0))
        way = own_frame(offset, bodies.heading[rows])
    found = Quarry(
        np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64), paired, led, way, left, first,
        stop, free, *np.zeros((3, n), np.bool_),
    )  # fmt: skip
    prey = _Prey(first, stop, engage, found.offset, found.velocity, found.near)
    _nearest(found.who, sought, bodies, plane.size, prey)
    for target in targets:
        found.near[target.mine] = found.near[target.mine].any()
        found.fled[target.mine] = target.fled
    found.comes[:] = coming[found.who] & (found.who >= 0)
    return found


class _Prey(NamedTuple):
    """The rows of the group that each is after, how near battle begins, and where to write."""

    start: Ints
    stop: Ints
    engage: Floats
    offset: Floats
    velocity: Floats
    near: Bools


@Kernel
def _nearest(begin, end, pursued, sought, bodies, size, prey):  # type: ignore[no-untyped-def]
    position, moving, offset = bodies.position, bodies.velocity, prey.offset
    torus = periods(size)
    for i in range(begin, end):
        me, engage = bodies.start + i, prey.engage[i]
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        offset[i], prey.velocity[i], pursued[i] = 0.0, 0.0, -1
        best, least = np.inf, np.inf
        for j in range(prey.start[i], prey.stop[i]):
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
