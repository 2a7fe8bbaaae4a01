"""Bodies and their shapes: what stands in the engine for units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pymunk
from pymunk import Body as Body  # these two for those outside this room
from pymunk import Space as Space

from sim.core.hull import Hull

FRICTION, ELASTICITY = 0.2, 0.0
SLOP = 0.01
"""Overlap the engine leaves alone, as a share of the smallest hull radius.

Its own default is 0.1 world units, whatever the scale.
"""
CROWD = 1000
"""Units from which the engine finds neighbours by cells, and not by its tree of boxes.

Measured, the engine's share of a step: for 1,000 units 0.28 ms instead of 0.33; for 10,000 with ten
neighbours each 4.7 instead of 7.8, with forty 31 instead of 73 (on a busy machine, all alike).
"""
ACROSS, PER_UNIT = 2.5, 4
"""Width of such a cell in diameters of the largest hull, and how many are kept a unit."""
ALIKE = 4.0
"""Hulls that differ more than this many times in size fit no common cell."""
MOST_CELLS = 1 << 18
"""What stands still lies in every cell that its box covers: in more than these, the tree stays."""


def set_up(space: pymunk.Space, hulls: Iterable[Hull]) -> None:
    """Scale the engine's own lengths with the hulls."""
    space.collision_slop = SLOP * min(hull.radius for hull in hulls)


def sort_by_cells(space: pymunk.Space, hulls: Sequence[Hull], units: int) -> bool:
    """Let the engine find contacts by cells where that is quicker; whether it does now.

    To be called when bodies and ground are in the space.
    """
    if units < CROWD:
        return False
    reach = [hull.reach for hull in hulls]
    side = width_of(max(reach))
    if max(reach) > ALIKE * min(reach):
        return False
    moved = (b for b in space.bodies if b.body_type == pymunk.Body.KINEMATIC)
    boxes = [shape.bb for body in (space.static_body, *moved) for shape in body.shapes]
    covered = sum(((b.right - b.left) / side + 1) * ((b.top - b.bottom) / side + 1) for b in boxes)
    if covered > MOST_CELLS:
        return False
    space.use_spatial_hash(side, PER_UNIT * units)
    return True


def width_of(reach: float) -> float:
    """The width of the cells for hulls that reach so far."""
    return ACROSS * 2 * reach


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
