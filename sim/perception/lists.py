"""What the pass over the cells finds, as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf_and_function


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


@leaf_and_function
def sees(each, i, k):  # type: ignore[no-untyped-def]
    """Whether the rule that `each` is for sees neighbour k of unit i."""
    return each.seen[i, k] >> each.sight & 1 != 0
