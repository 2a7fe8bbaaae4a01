"""Bodies that units have left behind, for units to come: to make one takes longer than to add it.

Python's search for garbage goes through all objects that have come, so those that come and go at
each step cost far more than themselves.
"""

from __future__ import annotations

import pymunk

from sim.core.hull import Hull
from sim.engine.build import ELASTICITY, FRICTION, make_body

MOST = 1000
"""Bodies that are kept at most; others are left to Python."""
MOVES = pymunk.Body.update_velocity, pymunk.Body.update_position
AS_MADE = {
    "friction": FRICTION, "elasticity": ELASTICITY, "sensor": False, "collision_type": 0,
    "surface_velocity": (0.0, 0.0),
}  # fmt: skip
"""What a shape has that was just made."""


class Spare:
    """Bodies out of the space, by the hulls that they have: so `many` at most."""

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
    """Undo all that has happened to a body, but for where it is and which way it is turned."""
    pymunk.Body.update_position(body, 0.0)  # what pushed it out of others is forgotten by this
    body.velocity, body.angular_velocity, body.force, body.torque = (0, 0), 0.0, (0, 0), 0.0
    for held, wanted in ((body, {"mass": hull.mass, "moment": hull.moment}), (shape, AS_MADE)):
        for name, value in wanted.items():
            if getattr(held, name) != value:
                setattr(held, name, value)
