"""Distances from solids: the arithmetic of clearance, for kernels.

A solid is a row (8,): x1, y1, x2, y2, rounding, kind, x3, y3. A SEGMENT runs from (x1, y1) to
(x2, y2) and has a disc of radius `rounding` swept along it: a wall has rounding 0, a disc both ends
in its centre. A BOX is left, top, right, bottom. A TRIANGLE has a third corner (x3, y3), clockwise
as seen on screen; for the other kinds this is the first end again. A polygon is several triangles.
"""

from __future__ import annotations

from math import hypot

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import leaf
from sim.core.solids import Solids

WIDTH = 8
SEGMENT, BOX, TRIANGLE = 0.0, 1.0, 2.0


def solid_rows(solids: Solids) -> Floats:
    """Discs, boxes, walls and the triangles of polygons as rows (k, 8), in this order."""
    discs, boxes, walls = solids.discs, solids.boxes, solids.walls
    rows = np.zeros((len(discs) + len(boxes) + len(walls), WIDTH))
    rows[: len(discs), :5] = discs[:, [0, 1, 0, 1, 2]]
    rows[len(discs) : len(discs) + len(boxes), :4] = boxes
    rows[len(discs) : len(discs) + len(boxes), 5] = BOX
    rows[len(discs) + len(boxes) :, :4] = walls
    rows[:, 6:] = rows[:, :2]
    return np.concatenate([rows, *(_triangles(each) for each in solids.polygons)])


def _triangles(corners: Floats) -> Floats:
    """A convex polygon (k, 2) as triangles that share its first corner: rows (k - 2, 8)."""
    rows = np.zeros((len(corners) - 2, WIDTH))
    rows[:, :2], rows[:, 2:4], rows[:, 6:] = corners[0], corners[1:-1], corners[2:]
    rows[:, 5] = TRIANGLE
    return rows


def extents(rows: Floats, wider: float = 0.0) -> tuple[Floats, Floats]:
    """The low and high corners (k, 2) of boxes that hold solids (k, 8), so much wider all round."""
    wide = rows[:, 4:5] + wider
    low = np.minimum(np.minimum(rows[:, :2], rows[:, 2:4]), rows[:, 6:]) - wide
    high = np.maximum(np.maximum(rows[:, :2], rows[:, 2:4]), rows[:, 6:]) + wide
    return low, high


@leaf
def point_box(x: float, y: float, left: float, top: float, right: float, bottom: float) -> float:
    """Distance of a point from a filled rectangle."""
    return hypot(max(left - x, x - right, 0.0), max(top - y, y - bottom, 0.0))


