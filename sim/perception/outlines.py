"""Outlines: all that a ray may meet, as convex rows of corners with a rounding.

A disc is one corner, a wall two, a box four, a hull its own corners: what is measured or met, and
how, is the same for all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.solids import Solids, corners_of

NOTHING, DISC, BOX, WALL, BOUND, UNIT, POLYGON = range(-1, 6)
"""Kinds of things. Their index is that of the row in `Solids`, of the side of a walled plane (left,
top, right, bottom), or of the unit."""
IN_LINE = 1e-6
"""Lengths of a side, or radians; what is off a line by less than so much is on it."""
BEYOND = 0.25
"""How thick the bounds of a walled plane are, as a share of its shorter side."""


class Outlines(NamedTuple):
    """k convex outlines, in world units. Few arrays: kernels pay for each that is handed on."""

    corners: Floats
    """(m, 2) the corners of one after the other, each clockwise as seen on screen."""
    first: Ints
    """(k + 1,) where each begins in `corners`."""
    circle: Floats
    """(k, 4) the centres (x, y) and the radii of circles that hold them, and their rounding: how
    far each reaches beyond its corners."""
    name: Ints
    """(k, 2) what each is: its kind, `DISC`, `BOX`, `WALL`, `BOUND`, `UNIT` or `POLYGON`, and which
    of it."""


def standing(solids: Solids, plane: Plane) -> Outlines:
    """The outlines of all that stands still, the bounds of a walled plane included."""
    boxes, bounds = solids.boxes, np.zeros((0, 4))
    if plane.walls is not None:
        left, top, right, bottom = plane.walls
        deep = BEYOND * min(right - left, bottom - top)
        bounds = np.array([
            (left - deep, top - deep, left, bottom + deep),
            (left - deep, top - deep, right + deep, top),
            (right, top - deep, right + deep, bottom + deep),
            (left - deep, bottom, right + deep, bottom + deep),
        ])  # fmt: skip
    parts = [solids.discs[:, None, :2], corners_of(boxes), solids.walls.reshape(-1, 2, 2)]
    parts.append(corners_of(bounds))
    kinds, corners = [DISC, BOX, WALL, BOUND], [1, 4, 2, 4]
    for polygon in solids.polygons:
        parts.append(polygon[None])
        kinds.append(POLYGON)
        corners.append(len(polygon))
    middle = np.concatenate([(part.min(axis=1) + part.max(axis=1)) / 2 for part in parts])
    reach = [np.hypot(*(part.max(axis=1) - part.min(axis=1)).T) / 2 for part in parts]
    counts = [len(part) for part in parts]
    rounding = np.zeros(sum(counts))
    rounding[: counts[0]] = solids.discs[:, 2]
    name = [(kind, i) for kind, n in zip(kinds[:4], counts, strict=False) for i in range(n)]
    name += [(POLYGON, i) for i in range(len(solids.polygons))]
    return Outlines(
        np.concatenate([part.reshape(-1, 2) for part in parts]),
        starts(np.repeat(corners, counts)),
        np.column_stack([middle, np.concatenate(reach) + rounding, rounding]),
        np.array(name, dtype=np.int64).reshape(-1, 2),
    )


def outlines_of(more: Solids) -> Outlines:
    """The outlines of some solids alone, without bounds."""
    return standing(more, Plane())


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


@leaf
def away(corners, begin, end, x, y):  # type: ignore[no-untyped-def]
    """How far a place lies from the outline of some corners, and the unit vector from it to there.

    Inside it is minus the depth, and the vector leads out: to any side from a wall's own line, and
    zeros from the very middle of a disc.
    """
    if end - begin == 1:
        dx, dy = x - corners[begin, 0], y - corners[begin, 1]
        distance = np.sqrt(dx * dx + dy * dy)
        return distance, dx / max(distance, 1e-300), dy / max(distance, 1e-300)
    shallow, side_x, side_y = -np.inf, 0.0, 0.0
    squared, near_x, near_y = np.inf, 0.0, 0.0
    for a in range(begin, end):
        b = a + 1 if a + 1 < end else begin
        ex, ey = corners[b, 0] - corners[a, 0], corners[b, 1] - corners[a, 1]
        dx, dy = x - corners[a, 0], y - corners[a, 1]
        length = np.sqrt(ex * ex + ey * ey)
        share = min(max((dx * ex + dy * ey) / max(length * length, 1e-300), 0.0), 1.0)
        off_x, off_y = dx - share * ex, dy - share * ey
        if off_x * off_x + off_y * off_y < squared:
            squared, near_x, near_y = off_x * off_x + off_y * off_y, off_x, off_y
        if length > 0.0:
            out = (dx * ey - dy * ex) / length
            if out > shallow:
                shallow, side_x, side_y = out, ey / length, -ex / length
    if squared == 0.0 or (end - begin > 2 and shallow <= 0.0):
        return min(shallow, 0.0), side_x, side_y
    distance = np.sqrt(squared)
    return distance, near_x / max(distance, 1e-300), near_y / max(distance, 1e-300)


@leaf
def between(corners, begin, end, others, start, stop, x, y):  # type: ignore[no-untyped-def]
    """How far apart two outlines are, the second moved by (x, y); 0 where they overlap."""
    least = np.inf
    for b in range(start, stop):
        least = min(least, away(corners, begin, end, others[b, 0] + x, others[b, 1] + y)[0])
    for a in range(begin, end):
        least = min(least, away(others, start, stop, corners[a, 0] - x, corners[a, 1] - y)[0])
        for b in range(start, stop):
            # Sides that cross.
            p, q = a + 1 if a + 1 < end else begin, b + 1 if b + 1 < stop else start
            ex, ey = corners[p, 0] - corners[a, 0], corners[p, 1] - corners[a, 1]
            fx, fy = others[q, 0] - others[b, 0], others[q, 1] - others[b, 1]
            dx, dy = others[b, 0] + x - corners[a, 0], others[b, 1] + y - corners[a, 1]
            cross = ex * fy - ey * fx
            if cross != 0.0:
                one, other = (dx * fy - dy * fx) / cross, (dx * ey - dy * ex) / cross
                if 0.0 <= one <= 1.0 and 0.0 <= other <= 1.0:
                    return 0.0
    return max(least, 0.0)


@leaf
def _in_line(corners, begin, end, start, stop, x, y):  # type: ignore[no-untyped-def]
    """Along which side two outlines, the second moved by (x, y), reach as far to both sides of it.

    Its angle, more than 0 and up to pi; 0 for none.
    """
    for a in range(begin, end if end - begin > 1 and stop - start > 1 else begin):
        b = a + 1 if a + 1 < end else begin
        ex, ey = corners[b, 0] - corners[a, 0], corners[b, 1] - corners[a, 1]
        length = np.sqrt(ex * ex + ey * ey)
        one, two = (np.inf, -np.inf), (np.inf, -np.inf)
        for k in range(begin, end):
            off = (corners[k, 0] - corners[a, 0]) * ey - (corners[k, 1] - corners[a, 1]) * ex
            one = min(one[0], off), max(one[1], off)
        for k in range(start, stop):
            dx, dy = corners[k, 0] + x - corners[a, 0], corners[k, 1] + y - corners[a, 1]
            off = dx * ey - dy * ex
            two = min(two[0], off), max(two[1], off)
        if max(abs(one[0] - two[0]), abs(one[1] - two[1])) < IN_LINE * length * length:
            return np.pi - np.arctan2(ey, ex) % np.pi
    return 0.0


def starts(counts: Ints) -> Ints:
    """Where each of these lengths begins: (k + 1,)."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


