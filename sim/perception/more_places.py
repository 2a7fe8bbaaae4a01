"""A few more outlines in the cells of many, without looking at the many again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.outlines import DISC, Outlines, standing
from sim.perception.places import BITS, Places, _enter

NEAR = 8
"""Cells that are looked at first, each way from those that hold something more."""


def joined_outlines(base: Outlines, more: Outlines, known: Solids) -> Outlines:
    """All outlines; those of more solids are named after the ones `known`, kind by kind."""
    counts = np.array([len(known.discs), len(known.boxes), len(known.walls), 0, 0])
    counts = np.append(counts, len(known.polygons))
    name = more.name.copy()
    name[:, 1] += counts[name[:, 0] - DISC]
    return Outlines(
        np.concatenate([base.corners, more.corners]),
        np.concatenate([base.first, base.first[-1] + more.first[1:]]),
        np.concatenate([base.circle, more.circle]),
        np.concatenate([base.name, name]),
    )


def outlines_of(more: Solids) -> Outlines:
    """The outlines of some solids alone, without bounds."""
    return standing(more, Plane())


def more_places(places: Places, known: int, more: Outlines, margin: float) -> Places | None:
    """The cells of `known` outlines with some more, as `places_of` makes them for the same margin.

    None where the cells do not hold all of these, or wrap: then they have to be made anew. How far
    the next cell is that holds anything may come out less than it is, never more.
    """
    low, high = places.frame[:2], places.frame[:2] + places.shape * places.frame[2:]
    reach = more.circle[:, 2:3] + margin
    inside = (more.circle[:, :2] - reach >= low) & (more.circle[:, :2] + reach <= high)
    if places.period[0] > 0 or not inside.all():
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
    grid = places.frame, places.shape, places.period
    count = np.zeros(len(places.first), np.int64)
    _enter(more, grid, margin, True, False, count, np.zeros(0, np.int32))
    cells = np.flatnonzero(count)
    counts = count[cells]
    count[cells] = np.cumsum(counts) - counts
    items = np.zeros(int(counts.sum()), np.int32)
    _enter(more, grid, margin, True, True, count, items)
    return cells, counts, items


def _room_beside(places: Places, cells: Ints) -> Floats:
    """`Places.room` where some cells hold something now, as if their whole rectangle did.

    A cell from which these are the nearest lies in sight of them, with only such cells between:
    they are looked for further and further out, until there are none any more.
    """
    columns, rows = places.shape.tolist()
    width, height = places.frame[2:].tolist()
    across_a_cell = float(np.hypot(width, height))
    room, (down, across) = places.room.copy(), np.divmod(cells, columns)
    field, spare = room.reshape(rows, columns), NEAR
    while True:
        top, bottom = max(down.min() - spare, 0), min(down.max() + spare + 1, rows)
        left, right = max(across.min() - spare, 0), min(across.max() + spare + 1, columns)
        dy, dx = _off(np.arange(top, bottom), down), _off(np.arange(left, right), across)
        off = np.hypot(dx[None, :] * width, dy[:, None] * height)
        part = field[top:bottom, left:right]
        nearest = part > off - 3 * across_a_cell
        ends = (top > 0, nearest[0]), (bottom < rows, nearest[-1]), (left > 0, nearest[:, 0])
        if not any(
            more and side.any() for more, side in (*ends, (right < columns, nearest[:, -1]))
        ):
            np.minimum(part, np.maximum(off - across_a_cell, 0.0), out=part)
            return room
        spare *= 2


def _off(some: Ints, cells: Ints) -> Ints:
    """How many rows or columns each of some is off those from the first to the last of cells."""
    found: Ints = np.maximum(np.maximum(cells.min() - some, some - cells.max()), 0)
    return found
