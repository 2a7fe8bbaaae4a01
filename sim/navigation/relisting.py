"""Lists of the solids near each cell after some came or went: only cells near these are read."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import inlined
from sim.core.shared_cache import njit
from sim.navigation.distances import from_cell
from sim.navigation.marking import cells_round


@njit(cache=True, error_model="numpy", nogil=True)
def relisted(lists, stays, fresh, gone, limit):  # type: ignore[no-untyped-def]
    """The lists of cells, `Grid.first` and `items`, with the solids that stay and fresh ones.

    `lists` are those before and where the cells lie; `gone` the rows of solids that do not stay.
    With them, whether cells came to be empty or ceased to be.
    """
    first, items, _, _, columns, rows = lists
    begins, emptied = np.empty(len(first), np.int64), False
    number, stay = _numbers(stays)
    cells, many = _near(fresh, lists, limit, True), 0
    changed = np.concatenate((cells[:, 0], _near(gone, lists, limit, False)[:, 0]))
    changed.sort()
    merged = np.empty(len(items) + len(cells), np.int64)
    begins[0], total, done = 0, 0, 0
    for n in range(len(changed) + 1):
        c = changed[n] if n < len(changed) else columns * rows
        if n and c == changed[n - 1]:
            continue
        total = _copied(first, items, number, begins, merged, done, c, total)
        if c == columns * rows:
            break
        before = total
        for k in range(first[c], first[c + 1]):
            if stays[items[k]]:
                merged[total] = number[items[k]]
                total += 1
        while many < len(cells) and cells[many, 0] == c:
            merged[total] = stay + cells[many, 1]
            total, many = total + 1, many + 1
        begins[c + 1], done = total, c + 1
        emptied |= (total == before) != (first[c] == first[c + 1])
    return begins, merged[:total].copy(), emptied


@njit(cache=True, error_model="numpy", nogil=True)
def _numbers(stays):  # type: ignore[no-untyped-def]
    """The number of each solid among the ones that stay, and how many these are."""
    number, count = np.empty(len(stays), np.int64), 0
    for k in range(len(stays)):
        number[k] = count
        count += stays[k]
    return number, count


@inlined
def _copied(first, items, number, begins, merged, begin, end, total):  # type: ignore[no-untyped-def]
    """Copy the lists of the cells from `begin` up to `end`, behind `total` items."""
    off, low, high = total - first[begin], first[begin], first[end]
    for c in range(begin, end):
        begins[c + 1] = first[c + 1] + off
    for k in range(low, high):
        merged[k + off] = number[items[k]]
    return high + off


@njit(cache=True, error_model="numpy", nogil=True)
def _near(solids, lists, limit, exact):  # type: ignore[no-untyped-def]
    """The cells that solids come nearer to than `limit`, with their numbers: (k, 2), by cell.

    Not exact, all cells round these.
    """
    _, _, origin, step, columns, rows = lists
    found, count = np.empty((16, 2), np.int64), 0
    for s in range(len(solids)):
        solid = solids[s]
        x0, x1, y0, y1 = cells_round(solid, limit, origin, step, columns, rows)
        for y in range(y0, y1):
            top = origin[1] + y * step[1]
            for x in range(x0, x1):
                left = origin[0] + x * step[0]
                if exact and from_cell(left, top, left + step[0], top + step[1], solid) >= limit:
                    continue
                if count == len(found):
                    found = np.concatenate((found, np.empty_like(found)))
                found[count, 0], found[count, 1] = y * columns + x, s
                count += 1
    order = np.argsort(found[:count, 0], kind="mergesort")  # which keeps solids in their order
    return found[:count][order]
