"""Planning grids after solids came or went: only the nodes near these are marked anew."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.distances import extents, solid_rows
from sim.navigation.grid import (
    GRAZE,
    NOWHERE,
    Grid,
    clear_gap,
    lattice,
    planning_grid,
    same_lattice,
)
from sim.navigation.joined import joined_within
from sim.navigation.marking import ACROSS, DOWN, Marking, differing, has_room, mark_edge
from sim.navigation.regions import regions, regions_again
from sim.navigation.relisting import relisted


def renewed_grid(
    old: Grid, solids: Solids, plane: Plane, tiles: TileMap | None, cover: Solids = NOWHERE
) -> Grid:
    """The grid among other solids for the same hulls, as `planning_grid` makes it."""
    rows = solid_rows(solids)
    covered = rows if cover.empty else np.concatenate([rows, solid_rows(cover)])
    origin, step, columns, lines = lattice(covered, plane, old.radius, tiles)
    alike = (columns, lines) == old.free.shape[::-1] and (origin == old.origin).all()
    if plane.wraps or not (alike and (step == old.step).all()):
        return planning_grid(solids, plane, old.radius, tiles, cover)
    stays, fresh, gone = compared(old.solids, rows)
    limit = old.radius * (1 - GRAZE)
    rows = np.concatenate([old.solids[stays], fresh])
    lists = old.first, old.items, origin, step, columns - 1, lines - 1
    first, items, emptied = relisted(lists, stays, fresh, gone, limit)
    free, exits, label = old.free.copy(), old.exits.copy(), old.label
    windows = _windows(np.concatenate([fresh, gone]), origin, step, limit, free.shape)
    marking = Marking(origin, step, rows, old.bounds, limit, first, items)
    touched = _mark_again(marking, windows, old.free, old.exits, free, exits)
    if len(touched):
        label = np.empty((lines, columns), np.int32)
        if not regions_again(free, exits, old.label, touched, label):
            regions(free, exits, label, False)
    gap = old.gap
    if emptied:
        gap = clear_gap(first, (lines, columns), origin, step, old.bounds, limit, False)
    return Grid(
        origin, step, free, exits, label, gap, first, items, rows, old.bounds, old.radius,
        old.period,
    )  # fmt: skip


EVERYWHERE = (-np.inf, -np.inf, np.inf, np.inf)
"""As left, top, right, bottom."""


def reshaped(old: Grid, new: Grid) -> Floats:
    """(4,) left, top, right, bottom: only places there can be joined to another part than before.

    Parts of the grid that stay what they are keep their numbers. (Places beyond the grid are joined
    to its border.)
    """
    if new.period[0] > 0 or not same_lattice(old, new):
        return np.array(EVERYWHERE)
    differ = (old.free != new.free) | (old.exits != new.exits)
    border = differ[[0, -1]].any() or differ[:, [0, -1]].any()
    if border or ((old.label != new.label) & ~differ).any():
        return np.array(EVERYWHERE)
    rows, columns = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
    if not len(rows):
        return -np.array(EVERYWHERE)  # nowhere: no place lies within
    far = joined_within(new) + new.step
    low = new.origin + np.array([columns[0], rows[0]]) * new.step - far
    high = new.origin + np.array([columns[-1], rows[-1]]) * new.step + far
    return np.concatenate([low, high])


def compared(old: Floats, new: Floats) -> tuple[Bools, Floats, Floats]:
    """What rows of solids that were and are have to do with each other.

    Which of the old ones stay, (k,); the rows that are new; and the ones that are gone.
    """
    begin, end = _ends_alike(old, new)
    stays = np.ones(len(old), np.bool_)
    stays[begin : len(old) - end] = False
    places: dict[bytes, list[int]] = {}
    for number, row in enumerate(old[begin : len(old) - end], start=begin):
        places.setdefault(row.tobytes(), []).append(number)
    fresh = []
    for row in new[begin : len(new) - end]:
        same = places.get(row.tobytes())
        if same:
            stays[same.pop(0)] = True
        else:
            fresh.append(row)
    return stays, np.array(fresh).reshape(-1, new.shape[1]), old[~stays]


@njit(cache=True, error_model="numpy", nogil=True)
def _ends_alike(old: Floats, new: Floats) -> tuple[int, int]:
    """How many rows from the first on, and then from the last back, are the same in both."""
    (count, width), more = old.shape, len(new)
    most, begin, end = min(count, more), 0, 0
    while begin < most and _same(old[begin], new[begin], width):
        begin += 1
    while end < most - begin and _same(old[count - 1 - end], new[more - 1 - end], width):
        end += 1
    return begin, end


@njit(cache=True, error_model="numpy", nogil=True)
def _same(one, other, width):  # type: ignore[no-untyped-def]
    differ = 0
    for k in range(width):
        differ += one[k] != other[k]
    return differ == 0


def _windows(
    changed: Floats, origin: Floats, step: Floats, limit: float, shape: tuple[int, ...]
) -> Ints:
    """(k, 4) columns and rows, the first and the last, of the nodes that changed solids may block.

    Neighbours that lead to them are among these.
    """
    low, high = extents(changed, limit)
    first = np.floor((low - origin) / step).astype(np.int64) - 1
    last = np.ceil((high - origin) / step).astype(np.int64) + 1
    most = np.array(shape[::-1]) - 1
    return np.hstack([np.clip(first, 0, most), np.clip(last, -1, most)])


@njit(cache=True, error_model="numpy", nogil=True)
def _mark_again(marking, windows, free_before, exits_before, free, exits):  # type: ignore[no-untyped-def]
    """Mark the nodes of some windows and the ways from and to them, as `mark` does for all.

    The nodes are returned that are not what they were.
    """
    ny, nx = free.shape
    for w in range(len(windows)):
        left, top, right, bottom = windows[w]
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                free[y, x] = has_room(marking, x, y, ny, nx)
    for w in range(len(windows)):
        left, top, right, bottom = windows[w]
        for y in range(max(top - 1, 0), min(bottom + 1, ny - 1) + 1):
            for x in range(max(left - 1, 0), min(right + 1, nx - 1) + 1):
                for k in range(4):
                    u, v = x + ACROSS[k], y + DOWN[k]
                    if u < 0 or u >= nx or v >= ny:
                        continue
                    inside = left <= x <= right and top <= y <= bottom
                    if not inside and not (left <= u <= right and top <= v <= bottom):
                        continue
                    exits[y, x] &= 0xFF ^ (1 << k)
                    exits[v, u] &= 0xFF ^ (1 << (k + 4))
                    mark_edge(marking, free, exits, x, y, k)
    return differing(free_before, free, exits_before, exits)
