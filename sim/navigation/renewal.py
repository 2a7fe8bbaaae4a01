"""Planning grids after solids came or went: only the nodes near these are marked anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.distances import extents, solid_rows
from sim.navigation.grid import GRAZE, NOWHERE, Grid, clear_gap, lattice, planning_grid
from sim.navigation.marking import ACROSS, DOWN, Marking, has_room, mark_edge, near_cells
from sim.navigation.regions import regions, regions_again


def renewed_grid(
    old: Grid, solids: Solids, plane: Plane, tiles: TileMap | None, cover: Solids = NOWHERE
) -> Grid:
    """The grid among other solids for the same hulls, as `planning_grid` makes it."""
    rows = solid_rows(solids)
    covered = np.concatenate([rows, solid_rows(cover)])
    origin, step, columns, lines = lattice(covered, plane, old.radius, tiles)
    alike = (columns, lines) == old.free.shape[::-1] and (origin == old.origin).all()
    if plane.wraps or not (alike and (step == old.step).all()):
        return planning_grid(solids, plane, old.radius, tiles, cover)
    kept, renumbered, gone = compared(old.solids, rows)
    fresh = rows[kept < 0]
    limit = old.radius * (1 - GRAZE)
    order = np.argsort(kept[kept >= 0], kind="stable")
    rows = np.concatenate([rows[kept >= 0][order], fresh])
    more = near_cells(origin, step, columns - 1, lines - 1, fresh, limit)
    first, items = _merged(old.first, old.items, renumbered, *more, len(rows) - len(fresh))
    free, exits = old.free.copy(), old.exits.copy()
    windows = _windows(np.concatenate([fresh, gone]), origin, step, limit, free.shape)
    marking = Marking(origin, step, rows, old.bounds, limit, first, items)
    _mark_again(marking, windows, free, exits)
    label, touched = old.label, np.flatnonzero((free != old.free) | (exits != old.exits))
    if len(touched):
        label = np.empty((lines, columns), np.int32)
        if not regions_again(free, exits, old.label, touched, label):
            regions(free, exits, label, False)
    gap = old.gap
    if not _empty_alike(first, old.first):
        gap = clear_gap(first, (lines, columns), origin, step, old.bounds, limit, False)
    return Grid(
        origin, step, free, exits, label, gap, first, items, rows, old.bounds, old.radius,
        old.period,
    )  # fmt: skip


def compared(old: Floats, new: Floats) -> tuple[Ints, NDArray[np.int32], Floats]:
    """What rows of solids that were and are have to do with each other.

    Where each new one was among the old, -1 if nowhere; the number that each old one has among
    the waypoints that are kept, -1 if none; and the waypoints that are gone.
    """
    places: dict[bytes, list[int]] = {}
    begin, end = _ends_alike(old, new)
    kept = np.full(len(new), -1)
    kept[:begin] = np.arange(begin)
    kept[len(new) - end :] = np.arange(len(old) - end, len(old))
    for number, row in enumerate(old[begin : len(old) - end], start=begin):
        places.setdefault(row.tobytes(), []).append(number)
    for number, row in enumerate(new[begin : len(new) - end], start=begin):
        same = places.get(row.tobytes())
        if same:
            kept[number] = same.pop(0)
    stays = np.zeros(len(old), np.bool_)
    stays[kept[kept >= 0]] = True
    renumbered = np.where(stays, np.cumsum(stays) - 1, -1).astype(np.int32)
    return kept, renumbered, old[~stays]


def _ends_alike(old: Floats, new: Floats) -> tuple[int, int]:
    """How many rows from the first on, and then from the last back, are the same in both."""
    most = min(len(old), len(new))
    other = np.append((old[:most] != new[:most]).any(axis=1), True)
    begin = int(np.argmax(other))
    most -= begin
    back = (old[len(old) - most :] != new[len(new) - most :]).any(axis=1)[::-1]
    return begin, int(np.argmax(np.append(back, True)))


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
def _merged(first, items, renumbered, more_first, more_items, before):  # type: ignore[no-untyped-def]
    """The lists of cells without the solids that are gone, with the solids that came.

    These have numbers from `before` on.
    """
    begins = np.zeros(len(first), np.int64)
    merged = np.empty(len(items) + len(more_items), np.int64)
    total = 0
    for c in range(len(first) - 1):
        for k in range(first[c], first[c + 1]):
            if renumbered[items[k]] >= 0:
                merged[total] = renumbered[items[k]]
                total += 1
        for k in range(more_first[c], more_first[c + 1]):
            merged[total] = before + more_items[k]
            total += 1
        begins[c + 1] = total
    return begins, merged[:total].copy()


@njit(cache=True, error_model="numpy", nogil=True)
def _empty_alike(one, other):  # type: ignore[no-untyped-def]
    """Whether the same cells have no solid in two rows of lists."""
    differ = 0
    for c in range(len(one) - 1):
        differ += (one[c] == one[c + 1]) != (other[c] == other[c + 1])
    return differ == 0


@njit(cache=True, error_model="numpy", nogil=True)
def _mark_again(marking, windows, free, exits):  # type: ignore[no-untyped-def]
    """Mark the nodes of some windows and the ways from and to them, as `mark` does for all."""
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
                    exits[y, x] &= ~(1 << k)
                    exits[v, u] &= ~(1 << (k + 4))
                    mark_edge(marking, free, exits, x, y, k)
