"""Squares in which agents have a given number of neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np
import scipy

from sim.core.arrays import Floats
from sim.core.errors import BadInput


@dataclass(frozen=True)
class Density:
    """Neighbours are all that stand within `radius`, in the peer's own unit of length."""

    radius: float

    def side(self, units: int, neighbours: float) -> float:
        """The side of the square in which units have this number of neighbours on average.

        Raises `BadInput` for fewer than 2 units, which have none.
        """
        if units < 2:
            raise BadInput(f"units = {units}: must be 2 or greater, to have neighbours")
        return sqrt((units - 1) * pi / neighbours) * self.radius

    def neighbours(self, places: Floats, side: float | None = None) -> float:
        """The mean number of neighbours at these places (n, 2); on a torus if it has a side."""
        wrapped = places if side is None else places % side
        # A radius beyond half a torus meets every unit at the nearest image, and no one twice.
        tree = scipy.spatial.cKDTree(wrapped, boxsize=side)
        pairs = tree.count_neighbors(tree, self.radius) - len(places)
        return float(pairs) / len(places)


def scattered(units: int, side: float, gap: float, rng: np.random.Generator) -> Floats:
    """Places (k, 2) in a square, at least a gap apart, k as many as `units` or a few more.

    One in each cell of a grid, anywhere in it: throwing darts takes the square of their number.
    """
    across = ceil(sqrt(units))
    cell = side / across
    room = max(cell - gap, 0.0)
    corners = np.stack(np.divmod(rng.permutation(across**2), across), axis=1) * cell
    return corners + (cell - room) / 2 + rng.random((across**2, 2)) * room
