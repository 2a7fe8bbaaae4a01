"""The sights of all groups as arrays: what each unit looks with, and how far."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.perception.views import fold, half_angle

LIKELY = 1.6
"""The nearest k are first looked for where this many times k stand if all stand evenly."""


class Sights(NamedTuple):
    """The sights of all G groups, S to a group, as kernels take them."""

    lens: Floats
    """(G, S, 4) `views.fold` of each view, and the reach squared; -1 for no sight."""
    means: Bools
    """(G, S) whether means are wanted. They stay 0 where only counts are."""
    listed: Ints
    """(G,) the bits of the sights whose neighbours are listed, for rules or for mean velocities."""
    counts: Ints
    """(G, G) the bits of the sights of one group that count units of another."""
    nearest: Ints
    """(G, S) how many are seen, the nearest; 0: all."""
    few: Floats
    """(G,) `SightTable.few`: infinite where some sights see all, 0 where all do."""


@dataclass(frozen=True)
class SightTable:
    """The sights of all G groups as arrays, S to a group (unused ones have reach -1)."""

    shape: Ints
    """(G, S) view shapes."""
    factor: Floats
    """(G, S) view factors."""
    reach: Floats
    """(G, S) world units."""
    each: Bools
    """(G, S) whether neighbours are wanted one by one: then they are listed."""
    means: Bools
    """(G, S) whether means are wanted: then, too. They stay 0 where only counts are."""
    accepts: Bools
    """(G, S, G) which groups are counted."""
    nearest: Ints
    """(G, S) how many are seen, the nearest; 0: all."""

    def or_same(self, before: SightTable) -> SightTable:
        """The one before where it says the same: what follows from it is known."""
        pairs = ((vars(self)[each.name], vars(before)[each.name]) for each in fields(self))
        return before if all(np.array_equal(one, other) for one, other in pairs) else self

    @cached_property
    def farthest(self) -> float:
        """The longest reach of all; -1 without any sight."""
        return float(self.reach.max(initial=-1.0))

    @cached_property
    def sums(self) -> bool:
        """Whether any means are wanted at all."""
        return bool(self.means.any())

    @cached_property
    def few(self) -> Floats:
        """(G,) about how many stand round a unit for it to see enough, where no sight sees all.

        Evenly on all sides, that is: a view of half the circle takes twice as many. Infinite where
        some see all, others the nearest; 0 where none sees the nearest alone.
        """
        used = self.reach >= 0
        share = np.ones(used.shape)
        for at in np.argwhere(used):
            share[*at] = half_angle(int(self.shape[*at]), float(self.factor[*at])) / np.pi
        few = (np.where(used, self.nearest, 0) / share).max(axis=1, initial=0.0)
        return np.where((few > 0) & (used & (self.nearest == 0)).any(axis=1), np.inf, few)

    @cached_property
    def ordered(self) -> Bools:
        """(G,) whether the units seen are put in order, the nearest first."""
        return (self.few > 0) & (self.few < np.inf)

    @cached_property
    def held(self) -> float:
        """How many units a cell is to hold where none sees more than the nearest few; 0 else.

        The circle in which these are likely to be found then ends where the cells beside it end.
        """
        looks = (self.reach >= 0).any(axis=1)
        every = looks.any() and self.ordered[looks].all()
        return float(LIKELY * self.few[looks].max() / np.pi) if every else 0.0

    @cached_property
    def most(self) -> float:
        """The most neighbours that a list may hold; infinite where a sight lists all."""
        listed = (self.reach >= 0) & (self.each | self.means)
        each = np.where(self.nearest > 0, self.nearest, np.inf)
        return float(np.where(listed, each, 0.0).sum(axis=1).max(initial=0.0))

    @cached_property
    def longest(self) -> Floats:
        """(G,) the longest reach of each group."""
        found: Floats = self.reach.max(axis=1, initial=0.0)
        return found

    @cached_property
    def sights(self) -> Sights:
        """The same as a kernel takes it."""
        lens = np.full((*self.reach.shape, 4), -1.0)
        for at, reach in np.ndenumerate(self.reach):
            if reach >= 0:
                lens[at] = (*fold(int(self.shape[at]), float(self.factor[at])), reach * reach)
        bits = 1 << np.arange(self.each.shape[1])
        counts = np.ascontiguousarray((self.accepts * bits[:, None]).sum(axis=1))
        listed = (self.each | self.means) @ bits
        return Sights(lens, self.means, listed, counts, self.nearest, self.few)
