"""What units feel ahead by rays, and how far the things they feel reach to either side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.compiled import Kernel, leaf
from sim.perception.outlines import NOTHING, away
from sim.perception.places import cell_at
from sim.perception.rays import NOBODY, named, sweep

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Felt(NamedTuple):
    """What n units of a group feel with r rays each. Own frame: (ahead, starboard).

    Rays run ahead, parallel to the keel, from the line abeam of each unit's centre.
    """

    abreast: Floats
    """(r,) how far to starboard each ray runs, world units."""
    reach: Floats
    """(n,) how long the rays are, world units."""
    distance: Floats
    """(n, r) along the ray to what it meets first, so that (distance, abreast) is where; infinite
    for nothing, 0 for a ray that begins inside something."""
    normal: Floats
    """(n, r, 2) unit vectors off the surface; zeros for nothing."""
    middle: Floats
    """(n, r, 2) to the centre of the smallest circle round the whole thing; zeros for nothing."""
    gap: Floats
    """(n, r) from the unit's centre to the nearest place of the whole thing; infinite for nothing,
    less than 0 inside it."""
    toward: Floats
    """(n, r, 2) unit vectors to that place; zeros for nothing."""
    close: Floats
    """(n, r) the least gap of the thing and what counts as one with it; infinite for nothing."""
    edge: Floats
    """(n, r, 2, 2) to the corners that reach furthest to port and to starboard of that direction,
    with the room asked for beside them, of the thing and what counts as one with it."""
    rounding: Floats
    """(n, r, 2) how far those reach beyond these corners, world units."""
    kind: Ints
    """(n, r) as in `Hits`."""
    who: Ints
    """(n, r) as in `Hits`."""


def room_to_feel(n: int, rays: int) -> Felt:
    """Memory for what n units feel with so many rays."""
    vectors, figures = np.zeros((4, n, rays, 2)), np.zeros((3, n, rays))
    return Felt(
        np.zeros(rays), np.zeros(n), figures[0], vectors[0], vectors[1], figures[1], vectors[2],
        figures[2], np.zeros((n, rays, 2, 2)), vectors[3], *np.zeros((2, n, rays), np.int64),
    )  # fmt: skip


@Kernel
def feel_ahead(  # type: ignore[no-untyped-def]
    begin, end,
    position, velocity, heading, start, lengths, seconds, thick, beside, joins, near, joined, shift,
    solids, cells, peopled, crowd, crowd_cells,
    abreast, far, distance, normal, middle, gap, toward, close, edge, rounding, kind, who,
):  # fmt: skip
    """The same for r rays parallel to the keel of each unit, in its own frame."""
    aside = np.abs(abreast).max() + thick
    for i in range(begin, end):
        x, y, c, s = position[i, 0], position[i, 1], heading[i, 0], heading[i, 1]
        speed = np.sqrt(velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
        far[i] = reach = lengths + seconds * speed
        for r in range(len(abreast)):
            distance[i, r], gap[i, r], close[i, r] = np.inf, np.inf, np.inf
            kind[i, r], who[i, r] = NOTHING, -1
            normal[i, r], middle[i, r], toward[i, r] = 0.0, 0.0, 0.0
            edge[i, r], rounding[i, r] = 0.0, 0.0
        cell = cell_at(x, y, cells.frame, cells.shape, cells.period)
        if cell < 0 or cells.room[cell] <= reach + aside:
            sweep(
                x, y, c, s, reach, abreast, thick, NOBODY, 0, solids, cells,
                i, distance, normal, middle, who,
            )  # fmt: skip
        if peopled:
            sweep(
                x, y, c, s, reach, abreast, thick, start + i, len(solids.name), crowd, crowd_cells,
                i, distance, normal, middle, who,
            )  # fmt: skip
        for r in range(len(abreast)):
            k = who[i, r]
            if k < 0:
                continue
            kind[i, r], who[i, r] = named(k, solids.name, crowd.name)
            port, starboard = np.inf, -np.inf
            if k >= len(solids.name):
                k -= len(solids.name)
                sx, sy = middle[i, r, 0] - crowd.circle[k, 0], middle[i, r, 1] - crowd.circle[k, 1]
                _nearest(i, r, crowd, k, sx, sy, gap, toward)
                _widest(i, r, crowd, k, sx, sy, beside, port, starboard, toward, edge, rounding)
                close[i, r] = gap[i, r]
            else:
                sx = middle[i, r, 0] - solids.circle[k, 0]
                sy = middle[i, r, 1] - solids.circle[k, 1]
                _nearest(i, r, solids, k, sx, sy, gap, toward)
                for n in range(near[k], near[k + 1]):
                    m, u, v = joined[n], sx + shift[n, 0], sy + shift[n, 1]
                    off = _away(solids, m, -u, -v)[0]
                    if abs(off - gap[i, r]) <= joins:
                        close[i, r] = min(close[i, r], off)
                        port, starboard = _widest(
                            i, r, solids, m, u, v, beside, port, starboard, toward, edge, rounding
                        )
            for side in (0, 1):
                vx, vy = edge[i, r, side, 0], edge[i, r, side, 1]
                edge[i, r, side, 0], edge[i, r, side, 1] = c * vx + s * vy, c * vy - s * vx
            for vectors in (normal, middle, toward):
                vx, vy = vectors[i, r, 0], vectors[i, r, 1]
                vectors[i, r, 0], vectors[i, r, 1] = c * vx + s * vy, c * vy - s * vx
    return 0


@leaf
def _away(outlines, k, x, y):  # type: ignore[no-untyped-def]
    """How far outline k is from (x, y), and the unit vector from there to it, turned about."""
    begin, end = outlines.first[k], outlines.first[k + 1]
    distance, nx, ny = away(outlines.corners, begin, end, x, y)
    return distance - outlines.circle[k, 3], nx, ny


@leaf
def _nearest(i, r, outlines, k, sx, sy, gap, toward):  # type: ignore[no-untyped-def]
    """How near a thing is, and where, that lies (sx, sy) from where its corners say."""
    distance, nx, ny = _away(outlines, k, -sx, -sy)
    gap[i, r], toward[i, r, 0], toward[i, r, 1] = distance, -nx, -ny


@leaf
def _widest(i, r, outlines, k, sx, sy, beside, port, starboard, toward, edge, rounding):  # type: ignore[no-untyped-def]
    """How far a thing reaches to either side of the nearest place met, where that is further."""
    tx, ty, round_ = toward[i, r, 0], toward[i, r, 1], outlines.circle[k, 3]
    for a in range(outlines.first[k], outlines.first[k + 1]):
        dx, dy = outlines.corners[a, 0] + sx, outlines.corners[a, 1] + sy
        wide = widened(dx, dy, round_ + beside)
        bearing = np.arctan2(tx * dy - ty * dx, tx * dx + ty * dy)
        if bearing - wide < port:
            port = bearing - wide
            edge[i, r, 0, 0], edge[i, r, 0, 1], rounding[i, r, 0] = dx, dy, round_
        if bearing + wide > starboard:
            starboard = bearing + wide
            edge[i, r, 1, 0], edge[i, r, 1, 1], rounding[i, r, 1] = dx, dy, round_
    return port, starboard


@leaf
def widened(x, y, room):  # type: ignore[no-untyped-def]
    """How far beside an offset a way leaves such room, radians; a right angle within the room."""
    distance = np.sqrt(x * x + y * y)
    return np.arcsin(room / distance) if distance > room else np.pi / 2
