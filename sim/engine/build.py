"""Bodies and their shapes: what stands in the engine for units."""

from __future__ import annotations

from collections.abc import Iterable

import pymunk
from pymunk import Body as Body  # these two for those outside this room
from pymunk import Space as Space

from sim.hull import Hull

FRICTION, ELASTICITY = 0.2, 0.0
SLOP = 0.01
"""Overlap the engine leaves alone, as a share of the smallest hull radius.

Its own default is 0.1 world units, whatever the scale.
"""


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
