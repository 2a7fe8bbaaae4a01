"""A grid that knows which outlines reach into each of its cells, and how far off the others are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.geometry import floored
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.perception.outlines import Outlines, away

IMAGES = 9
"""Images of each outline on a torus: number 4 is itself, the others lie a period on or back."""
BITS = 4
MASK = (1 << BITS) - 1
"""An item's low bits hold the image, the others the outline."""
SLACK = 1e-6
"""Cells list what comes this near, as a share of their width: rounding loses none."""
PER_OUTLINE, FEWEST, MOST = 16, 4096, 1 << 18
"""How many cells there are: this many an outline, between these bounds."""
ACROSS = 8.0
"""Cells are at most this many times narrower than the margin: else each would list nearly all."""
PER_MOVING = 4
"""The same of outlines that move, at most."""
Cells = tuple[Floats, Ints, Floats]
"""Frame, shape and period, as in `Places`."""
Block = tuple[int, int, int, int]
"""The first column and row of some cells, and how many of each."""


class Places(NamedTuple):
    """Cells over a torus, or over the box that holds all outlines; lists of what reaches into each.

    Few arrays: kernels pay for each that is handed on.
    """

    frame: Floats
    """(4,) left, top, and the width and height of a cell, world units."""
    shape: Ints
    """(2,) columns and rows."""
    period: Floats
    """(2,) of the torus; zeros where nothing wraps."""
    first: Ints
    """(cells + 1,) where each cell's list begins in `items`."""
    items: NDArray[np.int32]
    """Outlines with their images, see `BITS`, ascending within each cell."""
    room: Floats
    """(cells,) from anywhere in the cell to the next one that holds anything: at least so far."""


class Things(NamedTuple):
    """`Outlines` and the `Places` that list them, in one flat record for kernels."""

    corners: Floats
    first: Ints
    circle: Floats
    name: Ints
    frame: Floats
    shape: Ints
    period: Floats
    listed: Ints
    """`Places.first`."""
    items: NDArray[np.int32]
    room: Floats

    @classmethod
    def of(cls, outlines: Outlines, places: Places) -> Things:
        """Outlines with the cells that list them."""
        corners, first, circle, name = outlines
        return cls(corners, first, circle, name, *places)


def places_of(outlines: Outlines, plane: Plane, margin: float, side: float = 0.0) -> Places:
    """The cells of outlines that stand still, widened by a margin (world units).

    They are at least `side` wide (world units), and as many as the number of outlines suggests.
    """
    most = min(max(PER_OUTLINE * len(outlines.first), FEWEST), MOST)
    places = _list(outlines, _cells(outlines, plane, margin, side, most), margin, True)
    return places._replace(room=_room(places, plane))


def places_now(outlines: Outlines, plane: Plane, margin: float) -> Places:
    """The cells of outlines that move: made in little time, without knowing what is far off."""
    side = 2 * (float(outlines.circle[:, 2].max(initial=0.0)) + margin)
    most = PER_MOVING * len(outlines.first)
    return _list(outlines, _cells(outlines, plane, margin, side, most), margin, False)


def _cells(outlines: Outlines, plane: Plane, margin: float, side: float, most: int) -> Cells:
    """Frame, shape and period of `most` cells at most, no narrower than `side`."""
    low, size = _domain(outlines, plane, margin)
    side = max(side, margin / ACROSS, float(np.sqrt(size[0] * size[1] / most)))
    across = np.maximum(1, np.floor(np.minimum(size / max(side, 1e-300), most))).astype(np.int64)
    return np.concatenate([low, size / across]), across, plane.size


def _list(outlines: Outlines, cells: Cells, margin: float, exact: bool) -> Places:
    """Count what reaches into each cell, then write it down."""
    columns, rows = cells[1].tolist()
    first, items = entered(outlines, cells, margin, exact, (0, 0, columns, rows))
    return Places(*cells, first, items, np.zeros(columns * rows))


def entered(
    outlines: Outlines, cells: Cells, margin: float, exact: bool, block: Block
) -> tuple[Ints, NDArray[np.int32]]:
    """`Places.first` and `items` of the cells of a block, which holds all that the outlines reach.

    Not exact, a cell lists all whose boxes reach into it, and not those outlines only.
    """
    count, nothing = np.zeros(block[2] * block[3] + 1, np.int64), np.zeros(0, np.int32)
    _enter(outlines, (*cells, block), margin, exact, False, count, nothing)
    first = np.concatenate([[0], np.cumsum(count[:-1])])
    count[:] = first
    items = np.zeros(int(first[-1]), np.int32)
    _enter(outlines, (*cells, block), margin, exact, True, count, items)
    return first, items


