"""What always holds: nobody uses up the room to walls and hulls too quickly. Half-planes of it.

A half-plane is (x, y, b): the velocities v with x vx + y vy >= b, in the own frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.behaviours.meetings import leaning
from sim.compiled import leaf
from sim.perception.places import BITS, cell_at
from sim.perception.surroundings import Nearby

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
WALLS = 8
"""How many solids count: the nearest."""
PUSHED = 0.3
"""How quickly one gets out of an overlap, as a share of the desired speed."""
GENTLY = 0.4
"""Time in which the room to somebody at rest, or who walks the same way, is used up, s."""
AT_REST = 0.4
"""Share of the margin that is kept to those that rest: they may stand in the only way."""
SHUFFLE = 0.15
"""A unit that has arrived backs away at no less than this share of the desired speed."""
SURE = 3.0
"""How quickly room is left to who goes first, by how far it does, 1 / hull lengths."""


class Ground(NamedTuple):
    """What stands still, and cells that list what is near; as kernels take it."""

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


def ground_of(faces: Nearby, discs: Nearby, size: Floats, far: float) -> Ground:
    """What stands still on a plane of that size, with cells of all within `far` (world units)."""
    return Ground(size, faces.rows, *faces.within(far)[:5], discs.rows, *discs.within(far)[:5])


@leaf
def turned(x, y, cosine, sine):  # type: ignore[no-untyped-def]
    """A world vector in the frame of a heading."""
    return cosine * x + sine * y, cosine * y - sine * x


@leaf
def to_hull(gap, leaving, moves, manners):  # type: ignore[no-untyped-def]
    """How quickly one may close in on another: half of the room between is each one's own.

    `gap` is the room from hull to hull, `leaving` how quickly the other moves off.
    All of it is one's own where the other rests; then it is used up gently, so as not to push.
    """
    kept, pushed = 0.5 * manners.margin * manners.reach, -PUSHED * manners.speed
    if moves:
        return max(0.5 * (gap - kept) / manners.room, pushed) + max(leaving, 0.0)
    return max((gap - AT_REST * kept) / max(manners.room, GENTLY), pushed)


@leaf
def to_the_first(gap, leaving, pace, claim, manners):  # type: ignore[no-untyped-def]
    """How quickly one may close in on another that walks the same way, and may wait for room.

    Room is used up gently. The unit that goes first (by its `claim`, hull lengths), but is held up,
    is left some of it, so that the first of a crowd at a door is not wedged in.
    """
    held = manners.defer * manners.reach * max(1.0 - pace / manners.speed, 0.0)
    room = gap - 0.5 * manners.margin * manners.reach - held * max(leaning(SURE * claim), 0.0)
    return max(room / GENTLY, -PUSHED * manners.speed) + max(leaving, 0.0)


@leaf
def concerns(gap, manners):  # type: ignore[no-untyped-def]
    """Whether so much room may be used up too quickly `to_the_first`, whatever it does."""
    return gap < GENTLY * manners.speed + (0.5 * manners.margin + manners.defer) * manners.reach


@leaf
def off_walls(ground, x, y, c, s, manners, planes):  # type: ignore[no-untyped-def]
    """Half-planes off the nearest solids: the room to each is used up in no less than `room` s."""
    found = 0
    faces, discs, size = ground.faces, ground.discs, ground.size
    cell = cell_at(x, y, ground.face_frame, ground.face_shape, ground.face_period)
    first, items = ground.face_first, ground.face_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        ax, ay = faces[k, 0] - x, faces[k, 1] - y
        bx, by = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        share = min(max(-(ax * bx + ay * by) / max(bx * bx + by * by, 1e-300), 0.0), 1.0)
        px, py = ax + share * bx, ay + share * by
        found = _off(px, py, np.sqrt(px * px + py * py), c, s, manners, planes, found)
    cell = cell_at(x, y, ground.disc_frame, ground.disc_shape, ground.disc_period)
    first, items = ground.disc_first, ground.disc_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        px, py = discs[k, 0] - x, discs[k, 1] - y
        if size[0] > 0.0:
            px -= size[0] * np.rint(px / size[0])
            py -= size[1] * np.rint(py / size[1])
        off = np.sqrt(px * px + py * py)
        edge = (off - discs[k, 2]) / max(off, 1e-300)
        found = _off(px * edge, py * edge, off * edge, c, s, manners, planes, found)
    return found


@leaf
def clear(ground, x, y, reach):  # type: ignore[no-untyped-def]
    """Whether nothing solid is nearer to a place than `reach`."""
    faces, discs, size = ground.faces, ground.discs, ground.size
    cell = cell_at(x, y, ground.face_frame, ground.face_shape, ground.face_period)
    first, items = ground.face_first, ground.face_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        ax, ay = faces[k, 0] - x, faces[k, 1] - y
        bx, by = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        share = min(max(-(ax * bx + ay * by) / max(bx * bx + by * by, 1e-300), 0.0), 1.0)
        if (ax + share * bx) ** 2 + (ay + share * by) ** 2 < reach * reach:
            return False
    cell = cell_at(x, y, ground.disc_frame, ground.disc_shape, ground.disc_period)
    first, items = ground.disc_first, ground.disc_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        ax, ay = discs[k, 0] - x, discs[k, 1] - y
        if size[0] > 0.0:
            ax -= size[0] * np.rint(ax / size[0])
            ay -= size[1] * np.rint(ay / size[1])
        if ax * ax + ay * ay < (reach + discs[k, 2]) ** 2:
            return False
    return True


@leaf
def _off(x, y, apart, c, s, manners, planes, found):  # type: ignore[no-untyped-def]
    """Take in the half-plane off a solid whose nearest point is at (x, y), if it is near enough."""
    reach, speed, room = manners.reach, manners.speed, manners.room
    if not 0.0 < apart < reach + speed * room:
        return found
    bound = min((reach - apart) / room, PUSHED * speed)
    at = found
    if found == WALLS:
        at = 0
        for n in range(1, WALLS):
            at = n if planes[n, 2] < planes[at, 2] else at
        if planes[at, 2] >= bound:
            return found
    x, y = turned(x, y, c, s)
    planes[at, 0], planes[at, 1], planes[at, 2] = -x / apart, -y / apart, bound
    return min(found + 1, WALLS)


@leaf
def rather_stands(planes, firm, touch, vx, vy, wx, wy, speed):  # type: ignore[no-untyped-def]
    """Whether a velocity leads slowly away from where one wants to go, and one may stand.

    One may while nobody overlaps it: then no firm half-plane asks for more than `touch`.
    """
    slow = SHUFFLE * speed
    if vx * vx + vy * vy > slow * slow or vx * wx + vy * wy > 0.0:
        return False
    asked = -np.inf
    for n in range(firm):
        asked = max(asked, planes[n, 2])
    return asked <= touch
