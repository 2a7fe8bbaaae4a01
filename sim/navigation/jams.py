"""Ways round queues: the quickest instead of the shortest.

How long a way takes by the pace of the units that are on it now: after T. Kretz, Pedestrian
traffic: on the quickest path (J. Stat. Mech. 2009, P03012): a front, slow where units are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from sim.core.arrays import Floats
from sim.core.shared_cache import njit
from sim.navigation.flow import FlowField, flow_field
from sim.navigation.grid import Grid
from sim.navigation.wrapping import beside

SLOWEST = 10.0
"""How many times as long as at the desired speed a way takes at most."""
PACKED = 0.9
"""Share of the squares round their hulls that packed units take."""
CELL, ROUND = 6.0, 2
"""Side of the cells in which queues are counted, hull radii, and how many cells round each count as
slow as it: a unit that comes round its flank waits too."""
SHUNNED = 3.0
"""How many times as slow the cells of a queue are for units that go round it."""
OPEN = 0.5
"""A cell among solids counts as no smaller than this share of one in the open."""
GRAIN = 64
"""Delays are counted in whole parts of 1 / 64: so the order of units makes no difference."""


class Traffic(NamedTuple):
    """Units that hardly get on."""

    position: Floats
    """(k, 2)"""
    pace: Floats
    """(k,) which share of its desired speed each makes."""
    radius: Floats
    """(k,) of their hulls, world units."""


@dataclass(frozen=True, eq=False)
class Quickest:
    """The quickest ways somewhere, and how they compare with the shortest. See `quickest`.

    `gain` (rows, columns) is the share of the time of the shortest way from each node that the
    quickest takes, NaN without a way or where one is there; `field` leads round queues.
    """

    field: FlowField
    gain: Floats

    def share(self, position: Floats) -> Floats:
        """(n,) which share of the time of the shortest way the quickest takes; NaN without one."""
        grid = self.field.grid
        last = np.array(grid.free.shape[::-1]) - 1
        nodes = np.nan_to_num(np.rint((position - grid.origin) / grid.step))
        at = np.clip(nodes, 0, last).astype(np.int64)
        share: Floats = self.gain[at[:, 1], at[:, 0]]
        return share


def quickest(shortest: FlowField, traffic: Traffic) -> Quickest:
    """The quickest ways to where the shortest lead, while others queue on these.

    Over areas a way takes as long as it costs, times what queues make of it.
    """
    grid, targets, areas = shortest.grid, shortest.targets, shortest.over_areas
    ground = shortest.slowness if areas else 1.0
    cells, lines = queues(grid, traffic)
    slow = _between(scipy.ndimage.maximum_filter(cells, 1 + 2 * ROUND, mode="nearest"), lines)
    along = np.full(grid.free.shape, np.inf)
    order = np.argsort(shortest.distance, axis=None, kind="stable")
    _add_up(grid, shortest.distance, slow, order, along)
    soonest = flow_field(grid, targets, slow * ground, areas).distance
    gain = np.full(along.shape, np.nan)
    np.divide(soonest, along, out=gain, where=np.isfinite(along) & (along > 0))
    shunned = _between(1 + SHUNNED * (cells - 1), lines)
    return Quickest(flow_field(grid, targets, shunned * ground, areas), gain)


def queues(grid: Grid, traffic: Traffic) -> tuple[Floats, list[Floats]]:
    """How many times as long a step takes in each cell of (rows, columns), and where nodes lie.

    In a cell it is the mean over its ground: 1 where no unit is, and what the units that stand
    there lose. Nodes lie at a list of columns and a list of rows, counted in cells.
    """
    size = CELL * grid.radius
    rows, columns = grid.free.shape
    lines = [np.arange(n) * grid.step[k] / size for k, n in enumerate((columns, rows))]
    first = [np.searchsorted(line, np.arange(int(line[-1]) + 1)) for line in lines]
    room = np.add.reduceat(grid.free, first[1], axis=0, dtype=np.int64)
    room = np.add.reduceat(room, first[0], axis=1)
    at = np.floor((traffic.position - grid.origin) / size).astype(np.int64)
    here = (at >= 0).all(axis=1) & (at < room.shape[::-1]).all(axis=1)
    node = grid.step[0] * grid.step[1]
    ground = (2 * traffic.radius[here]) ** 2 / PACKED / node
    lost = 1 / np.maximum(traffic.pace[here], 1 / SLOWEST) - 1
    cells = np.ravel_multi_index(tuple(at[here].T[::-1]), room.shape)
    delay = np.bincount(cells, np.rint(GRAIN * ground * np.maximum(lost, 0)), room.size)
    least = OPEN * size * size / node
    slow = 1 + delay.reshape(room.shape) / GRAIN / np.maximum(room, least)
    return np.minimum(slow, SLOWEST), lines


def _between(cells: Floats, lines: list[Floats]) -> Floats:
    """(rows, columns) at nodes, from the middles of cells."""
    for line in lines[::-1]:
        at = line - 0.5
        low = np.clip(np.floor(at).astype(np.int64), 0, len(cells) - 1)
        share = np.clip(at - low, 0, 1)[:, None]
        cells = cells[low] + share * (cells[np.minimum(low + 1, len(cells) - 1)] - cells[low])
        cells = cells.T
    return np.ascontiguousarray(cells)


@njit(cache=True, error_model="numpy", nogil=True)
def _add_up(grid, distance, slowness, order, along):  # type: ignore[no-untyped-def]
    """Fill in what the shortest ways take: node by node, from the destination outward."""
    (ny, nx), wraps = distance.shape, grid.period[0] > 0
    for node in order:
        here = distance.flat[node]
        if here == np.inf:
            break
        least, before = here, node
        for k in range(8):
            if grid.exits.flat[node] >> k & 1:
                other = beside(node, k, ny, nx, wraps)
                if distance.flat[other] < least:
                    least, before = distance.flat[other], other
        slow = 0.5 * (slowness.flat[node] + slowness.flat[before])
        along.flat[node] = here if before == node else along.flat[before] + slow * (here - least)
