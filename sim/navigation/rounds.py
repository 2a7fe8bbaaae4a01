"""What shortest ways for a disc wind round: circles about the corners of solids, and about discs.

The middle of a disc of radius r keeps r away from every solid. Its shortest way runs straight but
where it winds round a circle: of radius r about a corner of a box or an end of a wall, of radius
R + r about a solid disc (as roads round polygons do: Laumond, Inf. Process. Lett. 25, 1987).
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.core.compiled import leaf, leaf_and_function
from sim.core.geometry import floored
from sim.core.shared_cache import njit
from sim.core.solids import corners_of
from sim.navigation.distances import BOX, TRIANGLE
from sim.navigation.grid import Grid
from sim.navigation.sight import room_at

PARTS = 64
"""Parts of each circle to look at; nothing winds round a circle where no hull has room."""
CLOSE = 1e-7
"""Share of the radius by which a way may be nearer to solids than it should, for rounding."""
SURE = 1 - 1e-6
"""Share of what hulls lack in room that they lack all around there, for rounding too."""


class Rounds(NamedTuple):
    """Circles that a way may wind round, k of them."""

    circle: Floats
    """(k, 3) x, y, radius."""
    open: NDArray[np.uint64]
    """(k,) a bit for each part, clockwise as seen on screen from angle 0, where there is room."""


def rounds(grid: Grid) -> Rounds:
    """The circles for the hull of a grid, without circles that nothing can wind round."""
    solids, radius = grid.solids, grid.radius
    boxes, others = solids[solids[:, 5] == BOX], solids[solids[:, 5] != BOX]
    thirds = solids[solids[:, 5] == TRIANGLE, 6:]
    corners = corners_of(boxes).reshape(-1, 2)
    found = np.concatenate(
        [
            np.column_stack([corners, np.full(len(corners), radius)]),
            np.column_stack([others[:, :2], others[:, 4] + radius]),
            np.column_stack([others[:, 2:4], others[:, 4] + radius]),
            np.column_stack([thirds, np.full(len(thirds), radius)]),
        ]
    )
    found = np.unique(found, axis=0)
    parts = _open_parts(grid, found)
    used = parts != 0
    return Rounds(found[used], parts[used])


@leaf_and_function
def has_room(grid: Grid, x: float, y: float) -> bool:
    """Whether the grid's hull has room at a place, but for rounding."""
    return bool(room_at(grid, x, y) >= grid.radius * (1 - CLOSE))


@njit(cache=True, error_model="numpy", nogil=True)
def _open_parts(grid: Grid, circles: Floats) -> NDArray[np.uint64]:
    """Which parts of circles (k, 3) may have room: where one of eight points has, and beside."""
    found = np.zeros(len(circles), np.uint64)
    for i in range(len(circles)):
        found[i] = _open_of(grid, circles[i, 0], circles[i, 1], circles[i, 2])
    return found


@leaf
def _open_of(grid: Grid, x: float, y: float, radius: float) -> np.uint64:
    """A bit for each part of a circle that may have room.

    One point with room is enough for its part; and where hulls lack much room, they lack some as
    far around: points that can make no difference are passed over.
    """
    found, k, need = np.uint64(0), 0, grid.radius * (1 - CLOSE)
    while k < 8 * PARTS:
        angle = 2 * pi * k / (8 * PARTS)
        lacks = need - room_at(grid, x + radius * cos(angle), y + radius * sin(angle))
        if lacks > 0:
            k += 1 + floored(SURE * lacks / (2 * pi * radius) * 8 * PARTS)
            continue
        for beside in (-1, 0, 1):
            found |= np.uint64(1) << np.uint64((k // 8 + beside) % PARTS)
        k = (k // 8 + 1) * 8
    return found


@leaf
def is_open(parts: np.uint64, x: float, y: float) -> bool:
    """Whether there may be room on a circle in the direction (x, y) from its middle."""
    part = np.uint64(int(np.floor(np.arctan2(y, x) / (2 * pi) * PARTS)) % PARTS)
    return bool(parts >> part & np.uint64(1))


@leaf
def arc_between(start: float, end: float, sense: int) -> float:
    """The angle from one to another, turning in a sense (1 or -1); in [0, 2 pi)."""
    turn = (sense * (end - start)) % (2 * pi)
    return 0.0 if turn > 2 * pi - CLOSE else turn


@leaf
def arc_free(grid: Grid, circle: Floats, start: float, turn: float, sense: int) -> bool:
    """Whether a hull may wind round a circle by an angle; looked at every few degrees."""
    count = int(np.ceil(turn / 0.05))
    for k in range(1, count):
        angle = start + sense * turn * k / count
        x, y = circle[0] + circle[2] * cos(angle), circle[1] + circle[2] * sin(angle)
        if not has_room(grid, x, y):
            return False
    return True
