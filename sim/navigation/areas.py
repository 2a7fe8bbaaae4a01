"""Areas: ground on which units are slower or quicker, and which ways go round or seek."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.navigation.grid import Grid


@dataclass(frozen=True, eq=False)
class Area:
    """Ground of its own. `World.add_area` makes one.

    `speed` is a factor on the desired speed of units whose centre is inside, `cost` one on the
    length of ways through it. `groups` are the names of the groups that it counts for; None: all.
    """

    shape: Shape
    speed: float
    cost: float
    groups: frozenset[str] | None

    def counts_for(self, name: str) -> bool:
        """Whether it counts for the group of that name."""
        return self.groups is None or name in self.groups

    def holds(self, places: Floats, plane: Plane) -> Bools:
        """(n,) whether places (n, 2) lie inside; NaN do not."""
        inside: Bools = np.zeros(len(places), np.bool_)
        here = np.isfinite(places).all(axis=1)
        inside[here] = self.shape.solids.depth(places[here], plane) > 0
        return inside


def slowness(grid: Grid, areas: Sequence[Area], plane: Plane) -> Floats:
    """How many times as much as on the cheapest ground a way costs at each node, (rows, columns).

    Where areas lie over each other the dearest counts. Empty where it costs the same everywhere.
    """
    rows, columns = grid.free.shape
    x = grid.origin[0] + np.arange(columns) * grid.step[0]
    y = grid.origin[1] + np.arange(rows) * grid.step[1]
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    cost = factors(places, areas, plane, "cost").reshape(rows, columns)
    least = min([1.0, *(area.cost for area in areas)])
    if (cost == least).all():
        return np.zeros((0, 0))
    return np.ascontiguousarray(cost / least)


def factors(places: Floats, areas: Sequence[Area], plane: Plane, name: str) -> Floats:
    """(n,) the factor "speed" or "cost" at places (n, 2); 1 outside.

    Of several areas the one counts that slows down or costs most.
    """
    found = np.full(len(places), np.nan)
    worse = np.fmin if name == "speed" else np.fmax
    for area in areas:
        inside = area.holds(places, plane)
        found[inside] = worse(found[inside], getattr(area, name))
    return np.where(np.isnan(found), 1.0, found)


def everywhere(solids: Solids) -> bool:
    """Whether a shape has an inside: a wall has none."""
    return len(solids.walls) == 0
