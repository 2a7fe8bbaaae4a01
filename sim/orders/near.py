"""The units near each unit, the nearest first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.cells import Cells, sort_into_cells
from sim.core.compiled import Kernel, inlined
from sim.core.plane import Plane
from sim.core.units import Units


class Near(NamedTuple):
    """Those of unit i are `other[first[i] : first[i + 1]]`, rows; `first` is (N + 1,)."""

    first: Ints
    other: Ints


def near_units(units: Units, plane: Plane, within: float) -> Near:
    """The units nearer than `within` (world units) to each of N units; none where that is 0."""
    first = np.zeros(len(units) + 1, np.int64)
    rows = np.flatnonzero(units.present)
    if within <= 0 or len(rows) < 2:
        return Near(first, np.zeros(0, np.int64))
    cells, square = sort_into_cells(units, plane, within), within * within
    slot = np.empty(len(units), np.int64)
    slot[cells.order] = np.arange(len(rows))
    _count(rows, slot, cells, square, first)
    first = np.cumsum(first)
    near = Near(first, np.empty(first[-1], np.int64))
    _list(rows, slot, cells, square, near, np.empty(first[-1]))
    return near


@inlined
def _off(one: Floats, other: Floats, period: float):  # type: ignore[no-untyped-def]
    """From one coordinate to another, on a torus the short way."""
    away = other - one
    return away - period * np.rint(away / period) if period > 0.0 else away


@inlined
def _square(a: int, b: int, cells: Cells):  # type: ignore[no-untyped-def]
    """The squared distance of the units in two slots."""
    x = _off(cells.state[0, a], cells.state[0, b], cells.size[0])
    y = _off(cells.state[1, a], cells.state[1, b], cells.size[1])
    return x * x + y * y


@inlined
def _span(middle, count, wraps):  # type: ignore[no-untyped-def]
    """First and last of three columns (or rows) about one, or of all where that is fewer."""
    if count < 3:
        return 0, count
    if wraps:
        return middle - 1, middle + 2
    return max(middle - 1, 0), min(middle + 2, count)


@Kernel
def _count(begin, end, rows, slot, cells, square, count):  # type: ignore[no-untyped-def]
    """How many units are near each, in the entry after its own."""
    wraps = cells.size[0] > 0.0
    for a in range(begin, end):
        me, found = slot[rows[a]], 0
        y, x = divmod(cells.cell[me], cells.columns)
        left, right = _span(x, cells.columns, wraps)
        top, bottom = _span(y, cells.rows, wraps)
        for row in range(top, bottom):
            for column in range(left, right):
                c = (row % cells.rows) * cells.columns + column % cells.columns
                for b in range(cells.first[c], cells.first[c + 1]):
                    found += b != me and _square(me, b, cells) < square
        count[rows[a] + 1] = found


@Kernel
def _list(begin, end, rows, slot, cells, square, near, apart):  # type: ignore[no-untyped-def]
    """The units near each, sorted by distance as they are found."""
    wraps, other = cells.size[0] > 0.0, near.other
    for a in range(begin, end):
        me, start = slot[rows[a]], near.first[rows[a]]
        stop = start
        y, x = divmod(cells.cell[me], cells.columns)
        left, right = _span(x, cells.columns, wraps)
        top, bottom = _span(y, cells.rows, wraps)
        for row in range(top, bottom):
            for column in range(left, right):
                c = (row % cells.rows) * cells.columns + column % cells.columns
                for b in range(cells.first[c], cells.first[c + 1]):
                    off = _square(me, b, cells)
                    if b == me or off >= square:
                        continue
                    at = stop
                    while at > start and apart[at - 1] > off:
                        apart[at], other[at] = apart[at - 1], other[at - 1]
                        at -= 1
                    apart[at], other[at] = off, cells.order[b]
                    stop += 1
