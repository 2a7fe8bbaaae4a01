"""The cells round one cell: the units there, laid out side by side for measuring."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Ints
from sim.core.compiled import leaf
from sim.core.geometry import floored
from sim.core.shared_cache import njit

LANES = 8
"""Numbers that one instruction takes at a time."""
PLENTY = 1.25
"""A window is taken to hold the nearest k units if this many times k are expected in it."""


class Window(NamedTuple):
    """How far round its own cell each unit looks."""

    rings: Ints
    """(G,) rings of cells that each group's longest reach covers."""
    crowd: int
    """The most units that the cells in any window hold."""


@njit(cache=True, nogil=True)
def window_of(first, columns, rows, longest, side):  # type: ignore[no-untyped-def]
    """(G,) rings of cells that the longest reaches (G,) cover; how many units they may hold.

    These are the fields of a `Window`. Cells are taken to be `side` wide, world units; there are no
    more rings than cells, however far beyond them a reach goes.
    """
    rings, widest, most = np.ones(len(longest), np.int64), 1, 0
    for g in range(len(longest)):
        # Rounding may have made a cell narrower by a bit; no unit stands just that far off.
        covers = np.ceil(longest[g] / side * (1 - 1e-12)) if side > 0.0 else 1.0
        rings[g] = min(max(floored(covers), 1), max(columns, rows))
        widest = max(widest, rings[g])
    for c in range(len(first) - 1):
        most = max(most, first[c + 1] - first[c])
    return rings, min((2 * widest + 1) ** 2 * most, first[-1])


@leaf
def wider(rings, most):  # type: ignore[no-untyped-def]
    """The number of rings to look at when this number does not hold enough; `most` at most."""
    return min(rings + (rings + 1) // 2, most)


@leaf
def rings_for(nearest, here, cells, wraps, most):  # type: ignore[no-untyped-def]
    """How many rings round a cell are likely to hold the `nearest` units; `most` at most."""
    column, row = here % cells.columns, here // cells.columns
    rings = 1
    while rings < most:
        if wraps and (cells.columns < 2 * rings + 1 or cells.rows < 2 * rings + 1):
            return most
        held = 0
        for down in range(row - rings, row + rings + 1):
            if wraps or 0 <= down < cells.rows:
                start = down % cells.rows * cells.columns
                west, east = column - rings, column + rings + 1
                held += cells.first[start + min(east, cells.columns)]
                held -= cells.first[start + max(west, 0)]
                if wraps and west < 0:
                    held += cells.first[start + cells.columns]
                    held -= cells.first[start + cells.columns + west]
                if wraps and east > cells.columns:
                    held += cells.first[start + east - cells.columns] - cells.first[start]
        # As many of these as the circle covers that reaches to the window's edge.
        if held * np.pi * rings**2 >= PLENTY * nearest * (2 * rings + 1) ** 2:
            return rings
        rings = wider(rings, most)
    return most


@leaf
def _copy(begin, end, cells, notes, numbers, m):  # type: ignore[no-untyped-def]
    """Note the units of some slots as numbers m and up; the next number."""
    for slot in range(begin, end):
        k = m + slot - begin
        notes[0, k], notes[1, k] = cells.state[0, slot], cells.state[1, slot]
        numbers[0, k], numbers[1, k] = slot, cells.who[slot]
    return m + end - begin


@leaf
def look_round(here, rings, cells, wraps, notes, numbers):  # type: ignore[no-untyped-def]
    """Note the units of the cells round one; how many, and as which number those here begin.

    Cells side by side are one stretch of memory.
    """
    first, columns, rows = cells.first, cells.columns, cells.rows
    column, row = here % columns, here // columns
    # On a torus of so few columns the same cell would come up twice.
    few_columns, few_rows = wraps and columns < 2 * rings + 1, wraps and rows < 2 * rings + 1
    west, east = (0, columns) if few_columns else (column - rings, column + rings + 1)
    north, south = (0, rows) if few_rows else (row - rings, row + rings + 1)
    m, middle = 0, 0
    for down in range(north, south):
        if not wraps and (down < 0 or down >= rows):
            continue
        start = (down + rows) % rows * columns
        if wraps and west < 0:
            m = _copy(
                first[start + columns + west], first[start + columns], cells, notes, numbers, m
            )
        begin = first[start + max(west, 0)]
        if (down + rows) % rows == row:
            middle = m + first[here] - begin
        m = _copy(begin, first[start + min(east, columns)], cells, notes, numbers, m)
        if wraps and east > columns:
            m = _copy(first[start], first[start + east - columns], cells, notes, numbers, m)
    for k in range(m, m + LANES):
        notes[0, k] = notes[1, k] = np.inf
    return m, middle
