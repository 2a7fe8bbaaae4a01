"""Opponents: which units have paired off, kept from step to step."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import scipy

from sim.core.arrays import NO_ROW, NO_ROWS, Floats, Ints
from sim.core.columns import Columns
from sim.core.compiled import Kernel, inlined
from sim.core.plane import Plane
from sim.core.units import Units
from sim.navigation.grid import NOTHING_SOLID, Grid
from sim.orders.free_lines import (
    COVER,
    SAFE,
    SECTORS,
    Field,
    clear_line,
    offset,
    open_line,
    sector_of,
    see,
    shut_sectors,
)  # fmt: skip
from sim.orders.near import near_units

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

    columns: ClassVar = {"of": NO_ROW, "sought": NO_ROW}
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
        length: Floats,
        grid: Grid = NOTHING_SOLID,
    ) -> None:
        """Part pairs that are no longer after each other, and pair off free units.

        `wanted` (G, G) is how far off each group looks for opponents in another, world units; -1
        for groups that it does not approach. `length` (G,) is that of the groups' hulls: with 0
        no unit is in another's way. Units see each other where a hull of the `grid` could go
        straight.
        """
        new = len(units) - len(self.of)
        self.of = np.append(self.of, np.full(new, NO_ROW))
        reach = np.maximum(wanted, wanted.T)
        near = near_units(units, plane, COVER * float(length.max(initial=0.0)))
        field = Field(units.position, units.group, plane.size, reach, near, length, grid)
        was, firm = self.of.copy(), np.zeros(len(units), np.bool_)
        _part(was, units.present, field, self.of, firm)
        involved = np.any(reach >= 0, axis=1)
        free = units.present & involved[units.group] & ~firm
        rows = np.flatnonzero(free)
        best, within = np.full(len(units), NO_ROW), np.zeros(len(units), np.bool_)
        _choose(rows, free, field, best, within)
        some = rows[within[rows]]
        some = some[np.lexsort(units.position[some].T)]  # whatever their numbers
        if len(some):
            cost = np.full((len(some), len(some)), np.inf)
            _weigh(some, field, self.of, cost)
            self.of[rows] = NO_ROW
            one, other = _match(cost)
            self.of[some[one]] = some[other]
        self.sought = np.where(self.of == NO_ROW, best, self.of)
        # A unit that is left over seeks one that is left over, too.
        free &= self.of == NO_ROW
        if len(some) and free.any():
            self.sought[free] = NO_ROW
            _choose(np.flatnonzero(free), free, field, self.sought, within)


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
    return np.concatenate([NO_ROWS, *ones]), np.concatenate([NO_ROWS, *others])


@Kernel
def _part(begin, end, was, present, field, of, firm):  # type: ignore[no-untyped-def]
    """Part units that are no pair any more, and tell which pairs are near."""
    group, reach = field.group, field.reach
    for i in range(begin, end):
        j = was[i]
        if j == NO_ROW:
            continue
        of[i] = NO_ROW
        if present[i] and present[j] and reach[group[i], group[j]] >= 0.0:
            dx, dy = offset(field, i, j)
            if open_line(i, j, dx, dy, NARROW, field) and see(i, j, field):
                of[i] = j
                most = FIRM * reach[group[i], group[j]]
                firm[i] = dx * dx + dy * dy <= most * most


@inlined
def _free(i, j, dx, dy, field):  # type: ignore[no-untyped-def]
    """Whether two units may pair off, as far as all goes that is between them."""
    return (
        open_line(i, j, dx, dy, WIDE, field)
        and clear_line(i, j, dx, dy, WIDE, field)
        and see(i, j, field)
    )


@Kernel.making_arrays
def _choose(begin, end, rows, free, field, best, within):  # type: ignore[no-untyped-def]
    """Of each free unit, the nearest that it could pair off with, and whether it is in reach.

    A unit amid others is covered on all sides: it looks among those near it alone.
    """
    position, group, shut = field.position, field.group, np.empty(SECTORS)
    for a in range(begin, end):
        i = rows[a]
        first = (np.inf, np.inf, np.inf, np.inf)
        amid = shut_sectors(i, WIDE, field, shut) < np.inf
        start, stop = (field.near.first[i], field.near.first[i + 1]) if amid else (0, len(rows))
        for b in range(start, stop):
            j = field.near.other[b] if amid else rows[b]
            most = field.reach[group[i], group[j]]
            if most < 0.0 or not free[j]:
                continue
            dx, dy = offset(field, i, j)
            square = dx * dx + dy * dy
            beyond = 1.0 if square > most * most else 0.0
            # Within reach, by distance, by where the middle of the pair is.
            key = (beyond, square, position[i, 0] + position[j, 0], position[i, 1] + position[j, 1])
            if (
                key < first
                and square * SAFE <= shut[sector_of(dx, dy)] ** 2
                and _free(i, j, dx, dy, field)
            ):
                first, best[i], within[i] = key, j, beyond == 0.0


@Kernel
def _weigh(begin, end, some, field, of, cost):  # type: ignore[no-untyped-def]
    """What each pair of some units would cost: its distance squared, less if it is one already."""
    group = field.group
    for a in range(begin, end):
        i = some[a]
        for b in range(len(some)):
            j = some[b]
            most = field.reach[group[i], group[j]]
            dx, dy = offset(field, i, j)
            square = dx * dx + dy * dy
            if most < 0.0 or square > most * most:
                continue
            if of[i] == j:
                cost[a, b] = FAITH * square
            elif _free(i, j, dx, dy, field):
                cost[a, b] = square
