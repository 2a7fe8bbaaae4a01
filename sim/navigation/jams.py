"""Ways round queues: the quickest instead of the shortest.

How long a way takes by the pace of those who are on it now: after T. Kretz, Pedestrian traffic: on
the quickest path (J. Stat. Mech. 2009, P03012), who marches a front that is slow where others are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter

from sim.navigation.flow import FlowField, flow_field
from sim.navigation.grid import Grid
from sim.navigation.marking import ACROSS, DOWN

Floats = NDArray[np.float64]

SLOWEST = 10.0
"""How many times as long as at the desired speed a way takes at most."""
PACKED = 0.9
"""Share of the squares round their hulls that packed units take."""
CELL, ROUND = 6.0, 2
"""Side of the cells in which queues are counted, hull radii, and how many cells round each count as
slow as it: who comes round the flank of a queue waits there all the same."""
OPEN = 0.5
"""A cell among solids counts as no smaller than this share of one in the open."""
GRAIN = 64
"""Delays are counted in whole parts of so many: then the order of units makes no difference."""


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

    `along` (rows, columns) is what the shortest way from each node takes, `field` leads along the
    quickest. Both are in world units of way at the desired speed.
    """

    field: FlowField
    along: Floats

    def share(self, position: Floats) -> Floats:
        """(n,) which share of the time of the shortest way the quickest takes; NaN without one."""
        grid = self.field.grid
        last = np.array(grid.free.shape[::-1]) - 1
        at = np.clip(np.rint((position - grid.origin) / grid.step), 0, last).astype(np.int64)
        node = at[:, 1], at[:, 0]
        with np.errstate(invalid="ignore"):
            share: Floats = self.field.distance[node] / self.along[node]
        return share


def quickest(shortest: FlowField, traffic: Traffic) -> Quickest:
    """The quickest ways where the shortest lead, while others queue on these."""
    grid = shortest.grid
    slowness = slowness_at(grid, traffic)
    along = np.full(grid.free.shape, np.inf)
    order = np.argsort(shortest.distance, axis=None, kind="stable")
    _add_up(grid.exits, shortest.distance, slowness, order, along)
    return Quickest(flow_field(grid, shortest.targets, slowness), along)


def slowness_at(grid: Grid, traffic: Traffic) -> Floats:
    """(rows, columns) how many times as long as elsewhere a step takes at each node of a grid.

    In a cell it is the mean over its ground: 1 where nobody is, and what those that stand there
    lose.
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
    slow = maximum_filter(np.minimum(slow, SLOWEST), 1 + 2 * ROUND, mode="nearest")
    across = _between(slow, lines[1] - 0.5)
    return np.ascontiguousarray(_between(across.T, lines[0] - 0.5).T)


def _between(rows: Floats, at: Floats) -> Floats:
    """Rows interpolated at fractional numbers (n,); beyond the ends as there."""
    low = np.clip(np.floor(at).astype(np.int64), 0, len(rows) - 1)
    share = np.clip(at - low, 0, 1)[:, None]
    between: Floats = rows[low] + share * (rows[np.minimum(low + 1, len(rows) - 1)] - rows[low])
    return between


@njit(cache=True, error_model="numpy", nogil=True)
def _add_up(exits, distance, slowness, order, along):  # type: ignore[no-untyped-def]
    """Fill in what the shortest ways take: node by node, from the destination outward."""
    nx = distance.shape[1]
    for node in order:
        here = distance.flat[node]
        if here == np.inf:
            break
        least, before = here, node
        for k in range(8):
            if exits.flat[node] >> k & 1:
                other = node + DOWN[k] * nx + ACROSS[k]
                if distance.flat[other] < least:
                    least, before = distance.flat[other], other
        slow = 0.5 * (slowness.flat[node] + slowness.flat[before])
        along.flat[node] = here if before == node else along.flat[before] + slow * (here - least)
