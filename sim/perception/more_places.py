"""A few more outlines in the cells of many, without looking at the many again."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.outlines import DISC, Outlines, standing
from sim.perception.places import BITS, Places, _list


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

    None where the cells of an open plane do not hold all of these: then they have to be made anew.
    How far the next cell is that holds anything may come out less than it is, never more.
    """
    low, high = places.frame[:2], places.frame[:2] + places.shape * places.frame[2:]
    reach = more.circle[:, 2:3] + margin
    inside = (more.circle[:, :2] - reach >= low) & (more.circle[:, :2] + reach <= high)
    if not places.period[0] > 0 and not inside.all():
        return None
    added = _list(more, (places.frame, places.shape, places.period), margin, True)
    counts = np.diff(added.first)
    cells = np.repeat(np.arange(len(counts)), counts)
    items = np.insert(places.items, places.first[cells + 1], added.items + (known << BITS))
    room = places.room
    if len(cells):
        room = _room_beside(places, np.unique(cells))
    return places._replace(first=places.first + added.first, items=items, room=room)


def _room_beside(places: Places, cells: Ints) -> Floats:
    """`Places.room` where some cells hold something now, as if their rows and columns did."""
    columns, rows = places.shape.tolist()
    width, height = places.frame[2:].tolist()
    farthest = float(places.room.max()) + np.hypot(width, height)
    at_row, at_column = np.divmod(cells, columns)
    wraps = places.period[0] > 0
    down, dy = _cells_near(at_row, rows, wraps, height, farthest)
    across, dx = _cells_near(at_column, columns, wraps, width, farthest)
    apart = np.maximum(np.hypot(dx[None, :], dy[:, None]) - np.hypot(width, height), 0.0)
    room = places.room.reshape(rows, columns).copy()
    near = np.ix_(down, across)
    room[near] = np.minimum(room[near], apart)
    return room.ravel()


def _cells_near(
    at: Ints, count: int, wraps: bool, size: float, farthest: float
) -> tuple[Ints, Floats]:
    """Along one axis: cells no farther than that from those `at`, and how far each is from them."""
    held = np.unique(at)
    if wraps:
        held = np.concatenate([held - count, held, held + count])
    every = np.arange(count)
    after = np.searchsorted(held, every)
    ahead = np.where(after < len(held), held[np.minimum(after, len(held) - 1)] - every, count)
    behind = np.where(after > 0, every - held[np.maximum(after - 1, 0)], count)
    off = np.minimum(ahead, behind) * size
    near = np.flatnonzero(off <= farthest)
    return near, off[near]
