"""What stands still, in cells for each margin; a few more come without a look at the many."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.outlines import Outlines, joined_outlines
from sim.perception.places import BITS, Block, Places, entered, places_of

NEAR = 8
"""Cells that are looked at first, each way from cells that hold something more."""


class Listed:
    """Outlines that stand still, and for any margin the cells that list them, made when asked for.

    Cells are at most `across` times narrower than the margin.
    """

    def __init__(self, outlines: Outlines, plane: Plane, across: float = inf) -> None:
        self.outlines, self._plane, self._across = outlines, plane, across
        self._known: dict[float, Places] = {}
        self._before: tuple[Listed, Outlines] | None = None

    def joined(self, more: Outlines, known: Solids) -> Listed:
        """These and some more, which are named after the solids `known`, kind by kind."""
        outlines = joined_outlines(self.outlines, more, known)
        found = Listed(outlines, self._plane, self._across)
        found._before = self, more
        return found

    def within(self, margin: float) -> Places:
        """Cells that list, in ascending order, all within a margin (world units).

        On a torus one may be listed again for another of its images.
        """
        if margin not in self._known:
            found = None
            if self._before is not None:
                base, more = self._before
                found = more_places(base.within(margin), len(base.outlines.name), more, margin)
            if found is None:
                found = places_of(self.outlines, self._plane, margin, margin / self._across)
            self._known[margin] = found
        return self._known[margin]


def more_places(places: Places, known: int, more: Outlines, margin: float) -> Places | None:
    """The cells of `known` outlines with some more, as `places_of` makes them for the same margin.

    None where the cells of an open plane do not hold all of these: then they have to be made anew.
    How far the next cell is that holds anything may come out less than it is, never more.
    """
    low, high = places.frame[:2], places.frame[:2] + places.shape * places.frame[2:]
    reach = more.circle[:, 2:3] + margin
    inside = (more.circle[:, :2] - reach >= low) & (more.circle[:, :2] + reach <= high)
    if not places.period[0] > 0 and not inside.all():
        return None
    cells, counts, fresh = _listed(places, more, margin)
    if not len(cells):
        return places
    at = np.repeat(places.first[cells + 1], counts)
    items = np.insert(places.items, at, fresh + (known << BITS))
    ends = np.concatenate([[0], cells + 1, [len(places.first)]])
    first = places.first + np.repeat(np.append(0, np.cumsum(counts)), np.diff(ends))
    return places._replace(first=first, items=items, room=_room_beside(places, cells))


def _listed(places: Places, more: Outlines, margin: float) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """The cells (c,) that some outlines reach into, how many into each (c,), and which, by cell."""
    column, row, across, _ = block = _block(places, more, margin)
    grid = places.frame, places.shape, places.period
    first, items = entered(more, grid, margin, True, block)
    counts = np.diff(first)
    some = np.flatnonzero(counts)
    cells = (row + some // across) * places.shape[0] + column + some % across
    return cells, counts[some], items


def _block(places: Places, more: Outlines, margin: float) -> Block:
    """The cells to look through for what outlines reach into: all on a torus, else a block of them.

    One cell more on each side, as the box that the kernel looks through is wider by rounding.
    """
    if places.period[0] > 0 or not len(more.circle):
        return (0, 0, *places.shape.tolist())
    middle, reach = more.circle[:, :2], more.circle[:, 2:3] + margin
    low = ((middle - reach).min(axis=0) - places.frame[:2]) // places.frame[2:] - 1
    high = ((middle + reach).max(axis=0) - places.frame[:2]) // places.frame[2:] + 2
    first = np.clip(low, 0, places.shape).astype(int)
    size = np.clip(high, first, places.shape).astype(int) - first
    return (*first.tolist(), *size.tolist())


def _room_beside(places: Places, cells: Ints) -> Floats:
    """`Places.room` where some cells hold something now, as if their whole rectangle did.

    A cell from which these are the nearest lies in sight of them, with only such cells between:
    they are looked for further and further out, until there are none any more.
    """
    columns, rows = places.shape.tolist()
    width, height = places.frame[2:].tolist()
    across_a_cell, wraps = float(np.hypot(width, height)), bool(places.period[0] > 0)
    down, across = np.divmod(cells, columns)
    room, spare = places.room.reshape(rows, columns).copy(), NEAR
    while True:
        some_rows, above, below = _around(down, spare, rows, wraps)
        some_columns, before, behind = _around(across, spare, columns, wraps)
        dy, dx = _off(some_rows, down), _off(some_columns, across)
        off = np.hypot(dx[None, :] * width, dy[:, None] * height)
        window = np.ix_(some_rows % rows, some_columns % columns)
        part = room[window]
        nearest = part > off - 3 * across_a_cell
        sides = (above, nearest[0]), (below, nearest[-1]), (before, nearest[:, 0])
        if not any(more and side.any() for more, side in (*sides, (behind, nearest[:, -1]))):
            room[window] = np.minimum(part, np.maximum(off - across_a_cell, 0.0))
            return room.ravel()
        spare *= 2


def _around(cells: Ints, spare: int, count: int, wraps: bool) -> tuple[Ints, bool, bool]:
    """Rows or columns round some of `count`, and whether there are more before and behind them.

    Where they wrap the numbers may be negative, or `count` and more.
    """
    first, end = int(cells.min()) - spare, int(cells.max()) + spare + 1
    if not wraps:
        first, end = max(first, 0), min(end, count)
        return np.arange(first, end), first > 0, end < count
    if end - first < count:
        return np.arange(first, end), True, True
    first = int(cells.min() + cells.max() + 1 - count) // 2
    return np.arange(first, first + count), False, False


def _off(some: Ints, cells: Ints) -> Ints:
    """How many rows or columns each of some is off those from the first to the last of cells."""
    found: Ints = np.maximum(np.maximum(cells.min() - some, some - cells.max()), 0)
    return found
