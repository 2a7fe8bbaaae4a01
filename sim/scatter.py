"""Which of many places are clear of each other: the inner loop of scattering units."""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.lattice import floored


@njit(cache=True, error_model="numpy")
def clear_of(darts, standing, reaches, reach, size):  # type: ignore[no-untyped-def]
    """Which darts are clear of those standing and of the darts before them.

    Whoever stands or is kept is entered in a cell as wide as two may be apart and still touch.
    """
    widest = reach
    for b in range(len(reaches)):
        widest = max(widest, reaches[b])
    widest += reach
    low, side, cells = _cells(darts, widest, size)
    head, after = np.full(cells[0] * cells[1], -1), np.empty(len(standing) + len(darts), np.int64)
    for b in range(len(standing)):
        c = _cell(standing[b], 0, 0, low, side, cells, size[0] > 0)
        head[c], after[b] = b, head[c]
    kept = np.ones(len(darts), np.bool_)
    for a in range(len(darts)):
        for down in range(-1, 2):
            for across in range(-1, 2):
                b = head[_cell(darts[a], across, down, low, side, cells, size[0] > 0)]
                while b >= 0 and kept[a]:
                    other = standing[b] if b < len(standing) else darts[b - len(standing)]
                    gap = reach + (reaches[b] if b < len(standing) else reach)
                    dx, dy = darts[a, 0] - other[0], darts[a, 1] - other[1]
                    if size[0] > 0:
                        dx -= size[0] * np.rint(dx / size[0])
                        dy -= size[1] * np.rint(dy / size[1])
                    if dx * dx + dy * dy < gap * gap:
                        kept[a] = False
                    b = after[b]
        if kept[a]:
            c = _cell(darts[a], 0, 0, low, side, cells, size[0] > 0)
            head[c], after[len(standing) + a] = len(standing) + a, head[c]
    return kept


@njit(cache=True, error_model="numpy")
def _cells(darts, widest, size):  # type: ignore[no-untyped-def]
    """Where cells at least so wide begin, their sides, and how many there are across and down."""
    low, side, cells = np.zeros(2), np.ones(2), np.ones(2, np.int64)
    for k in range(2):
        span = size[k]
        if size[0] == 0 and len(darts):
            low[k] = high = darts[0, k]
            for a in range(len(darts)):
                low[k], high = min(low[k], darts[a, k]), max(high, darts[a, k])
            span = max(high - low[k], widest)
        cells[k] = max(1, min(floored(span / widest), int(np.sqrt(4.0 * len(darts))) + 1))
        side[k] = span / cells[k]
    return low, side, cells


@njit(cache=True, error_model="numpy")
def _cell(place, across, down, low, side, cells, wraps):  # type: ignore[no-untyped-def]
    """The cell that lies so many across and down from that of a place, or the last on that way."""
    column = floored((place[0] - low[0]) / side[0])
    row = floored((place[1] - low[1]) / side[1])
    if wraps:
        return (row + down) % cells[1] * cells[0] + (column + across) % cells[0]
    column = min(max(min(max(column, 0), cells[0] - 1) + across, 0), cells[0] - 1)
    return min(max(min(max(row, 0), cells[1] - 1) + down, 0), cells[1] - 1) * cells[0] + column
