"""Narrow passages: where two hulls cannot pass each other, found from the clearance of the ground.

A place is wide where a hull lies within a disc of `ABREAST` hull radii that holds no solid: there
two hulls pass. What is left of the free ground falls into pieces. A piece that joins wide ground at
two mouths or more is a passage: a door, a corridor with or without corners, a bridge. One with a
single mouth is a corner or a dead end. (Opening of a set by a disc: Serra, Image Analysis and
Mathematical Morphology, 1982.)
"""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats
from sim.core.shared_cache import njit
from sim.navigation.distances import from_point
from sim.navigation.grid import GRAZE, Grid

Ints = NDArray[np.int32]

ABREAST = 2.6
"""Hull radii of the disc in which two hulls pass each other: two, and room to do so."""
ROOM = 40.0
"""Wide ground smaller than so many squares of the hull radius is no place to wait: it counts as
narrow."""
MOUTHS = 4
"""Mouths of a passage at most. Ground with more, such as a wood of pillars, has more ways round."""
JOINED = 2
"""Pieces of a mouth that are so few steps apart are one mouth."""
ALL_ROUND = np.ones((3, 3), np.bool_)
NOWHERE = -1
NONE = np.zeros((0, MOUTHS, 2))


class Passages(NamedTuple):
    """The P passages for the hulls of a planning grid, on a lattice that reaches further out."""

    origin: Floats
    """(2,) the first node."""
    step: Floats
    """(2,) between neighbouring nodes."""
    number: Ints
    """(rows, columns) the passage that each node lies in; -1 for none."""
    mouths: Floats
    """(P, MOUTHS, 2) the middle of each mouth; infinite where there are fewer."""


def find_passages(grid: Grid) -> Passages:
    """The passages on the ground of a planning grid, in the order of their first nodes.

    On a torus none are looked for.
    """
    radius, step = grid.radius, grid.step
    if grid.period[0] > 0:
        return Passages(grid.origin, step, np.full((1, 1), NOWHERE, np.int32), NONE)
    rows, columns = grid.free.shape
    more = np.ceil(3 * ABREAST * radius / step).astype(int)
    origin = grid.origin - more * step
    clearance = np.full((rows + 2 * more[1], columns + 2 * more[0]), 2 * ABREAST * radius)
    _clearances(origin, step, grid.solids, grid.bounds, clearance)
    free = clearance >= radius * (1 - GRAZE)
    core = clearance >= ABREAST * radius - 0.5 * step.max()
    number = np.full(free.shape, NOWHERE, np.int32)
    mouths: list[Floats] = []
    if core.any():
        off = scipy.ndimage.distance_transform_edt(~core, sampling=step[::-1])
        wide = free & (off <= (ABREAST - 1) * radius + 0.5 * step.max())
        wide = _without_small(wide, ROOM * radius * radius / float(step.prod()))
        pieces, count = scipy.ndimage.label(free & ~wide, ALL_ROUND)
        for piece, box in enumerate(scipy.ndimage.find_objects(pieces, count), start=1):
            around = tuple(
                slice(max(side.start - JOINED - 1, 0), side.stop + JOINED + 1) for side in box
            )
            inside = pieces[around] == piece
            found = _mouths(inside, wide[around])
            if 2 <= len(found) <= MOUTHS:
                number[around][inside] = len(mouths)
                corner = origin + step * [around[1].start, around[0].start]
                mouths.append(corner + np.array(found)[:, ::-1] * step)
    table = np.full((len(mouths), MOUTHS, 2), np.inf)
    for row, places in zip(table, mouths, strict=True):
        row[: len(places)] = places
    return Passages(origin, step, number, table)


def _without_small(ground: Bools, least: float) -> Bools:
    """Ground without the parts that have fewer nodes than `least`."""
    parts, _ = scipy.ndimage.label(ground, ALL_ROUND)
    large = np.bincount(parts.reshape(-1)) >= least
    large[0] = False
    kept: Bools = large[parts]
    return kept


def _mouths(inside: Bools, wide: Bools) -> list[tuple[float, float]]:
    """The middle of each mouth of a piece of narrow ground, (row, column)."""
    edge = scipy.ndimage.binary_dilation(inside, ALL_ROUND) & wide
    if not edge.any():
        return []
    band = scipy.ndimage.binary_dilation(edge, ALL_ROUND, JOINED) & wide
    parts, count = scipy.ndimage.label(band, ALL_ROUND)
    middles: list[tuple[float, float]] = scipy.ndimage.center_of_mass(
        edge, parts, range(1, count + 1)
    )
    return middles


@njit(cache=True, error_model="numpy", nogil=True)
def _clearances(  # type: ignore[no-untyped-def]
    origin, step, solids, bounds, clearance
):
    """Lower `clearance` (rows, columns) to the distance of each node from solids and bounds."""
    rows, columns = clearance.shape
    most = clearance[0, 0]
    for y in range(rows):
        py = origin[1] + y * step[1]
        for x in range(columns):
            px = origin[0] + x * step[0]
            room = min(min(px - bounds[0], bounds[2] - px), min(py - bounds[1], bounds[3] - py))
            clearance[y, x] = min(most, room)
    for s in range(len(solids)):
        solid = solids[s]
        wide = solid[4] + most
        x0 = max(ceil((min(solid[0], solid[2], solid[6]) - wide - origin[0]) / step[0]), 0)
        x1 = min(
            floor((max(solid[0], solid[2], solid[6]) + wide - origin[0]) / step[0]), columns - 1
        )
        y0 = max(ceil((min(solid[1], solid[3], solid[7]) - wide - origin[1]) / step[1]), 0)
        y1 = min(floor((max(solid[1], solid[3], solid[7]) + wide - origin[1]) / step[1]), rows - 1)
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                away = from_point(origin[0] + x * step[0], origin[1] + y * step[1], solid)
                clearance[y, x] = min(clearance[y, x], away)
