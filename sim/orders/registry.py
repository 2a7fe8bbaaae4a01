"""One number for each narrow passage of a world, whatever the hulls it was found for."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Ints
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import Passages
from sim.navigation.through import Through
from sim.orders.places import NOWHERE, Bound


class Registry:
    """Numbers the passages of all hulls: those for hulls of two radii that overlap are one."""

    by_radius: dict[float, Passages]
    _numbers: dict[float, tuple[Ints, Ints]]

    def __init__(self) -> None:
        self.by_radius, self._numbers = {}, {}
        self.mouths = np.zeros((0, MOUTHS, 2))
        """(G, MOUTHS, 2) the middle of each mouth."""
        self.lanes = np.zeros(0, np.int64)
        """(G,) how many hulls go through abreast, of the largest that do."""

    def add(self, radius: float, passages: Passages) -> None:
        """Take in the passages for hulls of a radius."""
        if radius in self.by_radius:
            return
        self.by_radius[radius] = passages
        self._numbers.clear()
        self.mouths, self.lanes = np.zeros((0, MOUTHS, 2)), np.zeros(0, np.int64)
        for size in sorted(self.by_radius, reverse=True):
            self._number(size, self.by_radius[size])

    def known(self, radius: float) -> Passages | None:
        """The passages for hulls of a radius, if they were taken in."""
        return self.by_radius.get(radius)

    def radii(self) -> list[float]:
        """Those of all hulls whose passages were taken in."""
        return sorted(self.by_radius)

    def renew(self, radius: float, passages: Passages) -> bool:
        """Take in other passages for hulls of a radius; whether they are others."""
        known = self.by_radius.get(radius)
        if known is not None and known.alike(passages):
            self.by_radius[radius] = passages
            return False
        self.by_radius.pop(radius, None)
        self.add(radius, passages)
        return True

    def _number(self, radius: float, passages: Passages) -> None:
        numbers = self._same(passages)
        known = np.flatnonzero(numbers != NOWHERE)
        new = np.flatnonzero(numbers == NOWHERE)
        mouths = np.tile(np.arange(MOUTHS + 1), (len(numbers), 1))
        there = np.isfinite(passages.mouths[known, :, :1])
        own = np.where(there, passages.mouths[known], 0.0)
        apart = np.hypot(*np.moveaxis(self.mouths[numbers[known], None] - own[:, :, None], -1, 0))
        near = np.argmin(apart, axis=-1)
        mouths[known, :MOUTHS] = np.where(there[..., 0], near, mouths[known, :MOUTHS])
        numbers[new] = len(self.mouths) + np.arange(len(new))
        self.mouths = np.concatenate([self.mouths, passages.mouths[new]])
        self.lanes = np.concatenate([self.lanes, passages.lanes[new]])
        np.minimum.at(self.lanes, numbers[known], passages.lanes[known])
        self._numbers[radius] = numbers, mouths

    def _same(self, passages: Passages) -> Ints:
        """(P,) the numbers of passages of larger hulls that overlap these; -1 for none.

        Of several that do, it is the one of the largest hulls, at the first node.
        """
        found = np.full(len(passages.mouths), NOWHERE)
        if not self._numbers:
            return found
        rows, columns = np.nonzero(passages.number != NOWHERE)
        own = passages.number[rows, columns]
        nodes = passages.origin + np.stack([columns, rows], axis=1) * passages.step
        for radius, (numbers, _) in self._numbers.items():
            other = self.by_radius[radius]
            at = np.rint((nodes - other.origin) / other.step).astype(np.int64)
            within = ((at >= 0) & (at < other.number.shape[::-1])).all(axis=1)
            here = np.full(len(nodes), NOWHERE)
            here[within] = other.number[at[within, 1], at[within, 0]]
            some = np.flatnonzero((here != NOWHERE) & (found[own] == NOWHERE))
            each, first = np.unique(own[some], return_index=True)
            found[each] = numbers[here[some[first]]]
        return found

    def bound(self, radius: float, through: Through) -> Bound:
        """The same in numbers of all passages, with the mouths where they lie."""
        numbers, names = self._numbers[radius]
        bound = Bound.nowhere(len(through.passage))
        some = np.flatnonzero(through.passage >= 0)
        local = through.passage[some]
        place, leaves = numbers[local], names[local, through.exit[some]]
        bound.place[some], bound.exit[some] = place, leaves
        bound.ahead[some] = through.ahead[some]
        mouths = self.by_radius[radius].mouths[local]
        mouths = np.concatenate([mouths, np.full((len(some), 1, 2), np.inf)], axis=1)
        row = np.arange(len(some))
        bound.way_out[some] = mouths[row, through.exit[some]]
        enters = np.where(through.entry[some] < 0, through.exit[some], through.entry[some])
        bound.mouth[some] = mouths[row, enters]
        return bound
