"""Trails: ways to the nearest of several places, for any number of units, and which it is.

One field serves all that pursue the same others: its distances are marched from all of these at
once, and each node is told whose distance it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel
from sim.core.geometry import cell_of
from sim.core.shared_cache import njit
from sim.navigation.flow import AT_ONCE, FlowField
from sim.navigation.grid import Grid
from sim.navigation.joined import joined_within, parts_at
from sim.navigation.marching import march
from sim.navigation.search import NONE, beside_place, ends, nearest_node
from sim.navigation.wrapping import beside, inside

if TYPE_CHECKING:
    from sim.navigation.chart import Chart


@dataclass(frozen=True, eq=False)
class Trails:
    """Ways to the nearest of several places. Make them with `trails`.

    `nearest` (rows, columns) is the number of the place that the way from each node leads to, -1
    where none does; `cut` (n,) tells which of the units that asked cannot come to any place: these
    are led to where they come nearest. `chart` is the ground that they are planned on.
    """

    field: FlowField
    nearest: Ints
    cut: Bools
    chart: Chart | None = None

    def nearest_of(self, position: Floats) -> Ints:
        """(n,) number of the place that the way from each position (n, 2) leads to; -1: none."""
        found = np.full(len(position), NONE)
        _nearest_of(position, self.field.grid, self.field.distance, self.nearest, found)
        return found


def trails(grid: Grid, places: Floats, units: Floats) -> Trails:
    """The trails to places (m, 2), m of 1 or more, for units at (n, 2)."""
    distance = np.full(grid.free.shape, np.inf)
    nearest = np.full(grid.free.shape, NONE)
    _sow(grid, places, distance, nearest)
    parts = parts_at(grid, units)
    reached = np.unique(grid.label[np.isfinite(distance)])
    lost = np.setdiff1d(parts, np.append(reached, NONE))
    targets = [places, *(_come_near(grid, part, places, distance, nearest) for part in lost)]
    march(grid, distance, AT_ONCE, False)
    order = np.argsort(distance, axis=None, kind="stable")
    _name(grid, distance, order, nearest)
    ends_ = np.tile(np.concatenate(targets), 2)
    field = FlowField(grid, ends_, distance * grid.step[0])
    return Trails(field, nearest, np.isin(parts, lost))


def _come_near(grid: Grid, part: int, places: Floats, distance: Floats, nearest: Ints) -> Floats:
    """Sow the node of a part of the grid that is nearest to a place; where it is, (1, 2)."""
    wraps = grid.period[0] > 0
    nodes = np.argwhere((grid.label[:-1, :-1] if wraps else grid.label) == part)
    at = grid.origin + nodes[:, ::-1] * grid.step
    if wraps:
        round_ = np.mod(places - grid.origin, grid.period), grid.period
        off, which = scipy.spatial.cKDTree(round_[0], boxsize=round_[1]).query(at - grid.origin)
    else:
        off, which = scipy.spatial.cKDTree(places).query(at)
    best = int(np.argmin(off))
    distance[tuple(nodes[best])], nearest[tuple(nodes[best])] = 0.0, which[best]
    return at[best : best + 1]


@njit(cache=True, error_model="numpy", nogil=True)
def _sow(grid, places, distance, nearest):  # type: ignore[no-untyped-def]
    """Write the distances, in steps, of the nodes that each place is joined to."""
    unit, within = grid.step[0], joined_within(grid)
    for k in range(len(places)):
        x, y = places[k, 0], places[k, 1]
        nodes, _ = ends(grid, x, y, within)
        for node in nodes:
            px, py = beside_place(grid, node, x, y)
            off = np.hypot(x - px, y - py) / unit
            if off < distance.flat[node]:
                distance.flat[node], nearest.flat[node] = off, k


@njit(cache=True, error_model="numpy", nogil=True)
def _name(grid, distance, order, nearest):  # type: ignore[no-untyped-def]
    """Tell each node whose distance it has: that of its neighbour with the least."""
    (ny, nx), wraps = distance.shape, grid.period[0] > 0
    for node in order:
        if distance.flat[node] == np.inf:
            break
        least = distance.flat[node] if nearest.flat[node] >= 0 else np.inf
        for k in range(8):
            if grid.exits.flat[node] >> k & 1:
                other = beside(node, k, ny, nx, wraps)
                if distance.flat[other] < least and nearest.flat[other] >= 0:
                    least, nearest.flat[node] = distance.flat[other], nearest.flat[other]


@Kernel
def _nearest_of(begin, end, position, grid, distance, nearest, found):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        x, y = position[i, 0], position[i, 1]
        ny, nx = distance.shape
        x, y = inside(grid, x, y)
        u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
        if not (np.isfinite(u) and np.isfinite(v)):
            continue
        cx, cy = cell_of(u, nx - 1), cell_of(v, ny - 1)
        best = np.inf
        for k in range(4):
            column, row = cx + (k & 1), cy + (k >> 1)
            rest = distance[row, column] / grid.step[0] + np.hypot(u - column, v - row)
            if rest < best:
                best, found[i] = rest, nearest[row, column]
        if best == np.inf:
            node = nearest_node(grid, x, y, joined_within(grid))
            if node >= 0:
                found[i] = nearest.flat[node]
