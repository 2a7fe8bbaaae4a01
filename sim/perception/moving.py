"""Solids that move, as rules that foresee take them: discs that cover each, and how they move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, hypot
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.solids import Solids

MOST = 8
"""Discs that cover one solid at most: of one that is long in the direction of its way."""


class Moving(NamedTuple):
    """The m discs of all solids that move."""

    discs: Floats
    """(m, 3) x, y, radius."""
    velocity: Floats
    """(m, 2) world units / s."""


STILL = Moving(np.zeros((0, 3)), np.zeros((0, 2)))
"""Where nothing moves but units."""


def moving_discs(moving: Iterable[tuple[Solids, Sequence[float]]]) -> Moving:
    """The discs of solids, given with their velocities, none of which is zero."""
    discs, velocity = [STILL.discs], [STILL.velocity]
    for solids, way in moving:
        found = [solids.discs]
        corners = [
            np.array([(x, y), (u, y), (u, v), (x, v)]) for x, y, u, v in solids.boxes.tolist()
        ]
        corners += [*solids.walls.reshape(-1, 2, 2), *solids.polygons]
        found += [_covering(each, np.array(way)) for each in corners]
        discs += found
        velocity += [np.tile(way, (len(each), 1)) for each in found]
    return Moving(np.concatenate(discs), np.concatenate(velocity))


def _covering(corners: Floats, velocity: Floats) -> Floats:
    """(k, 3) discs that cover what has these corners (c, 2), in a row along its way.

    All are as wide as it is from where it comes: one that is passed is passed by all of it.
    """
    along = velocity / np.hypot(*velocity)
    axes = np.array([along, (-along[1], along[0])])
    placed = corners @ axes.T
    low, size = placed.min(axis=0), np.ptp(placed, axis=0)
    count = min(MOST, max(1, ceil(size[0] / size[1]))) if size[1] > 0 else MOST
    share = (np.arange(count) + 0.5) / count
    middles = np.stack([low[0] + share * size[0], np.full(count, low[1] + size[1] / 2)], axis=1)
    radius = hypot(size[0] / count, size[1]) / 2
    return np.column_stack([middles @ axes, np.full(count, radius)])