class Joined(NamedTuple):
    """Of each of k outlines those near it, itself first. Few arrays, as in `Outlines`."""

    first: Ints
    """(k + 1,) where each begins in the others."""
    other: Ints
    """(m,) those near."""
    shift: Floats
    """(m, 3) how far off its own place the image of it stands that is near, 0 but on a torus; and
    where it goes on in line, as the pieces of a wall do, the angle of that line; 0 else."""


def joined(outlines: Outlines, plane: Plane, room: float) -> Joined:
    """All that are nearer to each other than so much room (world units), overlapping ones too."""
    count = np.ones(len(outlines.circle), np.int64)
    order = np.argsort(outlines.circle[:, 0] - outlines.circle[:, 2], kind="stable")
    left = (outlines.circle[:, 0] - outlines.circle[:, 2])[order]
    asked = outlines, order, left, plane.size, room
    _pairs(*asked, count, np.zeros(0, np.int64), np.zeros((0, 3)))
    first = starts(count)
    other, shift = np.zeros(int(first[-1]), np.int64), np.zeros((int(first[-1]), 3))
    other[first[:-1]] = np.arange(len(count))
    count[:] = first[:-1] + 1
    _pairs(*asked, count, other, shift)
    return Joined(first, other, shift)


@njit(cache=True, error_model="numpy")
def _pairs(outlines, order, left, period, room, count, other, shift):  # type: ignore[no-untyped-def]
    """Count those near each, or write it down from `count` on, which moves along."""
    corners, begin, circle = outlines.corners, outlines.first, outlines.circle
    images = 3 if period[0] > 0 else 1
    widest = 2 * circle[:, 2].max() if len(circle) else 0.0
    for k in range(len(circle)):
        for image in range(images * images):
            x = (image // images - images // 2) * period[0]
            y = (image % images - images // 2) * period[1]
            # From the left, those whose circles come near enough.
            reach = circle[k, 2] + room
            n = np.searchsorted(left, circle[k, 0] - x - reach - widest)
            while n < len(left) and left[n] <= circle[k, 0] - x + reach:
                m, n = order[n], n + 1
                u, v = circle[m, 0] + x - circle[k, 0], circle[m, 1] + y - circle[k, 1]
                if u * u + v * v > (reach + circle[m, 2]) ** 2 or (m == k and x == y == 0.0):
                    continue
                apart = between(
                    corners, begin[k], begin[k + 1], corners, begin[m], begin[m + 1], x, y
                )
                if apart - circle[k, 3] - circle[m, 3] < room:
                    if len(other):
                        other[count[k]], shift[count[k], 0], shift[count[k], 1] = m, x, y
                        shift[count[k], 2] = _in_line(
                            corners, begin[k], begin[k + 1], begin[m], begin[m + 1], x, y
                        )
                    count[k] += 1
