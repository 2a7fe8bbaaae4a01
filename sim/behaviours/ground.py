"""What is solid near a place, as kernels of rules ask for it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.geometry import closest_on_segment, nearest_image, periods
from sim.perception.bodies import Moving
from sim.perception.percepts import Percepts
from sim.perception.places import BITS, cell_at


class Ground(NamedTuple):
    """What is solid, and cells that list what is near; as kernels take it."""

    moving: Moving
    """What of it moves, for rules that foresee."""
    size: Floats
    """(2,) periods of a torus; zeros else."""
    faces: Floats
    """(f, 4) straight sides: x1, y1, x2, y2."""
    face_frame: Floats
    face_shape: Ints
    face_period: Floats
    face_first: Ints
    face_items: NDArray[np.int32]
    """Cells of faces, as in `Places`."""
    discs: Floats
    """(d, 3) x, y, radius."""
    disc_frame: Floats
    disc_shape: Ints
    disc_period: Floats
    disc_first: Ints
    disc_items: NDArray[np.int32]
    """Cells of discs, as in `Places`."""


def ground_of(me: Percepts, far: float) -> Ground:
    """What is solid round the units of a group, with cells of all within `far` (world units)."""
    sides, rounds = me.faces.within(far)[:5], me.discs.within(far)[:5]
    return Ground(me.moving, me.plane.size, me.faces.rows, *sides, me.discs.rows, *rounds)


@leaf
def solids_near(ground, x, y):  # type: ignore[no-untyped-def]
    """Which solids may be near (x, y): their number, and what `offset_to_solid` takes."""
    face = cell_at(x, y, ground.face_frame, ground.face_shape, ground.face_period)
    disc = cell_at(x, y, ground.disc_frame, ground.disc_shape, ground.disc_period)
    face_begin, face_end, disc_begin, disc_end = 0, 0, 0, 0
    if face >= 0:
        face_begin, face_end = ground.face_first[face], ground.face_first[face + 1]
    if disc >= 0:
        disc_begin, disc_end = ground.disc_first[disc], ground.disc_first[disc + 1]
    faces = face_end - face_begin
    return faces + disc_end - disc_begin, (face_begin, disc_begin - faces, faces)


@leaf
def offset_to_solid(ground, near, n, x, y):  # type: ignore[no-untyped-def]
    """Offset from (x, y) to the nearest point of side n, or to the middle of disc n; its radius.

    The radius is 0 for a side. `near` is from `solids_near`.
    """
    face_begin, disc_begin, faces = near
    if n < faces:
        k, sides = ground.face_items[face_begin + n] >> BITS, ground.faces
        left, top = sides[k, 0], sides[k, 1]
        px, py = closest_on_segment(left - x, top - y, sides[k, 2] - left, sides[k, 3] - top)
        return px, py, 0.0
    k, discs = ground.disc_items[disc_begin + n] >> BITS, ground.discs
    px, py = nearest_image(discs[k, 0] - x, discs[k, 1] - y, periods(ground.size))
    return px, py, discs[k, 2]


@leaf
def corners_of_solid(ground, near, n, x, y, corners):  # type: ignore[no-untyped-def]
    """Fill `corners` (2, 2) with offsets from (x, y) to both ends of side n, or to disc n's middle.

    Returns how many they are, and the radius round them: 0 for a side. `near` is as
    `solids_near` gives it.
    """
    first, _, faces = near
    if n < faces:
        k, sides = ground.face_items[first + n] >> BITS, ground.faces
        corners[0, 0], corners[0, 1] = sides[k, 0] - x, sides[k, 1] - y
        corners[1, 0], corners[1, 1] = sides[k, 2] - x, sides[k, 3] - y
        return 2, 0.0
    corners[0, 0], corners[0, 1], radius = offset_to_solid(ground, near, n, x, y)
    return 1, radius