@leaf
def point_segment(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance of a point from a segment, which may be a point."""
    ux, uy = bx - ax, by - ay
    square = ux * ux + uy * uy
    t = ((x - ax) * ux + (y - ay) * uy) / square if square > 0 else 0.0
    t = min(1.0, max(0.0, t))
    return hypot(x - ax - t * ux, y - ay - t * uy)


@leaf
def segments_cross(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> bool:
    """Whether two segments cross at a point inside both; touching ends are left to distances."""
    c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    a = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    b = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return c * d < 0 and a * b < 0


@leaf
def segment_segment(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> float:
    """Distance between two segments, 0 where they cross."""
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    first = min(point_segment(ax, ay, cx, cy, dx, dy), point_segment(bx, by, cx, cy, dx, dy))
    second = min(point_segment(cx, cy, ax, ay, bx, by), point_segment(dx, dy, ax, ay, bx, by))
    return min(first, second)


@leaf
def segment_enters(
    ax: float, ay: float, bx: float, by: float,
    left: float, top: float, right: float, bottom: float,
) -> tuple[float, float]:  # fmt: skip
    """The part of a segment inside a rectangle, as two shares of its way; none if first > last."""
    first, last = 0.0, 1.0
    for axis in range(2):
        a, u = (ax, bx - ax) if axis == 0 else (ay, by - ay)
        low, high = (left, right) if axis == 0 else (top, bottom)
        if u == 0:
            if a < low or a > high:
                return 1.0, 0.0
            continue
        near, far = (low - a) / u, (high - a) / u
        if near > far:
            near, far = far, near
        first, last = max(first, near), min(last, far)
    return first, last


@leaf
def segment_box(
    ax: float, ay: float, bx: float, by: float,
    left: float, top: float, right: float, bottom: float,
) -> float:  # fmt: skip
    """Distance between a segment and a filled rectangle."""
    first, last = segment_enters(ax, ay, bx, by, left, top, right, bottom)
    if first <= last:
        return 0.0
    best = min(
        point_box(ax, ay, left, top, right, bottom), point_box(bx, by, left, top, right, bottom)
    )
    best = min(best, point_segment(left, top, ax, ay, bx, by))
    best = min(best, point_segment(right, top, ax, ay, bx, by))
    best = min(best, point_segment(right, bottom, ax, ay, bx, by))
    return min(best, point_segment(left, bottom, ax, ay, bx, by))


@leaf
def _into_triangle(x: float, y: float, solid: Floats) -> float:
    """How far a point lies inside the nearest of the lines of a triangle; negative outside."""
    ax, ay, bx, by, cx, cy = solid[0], solid[1], solid[2], solid[3], solid[6], solid[7]
    one = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / hypot(bx - ax, by - ay)
    two = ((cx - bx) * (y - by) - (cy - by) * (x - bx)) / hypot(cx - bx, cy - by)
    three = ((ax - cx) * (y - cy) - (ay - cy) * (x - cx)) / hypot(ax - cx, ay - cy)
    return float(min(one, two, three))


@leaf
def _segment_triangle(ax: float, ay: float, bx: float, by: float, solid: Floats) -> float:
    """Distance between a segment and a filled triangle."""
    if _into_triangle(ax, ay, solid) >= 0:
        return 0.0
    px, py, qx, qy, rx, ry = solid[0], solid[1], solid[2], solid[3], solid[6], solid[7]
    one = segment_segment(ax, ay, bx, by, px, py, qx, qy)
    two = segment_segment(ax, ay, bx, by, qx, qy, rx, ry)
    return float(min(one, two, segment_segment(ax, ay, bx, by, rx, ry, px, py)))


@leaf
def from_point(x: float, y: float, solid: Floats) -> float:
    """Distance of a point from a solid; inside it minus the way out."""
    if solid[5] == BOX:
        depth = min(min(x - solid[0], solid[2] - x), min(y - solid[1], solid[3] - y))
        return -depth if depth > 0 else point_box(x, y, solid[0], solid[1], solid[2], solid[3])
    if solid[5] == TRIANGLE:
        depth = _into_triangle(x, y, solid)
        return -depth if depth > 0 else _segment_triangle(x, y, x, y, solid)
    return float(point_segment(x, y, solid[0], solid[1], solid[2], solid[3]) - solid[4])


@leaf
def from_segment(ax: float, ay: float, bx: float, by: float, solid: Floats) -> float:
    """Distance of a segment from a solid."""
    if solid[5] == BOX:
        return float(segment_box(ax, ay, bx, by, solid[0], solid[1], solid[2], solid[3]))
    if solid[5] == TRIANGLE:
        return _segment_triangle(ax, ay, bx, by, solid)
    away = segment_segment(ax, ay, bx, by, solid[0], solid[1], solid[2], solid[3])
    return float(away - solid[4])


@leaf
def from_cell(left: float, top: float, right: float, bottom: float, solid: Floats) -> float:
    """Distance of a filled rectangle from a solid."""
    if solid[5] == BOX:
        return hypot(
            max(left - solid[2], solid[0] - right, 0.0), max(top - solid[3], solid[1] - bottom, 0.0)
        )
    away = segment_box(solid[0], solid[1], solid[2], solid[3], left, top, right, bottom)
    if solid[5] == TRIANGLE:
        if _into_triangle(left, top, solid) >= 0:
            return 0.0
        two = segment_box(solid[2], solid[3], solid[6], solid[7], left, top, right, bottom)
        three = segment_box(solid[6], solid[7], solid[0], solid[1], left, top, right, bottom)
        away = min(away, two, three)
    return float(away - solid[4])
