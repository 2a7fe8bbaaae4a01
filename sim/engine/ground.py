"""The ground: all that stands still, as shapes for the engine and as arrays for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

import numpy as np
import pymunk

from sim.core.arrays import Floats
from sim.core.collecting import paused
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.engine.build import ELASTICITY, FRICTION
from sim.maps.tile_map import TileMap

CORE = 0.1
"""How far behind a tile map's edges its cores begin: hull radii, or widths if those are less."""
INWARD = np.array([1.0, 1.0, -1.0, -1.0])
SLAB = 50.0
"""Thickness of the walls at the bounds, hull radii: no unit is pushed through."""


class Ground:
    """What stands still in a space: laid at once, but for what must suit the units' size."""

    def __init__(
        self, space: pymunk.Space, plane: Plane, added: Solids, map: TileMap | None
    ) -> None:
        self._space, self._plane, self._map = space, plane, map
        self._suits = inf, 0.0
        """The least and the greatest radius of hulls that cores and walls are laid for."""
        self.added = added
        """What was added to the map, and to what the space held."""
        added.check(plane)
        found = np.concatenate([static_discs(space), added.discs])
        boxes = added.boxes if map is None else np.concatenate([added.boxes, map.boxes])
        self.bare = self.solids = Solids(found, boxes, added.walls, added.polygons)
        """All solids, what was in the space already and the map's included; `bare` without
        solids that come, go or move."""
        faces = [images(added.faces(plane), plane)]
        solids = (added.discs, added.boxes, added.walls)
        add_solids(space, *(images(each, plane) for each in solids))
        if map is not None:
            add_solids(space, added.discs[:0], map.blocks, added.walls[:0])
            add_edges(space, map.edges)
            faces += [map.edges[:, 2:6], Solids(boxes=map.blocks).faces(Plane())]
        self.faces = np.concatenate(faces)
        """All of these that is flat, (k, 4): x1, y1, x2, y2, with its images across a seam."""
        self.parts, self.part_faces = Solids(), self.faces[:0]
        """What comes, goes or moves, as it is now, and all of it that is flat."""

    def renew(self, parts: Sequence[Solids]) -> None:
        """From now on there are these besides the solids that never change."""
        self.parts, self.solids = Solids().joined(parts), self.bare.joined(parts)
        faces = [images(each.flat, self._plane) for each in parts]
        self.part_faces = np.concatenate([np.zeros((0, 4)), *faces])

    def suit(self, hull: Hull) -> None:
        """Lay the walls at the bounds, and the map's cores, for hulls that come.

        Thicker walls are added for a hull of more than twice the largest radius so far, cores
        nearer to the edges for one of less than half the smallest.
        """
        least, most = hull.smallest.radius, hull.largest.radius
        if most > 2 * self._suits[1]:
            add_bounds(self._space, self._plane, most)
            self._suits = self._suits[0], most
        if least < self._suits[0] / 2 and self._map is not None:
            add_cores(self._space, self._map.cores, least)
            self._suits = least, self._suits[1]


def add_solids(space: pymunk.Space, discs: Floats, boxes: Floats, walls: Floats) -> None:
    """Put discs (k, 3), boxes (k, 4) and wall segments (k, 4) into the space, standing still."""
    _add(space, _shapes(space.static_body, Solids(discs, boxes, walls)))


def shapes_of(body: pymunk.Body, solids: Solids, plane: Plane) -> list[pymunk.Shape]:
    """Shapes of solids on a body, with their images across a seam; not in a space yet."""
    shapes: list[pymunk.Shape] = []
    for move in plane.shifts:
        shapes += _shapes(body, solids.moved(*move.tolist()) if move.any() else solids)
    return _rough(shapes)


def add_edges(space: pymunk.Space, edges: Floats) -> None:
    """Put walls of a tile map into the space: (k, 8), as `sim.maps.outline.edges` makes them.

    Each is one segment that knows its neighbours, so that nothing catches where two of them meet.
    """
    shapes: list[pymunk.Shape] = []
    with paused():
        for x0, y0, x1, y1, x2, y2, x3, y3 in edges.tolist():
            edge = pymunk.Segment(space.static_body, (x1, y1), (x2, y2), 0.0)
            edge.set_neighbors((x0, y0), (x3, y3))
            shapes.append(edge)
        _add(space, shapes)


