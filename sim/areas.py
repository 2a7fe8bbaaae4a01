"""Areas: ground on which units are slower or quicker, and which ways go round or seek."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sim.arrays import Bools, Floats, Ints
from sim.plane import Plane
from sim.shapes import Shape
from sim.solids import Solids
from sim.units import Units

if TYPE_CHECKING:
    from sim.group import Group
    from sim.navigation.grid import Grid


@dataclass(frozen=True, eq=False)
class Area:
    """Ground of its own. `World.add_area` makes one.

    `speed` is a factor on the desired speed of units whose centre is inside, `cost` one on the
    length of ways through it. `groups` are the names of those that it counts for; None: all.
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


def steer_in_areas(
    group: Group, areas: Sequence[Area], units: Units, plane: Plane, dt: float, out: Floats
) -> None:
    """Write anew to `out` (N, 3) the forces of those units of a group that an area slows or speeds.

    The helm is the group's, for another desired speed; it changes the speed by no more than it can.
    """
    own = [area for area in areas if area.counts_for(group.name)]
    factor = factors(units.position[group.rows], own, plane, "speed") if own else np.ones(0)
    for each in np.unique(factor[factor != 1.0]).tolist():
        some = np.flatnonzero(factor == each)
        there = np.arange(len(units))[group.rows][some]
        speed = group.speed * each
        forces = np.zeros((len(some), 3))
        group.helm.for_speed(speed, group.hull.length).steer(
            _rows(units, there), slice(0, len(some)), np.ascontiguousarray(group.command[some]),
            group.hull, dt, forces,
        )  # fmt: skip
        most = getattr(group.helm, "acceleration", None)
        if most is not None:
            bound = most * group.speed * group.hull.mass
            size = np.hypot(forces[:, 0], forces[:, 1])
            forces[:, :2] *= np.minimum(1.0, bound / np.maximum(size, 1e-300))[:, None]
        out[there] = forces


def _rows(units: Units, rows: Ints) -> Units:
    """Some rows of a snapshot."""
    return replace(units, **{name: array[rows].copy() for name, array in vars(units).items()})


def everywhere(solids: Solids) -> bool:
    """Whether a shape has an inside: a wall has none."""
    return len(solids.walls) == 0