def _domain(outlines: Outlines, plane: Plane, margin: float) -> tuple[Floats, Floats]:
    """The upper left corner and the size of the box that the cells cover."""
    if plane.wraps:
        return plane.origin, plane.size
    here = np.isfinite(outlines.circle[:, 0])
    if not here.any():
        return np.zeros(2), np.ones(2)
    middle, reach = outlines.circle[here, :2], outlines.circle[here, 2:3] + margin
    low, high = (middle - reach).min(axis=0), (middle + reach).max(axis=0)
    size = np.maximum(high - low, max(float((high - low).max()), 1e-300) * 1e-3)
    return low - SLACK * size, size * (1 + 2 * SLACK)


def _room(places: Places, plane: Plane) -> Floats:
    """Between the middles of two cells, less half a cell at either end."""
    columns, rows = places.shape.tolist()
    width, height = places.frame[2:].tolist()
    empty = (np.diff(places.first) == 0).reshape(rows, columns)
    if empty.all():
        return np.full(empty.size, np.inf)
    around = [(n - n // 2, n // 2) if plane.wraps else (0, 0) for n in empty.shape]
    wide = np.pad(empty, around, mode="wrap" if plane.wraps else "constant")
    apart = scipy.ndimage.distance_transform_edt(wide, sampling=(height, width))
    (up, _), (back, _) = around
    apart = apart[up : up + rows, back : back + columns]
    room: Floats = np.maximum(apart - np.hypot(width, height), 0).ravel()
    return room


@leaf
def cell_at(x, y, frame, shape, period):  # type: ignore[no-untyped-def]
    """The number of the cell that a place lies in; -1 outside all cells, or for no place at all."""
    if not np.isfinite(x + y):
        return -1
    columns, rows = shape[0], shape[1]
    column = floored((x - frame[0]) / frame[2])
    row = floored((y - frame[1]) / frame[3])
    if not (0 <= column < columns and 0 <= row < rows):
        if period[0] == 0.0:
            return -1
        column, row = column % columns, row % rows
    return row * columns + column


@njit(cache=True, error_model="numpy")
def _enter(outlines, cells, margin, exact, writes, first, items):  # type: ignore[no-untyped-def]
    """Count what reaches into each cell, or write it down from `first` on, which moves along."""
    corners, begin, circle = outlines.corners, outlines.first, outlines.circle
    frame, shape, period, (column0, row0, across, _) = cells
    wraps, columns, rows = period[0] > 0, shape[0], shape[1]
    left, top, width, height = frame[0], frame[1], frame[2], frame[3]
    slack = SLACK * max(width, height)
    half = np.sqrt(width**2 + height**2) / 2 + slack
    for k in range(len(circle)):
        if not np.isfinite(circle[k, 0]):
            continue
        reach = circle[k, 3] + margin
        low_x, low_y, high_x, high_y = np.inf, np.inf, -np.inf, -np.inf
        for v in range(begin[k], begin[k + 1]):
            low_x, high_x = min(low_x, corners[v, 0]), max(high_x, corners[v, 0])
            low_y, high_y = min(low_y, corners[v, 1]), max(high_y, corners[v, 1])
        low_x, high_x = low_x - reach - slack, high_x + reach + slack
        low_y, high_y = low_y - reach - slack, high_y + reach + slack
        for image in range(IMAGES):
            if image != 4 and not wraps:
                continue
            at_x = left - (image // 3 - 1) * period[0]
            at_y = top - (image % 3 - 1) * period[1]
            west = max(floored((low_x - at_x) / width), 0)
            east = min(floored((high_x - at_x) / width), columns - 1)
            north = max(floored((low_y - at_y) / height), 0)
            south = min(floored((high_y - at_y) / height), rows - 1)
            for row in range(north, south + 1):
                for column in range(west, east + 1):
                    if exact:
                        x, y = at_x + (column + 0.5) * width, at_y + (row + 0.5) * height
                        if away(corners, begin[k], begin[k + 1], x, y)[0] > half + reach:
                            continue
                    cell = (row - row0) * across + column - column0
                    if writes:
                        items[first[cell]] = k << BITS | image
                    first[cell] += 1
    return 0
