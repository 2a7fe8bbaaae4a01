"""Opponents: who has paired off with whom, kept from step to step."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from sim.compiled import Kernel, inlined
from sim.plane import Plane
from sim.units import Units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOBODY = -1
COVER = 6.0
"""Hull lengths within which somebody right before a unit keeps it from pairing off."""
WIDE, NARROW = 1.1, 0.7
"""Half the width that must be free to pair off, and to stay a pair, hull lengths."""


class Opponents:
    """Pairs of units of which one at least approaches the other.

    Two pair off when both are free and nobody stands right before either of them, on the line to
    the other; the nearest two first: no two that are left would rather have each other (Gale and
    Shapley, 1962). So of a company in ranks the first rank pairs off, and the others wait. A pair
    lasts until one leaves, neither wants the other, or others have come to stand between them.
    """

    def __init__(self) -> None:
        self.of = np.zeros(0, np.int64)
        """(N,) the row of each unit's opponent; -1 for none. Empty until somebody pairs off."""
        self.sought = self.of
        """(N,) the same, and for those without one the nearest that they could pair off with."""

    def pair_off(
        self, units: Units, plane: Plane, wanted: Floats, length: Floats | None = None
    ) -> None:
        """Part those that are no longer after each other, and pair off those that are free.

        `wanted` (G, G) is how far off each group looks for opponents in another, world units; -1
        for groups that it does not approach. `length` (G,) is that of the groups' hulls: without
        it nobody is in anybody's way.
        """
        new = len(units) - len(self.of)
        self.of = np.append(self.of, np.full(new, NOBODY))
        reach = np.maximum(wanted, wanted.T)
        size = (np.zeros(len(reach)) if length is None else length)[units.group]
        near = _near(units, plane, COVER * float(size.max(initial=0.0)))
        # What is decided of one must not depend on what has just been decided of another.
        _part(
            self.of.copy(), units.present, units.group, reach, units.position, plane.size, *near,
            size, self.of,
        )  # fmt: skip
        involved = np.any(reach >= 0, axis=1)
        free = np.flatnonzero(units.present & involved[units.group] & (self.of == NOBODY))
        about = units.position, units.group, plane.size
        while len(free):
            best = np.full(len(units), NOBODY)
            _choose(free, *about, reach, *near, size, best)
            chosen = free[(best[free] != NOBODY)]
            pairs = chosen[best[best[chosen]] == chosen]
            if not len(pairs):
                break
            self.of[pairs] = best[pairs]
            # Whoever had nobody to choose from will have nobody in the next round either.
            free = chosen[self.of[chosen] == NOBODY]
        self.sought = self.of.copy()
        alone = np.flatnonzero(units.present & involved[units.group] & (self.of == NOBODY))
        _choose(alone, *about, np.where(reach < 0, reach, np.inf), *near, size, self.sought)


def _near(units: Units, plane: Plane, within: float) -> tuple[Ints, Ints]:
    """Who is near each of N units: the first (N + 1,) and the rows (m,) of those of each."""
    rows = np.flatnonzero(units.present)
    first = np.zeros(len(units) + 1, np.int64)
    if within <= 0 or len(rows) < 2:
        return first, np.zeros(0, np.int64)
    box = plane.size if plane.wraps else None
    places = units.position[rows] % plane.size if plane.wraps else units.position[rows]
    pairs = rows[cKDTree(places, boxsize=box).query_pairs(within, output_type="ndarray")]
    one = np.concatenate([pairs[:, 0], pairs[:, 1]])
    other = np.concatenate([pairs[:, 1], pairs[:, 0]])
    first[1:] = np.cumsum(np.bincount(one, minlength=len(units)))
    return first, other[np.argsort(one, kind="stable")]


@inlined
def _offset(position, i, j, size):  # type: ignore[no-untyped-def]
    """From one unit to another, on a torus the short way."""
    dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    if size[0] > 0:
        dx -= size[0] * np.rint(dx / size[0])
        dy -= size[1] * np.rint(dy / size[1])
    return dx, dy


@inlined
def _covered(i, j, dx, dy, wide, position, size, first, other, length):  # type: ignore[no-untyped-def]
    """Whether somebody stands right before unit i, on its line (dx, dy) to unit j."""
    square = dx * dx + dy * dy
    for k in range(first[i], first[i + 1]):
        if other[k] == j:
            continue
        x, y = _offset(position, i, other[k], size)
        along, across = x * dx + y * dy, x * dy - y * dx
        if (
            0.0 < along < square
            and across * across < (wide * length) ** 2 * square
            and x * x + y * y < (COVER * length) ** 2
        ):
            return True
    return False


@Kernel
def _part(  # type: ignore[no-untyped-def]
    was, present, group, reach, position, period, first, other, length, of
):
    for i in prange(len(was)):
        j = was[i]
        if j == NOBODY:
            continue
        if not (present[i] and present[j] and reach[group[i], group[j]] >= 0.0):
            of[i] = NOBODY
            continue
        dx, dy = _offset(position, i, j, period)
        if _covered(i, j, dx, dy, NARROW, position, period, first, other, length[i]) or _covered(
            j, i, -dx, -dy, NARROW, position, period, first, other, length[j]
        ):
            of[i] = NOBODY
    return 0


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
def _choose(free, position, group, size, reach, near, other, length, best):  # type: ignore[no-untyped-def]
    """Of each free unit, the free one that it would pair off with first."""
    for a in prange(len(free)):
        i = free[a]
        first = (np.inf, np.inf, np.inf)
        for b in range(len(free)):
            j = free[b]
            most = reach[group[i], group[j]]
            if most < 0.0:
                continue
            dx, dy = _offset(position, i, j, size)
            square = dx * dx + dy * dy
            if square > most * most:
                continue
            key = (square, position[i, 0] + position[j, 0], position[i, 1] + position[j, 1])
            if not _before(key, first):
                continue
            if _covered(i, j, dx, dy, WIDE, position, size, near, other, length[i]):
                continue
            if not _covered(j, i, -dx, -dy, WIDE, position, size, near, other, length[j]):
                first, best[i] = key, j
    return 0
