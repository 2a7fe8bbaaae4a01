"""What the pass over the cells reads and writes, as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf


class Sights(NamedTuple):
    """The sights of all G groups, S to a group, as kernels take them."""

    lens: Floats
    """(G, S, 4) `views.fold` of each view, and the reach squared; -1 for no sight."""
    means: Bools
    """(G, S) whether means are wanted. They stay 0 where only counts are."""
    listed: Ints
    """(G,) the bits of the sights whose neighbours are listed, for rules or for mean velocities."""
    counts: Ints
    """(G, G) the bits of the sights of one group that count units of another."""
    nearest: Ints
    """(G, S) how many are seen, the nearest; 0: all."""
    few: Floats
    """(G,) `SightTable.few`: infinite where some sights see all, 0 where all do."""


class Window(NamedTuple):
    """How far round its own cell each unit looks."""

    rings: Ints
    """(G,) rings of cells that each group's longest reach covers."""
    crowd: int
    """The most units that the cells in any window hold."""


class Neighbours(NamedTuple):
    """The neighbours of each unit one by one: the first `count[i]` of row i, the rest is stale.

    They come cell by cell, and within a cell by place; where no unit sees more than the nearest
    few, the nearest first, level ones by place: an order that does not depend on numbering.
    """

    count: Ints  # type: ignore[assignment]
    """(n,)."""
    index: NDArray[np.int32]  # type: ignore[assignment]
    """(n, k) rows in `Units`."""
    ahead: Floats
    """(n, k) world units; by the nearest image on a torus."""
    starboard: Floats
    """(n, k)."""
    distance: Floats
    """(n, k)."""
    seen: NDArray[np.uint8]
    """(n, k) bit s is set where sight s of the group sees the neighbour."""
    sight: int = 0
    """The bit of `seen` that marks the neighbours of the rule that reads this."""


class Sums(NamedTuple):
    """What each of S sights shows of all that N units see."""

    count: Ints  # type: ignore[assignment]
    """(S, N) how many are seen."""
    offset: Floats
    """(S, N, 2) to their mean position, own frame."""
    velocity: Floats
    """(S, N, 2) their mean velocity, own frame."""


@leaf
def sees(each, i, k):  # type: ignore[no-untyped-def]
    """Whether the rule that `each` is for sees neighbour k of unit i."""
    return each.seen[i, k] >> each.sight & 1 != 0
