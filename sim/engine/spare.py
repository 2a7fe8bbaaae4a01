"""Bodies that units have left behind, for units to come: to make one takes longer than to add it.

Python's search for garbage goes through all objects that have come, and takes long where many come
and go at each step.
"""

from __future__ import annotations

import pymunk
from pymunk._chipmunk_cffi import lib

from sim.core.hull import Hull
from sim.engine.build import ELASTICITY, FRICTION, make_body

MOST = 1000
"""Bodies that are kept at most; others are left to Python."""
MOVES = pymunk.Body.update_velocity, pymunk.Body.update_position
NONE = (0.0, 0.0)


class Spare:
    """Bodies out of the space, by the hulls that they have: `many` at most."""

    def __init__(self, many: int) -> None:
        self._kept: dict[Hull, list[pymunk.Body]] = {}
        self._count, self._many = 0, many

    def keep(self, hull: Hull, body: pymunk.Body) -> None:
        """Keep a body with such a hull that was taken out of the space.

        Not one of drawn size, nor one to which a user has added anything.
        """
        if self._count < self._many and hull.spread is None and _bare(body):
            self._kept.setdefault(hull, []).append(body)
            self._count += 1

    def body(self, hull: Hull) -> tuple[pymunk.Body, pymunk.Shape]:
        """A body with its one shape, not yet in a space: as good as new."""
        kept = self._kept.get(hull)
        if not kept:
            return make_body(hull)
        self._count -= 1
        body = kept.pop()
        (shape,) = body.shapes
        _renew(body, shape, hull)
        return body, shape


def _bare(body: pymunk.Body) -> bool:
    """Whether a body has nothing but its hull."""
    moves = body.velocity_func, body.position_func
    return len(body.shapes) == 1 and not body.constraints and moves == MOVES


def _renew(body: pymunk.Body, shape: pymunk.Shape, hull: Hull) -> None:
    """Undo all that has happened to a body, but for where it is and which way it is turned.

    By the engine's own calls: those of its Python library take three times as long.
    """
    one, other = body._body, shape._shape
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
