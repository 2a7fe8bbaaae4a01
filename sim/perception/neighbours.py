"""Whom each unit sees: a summary for every sight, and the neighbours one by one where a rule asks for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import prange
from numpy.typing import NDArray

from sim.compiled import Kernel
from sim.perception.cells import Cells
from sim.perception.views import in_view
from sim.plane import Plane

Floats = NDArray[np.float64]
MAX_SIGHTS = 8
"""Sights a group may use at once: one bit each in `Neighbours.seen`."""


@dataclass(frozen=True)
class Summary:
    """All that one sight shows a unit, in one row. Own frame: (ahead, starboard)."""

    count: NDArray[np.int64]
    """(n,) how many are seen."""
    offset: Floats
    """(n, 2) to their mean position; zeros where nobody is seen."""
    velocity: Floats
    """(n, 2) their mean velocity; zeros where nobody is seen."""


@dataclass(frozen=True)
class Neighbours:
    """The neighbours of each unit one by one: row i holds `count[i]` of them, the rest of the row is stale.

    They come cell by cell, and within a cell by place: an order that does not depend on numbering.
    """

    count: NDArray[np.int64]
    """(n,)."""
    index: NDArray[np.int32]
    """(n, k) rows in `Units`."""
    ahead: Floats
    """(n, k) world units; by the nearest image on a torus."""
    starboard: Floats
    """(n, k)."""
    distance: Floats
    """(n, k)."""
    seen: NDArray[np.uint8]
    """(n, k) bit s is set where sight s of the group sees the neighbour."""


@dataclass(frozen=True)
class SightTable:
    """The sights of all G groups as arrays, S to a group (unused ones have reach -1)."""

    shape: NDArray[np.int64]
    """(G, S) view shapes."""
    factor: Floats
    """(G, S) view factors."""
    reach: Floats
    """(G, S) world units."""
    each: NDArray[np.bool_]
    """(G, S) whether neighbours are listed one by one."""
    accepts: NDArray[np.bool_]
    """(G, S, G) which groups are counted."""

    @property
    def farthest(self) -> float:
        """The longest reach of all."""
        return float(self.reach.max(initial=0.0))


class Looker:
    """Looks for all units at once, and keeps its memory from step to step."""

    def __init__(self, rows: int, sights: int) -> None:
        self.count = np.zeros((sights, rows), np.int64)
        self.offset = np.zeros((sights, rows, 2))
        self.velocity = np.zeros((sights, rows, 2))
        self._listed = np.zeros(rows, np.int64)
        self._make_room(rows, 16)

    def _make_room(self, rows: int, width: int) -> None:
        self._index = np.zeros((rows, width), np.int32)
        self._ahead, self._starboard, self._distance = np.zeros((3, rows, width))
        self._seen = np.zeros((rows, width), np.uint8)

    def look(self, cells: Cells, plane: Plane, table: SightTable) -> None:
        """Fill the summaries and lists from the sorted units."""
        while True:
            _look(
                cells.order, cells.first, cells.cell, cells.columns, cells.rows, cells.state, cells.who,
                plane.size, table.shape, table.factor, table.reach, table.each, table.accepts,
                self.count, self.offset, self.velocity,
                self._listed, self._index, self._ahead, self._starboard, self._distance, self._seen,
            )  # fmt: skip
            crowd = int(self._listed.max(initial=0))
            if crowd <= self._index.shape[1]:
                return
            self._make_room(len(self._listed), crowd + crowd // 2)

    def summary(self, sight: int, rows: slice) -> Summary:
        """What one sight shows the units of some rows."""
        return Summary(
            self.count[sight, rows], self.offset[sight, rows], self.velocity[sight, rows]
        )

    def neighbours(self, rows: slice) -> Neighbours:
        """The lists of some rows."""
        return Neighbours(
            self._listed[rows], self._index[rows], self._ahead[rows],
            self._starboard[rows], self._distance[rows], self._seen[rows],
        )  # fmt: skip


@Kernel
def _look(  # type: ignore[no-untyped-def]
    order, first, cell, columns, rows, state, who,
    size, shape, factor, reach, each, accepts,
    count, offset, velocity,
    listed, index, ahead_of, starboard_of, distance_of, seen_of,
):  # fmt: skip
    """Each unit passes once over the nine cells round it, testing every sight of its group."""
    sights, room = shape.shape[1], index.shape[1]
    width, height = size[0], size[1]
    per_width = 1 / width if width > 0 else 0.0
    per_height = 1 / height if height > 0 else 0.0
    # On a torus of fewer than three columns the same cell would come up twice.
    west, east = -1, 2
    north, south = -1, 2
    if width > 0 and columns < 3:
        west, east = 0, columns
    if height > 0 and rows < 3:
        north, south = 0, rows
    for slot in prange(len(order)):
        i, g = order[slot], who[slot]
        x, y, cosine, sine = state[slot, 0], state[slot, 1], state[slot, 4], state[slot, 5]
        column, row = cell[slot] % columns, cell[slot] // columns
        most = 0.0
        for s in range(sights):
            most = max(most, reach[g, s])
            count[s, i] = 0
            offset[s, i, 0] = offset[s, i, 1] = 0.0
            velocity[s, i, 0] = velocity[s, i, 1] = 0.0
        most_squared = most * most
        found = 0
        for down in range(north, south):
            r = row + down
            if height > 0:
                r %= rows
            elif r < 0 or r >= rows:
                continue
            for right in range(west, east):
                c = column + right
                if width > 0:
                    c %= columns
                elif c < 0 or c >= columns:
                    continue
                for other in range(first[r * columns + c], first[r * columns + c + 1]):
                    dx, dy = state[other, 0] - x, state[other, 1] - y
                    dx -= width * np.rint(dx * per_width)
                    dy -= height * np.rint(dy * per_height)
                    squared = dx * dx + dy * dy
                    if squared > most_squared or other == slot:
                        continue
                    ahead, starboard = cosine * dx + sine * dy, cosine * dy - sine * dx
                    bits = 0
                    for s in range(sights):
                        if (
                            reach[g, s] >= 0.0
                            and squared <= reach[g, s] * reach[g, s]
                            and accepts[g, s, who[other]]
                            and in_view(shape[g, s], factor[g, s], ahead, starboard)
                        ):
                            count[s, i] += 1
                            offset[s, i, 0] += ahead
                            offset[s, i, 1] += starboard
                            velocity[s, i, 0] += state[other, 2]
                            velocity[s, i, 1] += state[other, 3]
                            if each[g, s]:
                                bits |= 1 << s
                    if bits:
                        if found < room:
                            index[i, found] = order[other]
                            ahead_of[i, found] = ahead
                            starboard_of[i, found] = starboard
                            distance_of[i, found] = np.sqrt(squared)
                            seen_of[i, found] = bits
                        found += 1
        listed[i] = found
        for s in range(sights):
            if count[s, i] > 0:
                n = count[s, i]
                vx, vy = velocity[s, i, 0] / n, velocity[s, i, 1] / n
                offset[s, i, 0] /= n
                offset[s, i, 1] /= n
                velocity[s, i, 0] = cosine * vx + sine * vy
                velocity[s, i, 1] = cosine * vy - sine * vx
