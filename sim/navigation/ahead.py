"""Looking along a flow field: a place some way off, instead of the next node."""

from __future__ import annotations

from math import hypot

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import Kernel
from sim.navigation.costs import SAME, straight_cost
from sim.navigation.flow import FlowField, from_place
from sim.navigation.sight import sees, thickness_at
from sim.navigation.wrapping import image

LOOKS = 8
"""A unit looks along a field this many times at most."""


def look_along(field: FlowField, position: Floats, far: float) -> tuple[Floats, Floats]:
    """The place (k, 2) a unit heads for from each position (k, 2), and what is left there (k,).

    Positions are those of units under way, so finite; see `FlowField.sample`.

    A field names places a step or two of its lattice away: from each the next is asked for, until
    one is out of sight or `far` off (world units). A unit pressed into a corner would else turn to
    and fro with every nudge. Over areas the straight way may cost no more than by the places in
    between. On a torus the place is nearer than its other images.
    """
    to, left = np.empty((len(position), 2)), np.empty(len(position))
    _look(position, field.grid, (field.marched, field.over_areas), far, to, left)
    return to, left


@Kernel
def _look(begin, end, position, grid, field, far, to, left):  # type: ignore[no-untyped-def]
    marched, over_areas = field
    slowness = marched[2]
    for i in range(begin, end):
        x, y = position[i, 0], position[i, 1]
        thin = thickness_at(grid, x, y)
        tx, ty, rest = from_place(grid, marched, over_areas, x, y)
        rest -= hypot(tx - x, ty - y)
        cost = straight_cost(grid, slowness, x, y, tx, ty, 1) if over_areas else 0.0
        for _ in range(LOOKS):
            if not (hypot(tx - x, ty - y) < far and 0 < rest < np.inf):
                break
            nx, ny, beyond = from_place(grid, marched, over_areas, tx, ty)
            px, py = x + image(nx - x, grid.period[0]), y + image(ny - y, grid.period[1])
            if px != x + (nx - x) or py != y + (ny - y) or not sees(grid, x, y, px, py, thin):
                break
            if over_areas:
                cost += straight_cost(grid, slowness, tx, ty, nx, ny, 1)
                if straight_cost(grid, slowness, x, y, nx, ny, 1) > cost * SAME:
                    break
            rest = beyond - hypot(nx - tx, ny - ty)
            tx, ty = nx, ny
        to[i, 0], to[i, 1], left[i] = tx, ty, rest
