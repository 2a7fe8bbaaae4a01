"""Two files that meet where two units abreast do not fit: where that is, and which file goes on."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import inlined, leaf
from sim.core.geometry import to_own_frame
from sim.perception.lists import sees
from sim.perception.places import BITS, cell_at

EVEN = 1e-6
"""Two sides are even whose numbers differ by no more."""


@leaf
def squeezed(me, other, way, position, ground, passing):  # type: ignore[no-untyped-def]
    """The room to port and to starboard of one bound along a way, and whether it is narrow.

    That is where two abreast do not fit: here, or where the other comes from.
    """
    reach, wide = passing.reach, 2 * passing.contact
    port, right = _beside(position[me, 0], position[me, 1], way, reach, ground)
    narrow = port + right < wide
    if not narrow:
        left, rest = _beside(position[other, 0], position[other, 1], way, reach, ground)
        narrow = left + rest < wide
    return port, right, narrow


@leaf
def _beside(x, y, way, reach, ground):  # type: ignore[no-untyped-def]
    """How far it is to the walls to port and to starboard of (x, y); at most `reach`."""
    cell = cell_at(x, y, ground.face_frame, ground.face_shape, ground.face_period)
    first, items, u, v = ground.face_first, ground.face_items, way.u, way.v
    here = items[first[cell] : first[cell + 1]] if cell >= 0 else items[:0]
    faces = ground.faces
    return _room(x, y, v, -u, reach, faces, here), _room(x, y, -v, u, reach, faces, here)


@leaf
def outnumbered(i, each, nearest, way, heading, passing, balance):  # type: ignore[no-untyped-def]
    """Whether there are more on the other side of where two files meet that cannot pass.

    Files meet half-way between the foremost of the own and the nearest of the other; nearer ones
    count for more, up to half the range, so that both sides count alike. `balance` is what the own
    side has to begin with: a side that is under way stays so, or they would swing to and fro. In a
    dead heat the one that is bound for greater x goes on (if neither is, for greater y).
    """
    a, b, u, v = way
    x_of, y_of = each.ahead[i, nearest], each.starboard[i, nearest]
    front_x, front_y, farthest = 0.0, 0.0, 0.0
    end = a * x_of + b * y_of
    for k in range(each.count[i]):
        if sees(each, i, k):
            x, y, j = each.ahead[i, k], each.starboard[i, k], each.index[i, k]
            along, across = to_own_frame(x, y, a, b)
            own = u * heading[j, 0] + v * heading[j, 1] > 0.0
            if own and farthest < along < end and abs(across) < passing.contact:
                front_x, front_y, farthest = x, y, along
    middle_x, middle_y = (front_x + x_of) / 2, (front_y + y_of) / 2
    most = 2 / passing.reach
    balance += max(0.0, 1 - most * np.sqrt(middle_x * middle_x + middle_y * middle_y))
    for k in range(each.count[i]):
        if sees(each, i, k):
            j = each.index[i, k]
            dx, dy = each.ahead[i, k] - middle_x, each.starboard[i, k] - middle_y
            share = max(0.0, 1 - most * np.sqrt(dx * dx + dy * dy))
            own = u * heading[j, 0] + v * heading[j, 1] > 0.0
            balance += share if own else -share
    if abs(balance) > EVEN:
        return balance < 0.0
    return u < -EVEN or (u < EVEN and v < 0.0)


@inlined
def _room(x, y, u, v, reach, faces, here):  # type: ignore[no-untyped-def]
    """How far it is from (x, y) along (u, v) to the first of the walls; at most `reach`."""
    for item in here:
        k = item >> BITS
        to_x, to_y = faces[k, 0] - x, faces[k, 1] - y
        wall_x, wall_y = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
        slant = u * wall_y - v * wall_x
        if slant != 0.0:
            along, share = (to_x * wall_y - to_y * wall_x) / slant, (to_x * v - to_y * u) / slant
            if 0.0 <= along < reach and 0.0 <= share <= 1.0:
                reach = along
    return reach
