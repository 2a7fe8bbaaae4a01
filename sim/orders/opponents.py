"""Opponents: which units have paired off, kept from step to step."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import scipy

from sim.core.arrays import Floats, Ints
from sim.core.columns import Columns
from sim.core.compiled import Kernel, inlined
from sim.core.plane import Plane
from sim.core.units import Units
from sim.navigation.grid import NOTHING_SOLID, Grid
from sim.orders.free_lines import COVER, clear_line, offset, open_line, see

NOBODY = -1
FIRM, FAITH = 0.5, 0.9
"""Nearer than this share of the reach a pair is for good; before that it counts as so much less
than its squared distance, so that no unit wavers between two."""
WIDE, NARROW = 1.1, 0.7
"""Half the width that must be free to pair off, and to stay a pair, hull lengths."""


class Opponents(Columns):
    """Pairs of units of which one at least approaches the other.

    Two can pair off when no unit stands on the line from one to the other: of a company in ranks
    the first rank pairs off, and the others wait. As many pair off as can, in that
    way of all which has the least sum of squared distances (the assignment problem; Kuhn, 1955): so
    no two pairs cross each other's way. Far apart they may still change partners. A pair that is
    near lasts until one leaves, neither wants the other, or others have come to stand between them.
    """

    columns: ClassVar = {"of": NOBODY, "sought": NOBODY}
    references = frozenset({"of", "sought"})

    def __init__(self) -> None:
        self.of = np.zeros(0, np.int64)
        """(N,) the row of each unit's opponent; -1 for none."""
        self.sought = self.of
        """(N,) the same, and for those without one the nearest that they could pair off with."""

    def pair_off(
        self,
        units: Units,
        plane: Plane,
        wanted: Floats,
        length: Floats | None = None,
        grid: Grid = NOTHING_SOLID,
    ) -> None:
        """Part pairs that are no longer after each other, and pair off free units.

        `wanted` (G, G) is how far off each group looks for opponents in another, world units; -1
        for groups that it does not approach. `length` (G,) is that of the groups' hulls: without
        it no unit is in another's way. Units see each other where a hull of the `grid` could go
        straight.
        """
        new = len(units) - len(self.of)
        self.of = np.append(self.of, np.full(new, NOBODY))
        reach = np.maximum(wanted, wanted.T)
        size = (np.zeros(len(reach)) if length is None else length)[units.group]
        near = _near(units, plane, COVER * float(size.max(initial=0.0)))
        was, firm = self.of.copy(), np.zeros(len(units), np.bool_)
        about = units.position, units.group, plane.size, reach, *near, size, grid
        _part(was, units.present, *about, self.of, firm)
        involved = np.any(reach >= 0, axis=1)
        free = np.flatnonzero(units.present & involved[units.group] & ~firm)
        best, within = np.full(len(units), NOBODY), np.zeros(len(units), np.bool_)
        _choose(free, *about, best, within)
        some = free[within[free]]
        some = some[np.lexsort(units.position[some].T)]  # whatever their numbers
        if len(some):
            cost = np.full((len(some), len(some)), np.inf)
            _weigh(some, *about, self.of, cost)
            self.of[free] = NOBODY
            one, other = _match(cost)
            self.of[some[one]] = some[other]
        self.sought = np.where(self.of == NOBODY, best, self.of)
        # A unit that is left over seeks one that is left over, too.
        left = free[self.of[free] == NOBODY]
        if len(some) and len(left):
            self.sought[left] = NOBODY
            _choose(left, *about, self.sought, within)


def _match(cost: Floats) -> tuple[Ints, Ints]:
    """Partners, both ways, at the least sum of `cost` (n, n), which is infinite where none can."""
    ones, others = [], []
    cost = cost.copy()
    while np.isfinite(cost).any():
        never = 1e3 * len(cost) * cost[np.isfinite(cost)].max()
        row, column = scipy.optimize.linear_sum_assignment(np.where(np.isfinite(cost), cost, never))
        mutual = (column[column] == row) & np.isfinite(cost[row, column])
        one, other = row[mutual], column[mutual]
        if not len(one):  # in rings of three groups: the cheapest pair goes first
            pair = np.unravel_index(int(np.argmin(cost)), cost.shape)
            one, other = np.array(pair), np.array(pair[::-1])
        ones.append(one)
        others.append(other)
        cost[one], cost[:, one] = np.inf, np.inf
    nobody: Ints = np.zeros(0, np.int64)
    return np.concatenate([nobody, *ones]), np.concatenate([nobody, *others])


