"""Where units are and how they move, as kernels of rules take it."""

from __future__ import annotations

from typing import NamedTuple

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf


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
