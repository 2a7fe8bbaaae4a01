"""Areas: ground on which units are slower or quicker, and which ways go round or seek."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.units import read_only
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

    @cached_property
    def extent(self) -> tuple[Floats, Floats]:
        """The low and the high corner (2,) of a box that holds it."""
        return read_only(self.shape.solids.extent)


def slowness(grid: Grid, areas: Sequence[Area], plane: Plane) -> Floats:
    """How many times its length a way costs at each node, (rows, columns): 1 on plain ground.

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
    around = np.concatenate([places[cut] + off * grid.step for off in PARTS])
    cost[cut] = factors(around, areas, plane, "cost").reshape(len(PARTS), -1).mean(axis=0)
    cost = cost.reshape(rows, columns)
    if (cost == cost[0, 0]).all():
        return np.zeros((0, 0))
    return np.ascontiguousarray(cost)


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
    """Areas, and the rows of all places (n, 2) that may be as near to each as that, or more.

    Many small areas cost no more than a few large ones, and areas that are far from all places cost
    next to nothing.
    """
    order = np.argsort(places[:, 0], kind="stable")
    sorted_x, (width, height) = places[order, 0], plane.size
    low, high = np.array([area.extent for area in areas]).reshape(-1, 2, 2).transpose(1, 0, 2)
    spare = near + ROUNDING * (np.abs(low) + np.abs(high) + plane.size)
    low, high = low - spare, high + spare
    images = np.zeros((len(areas), 1))
    if plane.wraps:
        images = width * (np.arange(-2, 2) - np.floor((low[:, :1] - plane.origin[0]) / width))
    begins = np.searchsorted(sorted_x, low[:, :1] + images)
    ends = np.searchsorted(sorted_x, high[:, :1] + images, side="right")
    middle, half = (low[:, 1] + high[:, 1]) / 2, (high[:, 1] - low[:, 1]) / 2
    for number in np.flatnonzero((ends > begins).any(axis=1)).tolist():
        spans = zip(begins[number], ends[number], strict=True)
        rows = np.concatenate([order[begin:end] for begin, end in spans])
        off = places[rows, 1] - middle[number]
        if plane.wraps:
            off -= height * np.rint(off / height)
        yield areas[number], rows[np.abs(off) <= half[number]]
