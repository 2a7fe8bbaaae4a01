"""Areas: ground on which units are slower or quicker, and which ways go round or seek."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.navigation.grid import Grid

PARTS = np.stack(np.meshgrid(*[(np.arange(4) - 1.5) / 4] * 2), axis=-1).reshape(-1, 2)
"""(16, 2) places about a node, in steps of the grid, that stand for the ground nearest to it."""
ROUNDING = 1e-9
"""A share of coordinates that is more than what they are rounded by."""


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
        inside[here] = self.depth(places[here], plane) > 0
        return inside

    def depth(self, places: Floats, plane: Plane) -> Floats:
        """(n,) how deep places (n, 2) lie inside; negative: how far from it.

        Walls at the bounds are none of it.
        """
        return self.shape.solids.depth(places, plane if plane.wraps else Plane())


def slowness(grid: Grid, areas: Sequence[Area], plane: Plane) -> Floats:
    """How many times as much as on the cheapest ground a way costs at each node, (rows, columns).

    That is the mean over the ground that is nearest to it, so a way just along an edge is dearer
    than one beside it. Where areas lie over each other the dearest counts. Empty where it costs the
    same everywhere.
    """
    rows, columns = grid.free.shape
    x = grid.origin[0] + np.arange(columns) * grid.step[0]
    y = grid.origin[1] + np.arange(rows) * grid.step[1]
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    cost = factors(places, areas, plane, "cost")
    cut = np.flatnonzero(_cut(places, areas, plane, float(np.hypot(*grid.step)) / 2))
    parts = [factors(places[cut] + off * grid.step, areas, plane, "cost") for off in PARTS]
    cost[cut] = np.mean(parts, axis=0)
    cost = cost.reshape(rows, columns)
    least = min([1.0, *(area.cost for area in areas)])
    if (cost == least).all():
        return np.zeros((0, 0))
    return np.ascontiguousarray(cost / least)


def _cut(places: Floats, areas: Sequence[Area], plane: Plane, near: float) -> Bools:
    """(n,) whether the edge of any area is as near as that to places (n, 2)."""
    cut: Bools = np.zeros(len(places), np.bool_)
    for area, rows in _beside(places, areas, plane, near):
        cut[rows] |= np.abs(area.depth(places[rows], plane)) <= near
    return cut


def factors(places: Floats, areas: Sequence[Area], plane: Plane, name: str) -> Floats:
    """(n,) the factor "speed" or "cost" at places (n, 2); 1 outside.

    Of several areas the one counts that slows down or costs most.
    """
    found = np.full(len(places), np.nan)
    worse = np.fmin if name == "speed" else np.fmax
    for area, rows in _beside(places, areas, plane, 0.0):
        inside = rows[area.holds(places[rows], plane)]
        found[inside] = worse(found[inside], getattr(area, name))
    return np.where(np.isnan(found), 1.0, found)


def _beside(
    places: Floats, areas: Sequence[Area], plane: Plane, near: float
) -> Iterator[tuple[Area, Ints]]:
    """Each area, and the rows of all places (n, 2) that may be as near to it as that, or more.

    Many small areas cost no more than a few large ones.
    """
    order = np.argsort(places[:, 0], kind="stable")
    x = places[order, 0]
    width = plane.size[0]
    for area in areas:
        (left, _), (right, _) = area.shape.solids.extent
        images = np.zeros(1)
        if plane.wraps:
            images = width * (np.arange(-2, 2) - np.floor((left - plane.origin[0]) / width))
        spare = near + ROUNDING * (abs(left) + abs(right) + width)
        begins = np.searchsorted(x, left - spare + images)
        ends = np.searchsorted(x, right + spare + images, side="right")
        rows = [order[begin:end] for begin, end in zip(begins, ends, strict=True)]
        yield area, np.unique(np.concatenate(rows))


def everywhere(solids: Solids) -> bool:
    """Whether a shape has an inside: a wall has none."""
    return len(solids.walls) == 0
