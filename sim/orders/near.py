"""The units near each unit, the nearest first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Ints
from sim.core.cells import sort_into_cells
from sim.core.compiled import Kernel, inlined
from sim.core.geometry import nearest_image, periods
from sim.core.plane import Plane
from sim.core.units import Units


class Near(NamedTuple):
    """Those of unit i are `other[first[i] : first[i + 1]]`, rows; `first` is (N + 1,)."""

    first: Ints
    other: Ints

    @property
    def of(self) -> Ints:
        """(m,) the row of the unit that each of `other` is near to."""
        return np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))


def near_units(units: Units, plane: Plane, within: float, askers: Ints | None = None) -> Near:
    """The units nearer than `within` (world units) to each of N units; none where that is 0.

    With `askers` (k,) only the units in these rows have any.
    """
    first = np.zeros(len(units) + 1, np.int64)
    rows = np.flatnonzero(units.present)
    if within <= 0 or len(rows) < 2:
        return Near(first, np.zeros(0, np.int64))
    cells, square = sort_into_cells(units, plane, within), within * within
    slot = np.empty(len(units), np.int64)
    slot[cells.order] = np.arange(len(rows))
    rows = rows if askers is None else askers
    counted = Near(first, np.zeros(0, np.int64))
    _gather(rows, slot, cells, square, counted, np.zeros(0))
    first = np.cumsum(first)
    near = Near(first, np.empty(first[-1], np.int64))
    if first[-1]:
        _gather(rows, slot, cells, square, near, np.empty(first[-1]))
    return near


@inlined
def _span(middle, count, wraps):  # type: ignore[no-untyped-def]
    """First and last of three columns (or rows) about one, or of all where that is fewer."""
    if count < 3:
        return 0, count
    if wraps:
        return middle - 1, middle + 2
    return max(middle - 1, 0), min(middle + 2, count)


@Kernel
def _gather(begin, end, rows, slot, cells, square, near, apart):  # type: ignore[no-untyped-def]
    """Count the units near each, in the entry after its own; with room for it, list them.

    Their squared distances are noted in `apart` (m,), which is empty while they are counted.
    """
    torus, state, other = periods(cells.size), cells.state, near.other
    wraps, lists = cells.size[0] > 0.0, len(apart) > 0
    for a in range(begin, end):
        me, start = slot[rows[a]], near.first[rows[a]] if lists else 0
        stop = start
        y, x = divmod(int(cells.cell[me]), cells.columns)
        left, right = _span(x, cells.columns, wraps)
        top, bottom = _span(y, cells.rows, wraps)
        for row in range(top, bottom):
            for column in range(left, right):
                c = (row % cells.rows) * cells.columns + column % cells.columns
                for b in range(cells.first[c], cells.first[c + 1]):
                    dx, dy = nearest_image(
                        state[0, b] - state[0, me], state[1, b] - state[1, me], torus
                    )
                    off = dx * dx + dy * dy
                    if b == me or off >= square:
                        continue
                    at, stop = stop, stop + 1
                    if not lists:
                        continue
                    while at > start and apart[at - 1] > off:
                        apart[at], other[at] = apart[at - 1], other[at - 1]
                        at -= 1
                    apart[at], other[at] = off, cells.order[b]
        if not lists:
            near.first[rows[a] + 1] = stop - start