def _near(units: Units, plane: Plane, within: float) -> tuple[Ints, Ints]:
    """The units near each of N units: the first (N + 1,) and the rows (m,) of those of each."""
    rows = np.flatnonzero(units.present)
    first = np.zeros(len(units) + 1, np.int64)
    if within <= 0 or len(rows) < 2:
        return first, np.zeros(0, np.int64)
    box = plane.size if plane.wraps else None
    places = units.position[rows] % plane.size if plane.wraps else units.position[rows]
    pairs = rows[
        scipy.spatial.cKDTree(places, boxsize=box).query_pairs(within, output_type="ndarray")
    ]
    one = np.concatenate([pairs[:, 0], pairs[:, 1]])
    other = np.concatenate([pairs[:, 1], pairs[:, 0]])
    first[1:] = np.cumsum(np.bincount(one, minlength=len(units)))
    # The nearest first: most often it is the nearest that covers one.
    apart = np.hypot(*plane.nearest(units.position[other] - units.position[one]).T)
    return first, other[np.lexsort((apart, one))]


@Kernel
def _part(  # type: ignore[no-untyped-def]
    begin, end, was, present, position, group, size, reach, near, other, length, grid, of, firm
):
    """Part units that are no pair any more, and tell which pairs are near."""
    for i in range(begin, end):
        j = was[i]
        if j == NOBODY:
            continue
        of[i] = NOBODY
        if present[i] and present[j] and reach[group[i], group[j]] >= 0.0:
            dx, dy = offset(position, i, j, size)
            if open_line(i, j, dx, dy, NARROW, position, size, near, other, length) and see(
                position, i, j, size, grid
            ):
                of[i] = j
                most = FIRM * reach[group[i], group[j]]
                firm[i] = dx * dx + dy * dy <= most * most
    return 0


@inlined
def _before(one, other):  # type: ignore[no-untyped-def]
    """Whether one pair comes before another: within reach, by distance, by where its middle is."""
    if one[0] != other[0]:
        return one[0] < other[0]
    if one[1] != other[1]:
        return one[1] < other[1]
    if one[2] != other[2]:
        return one[2] < other[2]
    return one[3] < other[3]


@Kernel
def _choose(  # type: ignore[no-untyped-def]
    begin, end, free, position, group, size, reach, near, other, length, grid, best, within
):
    """Of each free unit, the nearest that it could pair off with, and whether it is in reach."""
    for a in range(begin, end):
        i = free[a]
        first = (np.inf, np.inf, np.inf, np.inf)
        for b in range(len(free)):
            j = free[b]
            most = reach[group[i], group[j]]
            if most < 0.0:
                continue
            dx, dy = offset(position, i, j, size)
            square = dx * dx + dy * dy
            beyond = 1.0 if square > most * most else 0.0
            key = (beyond, square, position[i, 0] + position[j, 0], position[i, 1] + position[j, 1])
            if (
                _before(key, first)
                and open_line(i, j, dx, dy, WIDE, position, size, near, other, length)
                and clear_line(i, j, dx, dy, WIDE * length[i], position, size)
                and see(position, i, j, size, grid)
            ):
                first, best[i], within[i] = key, j, beyond == 0.0
    return 0


@Kernel
def _weigh(begin, end, some, position, group, size, reach, near, other, length, grid, of, cost):  # type: ignore[no-untyped-def]
    """What each pair of some units would cost: its distance squared, less if it is one already."""
    for a in range(begin, end):
        i = some[a]
        for b in range(len(some)):
            j = some[b]
            most = reach[group[i], group[j]]
            dx, dy = offset(position, i, j, size)
            square = dx * dx + dy * dy
            if most < 0.0 or square > most * most:
                continue
            if of[i] == j:
                cost[a, b] = FAITH * square
            elif (
                open_line(i, j, dx, dy, WIDE, position, size, near, other, length)
                and clear_line(i, j, dx, dy, WIDE * length[i], position, size)
                and see(position, i, j, size, grid)
            ):
                cost[a, b] = square
    return 0
