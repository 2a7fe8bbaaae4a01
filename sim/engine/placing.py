"""Putting units into the space, and finding hulls that would overlap."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from math import inf
from typing import Any

import numpy as np
import pymunk
from pymunk._chipmunk_cffi import lib

from sim.core import collecting
from sim.core.arrays import Floats, Ints
from sim.core.errors import NoRoom
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.engine.build import Spare, make_body
from sim.engine.cells import check_covered
from sim.engine.numbers import Held

TOUCH = 0.002
"""Overlap that counts as touching, as a share of the hull's radius."""

NEAR = 0.25
"""How far beyond an edge images count, as a share of the torus."""

Place = tuple[float, float]


def stand(
    space: pymunk.Space, hull: Hull, places: Floats, angles: Floats, radii: Floats, spare: Spare
) -> list[pymunk.Body]:
    """Add a body at each of the places (n, 2), turned by the angles (n,), of radii (n,).

    Bodies that are `spare` serve first, as far as there are any of such a hull.
    """
    check_covered(space, np.full(2, 2 * hull.largest.reach), "hull")
    with collecting.paused():
        if hull.spread is None:
            made = spare.bodies(hull, len(radii))
        else:
            made = [each for one in radii.tolist() for each in spare.bodies(hull.of(one), 1)]
        for (body, _), place, angle in zip(made, places.tolist(), angles.tolist(), strict=True):
            lib.cpBodySetPosition(body._body, place)
            lib.cpBodySetAngle(body._body, angle)
        space.add(*(each for pair in made for each in pair))
    return [body for body, _ in made]


def remove(space: pymunk.Space, bodies: Collection[pymunk.Body]) -> None:
    """Take bodies and their shapes out of the space, if a user has not done so already."""
    here = [body for body in bodies if body.space is space]
    shapes = [shape for body in bodies for shape in body.shapes if shape.space is space]
    space.remove(*shapes, *here)


def move(body: Any, at: Place, going: Sequence[float] = ()) -> None:
    """Put a body there; where `going` is given, with that angle, velocity (2) and spin.

    By the engine's own calls: those of its Python library take more than twice as long.
    """
    held = body._body
    lib.cpBodySetPosition(held, at)
    if going:
        angle, vx, vy, spin = going
        lib.cpBodySetAngle(held, angle)
        lib.cpBodySetVelocity(held, (vx, vy))
        lib.cpBodySetAngularVelocity(held, spin)


def put_in(space: pymunk.Space, hull: Hull, spare: Spare, number: int) -> pymunk.Body:
    """Add a body of a hull anywhere, whose shape has this number among all."""
    ((body, shape),) = spare.bodies(hull, 1)
    lib.cpSpaceSetShapeIDCounter(space._space, number)
    space.add(body, shape)
    return body


def depth(contact: pymunk.ContactPointSet) -> float:
    """How deep two shapes that a query found in contact overlap.

    The sign of a distance depends on which of the shapes came first, and two that share a centre
    have neither distance nor normal: then the depth is without bound.
    """
    if contact.normal == (0, 0):
        return inf
    return max((abs(point.distance) for point in contact.points), default=0.0)


def refuse_overlap(
    space: pymunk.Space,
    standing: Container[pymunk.Body],
    fresh: Sequence[pymunk.Body],
    hull: Hull,
    plane: Plane,
) -> None:
    """Raise `NoRoom`, with the fresh bodies out of the space again, where one overlaps a unit.

    `standing` are the bodies of units that were there before; all must be in the space. Whatever
    else is there does not count.
    """
    new = set(fresh)
    for number, body in enumerate(fresh):
        (shape,) = body.shapes
        here = body.position
        images = list(_images(here, plane))
        for image in images:
            if image is not here:
                body.position = image
            hits = space.shape_query(shape)
            if image is not here:
                body.position = here
            for hit in hits:
                other = hit.shape.body if hit.shape else None
                if other is None or other is body or not (other in standing or other in new):
                    continue
                if depth(hit.contact_point_set) > TOUCH * hull.radius:
                    remove(space, fresh)
                    (x, y), (u, v) = here, other.position
                    raise NoRoom(
                        f"spawn: unit {number} at ({x:g}, {y:g}) overlaps another at ({u:g}, {v:g})"
                    )
        if len(images) > 1:
            space.reindex_shapes_for_body(body)


def rehull(
    space: pymunk.Space, standing: Held, rows: Ints, hull: Hull, plane: Plane, radii: Floats
) -> list[pymunk.Body]:
    """Bodies of another hull, in the space, for units in some rows: they move as these do now.

    Their `radii` (k,) are in the order of the rows, the least first.
    The old ones are there still. Raises `NoRoom`, with the fresh bodies out of the space again,
    where one has no room.
    """
    check_covered(space, np.full(2, 2 * hull.largest.reach), "hull")
    old = [body for row in np.sort(rows).tolist() if (body := standing[row]) is not None]
    fresh = []
    for body, radius in zip(old, radii.tolist(), strict=True):
        made, shape = make_body(hull.of(radius))
        made.position, made.velocity = body.position, body.velocity
        if not hull.upright:
            made.angle, made.angular_velocity = body.angle, body.angular_velocity
        space.add(made, shape)
        fresh.append(made)
    others = {body for body in standing.all if body is not None} - set(old)
    refuse_overlap(space, others, fresh, hull, plane)
    return fresh


def _images(place: Place, plane: Plane) -> Iterator[Place]:
    """A place, and its images beyond the edges of a torus that lie near them."""
    yield place
    if not plane.wraps:
        return
    (x, y), (left, top), (width, height) = place, plane.origin.tolist(), plane.size.tolist()
    for i in (0, -1, 1):
        for j in (0, -1, 1):
            across, down = (x + i * width - left) / width, (y + j * height - top) / height
            if (i or j) and max(abs(across - 0.5), abs(down - 0.5)) < 0.5 + NEAR:
                yield x + i * width, y + j * height
