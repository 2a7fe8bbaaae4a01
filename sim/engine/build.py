"""Bodies and shapes: what stands in the engine for units, walls and obstacles."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk import Body as Body  # these two for those outside this room
from pymunk import Space as Space

from sim.hull import Hull
from sim.plane import Plane

FRICTION, ELASTICITY = 0.2, 0.0
SLOP = 0.01
"""Overlap the engine leaves alone, as a share of the smallest hull radius: its own default is 0.1 world units."""
CORE = 0.1
"""How far behind a tile map's edges its cores begin: hull radii, or widths if those are less."""
INWARD = np.array([1.0, 1.0, -1.0, -1.0])
SLAB = 50.0
"""Thickness of the walls at the bounds, hull radii: nobody is pushed through."""


def set_up(space: pymunk.Space, hulls: Iterable[Hull]) -> None:
    """Scale the engine's own lengths with the hulls."""
    space.collision_slop = SLOP * min(hull.radius for hull in hulls)


def make_body(hull: Hull) -> tuple[pymunk.Body, pymunk.Shape]:
    """A body with its one shape, not yet in a space."""
    body = pymunk.Body(hull.mass, hull.moment)
    shape: pymunk.Shape
    if hull.shape == "disc":
        shape = pymunk.Circle(body, hull.radius)
    else:
        shape = pymunk.Poly(body, [tuple(p) for p in hull.outline.tolist()])
    shape.friction, shape.elasticity = FRICTION, ELASTICITY
    return body, shape


def add_solids(
    space: pymunk.Space,
    discs: NDArray[np.float64],
    boxes: NDArray[np.float64],
    walls: NDArray[np.float64],
) -> None:
    """Put discs (k, 3), boxes (k, 4) and wall segments (k, 4) into the space, standing still."""
    ground = space.static_body
    shapes: list[pymunk.Shape] = [pymunk.Circle(ground, r, (x, y)) for x, y, r in discs.tolist()]
    shapes += [_box(ground, box) for box in boxes.tolist()]
    shapes += [pymunk.Segment(ground, (a, b), (c, d), 0.0) for a, b, c, d in walls.tolist()]
    _add(space, shapes)


def add_edges(space: pymunk.Space, edges: NDArray[np.float64]) -> None:
    """Put walls of a tile map into the space: (k, 8), as `sim.maps.outline.edges` makes them.

    Each is one segment that knows its neighbours, so that nothing catches where two of them meet.
    """
    shapes: list[pymunk.Shape] = []
    with _no_collection():
        for x0, y0, x1, y1, x2, y2, x3, y3 in edges.tolist():
            edge = pymunk.Segment(space.static_body, (x1, y1), (x2, y2), 0.0)
            edge.set_neighbors((x0, y0), (x3, y3))
            shapes.append(edge)
        _add(space, shapes)


def add_cores(space: pymunk.Space, boxes: NDArray[np.float64], radius: float) -> None:
    """Fill the boxes (k, 4) that edges enclose, out of reach of hulls that only slide along.

    An edge has no inside: what gets half over it would be pushed through. What lies behind it
    pushes back. `radius` is the hulls'.
    """
    if len(boxes):
        inset = CORE * min(radius, float((boxes[:, 2:] - boxes[:, :2]).min()))
        with _no_collection():
            _add(space, [_box(space.static_body, b) for b in (boxes + inset * INWARD).tolist()])


def add_bounds(space: pymunk.Space, plane: Plane, radius: float) -> list[pymunk.Shape]:
    """Walls just outside the bounds of a walled plane, thick as hulls of this radius need."""
    if plane.edges != "wall" or plane.bounds is None:
        return []
    left, top, right, bottom = plane.bounds
    deep = SLAB * radius
    slabs = [
        (left - deep, top - deep, left, bottom + deep),
        (right, top - deep, right + deep, bottom + deep),
        (left - deep, top - deep, right + deep, top),
        (left - deep, bottom, right + deep, bottom + deep),
    ]
    return _add(space, [_box(space.static_body, slab) for slab in slabs])


def static_discs(space: pymunk.Space) -> NDArray[np.float64]:
    """The round static shapes already in somebody's space, (k, 3) as x, y, radius."""
    found = [
        (*shape.body.local_to_world(shape.offset), shape.radius)
        for shape in space.shapes
        if isinstance(shape, pymunk.Circle) and shape.body.body_type == pymunk.Body.STATIC
    ]
    return np.array(found, dtype=float).reshape(-1, 3)


def images(solids: NDArray[np.float64], plane: Plane) -> NDArray[np.float64]:
    """Solids, discs (k, 3) or corners (k, 4), with those images across a seam that units could meet."""
    if not plane.wraps or not len(solids):
        return solids
    shifts = plane.size * [(i, j) for i in (0, -1, 1) for j in (0, -1, 1)]
    moves = np.pad(shifts, ((0, 0), (0, 1))) if solids.shape[1] == 3 else np.tile(shifts, 2)
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
    kept: NDArray[np.float64] = copies[near.all(axis=1)]
    return kept


@contextmanager
def _no_collection() -> Iterator[None]:
    """Make many shapes without the garbage collector: it would look through all, over and over."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _box(body: pymunk.Body, box: Iterable[float]) -> pymunk.Shape:
    left, top, right, bottom = box
    return pymunk.Poly(body, [(left, top), (right, top), (right, bottom), (left, bottom)])


def _add(space: pymunk.Space, shapes: list[pymunk.Shape]) -> list[pymunk.Shape]:
    for shape in shapes:
        shape.friction, shape.elasticity = FRICTION, ELASTICITY
    space.add(*shapes)
    return shapes
