"""Neighbours by the engine's own queries, one a unit, in Python: the slow and obvious search.

It gives the same neighbours in the same order as the cell grid, hence the same sums to the last
bit, and is there to check it: `World(neighbour_search="pymunk")`.
"""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Ints
from sim.core.cells import Cells, sort_into_cells
from sim.core.errors import BadInput, shortened
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.bridge import Bridge
from sim.engine.build import Space
from sim.engine.queries import bodies_in
from sim.perception.neighbours import GridLooker, Looker, Search
from sim.perception.sight_table import SightTable
from sim.perception.views import in_view

IMAGES = (0, -1, 1)
Entry = tuple[int, float, float, float, int]
"""Row, ahead, starboard, distance, and the bits of the sights that see it."""


class EngineLooker(Looker):
    """Looks through `Space.bb_query`, also at the images across a seam."""

    foresight = False  # the engine cannot be asked amid its step

    def __init__(
        self, space: Space, bridge: Bridge, rows: int, plane: Plane, table: SightTable
    ) -> None:
        super().__init__(rows, plane, table)
        self._space, self._bridge = space, bridge

    def find(self, units: Units) -> bool:
        """Ask the engine for each unit in turn."""
        rows = self._bridge.rows(twins=False)
        cells = sort_into_cells(units, self.plane, self.table.farthest)
        slot = _slots(cells, units)

        def walk(i: int, j: int) -> tuple[int, int, int]:
            return _cell_order(cells, self.plane, int(slot[i]), int(slot[j]))

        self.clear()
        grown = False
        for i in np.flatnonzero(units.present):
            around = self._around(units, int(i), rows)
            around.sort(key=partial(walk, int(i)))
            grown |= self._take_down(units, int(i), around)
        return grown

    def _around(self, units: Units, i: int, rows: dict[int, int]) -> list[int]:
        """All units that may be within the longest reach of unit i, once each."""
        reach = np.full(2, self.table.reach[units.group[i]].max())
        if self.plane.wraps:
            # By the nearest image no unit is farther off than half a period.
            reach = np.minimum(reach, self.plane.size / 2)
        found: set[int] = set()
        images = IMAGES if self.plane.wraps else (0,)
        for across in images:
            for down in images:
                x, y = (units.position[i] + self.plane.size * (across, down)).tolist()
                box = x - reach[0], y - reach[1], x + reach[0], y + reach[1]
                found.update(rows.get(body, i) for body in bodies_in(self._space, box))
        return [j for j in found if j != i and units.present[j]]

    def _take_down(self, units: Units, i: int, around: list[int]) -> bool:
        """Sum up and list what unit i sees of those around; whether the lists had to grow."""
        table, g = self.table, units.group[i]
        c, s = units.heading[i].tolist()
        per = 1 / self.plane.period
        sums = np.zeros((table.reach.shape[1], 2))
        entries, places = [], []
        for j in around:
            offset = units.position[j] - units.position[i]
            dx, dy = (offset - self.plane.size * np.rint(offset * per)).tolist()
            ahead, starboard, square = c * dx + s * dy, c * dy - s * dx, dx * dx + dy * dy
            bits = 0
            for n, reach in enumerate(table.reach[g]):
                if (
                    reach >= 0
                    and square <= reach * reach
                    and table.accepts[g, n, units.group[j]]
                    and in_view(table.shape[g, n], table.factor[g, n], ahead, starboard)
                ):
                    self.count[n, i] += 1
                    bits |= int(table.each[g, n] or table.means[g, n]) << n
            if bits:
                entries.append((j, ahead, starboard, sqrt(square), bits))
                places.append((square, ahead, starboard))
        keeps = self._nearest(i, g, entries, places)
        kept = [(*entry[:4], keep) for entry, keep in zip(entries, keeps, strict=True)]
        order = list(range(len(kept)))
        if table.ordered[g]:
            order.sort(key=places.__getitem__)
        for n in np.flatnonzero(table.means[g]).tolist():
            for k in order:
                if kept[k][4] >> n & 1:
                    sums[n] += kept[k][1:3]
        share = 1 / np.maximum(self.count[:, i], 1)
        self.offset[:, i] = sums * share[:, None]
        return self._list(i, [kept[k] for k in order if kept[k][4]])

    def _nearest(
        self, i: int, g: int, entries: list[Entry], places: list[tuple[float, float, float]]
    ) -> list[int]:
        """The sights that see each of those listed, as bits; some see the nearest few alone."""
        nearest_first = sorted(range(len(entries)), key=places.__getitem__)
        bits = [0] * len(entries)
        for n, most in enumerate(self.table.nearest[g].tolist()):
            seen = [k for k in nearest_first if entries[k][4] >> n & 1]
            for k in seen[: most or None]:
                bits[k] |= 1 << n
            if most:
                self.count[n, i] = min(self.count[n, i], most)
        return bits

    def _list(self, i: int, entries: list[Entry]) -> bool:
        n, width = len(entries), self.index.shape[1]
        if n > width:
            old = [column.copy() for column in self._columns()]
            self.make_room(2 * n)
            for column, values in zip(self._columns(), old, strict=True):
                column[:, :width] = values
        self.listed[i] = n
        for column, values in zip(self._columns(), np.array(entries).reshape(-1, 5).T, strict=True):
            column[i, :n] = values
        return bool(n > width)

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.index, self.ahead, self.starboard, self.distance, self.seen


def search_named(name: str, space: Space, bridge: Bridge) -> Search:
    """What looks for a world: the cell "grid", or "pymunk". Raises `BadInput` for another name."""
    if not (isinstance(name, str) and name in ("grid", "pymunk")):
        raise BadInput(f"neighbour_search = {shortened(name)}: must be 'grid' or 'pymunk'")
    return GridLooker if name == "grid" else partial(EngineLooker, space, bridge)


def _slots(cells: Cells, units: Units) -> Ints:
    """Each unit's place in the cells' order."""
    slots = np.full(len(units), -1)
    slots[cells.order] = np.arange(len(cells.order))
    return slots


def _cell_order(cells: Cells, plane: Plane, me: int, other: int) -> tuple[int, int, int]:
    """Sorts as the grid walks: cells from the top left one on, within a cell by place."""
    row, column = divmod(int(cells.cell[other]), cells.columns)
    if not plane.wraps:
        return row, column, other
    my_row, my_column = divmod(int(cells.cell[me]), cells.columns)
    if cells.rows >= 3:
        row = (row - my_row + 1) % cells.rows
    if cells.columns >= 3:
        column = (column - my_column + 1) % cells.columns
    return row, column, other
