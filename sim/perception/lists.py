"""What the pass over the cells reads and writes, as kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Sights(NamedTuple):
    """The sights of all G groups, S to a group, as kernels take them."""

    lens: Floats
    """(G, S, 4) `views.fold` of each view, and the reach squared; -1 for no sight."""
    most: Floats
    """(G,) each group's longest reach, squared."""
    each: Bools
    """(G, S) whether neighbours are wanted one by one: then they are listed."""
    means: Bools
    """(G, S) whether means are wanted: then, too. They stay 0 where only counts are."""
    picky: Bools
    """(G, S) which sights do not count all groups."""
    accepts: Bools
    """(G, S, G) which groups are counted."""
    nearest: Ints
    """(G, S) how many are seen, the nearest; 0: all."""
    few: Ints
    """(G,) the most that any sight of a group sees, if none sees all; 0 else."""


class Lists(NamedTuple):
    """Where the neighbours of N units are written down, one by one."""

    index: NDArray[np.int32]  # type: ignore[assignment]
    ahead: Floats
    starboard: Floats
    distance: Floats
    seen: NDArray[np.uint8]
