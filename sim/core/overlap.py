"""How deep two convex shapes overlap, or how far apart they are.

A shape is a core of corners (k, 2), clockwise on screen, with a disc of radius `rounding` swept
around it: one corner is a disc, two are a segment, more a polygon. The signed distance of two cores
is positive between shapes that are apart and minus the least translation that parts them where they
overlap (separating axes: Ericson, Real-Time Collision Detection, 2005, 5.2.1); rounding is then
merely subtracted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.hull import Hull, Sizes, sizes
from sim.core.shared_cache import njit

FAR = np.inf


@njit(cache=True, error_model="numpy")
def least_along(b: Floats, kb: int, bx: float, by: float, nx: float, ny: float) -> float:
    """The least of n . corner over a shape's corners shifted by (bx, by)."""
    least = np.inf
    for v in range(kb):
        least = min(least, nx * (b[v, 0] + bx) + ny * (b[v, 1] + by))
    return least


@njit(cache=True, error_model="numpy")
def core_distance(
    a: Floats, ka: int, b: Floats, kb: int, bx: float, by: float, beyond: float
) -> float:
    """Signed distance of core a from core b shifted by (bx, by): the first of `gap_between`."""
    if ka + kb == 2:  # most are two discs, of which nothing more is asked
        x, y = b[0, 0] + bx - a[0, 0], b[0, 1] + by - a[0, 1]
        return float(np.sqrt(x * x + y * y))
    return gap_between(a, ka, b, kb, bx, by, beyond)[0]  # type: ignore[no-any-return]


@njit(cache=True, error_model="numpy")
def gap_between(a, ka, b, kb, bx, by, beyond=FAR):  # type: ignore[no-untyped-def]
    """How far core b, shifted by (bx, by), is from core a; and the unit vector along that gap.

    Where the cores overlap it is minus the least translation that parts them, along that. `FAR`,
    along nothing, where a face shows that it is above `beyond`.
    """
    gap, nx, ny = _widest_face(a, ka, b, kb, bx, by)
    if gap <= beyond:
        back, ux, uy = _widest_face(b, kb, a, ka, -bx, -by)
        if back > gap:
            gap, nx, ny = back, -ux, -uy
    if gap > beyond:
        return FAR, 0.0, 0.0
    if gap <= 0.0 and ka + kb > 2:
        return gap, nx, ny
    # Apart: between two corners the faces' gap is too small, so corners are measured to edges.
    best, nx, ny = _nearest_corner(b, kb, bx, by, a, ka)
    back, ux, uy = _nearest_corner(a, ka, -bx, -by, b, kb)
    if back < best:
        best, nx, ny = back, -ux, -uy
    far = np.sqrt(best)
    return far, nx / max(far, 1e-300), ny / max(far, 1e-300)


@njit(cache=True, error_model="numpy")
def _widest_face(a, ka, b, kb, bx, by):  # type: ignore[no-untyped-def]
    """The largest separation of b, shifted, from a along a face of a, and that face's normal.

    Beside a segment or a point a segment's ends count too: both may lie on one line.
    """
    gap, nx, ny = -np.inf, 1.0, 0.0
    for v in range(ka if ka > 1 else 0):
        w = v + 1 if v + 1 < ka else 0
        ex, ey = a[w, 0] - a[v, 0], a[w, 1] - a[v, 1]
        norm = np.sqrt(ex * ex + ey * ey)
        ux, uy = ey / norm, -ex / norm
        off = least_along(b, kb, bx, by, ux, uy) - (ux * a[v, 0] + uy * a[v, 1])
        if off > gap:
            gap, nx, ny = off, ux, uy
        if ka == 2 and kb < 3:
            off = least_along(b, kb, bx, by, -uy, ux) - (ux * a[w, 1] - uy * a[w, 0])
            if off > gap:
                gap, nx, ny = off, -uy, ux
    return gap, nx, ny


