"""Bodies and their shapes: what stands in the engine for units.

To make one takes longer than to add it, and Python's search for garbage, which goes through all
objects that have come, takes long where many come and go at each step. So bodies that units have
left behind are kept for units to come.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pymunk
from pymunk import Body as Body  # these two for those outside this room
from pymunk import Space as Space
from pymunk._chipmunk_cffi import lib

from sim.core.hull import Hull

FRICTION, ELASTICITY = 0.2, 0.0
SLOP = 0.01
"""Overlap the engine leaves alone, as a share of the smallest hull radius.

Its own default is 0.1 world units, whatever the scale.
"""
MOST_SPARE = 1000
"""Bodies that are kept at most; others are left to Python."""
NONE = (0.0, 0.0)
Lasting = tuple[Any, ...]
"""What no renewal undoes: see `_lasting`."""


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
        shape = pymunk.Poly(body, [tuple(p) for p in hull.outline.tolist()], radius=hull.rounding)
    shape.friction, shape.elasticity = FRICTION, ELASTICITY
    return body, shape


class Spare:
    """Bodies out of the space, by the hulls that they have: `many` at most."""

    def __init__(self, many: int) -> None:
        self._kept: dict[Hull, list[pymunk.Body]] = {}
        self._lasting: dict[Hull, Lasting] = {}
        """What a new one has, by its hull."""
        self._count, self._many = 0, many

    def keep(self, hull: Hull, body: pymunk.Body) -> None:
        """Keep a body with such a hull that was taken out of the space; none of drawn size."""
        if self._count < self._many and hull.spread is None:
            self._kept.setdefault(hull, []).append(body)
            self._count += 1

    def bodies(self, hull: Hull, count: int) -> list[tuple[pymunk.Body, pymunk.Shape]]:
        """Bodies, each with its one shape, not yet in a space: as good as new.

        A user may have got hold of one that was kept, and have changed it or put it to use.
        """
        kept, found = self._kept.get(hull, []), list[tuple[pymunk.Body, pymunk.Shape]]()
        if kept and hull not in self._lasting:
            self._lasting[hull] = _lasting(*make_body(hull))
        lasting = self._lasting.get(hull)
        while kept and len(found) < count:
            self._count -= 1
            body = kept.pop()
            shape = _own_shape(body)
            if shape is not None and _lasting(body, shape) == lasting:
                _renew(body, shape, hull)
                found.append((body, shape))
        return found + [make_body(hull) for _ in range(count - len(found))]


def _own_shape(body: pymunk.Body) -> pymunk.Shape | None:
    """The one shape of a body; None if it is in a space, or has anything but its one shape."""
    shapes = body.shapes
    if len(shapes) != 1 or body.space is not None or body.constraints:
        return None
    (shape,) = shapes
    return shape if lib.cpShapeGetBody(shape._shape) == body._body else None


def _lasting(body: pymunk.Body, shape: pymunk.Shape) -> Lasting:
    """What stays as a user has changed it: what moves a body, and the form of its shape."""
    one, other = body._body, shape._shape
    at, middle = lib.cpBodyGetCenterOfGravity(one), lib.cpShapeGetCenterOfGravity(other)
    return (
        body.velocity_func, body.position_func, lib.cpBodyGetType(one), at.x, at.y, middle.x,
        middle.y, lib.cpShapeGetMass(other), lib.cpShapeGetArea(other), shape.radius,
    )  # fmt: skip


def _renew(body: pymunk.Body, shape: pymunk.Shape, hull: Hull) -> None:
    """Undo all that has happened to a body, but for where it is and which way it is turned.

    By the engine's own calls: those of its Python library take three times as long.
    """
    one, other = body._body, shape._shape
    lib.cpBodySetAngle(one, 0.0)  # with one that is no number, no place can be set
    lib.cpBodyUpdatePosition(one, 0.0)  # what pushed it out of others is forgotten by this
    lib.cpBodySetVelocity(one, NONE)
    lib.cpBodySetAngularVelocity(one, 0.0)
    lib.cpBodySetForce(one, NONE)
    lib.cpBodySetTorque(one, 0.0)
    lib.cpBodySetMass(one, hull.mass)
    lib.cpBodySetMoment(one, hull.moment)
    lib.cpShapeSetFriction(other, FRICTION)
    lib.cpShapeSetElasticity(other, ELASTICITY)
    lib.cpShapeSetSensor(other, False)
    lib.cpShapeSetCollisionType(other, 0)
    lib.cpShapeSetSurfaceVelocity(other, NONE)
