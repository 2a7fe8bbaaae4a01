"""Where on the edge of a goal a way that hugs a solid may end.

A way that is free to turn meets the edge of its goal squarely. One that winds round a circle or
slides along a side may come to the edge before: where the edge crosses what keeps it off.
"""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.navigation.distances import BOX, TRIANGLE
from sim.navigation.grid import Grid
from sim.navigation.rounds import Rounds, has_room


def edge_points(grid: Grid, around: Rounds, goal: Floats) -> Floats:
    """Points (k, 2) on the edge of a goal (5,), as `tangents.shortest` has it, for a grid's hull.

    Corners of a rectangle are among them.
    """
    left, top, right, bottom, tolerance = goal.tolist()
    sides = _sides(grid)
    if left == right and top == bottom:
        disc = np.array([[left, top, tolerance]])
        found = [_circles_meet(disc, around.circle), _circles_cross(disc, sides)]
    else:
        own = _box_sides(goal[None, :4], 0.0)
        found = [own[:, :2], _circles_cross(around.circle, own), _cross(own, sides)]
    points = np.concatenate(found)
    free = [has_room(grid, x, y) for x, y in points.tolist()]
    return np.unique(points[np.array(free, dtype=np.bool_)], axis=0)


def _sides(grid: Grid) -> Floats:
    """Where the middle of the hull slides along something straight: segments (k, 4)."""
    solids, radius = grid.solids, grid.radius
    walls = solids[(solids[:, 5] != BOX) & (solids[:, :2] != solids[:, 2:4]).any(axis=1), :4]
    corners = solids[solids[:, 5] == TRIANGLE]
    walls = np.concatenate([walls, corners[:, [2, 3, 6, 7]], corners[:, [6, 7, 0, 1]]])
    way = walls[:, 2:4] - walls[:, :2]
    off = np.stack([way[:, 1], -way[:, 0]], axis=1) * radius / np.hypot(*way.T)[:, None]
    off = np.tile(off, 2)
    parts = [_box_sides(solids[solids[:, 5] == BOX, :4], radius)]
    parts += [walls[:, :4] + off, walls[:, :4] - off]
    if np.isfinite(grid.bounds).all():
        parts.append(_box_sides(grid.bounds[None], -radius))
    return np.concatenate(parts)


def _box_sides(boxes: Floats, off: float) -> Floats:
    """The sides of boxes (k, 4), moved outward: segments (4 k, 4)."""
    left, top, right, bottom = boxes.T
    sides = [(left, top - off, right, top - off), (right + off, top, right + off, bottom)]
    sides += [(right, bottom + off, left, bottom + off), (left - off, bottom, left - off, top)]
    return np.concatenate([np.stack(side, axis=1) for side in sides])


def _circles_meet(some: Floats, others: Floats) -> Floats:
    """Points (k, 2) where circles (i, 3) cross circles (j, 3)."""
    way = others[None, :, :2] - some[:, None, :2]
    apart = np.hypot(way[..., 0], way[..., 1])
    a, b = some[:, None, 2], others[None, :, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (apart**2 + a**2 - b**2) / (2 * apart)
        across = np.sqrt(a**2 - along**2)
        unit = way / apart[..., None]
    side = np.stack([-unit[..., 1], unit[..., 0]], axis=-1)
    middle = some[:, None, :2] + along[..., None] * unit
    points = np.concatenate([middle + across[..., None] * side, middle - across[..., None] * side])
    return _finite(points)


def _circles_cross(circles: Floats, segments: Floats) -> Floats:
    """Points (k, 2) where circles (i, 3) cross segments (j, 4)."""
    start, way = segments[None, :, :2], (segments[:, 2:] - segments[:, :2])[None]
    off = start - circles[:, None, :2]
    a = (way**2).sum(axis=-1)
    b, c = (way * off).sum(axis=-1), (off**2).sum(axis=-1) - circles[:, None, 2] ** 2
    points = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign in (-1, 1):
            share = (-b + sign * np.sqrt(b**2 - a * c)) / a
            share = np.where((share >= 0) & (share <= 1), share, np.nan)
            points.append(_finite(start + share[..., None] * way))
    return np.concatenate(points)


def _cross(some: Floats, others: Floats) -> Floats:
    """Points (k, 2) where segments (i, 4) cross segments (j, 4)."""
    p, r = some[:, None, :2], (some[:, 2:] - some[:, :2])[:, None]
    q, s = others[None, :, :2], (others[:, 2:] - others[:, :2])[None]

    def cross(u: Floats, v: Floats) -> Floats:
        return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]

    with np.errstate(divide="ignore", invalid="ignore"):
        t, u = cross(q - p, s) / cross(r, s), cross(q - p, r) / cross(r, s)
    t = np.where((t >= 0) & (t <= 1) & (u >= 0) & (u <= 1), t, np.nan)
    return _finite(p + t[..., None] * r)


def _finite(points: Floats) -> Floats:
    points = points.reshape(-1, 2)
    return points[np.isfinite(points).all(axis=1)]
