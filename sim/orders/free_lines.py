"""Whether the line from one unit to another is free: of units, and of what is solid."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import inlined
from sim.core.shared_cache import njit
from sim.navigation.sight import sees, thickness_at

COVER = 6.0
"""Hull lengths within which another unit right before one keeps it from pairing off."""


@inlined
def offset(position, i, j, size):  # type: ignore[no-untyped-def]
    """From one unit to another, on a torus the short way."""
    dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    if size[0] > 0:
        dx -= size[0] * np.rint(dx / size[0])
        dy -= size[1] * np.rint(dy / size[1])
    return dx, dy


@inlined
def _covered(i, j, dx, dy, wide, position, size, first, other, length):  # type: ignore[no-untyped-def]
    """Whether a unit stands right before unit i, on its line (dx, dy) to unit j."""
    square = dx * dx + dy * dy
    for k in range(first[i], first[i + 1]):
        if other[k] == j:
            continue
        x, y = offset(position, i, other[k], size)
        along, across = x * dx + y * dy, x * dy - y * dx
        if (
            0.0 < along < square
            and across * across < (wide * length) ** 2 * square
            and x * x + y * y < (COVER * length) ** 2
        ):
            return True
    return False


@inlined
def open_line(i, j, dx, dy, wide, position, size, first, other, length):  # type: ignore[no-untyped-def]
    """Whether no unit stands right before either of two units, on the line from i to j."""
    if _covered(i, j, dx, dy, wide, position, size, first, other, length[i]):
        return False
    return not _covered(j, i, -dx, -dy, wide, position, size, first, other, length[j])


@inlined
def clear_line(i, j, dx, dy, wide, position, size):  # type: ignore[no-untyped-def]
    """Whether no unit at all stands on the line from i to j."""
    square = dx * dx + dy * dy
    for k in range(len(position)):
        x, y = offset(position, i, k, size)
        along, across = x * dx + y * dy, x * dy - y * dx
        if 0.0 < along < square and across * across < wide * wide * square and k != i and k != j:
            return False
    return True


@njit(cache=True, error_model="numpy", nogil=True)
def see(position, one, other, size, grid):  # type: ignore[no-untyped-def]
    """Whether nothing solid is between two units; alike for both."""
    if not len(grid.solids):
        return True
    i, j = min(one, other), max(one, other)
    x, y = position[i, 0], position[i, 1]
    dx, dy = position[j, 0] - x, position[j, 1] - y
    if size[0] > 0:
        dx -= size[0] * np.rint(dx / size[0])
        dy -= size[1] * np.rint(dy / size[1])
    thin = min(thickness_at(grid, x, y), thickness_at(grid, x + dx, y + dy))
    return sees(grid, x, y, x + dx, y + dy, thin)
