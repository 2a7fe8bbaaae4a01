"""Where units are and how they move, as kernels of rules take it."""

from __future__ import annotations

from typing import NamedTuple

from sim.core.arrays import Floats, Ints
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
    rests: Ints
    """(N,) the number of the place where each unit rests; -1 for none."""
    bound: Ints
    """(n,) the number of the place where each is sent; -2 for none."""


@leaf
def spares(spared, i, j):  # type: ignore[no-untyped-def]
    """Whether unit i of the group pursues the unit in row j, or is to rest where that one rests."""
    return j == spared.pursued[i] or spared.rests[j] == spared.bound[i]
