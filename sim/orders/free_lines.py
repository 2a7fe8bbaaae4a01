"""Whether the line from one unit to another is free: of units, and of what is solid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined
from sim.core.geometry import cell_of, short_way
from sim.core.shared_cache import njit
from sim.navigation.grid import Grid
from sim.navigation.sight import sees, thickness_at
from sim.orders.near import Near

COVER = 6.0
"""Hull lengths within which another unit right before one keeps it from pairing off."""
SECTORS = 64
"""Directions of which it is noted how far off a unit can still be one that is not covered."""
_TURNS = np.linspace(-np.pi, np.pi, SECTORS + 1)
ENDS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])
"""(SECTORS + 1, 2) directions: where each sector begins, and the next."""
SAFE = 1 - 1e-9
"""Sectors are shut a hair late, so that none is by rounding what the line itself is not."""


class Field(NamedTuple):
    """Where N units of G groups stand, and what may be between them."""

    position: Floats
    group: Ints
    size: Floats
    """(2,) periods of a torus; zeros else."""
    reach: Floats
    """(G, G) how far off the units of two groups look for each other, world units; -1: not."""
    near: Near
    length: Floats
    """(G,) of the hulls; 0 where no unit is in another's way."""
    grid: Grid


@inlined
def offset(field, i, j):  # type: ignore[no-untyped-def]
    """From one unit to another, on a torus the short way."""
    position = field.position
    dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    return short_way(dx, dy, field.size)


@inlined
def sector_of(dx, dy):  # type: ignore[no-untyped-def]
    """That of a direction."""
    return cell_of((np.arctan2(dy, dx) / np.pi + 1.0) * (SECTORS / 2), SECTORS)


@njit(cache=True, error_model="numpy", nogil=True)
def shut_sectors(i, wide, field, shut):  # type: ignore[no-untyped-def]
    """Of each sector, the distance beyond which all is covered from unit i; return the farthest.

    A unit at distance r covers all beyond it within asin(w / r) of its own direction, where w is
    half the width of the line.
    """
    shut[:] = np.inf
    length, first, other = field.length[field.group[i]], field.near.first, field.near.other
    half, left = wide * length * SAFE, SECTORS
    for at in range(first[i], first[i + 1]):
        x, y = offset(field, i, other[at])
        away = np.hypot(x, y)
        if away >= COVER * length or left == 0:
            break
        before = False
        for s in range(SECTORS + 1):
            ux, uy = ENDS[s, 0], ENDS[s, 1]
            inside = x * ux + y * uy > 0.0 and abs(x * uy - y * ux) < half
            if inside and before and shut[s - 1] == np.inf:
                shut[s - 1] = away
                left -= 1
            before = inside
    return shut.max()


@inlined
def _covered(i, j, dx, dy, wide, field):  # type: ignore[no-untyped-def]
    """Whether a unit stands right before unit i, on its line (dx, dy) to unit j."""
    square, length = dx * dx + dy * dy, field.length[field.group[i]]
    first, other = field.near.first, field.near.other
    for k in range(first[i], first[i + 1]):
        if other[k] == j:
            continue
        x, y = offset(field, i, other[k])
        along, across = x * dx + y * dy, x * dy - y * dx
        if (
            0.0 < along < square
            and across * across < (wide * length) ** 2 * square
            and x * x + y * y < (COVER * length) ** 2
        ):
            return True
    return False


@inlined
def open_line(i, j, dx, dy, wide, field):  # type: ignore[no-untyped-def]
    """Whether no unit stands right before either of two units, on the line from i to j."""
    if _covered(i, j, dx, dy, wide, field):
        return False
    return not _covered(j, i, -dx, -dy, wide, field)


@inlined
def clear_line(i, j, dx, dy, wide, field):  # type: ignore[no-untyped-def]
    """Whether no unit at all stands on the line from i to j."""
    square, half = dx * dx + dy * dy, wide * field.length[field.group[i]]
    for k in range(len(field.position)):
        x, y = offset(field, i, k)
        along, across = x * dx + y * dy, x * dy - y * dx
        if 0.0 < along < square and across * across < half * half * square and k != i and k != j:
            return False
    return True


@njit(cache=True, error_model="numpy", nogil=True)
def see(one, other, field):  # type: ignore[no-untyped-def]
    """Whether nothing solid is between two units; alike for both."""
    grid = field.grid
    if not len(grid.solids):
        return True
    i, j = min(one, other), max(one, other)
    x, y = field.position[i, 0], field.position[i, 1]
    dx, dy = offset(field, i, j)
    thin = min(thickness_at(grid, x, y), thickness_at(grid, x + dx, y + dy))
    return sees(grid, x, y, x + dx, y + dy, thin)
