"""Opponents: who has paired off with whom, kept from step to step."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.compiled import Kernel, inlined
from sim.navigation.grid import NOTHING_SOLID, Grid
from sim.navigation.sight import sees, thickness_at
from sim.plane import Plane
from sim.units import Units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOBODY = -1


class Opponents:
    """Pairs of units of which one at least approaches the other.

    Two pair off when both are free and see each other, the nearest two first: no two that are left
    would rather have each other (Gale and Shapley, 1962). A pair lasts until one leaves, something
    solid stands between, or neither wants the other.
    """

    def __init__(self) -> None:
        self.of = np.zeros(0, np.int64)
        """(N,) the row of each unit's opponent; -1 for none. Empty until somebody pairs off."""

    def pair_off(
        self, units: Units, plane: Plane, wanted: Floats, grid: Grid = NOTHING_SOLID
    ) -> None:
        """Part those that are no longer after each other, and pair off those that are free.

        `wanted` (G, G) is how far off each group looks for opponents in another, world units; -1
        for groups that it does not approach. They see each other where a hull of the `grid` could
        go straight.
        """
        new = len(units) - len(self.of)
        self.of = np.append(self.of, np.full(new, NOBODY))
        reach = np.maximum(wanted, wanted.T)
        _part(self.of, units.position, units.present, units.group, plane.size, reach, grid)
        involved = np.any(reach >= 0, axis=1)
        free = np.flatnonzero(units.present & involved[units.group] & (self.of == NOBODY))
        while len(free):
            best = np.full(len(units), NOBODY)
            _choose(free, units.position, units.group, plane.size, reach, grid, best)
            chosen = free[(best[free] != NOBODY)]
            pairs = chosen[best[best[chosen]] == chosen]
            if not len(pairs):
                return
            self.of[pairs] = best[pairs]
            # Whoever had nobody to choose from will have nobody in the next round either.
            free = chosen[self.of[chosen] == NOBODY]


@Kernel
def _part(begin, end, of, position, present, group, size, reach, grid):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        j = of[i]
        if j == NOBODY:
            continue
        wanted = present[i] and present[j] and reach[group[i], group[j]] >= 0.0
        if not (wanted and _see(position, min(i, j), max(i, j), size, grid)):
            of[i] = NOBODY
    return 0


@njit(cache=True, error_model="numpy")
def _see(position, i, j, size, grid):  # type: ignore[no-untyped-def]
    """Whether nothing solid is between two units."""
    if not len(grid.solids):
        return True
    x, y = position[i, 0], position[i, 1]
    dx, dy = position[j, 0] - x, position[j, 1] - y
    if size[0] > 0:
        dx -= size[0] * np.rint(dx / size[0])
        dy -= size[1] * np.rint(dy / size[1])
    thin = min(thickness_at(grid, x, y), thickness_at(grid, x + dx, y + dy))
    return sees(grid, x, y, x + dx, y + dy, thin)


@inlined
def _before(one, other):  # type: ignore[no-untyped-def]
    """Whether one pair comes before another: by distance, then by where its middle is.

    Two pairs that share a unit are never level, and neither partner counts for more than the other:
    so there always is a first pair, whatever the numbering.
    """
    if one[0] != other[0]:
        return one[0] < other[0]
    if one[1] != other[1]:
        return one[1] < other[1]
    return one[2] < other[2]


@Kernel
def _choose(begin, end, free, position, group, size, reach, grid, best):  # type: ignore[no-untyped-def]
    """Of each free unit, the free one that it would pair off with first."""
    for a in range(begin, end):
        i = free[a]
        first = (np.inf, np.inf, np.inf)
        for b in range(len(free)):
            j = free[b]
            most = reach[group[i], group[j]]
            if most < 0.0:
                continue
            dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
            if size[0] > 0:
                dx -= size[0] * np.rint(dx / size[0])
                dy -= size[1] * np.rint(dy / size[1])
            square = dx * dx + dy * dy
            if square > most * most:
                continue
            key = (square, position[i, 0] + position[j, 0], position[i, 1] + position[j, 1])
            if _before(key, first) and _see(position, min(i, j), max(i, j), size, grid):
                first, best[i] = key, j
    return 0
