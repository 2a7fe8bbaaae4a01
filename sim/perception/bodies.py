"""Where units and solids that move are, and how they move, as kernels of rules take it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, hypot
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf
from sim.core.solids import Solids, corners_of

MOST = 8
"""Discs that cover one solid at most: of one that is long in the direction of its way."""


class Bodies(NamedTuple):
    """All N units, and which n of them decide: unit i of the group is row `start` + i."""

    position: Floats
    """(N, 2) world units."""
    velocity: Floats
    """(N, 2) world units / s."""
    heading: Floats
    """(N, 2) unit vectors."""
    reach: Floats
    """(N,) how far each hull reaches from its centre, world units."""
    own: Floats
    """(n, 2) velocity of the units that decide, own frame."""
    start: int
    """Row of the group's first unit."""
    speeds: Floats
    """(n,) their desired speeds, world units / s."""


class Spared(NamedTuple):
    """Units that others of a group are not kept clear of: see `spares`."""

    pursued: Ints
    """(n,) the row of the unit that each pursues; -1 for none."""
    place: Ints
    """(N,) the number of the place where each unit is sent; -1 for none."""
    rests: Bools
    """(N,) whether it rests there."""
    final: Floats
    """(n, 2) from each unit that decides to its place, own frame."""
    near: float
    """So near to it, world units, the nearer of two goes first."""
    start: int
    """Row of the group's first unit."""


@leaf
def spares(spared, i, j, x, y):  # type: ignore[no-untyped-def]
    """Whether unit i of the group pursues the unit in row j at (x, y), or goes first to its place.

    Of units that share a place the ones at rest there hold it, and near it the nearer of two goes
    first; others come up to those at rest.
    """
    if j == spared.pursued[i]:
        return True
    me = spared.start + i
    if spared.place[me] < 0 or spared.place[j] != spared.place[me]:
        return False
    if spared.rests[me] or spared.rests[j]:
        return True
    u, v = spared.final[i, 0], spared.final[i, 1]
    left = u * u + v * v
    return left < spared.near * spared.near and left < (u - x) * (u - x) + (v - y) * (v - y)


class Moving(NamedTuple):
    """The m discs that cover all solids that move."""

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
        walls = solids.walls.reshape(-1, 2, 2)
        corners = [*corners_of(solids.boxes), *walls, *solids.polygons]
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
