"""Whom a group pursues, seen from each of its units."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.compiled import Kernel
from sim.orders.hunt import Hunt
from sim.perception.own_frame import own_frame
from sim.plane import Plane
from sim.units import Units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Quarry(NamedTuple):
    """Whom n units pursue: each its opponent if it has one, else the nearest of the target group.

    Own frame.
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
    """(n,) who goes by a way, having nobody in straight free sight."""
    way: Floats
    """(n, 2) to the place that those head for now."""
    left: Floats
    """(n,) length of their way, world units."""
    all: slice
    """Rows in `Units` of the whole target group."""


def quarry(
    units: Units, plane: Plane, rows: slice, target: slice, opponent: Ints, hunt: Hunt | None
) -> Quarry:
    """The quarry of the units of some rows, of which (n,) `opponent` are paired off (-1: not).

    A `hunt` says whom the others pursue, and by which way; without one it is the nearest.
    """
    n, paired = rows.stop - rows.start, opponent >= 0
    here, heading, chosen = units.position[rows], units.heading[rows], opponent
    led, way, left = np.zeros(n, np.bool_), np.zeros((n, 2)), np.zeros(n)
    if hunt is not None:
        chosen, left = np.where(paired, opponent, hunt.who), hunt.left
        led = ~(hunt.direct | paired) & np.isfinite(left)
        way = own_frame(plane.nearest(np.where(led[:, None], hunt.to - here, 0.0)), heading)
    offset, velocity, who = np.empty((n, 2)), np.empty((n, 2)), np.empty(n, np.int64)
    _nearest(
        here, heading, chosen, units.position, units.velocity, target.start, target.stop,
        plane.size, offset, velocity, who,
    )  # fmt: skip
    return Quarry(offset, velocity, who, paired, led, way, left, target)


@Kernel
def _nearest(  # type: ignore[no-untyped-def]
    begin, end, here, heading, opponent, position, moving, start, stop, size, offset, velocity, who
):
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        offset[i], velocity[i], who[i] = 0.0, 0.0, -1
        first, last = (opponent[i], opponent[i] + 1) if opponent[i] >= 0 else (start, stop)
        best = np.inf
        for j in range(first, last):
            dx, dy = position[j, 0] - here[i, 0], position[j, 1] - here[i, 1]
            dx -= width * np.rint(dx * per_width)
            dy -= height * np.rint(dy * per_height)
            squared = dx * dx + dy * dy
            if squared < best:
                best, who[i] = squared, j
                offset[i, 0], offset[i, 1] = c * dx + s * dy, c * dy - s * dx
                velocity[i, 0] = c * moving[j, 0] + s * moving[j, 1]
                velocity[i, 1] = c * moving[j, 1] - s * moving[j, 0]
    return 0