def add_cores(space: pymunk.Space, boxes: Floats, radius: float) -> None:
    """Fill the boxes (k, 4) that edges enclose, out of reach of hulls that only slide along.

    An edge has no inside: what gets half over it would be pushed through. What lies behind it
    pushes back. `radius` is the hulls'.
    """
    if len(boxes):
        inset = CORE * min(radius, float((boxes[:, 2:] - boxes[:, :2]).min()))
        with paused():
            _add(space, [_box(space.static_body, b) for b in (boxes + inset * INWARD).tolist()])


def add_bounds(space: pymunk.Space, plane: Plane, radius: float) -> list[pymunk.Shape]:
    """Walls just outside the bounds of a walled plane, thick as hulls of this radius need."""
    if plane.walls is None:
        return []
    left, top, right, bottom = plane.walls
    deep = SLAB * radius
    slabs = [
        (left - deep, top - deep, left, bottom + deep),
        (right, top - deep, right + deep, bottom + deep),
        (left - deep, top - deep, right + deep, top),
        (left - deep, bottom, right + deep, bottom + deep),
    ]
    return _add(space, [_box(space.static_body, slab) for slab in slabs])


def static_discs(space: pymunk.Space) -> Floats:
    """The round static shapes already in a user's space, (k, 3) as x, y, radius."""
    found = [
        (*shape.body.local_to_world(shape.offset), shape.radius)
        for shape in space.shapes
        if isinstance(shape, pymunk.Circle)
        and shape.body is not None
        and shape.body.body_type == pymunk.Body.STATIC
    ]
    return np.array(found, dtype=float).reshape(-1, 3)


def images(solids: Floats, plane: Plane) -> Floats:
    """Discs (k, 3) or corners (k, 4), with those images across a seam that units could meet."""
    if not plane.wraps or not len(solids):
        return solids
    away = plane.shifts
    moves = np.pad(away, ((0, 0), (0, 1))) if solids.shape[1] == 3 else np.tile(away, 2)
    copies = (solids[:, None] + moves[None]).reshape(-1, solids.shape[1])
    if solids.shape[1] == 3:
        low, high = copies[:, :2] - copies[:, 2:], copies[:, :2] + copies[:, 2:]
    else:
        low, high = (
            np.minimum(copies[:, :2], copies[:, 2:]),
            np.maximum(copies[:, :2], copies[:, 2:]),
        )
    margin = plane.size.min() / 4
    near = (high > plane.origin - margin) & (low < plane.origin + plane.size + margin)
    kept: Floats = copies[near.all(axis=1)]
    return kept


def _box(body: pymunk.Body, box: Iterable[float]) -> pymunk.Shape:
    left, top, right, bottom = box
    return pymunk.Poly(body, [(left, top), (right, top), (right, bottom), (left, bottom)])


def _shapes(body: pymunk.Body, solids: Solids) -> list[pymunk.Shape]:
    shapes: list[pymunk.Shape] = [
        pymunk.Circle(body, r, (x, y)) for x, y, r in solids.discs.tolist()
    ]
    shapes += [_box(body, box) for box in solids.boxes.tolist()]
    shapes += [pymunk.Segment(body, (a, b), (c, d), 0.0) for a, b, c, d in solids.walls.tolist()]
    return shapes + [pymunk.Poly(body, list(map(tuple, each.tolist()))) for each in solids.polygons]


def _rough(shapes: list[pymunk.Shape]) -> list[pymunk.Shape]:
    """The same, with the friction of all that is solid."""
    for shape in shapes:
        shape.friction, shape.elasticity = FRICTION, ELASTICITY
    return shapes


def _add(space: pymunk.Space, shapes: list[pymunk.Shape]) -> list[pymunk.Shape]:
    space.add(*_rough(shapes))
    return shapes