@njit(cache=True, error_model="numpy")
def _nearest_corner(b, kb, bx, by, a, ka):  # type: ignore[no-untyped-def]
    """The vector from the edges of a to that corner of b, shifted, that is nearest; its square."""
    best, nx, ny = np.inf, 0.0, 0.0
    for v in range(ka):
        w = v + 1 if v + 1 < ka else 0
        ex, ey = a[w, 0] - a[v, 0], a[w, 1] - a[v, 1]
        square = ex * ex + ey * ey
        for u in range(kb):
            px, py = b[u, 0] + bx - a[v, 0], b[u, 1] + by - a[v, 1]
            if square > 0.0:
                along = min(1.0, max(0.0, (px * ex + py * ey) / square))
                px, py = px - along * ex, py - along * ey
            if px * px + py * py < best:
                best, nx, ny = px * px + py * py, px, py
    return best, nx, ny


class Shapes(NamedTuple):
    """The outlines of the hulls of all N units as kernels take them; G groups share corners."""

    corners: Floats
    """(G, k, 2) (ahead, starboard), of the group's hull; rows beyond `count` are zeros."""
    count: Ints  # type: ignore[assignment]
    """(G,) corners in use; 1 for discs."""
    rounding: Floats
    """(N,) what is swept around that of each unit, world units."""
    group: Ints
    """(N,) each unit's group."""
    scale: Floats
    """(N,) how many times as large as its group's hull that of each unit is."""

    @classmethod
    def of(cls, hulls: Sequence[Hull], group: Ints, each: Sizes | None = None) -> Shapes:
        """From the hull of each group, the group of each unit, and how large `each` is.

        Without that each is as large as the hull of its group.
        """
        each = sizes(hulls, group) if each is None else each
        count = np.array([len(hull.outline) for hull in hulls], dtype=np.int64)
        corners = np.zeros((len(hulls), int(count.max(initial=1)), 2))
        for row, hull in enumerate(hulls):
            corners[row, : len(hull.outline)] = hull.outline
        return cls(corners, count, each.rounding, group, each.share)


@njit(cache=True, error_model="numpy")
def turn_outlines(shapes: Shapes, angle: Floats, present: Bools, out: Floats) -> None:
    """Fill `out` (N, k, 2) with each unit's corners relative to its centre, in world directions."""
    for i in range(len(angle)):
        if not present[i]:
            continue
        c, s = np.cos(angle[i]), np.sin(angle[i])
        g, scale = shapes.group[i], shapes.scale[i]
        for v in range(shapes.count[g]):
            ahead, starboard = scale * shapes.corners[g, v, 0], scale * shapes.corners[g, v, 1]
            out[i, v, 0] = c * ahead - s * starboard
            out[i, v, 1] = s * ahead + c * starboard


class Turned(NamedTuple):
    """The outlines of all N units as they stand now, as kernels take them."""

    corners: Floats
    """(N, k, 2) relative to the centres, in world directions."""
    count: Ints  # type: ignore[assignment]
    """(N,) corners in use."""
    rounding: Floats
    """(N,) what is swept around the corners, world units."""


class Outlines:
    """The outlines of all units, turned with them frame by frame. Worked out when asked for."""

    def __init__(self, hulls: Sequence[Hull], group: Ints, each: Sizes | None = None) -> None:
        self.sizes = sizes(hulls, group) if each is None else each
        self._of = hulls, group

    @cached_property
    def shapes(self) -> Shapes:
        """As kernels take them, not turned."""
        return Shapes.of(*self._of, self.sizes)

    @property
    def reach(self) -> Floats:
        """(N,) how far the hulls reach from their centres."""
        return self.sizes.reach

    @cached_property
    def area(self) -> Floats:
        """(N,) what they cover."""
        hulls, group = self._of
        return np.array([hull.area for hull in hulls])[group] * self.sizes.share**2

    @cached_property
    def turned(self) -> Turned:
        """As they stand now."""
        shapes, group = self.shapes, self._of[1]
        corners = np.zeros((len(group), shapes.corners.shape[1], 2))
        return Turned(corners, shapes.count[group], shapes.rounding)

    def turn(self, angle: Floats, present: Bools) -> None:
        """Turn the corners to these angles (N,)."""
        if (self.shapes.count > 1).any():  # discs look the same from every side
            turn_outlines(self.shapes, angle, present, self.turned.corners)
