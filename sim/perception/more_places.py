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

    None where the cells do not hold all of these, or wrap: then they have to be made anew. How far
    the next cell is that holds anything may come out less than it is, never more.
    """
    low, high = places.frame[:2], places.frame[:2] + places.shape * places.frame[2:]
    reach = more.circle[:, 2:3] + margin
    inside = (more.circle[:, :2] - reach >= low) & (more.circle[:, :2] + reach <= high)
    if places.period[0] > 0 or not inside.all():
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
    """`Places.room` where some cells hold something now, as if their whole rectangle did."""
    columns, rows = places.shape.tolist()
    width, height = places.frame[2:].tolist()
    room = places.room.copy()
    farthest = float(room.max()) + np.hypot(width, height)
    sides = []
    for at, count, size in zip(
        np.divmod(cells, columns), (rows, columns), (height, width), strict=True
    ):
        spare = int(min(farthest / size, count)) + 1
        some = np.arange(max(at.min() - spare, 0), min(at.max() + spare + 1, count))
        sides.append((some, np.maximum(np.maximum(at.min() - some, some - at.max()), 0) * size))
    (down, dy), (across, dx) = sides
    apart = np.maximum(np.hypot(dx[None, :], dy[:, None]) - np.hypot(width, height), 0.0)
    part = room.reshape(rows, columns)[down[0] : down[-1] + 1, across[0] : across[-1] + 1]
    np.minimum(part, apart, out=part)
    return room
