"""What always holds: nobody uses up the room to walls and hulls too quickly. Half-planes of it.

A half-plane is (x, y, b): the velocities v with x vx + y vy >= b, in the own frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.behaviours.meetings import SAME_WAY, right_of_way
from sim.perception.places import BITS, cell_at
from sim.perception.surroundings import Nearby

Floats, Ints = NDArray[np.float64], NDArray[np.int64]
WALLS = 8
"""How many solids count: the nearest."""
PUSHED = 0.3
"""How quickly one gets out of an overlap, as a share of the desired speed."""
GENTLY = 0.4
"""Time in which the room to somebody at rest, or who walks the same way, is used up, s."""
AT_REST = 0.4
"""Share of the margin that is kept to those that rest: they may stand in the only way."""
SURE = 3.0
"""How quickly room is left to who goes first, by how far it does, 1 / hull lengths."""


class Ground(NamedTuple):
    """What stands still, and cells that list what is near; flat, as threaded kernels take it."""

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


@njit(cache=True, error_model="numpy")
def turned(x, y, cosine, sine):  # type: ignore[no-untyped-def]
    """A world vector in the frame of a heading."""
    return cosine * x + sine * y, cosine * y - sine * x


@njit(cache=True, error_model="numpy")
def off_hulls(  # type: ignore[no-untyped-def]
    near, found, index, ahead, starboard, distance, moving, velocity, radii, c, s, reach, margin,
    speed, room, planes, firm,
):  # fmt: skip
    """Add a half-plane for each of the nearest: half of the room between is each one's own.

    All of it is one's own where the other rests; then it is used up gently, so as not to push.
    """
    for n in range(found):
        k, j = near[n], index[near[n]]
        nx, ny = ahead[k] / distance[k], starboard[k] / distance[k]
        vx, vy = turned(velocity[j, 0], velocity[j, 1], c, s)
        gap = distance[k] - reach - radii[j]
        if moving[j]:
            gap -= 0.5 * margin * reach
            slack = max(0.5 * gap / room, -PUSHED * speed) + max(nx * vx + ny * vy, 0.0)
        else:
            gap -= 0.5 * AT_REST * margin * reach
            slack = max(gap / max(room, GENTLY), -PUSHED * speed)
        planes[firm, 0], planes[firm, 1], planes[firm, 2] = -nx, -ny, -slack
        firm += 1
    return firm


@njit(cache=True, error_model="numpy")
def leave_room(  # type: ignore[no-untyped-def]
    near, found, index, ahead, starboard, distance, minds, me, velocity, headings, radii, c, s,
    reach, length, speed, manners, planes, total,
):  # fmt: skip
    """Add a half-plane for each of the nearest that walks the same way, and may wait for room.

    Room to these is used up gently. Who goes first, but is held up, is left some of it, so that the
    one at the head of a crowd at a door is not wedged in. Those that are bound for one shared place
    pack there as closely as they can.
    """
    for n in range(found):
        k, j = near[n], index[near[n]]
        hx, hy = turned(headings[j, 0], headings[j, 1], c, s)
        if not minds.moving[j] or hx <= SAME_WAY or minds.end[j] == minds.end[me]:
            continue
        nx, ny = ahead[k] / distance[k], starboard[k] / distance[k]
        vx, vy = turned(velocity[j, 0], velocity[j, 1], c, s)
        gap = distance[k] - reach - radii[j] - 0.5 * manners.margin * reach
        claim = right_of_way(ahead[k], starboard[k], distance[k], hx, hy, length)
        held = max(1.0 - np.sqrt(vx * vx + vy * vy) / speed, 0.0)
        left = manners.defer * reach * held * max(np.tanh(SURE * claim), 0.0)
        slack = max((gap - left) / GENTLY, -PUSHED * speed) + max(nx * vx + ny * vy, 0.0)
        planes[total, 0], planes[total, 1], planes[total, 2] = -nx, -ny, -slack
        total += 1
    return total


@njit(cache=True, error_model="numpy")
def off_walls(ground, place, c, s, reach, speed, room, planes):  # type: ignore[no-untyped-def]
    """Half-planes off the nearest solids: the room to each is used up in no less than `room` s."""
    found, far = 0, reach + speed * room
    faces, discs, size = ground.faces, ground.discs, ground.size
    cell = cell_at(place[0], place[1], ground.face_frame, ground.face_shape, ground.face_period)
    first, items = ground.face_first, ground.face_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        ax, ay = faces[k, 0] - place[0], faces[k, 1] - place[1]
        bx, by = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        share = min(max(-(ax * bx + ay * by) / max(bx * bx + by * by, 1e-300), 0.0), 1.0)
        x, y = ax + share * bx, ay + share * by
        found = _off(x, y, np.sqrt(x * x + y * y), c, s, far, reach, speed, room, planes, found)
    cell = cell_at(place[0], place[1], ground.disc_frame, ground.disc_shape, ground.disc_period)
    first, items = ground.disc_first, ground.disc_items
    for n in range(first[cell] if cell >= 0 else 0, first[cell + 1]):
        k = items[n] >> BITS
        x, y = discs[k, 0] - place[0], discs[k, 1] - place[1]
        if size[0] > 0.0:
            x -= size[0] * np.rint(x / size[0])
            y -= size[1] * np.rint(y / size[1])
        off = np.sqrt(x * x + y * y)
        edge = (off - discs[k, 2]) / max(off, 1e-300)
        found = _off(x * edge, y * edge, off * edge, c, s, far, reach, speed, room, planes, found)
    return found


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def _off(x, y, apart, c, s, far, reach, speed, room, planes, found):  # type: ignore[no-untyped-def]
    """Take in the half-plane off a solid whose nearest point is at (x, y), if it is near enough."""
    if not 0.0 < apart < far:
        return found
    bound = min((reach - apart) / room, PUSHED * speed)
    at = found
    if found == WALLS:
        at = np.argmin(planes[:WALLS, 2])
        if planes[at, 2] >= bound:
            return found
    x, y = turned(x, y, c, s)
    planes[at, 0], planes[at, 1], planes[at, 2] = -x / apart, -y / apart, bound
    return min(found + 1, WALLS)
