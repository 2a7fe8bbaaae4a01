"""A survey of the ground: what is wide, and the pieces of narrow ground with their mouths.

After a change only what lies near it is looked at again; the result is the same as of a survey of
all the ground.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit
from sim.navigation.distances import extents, from_point
from sim.navigation.grid import GRAZE, Grid
from sim.navigation.mouths import ALL_ROUND, JOINED, are_joined, is_passage, mouths_of
from sim.navigation.renewal import compared

ABREAST, STREAMS = 2.6, 3.2
"""Hull radii of the disc in which two hulls pass each other, and of the one for two streams."""
ROOM = 40.0
"""Wide ground smaller than this many squares of the hull radius is no place to wait: it counts as
narrow."""
NO_PIECE = np.zeros((0, 2)), False
MOST = 16
"""Solids that may have changed: for more all of the ground is surveyed."""
Window = tuple[int, int, int, int]
"""The first row and column of some nodes, and those behind the last."""


class Survey(NamedTuple):
    """The ground of a planning grid, on a lattice that reaches further out."""

    origin: Floats
    step: Floats
    bounds: Floats
    solids: Floats
    """Rows, as in `sim.navigation.distances`."""
    clearance: Floats
    """(rows, columns) the distance of each node from all that is solid, as far as it matters."""
    passing: Bools
    """(rows, columns) where two hulls pass each other."""
    roomy: Bools
    """(rows, columns) where two streams do, in however small a place."""
    wide: Bools
    """The same without small places."""
    pieces: NDArray[np.int32]
    """(rows, columns) the number of the piece of narrow ground, from 1 on; 0 for none."""
    mouths: list[Floats]
    """For each piece the middles (k, 2) of its mouths."""
    abreast: list[bool]
    """For each piece whether it is a passage in which two hulls pass each other all the way."""


def survey(grid: Grid, before: Survey | None = None) -> Survey:
    """The ground of a grid; `before` is that of an earlier one, perhaps on the same lattice."""
    radius, step = grid.radius, grid.step
    rows, columns = grid.free.shape
    more = np.ceil(3 * STREAMS * radius / step).astype(int)
    origin, shape = grid.origin - more * step, (rows + 2 * more[1], columns + 2 * more[0])
    windows = None if before is None else _changed(grid, before, origin, shape)
    if before is None or windows is None:
        windows, clearance = [(0, 0, *shape)], np.empty(shape)
        passing, roomy = np.zeros((2, *shape), np.bool_)
    else:
        clearance = before.clearance.copy()
        passing, roomy = before.passing.copy(), before.roomy.copy()
    for window in windows:
        most = 2 * STREAMS * radius
        _clearances(origin, step, grid.solids, grid.bounds, most, window, clearance)
    for window in windows:
        _make_roomy(clearance, passing, window, radius, step, ABREAST)
        _make_roomy(clearance, roomy, window, radius, step, STREAMS)
    free = clearance >= radius * (1 - GRAZE)
    wide = _without_small(roomy, ROOM * radius * radius / float(step.prod()))
    pieces, count = scipy.ndimage.label(free & ~wide, ALL_ROUND)
    boxes, first = np.zeros((count, 4), np.int64), np.full(count, -1)
    _bound(pieces, boxes, first)
    boxes[:, :2] = np.maximum(boxes[:, :2] - JOINED - 1, 0)
    boxes[:, 2:] = np.minimum(boxes[:, 2:] + JOINED + 2, shape)
    known: list[tuple[Floats, bool]] = []
    fresh: Iterable[int] = range(count)
    if before is not None and before.pieces.shape == pieces.shape:
        other = (wide != before.wide) | ((pieces > 0) != (before.pieces > 0))
        other |= passing != before.passing
        was = before.pieces.flat[first]
        touched = _hold(other, boxes) | (was == 0)
        kept = list(zip(before.mouths, before.abreast, strict=True))
        known = [kept[k - 1] if k else NO_PIECE for k in was.tolist()]
        fresh = np.flatnonzero(touched).tolist()
    told = known or [NO_PIECE] * count
    for piece in fresh:
        top, left, bottom, right = boxes[piece].tolist()
        around = slice(top, bottom), slice(left, right)
        inside = pieces[around] == piece + 1
        found, mouth = mouths_of(inside, wide[around])
        corner = origin + step * [left, top]
        places = corner + np.array(found).reshape(-1, 2)[:, ::-1] * step
        told[piece] = (
            places,
            is_passage(len(found)) and are_joined(inside & passing[around], mouth, len(found)),
        )
    return Survey(
        origin, step, grid.bounds, grid.solids, clearance, passing, roomy, wide, pieces,
        [places for places, _ in told], [abreast for _, abreast in told],
    )  # fmt: skip


def _changed(
    grid: Grid, before: Survey, origin: Floats, shape: tuple[int, ...]
) -> list[Window] | None:
    """The nodes of which the clearance may be another now; None where all are to be looked at."""
    alike = before.pieces.shape == shape and (before.origin == origin).all()
    if not (alike and (before.step == grid.step).all() and (before.bounds == grid.bounds).all()):
        return None
    changed = np.concatenate(compared(before.solids, grid.solids)[1:])
    if len(changed) > MOST:
        return None
    low, high = extents(changed, 2 * STREAMS * grid.radius)
    first = np.maximum(np.floor((low - origin) / grid.step).astype(int), 0)
    last = np.minimum(np.ceil((high - origin) / grid.step).astype(int) + 1, shape[::-1])
    return [
        (top, left, bottom, right)
        for (left, top), (right, bottom) in zip(first.tolist(), last.tolist(), strict=True)
        if left < right and top < bottom
    ]


def _make_roomy(
    clearance: Floats, roomy: Bools, window: Window, radius: float, step: Floats, disc: float
) -> None:
    """Find out where hulls lie in free discs of `disc` radii, as far as a window counts for it."""
    reach = (disc - 1) * radius + 0.5 * step.max()
    across, down = np.ceil(reach / step).astype(int).tolist()
    inner = _wider(window, down, across, clearance.shape)
    outer = _wider(inner, down, across, clearance.shape)
    core = clearance[outer[0] : outer[2], outer[1] : outer[3]] >= (disc * radius - 0.5 * step.max())
    cut = (
        slice(inner[0] - outer[0], inner[2] - outer[0]),
        slice(inner[1] - outer[1], inner[3] - outer[1]),
    )
    here = slice(inner[0], inner[2]), slice(inner[1], inner[3])
    if not core.any():
        roomy[here] = False
        return
    off = scipy.ndimage.distance_transform_edt(~core, sampling=step[::-1])[cut]
    roomy[here] = (clearance[here] >= radius * (1 - GRAZE)) & (off <= reach)


def _wider(window: Window, down: int, across: int, shape: tuple[int, ...]) -> Window:
    top, left, bottom, right = window
    return (
        max(top - down, 0), max(left - across, 0),
        min(bottom + down, shape[0]), min(right + across, shape[1]),
    )  # fmt: skip


def _without_small(ground: Bools, least: float) -> Bools:
    """Ground without the parts that have fewer nodes than `least`."""
    parts, _ = scipy.ndimage.label(ground, ALL_ROUND)
    large = np.bincount(parts.reshape(-1)) >= least
    large[0] = False
    kept: Bools = large[parts]
    return kept


def _hold(nodes: Bools, boxes: Ints) -> Bools:
    """(k,) which boxes (k, 4) of nodes hold any of some: first row and column, those behind."""
    if not nodes.any():
        return np.zeros(len(boxes), np.bool_)
    rows, columns = np.flatnonzero(nodes.any(axis=1)), np.flatnonzero(nodes.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    sums = np.zeros((int(rows[-1]) - top + 2, int(columns[-1]) - left + 2), np.int64)
    some = nodes[top : top + sums.shape[0] - 1, left : left + sums.shape[1] - 1]
    sums[1:, 1:] = some.cumsum(axis=0).cumsum(axis=1)
    y0, y1 = (np.clip(boxes[:, k] - top, 0, sums.shape[0] - 1) for k in (0, 2))
    x0, x1 = (np.clip(boxes[:, k] - left, 0, sums.shape[1] - 1) for k in (1, 3))
    return sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0] > 0


@njit(cache=True, error_model="numpy", nogil=True)
def _bound(pieces, boxes, first):  # type: ignore[no-untyped-def]
    """Fill in the first and the last row and column of each piece, (k, 4), and its first node."""
    rows, columns = pieces.shape
    for y in range(rows):
        for x in range(columns):
            k = pieces[y, x] - 1
            if k < 0:
                continue
            if first[k] < 0:
                boxes[k, 0], boxes[k, 1], first[k] = y, x, y * columns + x
                boxes[k, 2], boxes[k, 3] = y, x
            boxes[k, 1] = min(boxes[k, 1], x)
            boxes[k, 2] = y
            boxes[k, 3] = max(boxes[k, 3], x)


@njit(cache=True, error_model="numpy", nogil=True)
def _clearances(  # type: ignore[no-untyped-def]
    origin, step, solids, bounds, most, window, clearance
):
    """Set `clearance` (rows, columns) in a window: distances from solids and bounds, or `most`."""
    top, left, bottom, right = window
    for y in range(top, bottom):
        py = origin[1] + y * step[1]
        for x in range(left, right):
            px = origin[0] + x * step[0]
            room = min(min(px - bounds[0], bounds[2] - px), min(py - bounds[1], bounds[3] - py))
            clearance[y, x] = min(most, room)
    for s in range(len(solids)):
        solid = solids[s]
        wide = solid[4] + most
        x0 = max(ceil((min(solid[0], solid[2], solid[6]) - wide - origin[0]) / step[0]), left)
        x1 = min(floor((max(solid[0], solid[2], solid[6]) + wide - origin[0]) / step[0]), right - 1)
        y0 = max(ceil((min(solid[1], solid[3], solid[7]) - wide - origin[1]) / step[1]), top)
        y1 = min(
            floor((max(solid[1], solid[3], solid[7]) + wide - origin[1]) / step[1]), bottom - 1
        )
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                away = from_point(origin[0] + x * step[0], origin[1] + y * step[1], solid)
                clearance[y, x] = min(clearance[y, x], away)
