"""Into the planning grid from beyond: which node of its border to head for.

The lattice reaches past all solids, so whatever is beyond sees all of the sides that face it.
"""

from __future__ import annotations

from math import hypot

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.compiled import leaf
from sim.core.geometry import cell_of, floored
from sim.navigation.grid import Grid, place_of


@leaf
def _by_side(
    grid: Grid, distance: Floats, x: float, y: float, side: int, best: float, base: float
) -> tuple[float, int]:
    """The best node of one side of the lattice, if it is better than `best`; -1 if none is.

    Sides 0 to 3 are left, right, top and bottom. From one node to the next neither their distance
    nor the way to them changes by more than `base` times a step: so most can be passed over.
    """
    ny, nx = grid.free.shape
    first = nx - 1 if side == 1 else (ny - 1) * nx if side == 3 else 0
    stride, count = (nx, ny) if side < 2 else (1, nx)
    size = grid.step[0] if stride == 1 else grid.step[1]
    at = x - grid.origin[0] if stride == 1 else y - grid.origin[1]
    middle, found = cell_of(at / size, count), -1
    for n in (-1, 1):
        k = middle if n > 0 else middle - 1
        while 0 <= k < count:
            node = first + k * stride
            px, py = place_of(grid, node)
            rest = distance.flat[node] + base * hypot(px - x, py - y)
            if rest < best:
                best, found = rest, node
            k += n if rest == np.inf else n * max(1, floored((rest - best) / (2 * base * size)))
    return best, found


@leaf
def from_beyond(
    grid: Grid, distance: Floats, lengths: Floats, x: float, y: float, base: float
) -> tuple[float, float, float, float]:
    """The node of the border to head for from beyond the lattice, the cost and length of the way.

    It is on a side that faces the place: nothing stands in between. Lengths beyond count `base`
    times; `distance` and `lengths` (rows, columns) are what is left from nodes, as in `FlowField`.
    """
    ny, nx = grid.free.shape
    best, node = np.inf, -1
    for side in range(4):
        away = x - grid.origin[0] if side < 2 else y - grid.origin[1]
        wide = (nx - 1) * grid.step[0] if side < 2 else (ny - 1) * grid.step[1]
        if away < 0 if side % 2 == 0 else away > wide:
            best, better = _by_side(grid, distance, x, y, side, best, base)
            node = better if better >= 0 else node
    if node < 0:
        return x, y, np.inf, np.inf
    to_x, to_y = place_of(grid, node)
    return to_x, to_y, best, lengths.flat[node] + hypot(to_x - x, to_y - y)


def inside_bounds(grid: Grid, places: Floats) -> Floats:
    """Places (k, 2); those beyond the lattice as near as a hull has room within the bounds.

    No solid is near there but the bounds themselves.
    """
    if grid.period[0] > 0:
        return places
    ny, nx = grid.free.shape
    last = grid.origin + np.array([nx - 1, ny - 1]) * grid.step
    beyond: Bools = np.any((places < grid.origin) | (places > last), axis=1)
    low, high = room_of(grid)
    found: Floats = np.where(beyond[:, None], np.clip(places, low, high), places)
    return found


def room_of(grid: Grid) -> tuple[Floats, Floats]:
    """The left upper and the right lower corner of where a hull has room within the bounds."""
    left, right = grid.bounds[:2] + grid.radius, grid.bounds[2:] - grid.radius
    narrow = left > right
    middle = (grid.bounds[:2] + grid.bounds[2:]) / 2 if narrow.any() else left
    return np.where(narrow, middle, left), np.where(narrow, middle, right)


@leaf
def onto(x: float, low: float, high: float, period: float) -> float:
    """The nearest place of a stretch along one axis; of its nearest image on a torus."""
    if period > 0:
        x, at = x - period * np.rint((x - (low + high) / 2) / period), x
        return float(at - x + min(max(x, low), high))
    return min(max(x, low), high)
