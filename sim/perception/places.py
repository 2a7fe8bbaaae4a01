"""A grid that knows which outlines reach into each of its cells, and how far off the others are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from sim.perception.outlines import Outlines, away
from sim.plane import Plane

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
IMAGES = 9
"""Images of each outline on a torus: number 4 is itself, the others lie a period on or back."""
SLACK = 1e-6
"""Cells list what comes this near, as a share of their width: rounding loses nobody."""
PER_OUTLINE, FEWEST, MOST = 16, 4096, 1 << 18
"""How many cells there are: so many an outline, between these bounds."""
PER_MOVING = 4
"""The same of outlines that move, at most."""


class Places(NamedTuple):
    """Cells over a torus, or over the box that holds all outlines; lists of what reaches into each.

    `items` holds outline x 9 + image, ascending within each cell.
    """

    left: float
    top: float
    width: float
    """Of a cell, world units."""
    height: float
    columns: int
    rows: int
    period: Floats
    """(2,) of the torus; zeros where nothing wraps."""
    first: Ints
    """(cells + 1,) where each cell's list begins in `items`."""
    items: NDArray[np.int32]
    room: Floats
    """(cells,) from anywhere in the cell to the next one that holds anything: at least so far."""


def places_of(outlines: Outlines, plane: Plane, margin: float, side: float = 0.0) -> Places:
    """The cells of outlines that stand still, widened by a margin (world units).

    They are at least `side` wide (world units), and as many as the number of outlines suggests.
    """
    most = min(max(PER_OUTLINE * len(outlines.who), FEWEST), MOST)
    places = _list(outlines, *_cells(outlines, plane, margin, side, most), margin, True)
    return places._replace(room=_room(places, plane))


def places_now(outlines: Outlines, plane: Plane, margin: float) -> Places:
    """The cells of outlines that move: made in little time, without knowing what is far off."""
    side = 2 * (float(outlines.extent.max(initial=0.0)) + margin)
    most = PER_MOVING * max(1, len(outlines.who))
    return _list(outlines, *_cells(outlines, plane, margin, side, most), margin, False)


def _cells(
    outlines: Outlines, plane: Plane, margin: float, side: float, most: int
) -> tuple[Floats, Floats, int, int, Floats]:
    """Upper left corner and size of the box that the cells cover; columns, rows; the period."""
    low, size = _domain(outlines, plane, margin)
    side = max(side, float(np.sqrt(size[0] * size[1] / most)))
    across = np.maximum(1, np.floor(np.minimum(size / max(side, 1e-300), most)))
    return low, size, int(across[0]), int(across[1]), plane.size


def _list(
    outlines: Outlines, low: Floats, size: Floats, columns: int, rows: int, period: Floats,
    margin: float, exact: bool,
) -> Places:  # fmt: skip
    """Count what reaches into each cell, then write it down."""
    count, nothing = np.zeros(columns * rows + 1, np.int64), np.zeros(0, np.int32)
    places = Places(
        float(low[0]), float(low[1]), float(size[0] / columns), float(size[1] / rows),
        columns, rows, period, count, nothing, np.zeros(columns * rows),
    )  # fmt: skip
    _enter(outlines, places, margin, exact, False)
    first = np.concatenate([[0], np.cumsum(count[:-1])])
    count[:] = first
    items = np.zeros(int(first[-1]), np.int32)
    _enter(outlines, places._replace(items=items), margin, exact, True)
    return places._replace(first=first, items=items)


def _domain(outlines: Outlines, plane: Plane, margin: float) -> tuple[Floats, Floats]:
    """The upper left corner and the size of the box that the cells cover."""
    if plane.wraps:
        return plane.origin, plane.size
    here = np.isfinite(outlines.middle[:, 0])
    if not here.any():
        return np.zeros(2), np.ones(2)
    middle, reach = outlines.middle[here], (outlines.extent[here] + margin)[:, None]
    low, high = (middle - reach).min(axis=0), (middle + reach).max(axis=0)
    size = np.maximum(high - low, max(float((high - low).max()), 1e-300) * 1e-3)
    return low - SLACK * size, size * (1 + 2 * SLACK)


def _room(places: Places, plane: Plane) -> Floats:
    """Between the middles of two cells, less half a cell at either end."""
    empty = (np.diff(places.first) == 0).reshape(places.rows, places.columns)
    if empty.all():
        return np.full(empty.size, np.inf)
    around = [(n - n // 2, n // 2) if plane.wraps else (0, 0) for n in empty.shape]
    wide = np.pad(empty, around, mode="wrap" if plane.wraps else "constant")
    apart = distance_transform_edt(wide, sampling=(places.height, places.width))
    (up, _), (back, _) = around
    apart = apart[up : up + places.rows, back : back + places.columns]
    room: Floats = np.maximum(apart - np.hypot(places.width, places.height), 0).ravel()
    return room


@njit(cache=True, error_model="numpy")
def _enter(outlines, places, margin, exact, writes):  # type: ignore[no-untyped-def]
    """Count what reaches into each cell, or write it down from `first` on, which moves along.

    Not exact, a cell lists all whose boxes reach into it, and not those outlines only.
    """
    wraps = places.period[0] > 0
    slack = SLACK * max(places.width, places.height)
    half = np.sqrt(places.width**2 + places.height**2) / 2 + slack
    for k in range(len(outlines.who)):
        if not np.isfinite(outlines.middle[k, 0]):
            continue
        corners = outlines.corners[outlines.first[k] : outlines.first[k + 1]]
        reach = outlines.rounding[k] + margin
        low_x, high_x = corners[:, 0].min() - reach - slack, corners[:, 0].max() + reach + slack
        low_y, high_y = corners[:, 1].min() - reach - slack, corners[:, 1].max() + reach + slack
        for image in range(IMAGES):
            if image != 4 and not wraps:
                continue
            at_x = places.left - (image // 3 - 1) * places.period[0]
            at_y = places.top - (image % 3 - 1) * places.period[1]
            west = max(int(np.floor((low_x - at_x) / places.width)), 0)
            east = min(int(np.floor((high_x - at_x) / places.width)), places.columns - 1)
            north = max(int(np.floor((low_y - at_y) / places.height)), 0)
            south = min(int(np.floor((high_y - at_y) / places.height)), places.rows - 1)
            for row in range(north, south + 1):
                for column in range(west, east + 1):
                    if exact:
                        x = at_x + (column + 0.5) * places.width
                        y = at_y + (row + 0.5) * places.height
                        if away(corners, x, y)[0] > half + reach:
                            continue
                    c = row * places.columns + column
                    if writes:
                        places.items[places.first[c]] = k * IMAGES + image
                    places.first[c] += 1
    return 0
