"""The narrow places of a world: which of them each unit comes to next, and what waiting means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.navigation.passages import MOUTHS, Passages
from sim.navigation.through import Through
from sim.orders.turns import EVERY, KEEP_OFF, MANY, NOWHERE, Bound, Places, Turns, take_turns

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Registry:
    """Numbers the passages of all hulls: those for hulls of two radii that overlap are one."""

    def __init__(self) -> None:
        self._known: dict[float, Passages] = {}
        self._numbers: dict[float, tuple[Ints, Ints]] = {}
        self.mouths = np.zeros((0, MOUTHS, 2))
        """(G, MOUTHS, 2) the middle of each mouth."""

    def add(self, radius: float, passages: Passages) -> None:
        """Take in the passages for hulls of a radius."""
        if radius in self._known:
            return
        self._known[radius] = passages
        self._numbers.clear()
        self.mouths = np.zeros((0, MOUTHS, 2))
        for size in sorted(self._known, reverse=True):
            self._number(size, self._known[size])

    def _number(self, radius: float, passages: Passages) -> None:
        numbers = np.full(len(passages.mouths), NOWHERE)
        mouths = np.tile(np.arange(MOUTHS + 1), (len(passages.mouths), 1))
        for k, own in enumerate(passages.mouths):
            number = self._same(passages, k)
            if number == NOWHERE:
                number = len(self.mouths)
                self.mouths = np.concatenate([self.mouths, own[None]])
            else:
                there = self.mouths[number]
                for m in np.flatnonzero(np.isfinite(own[:, 0])):
                    mouths[k, m] = np.argmin(np.hypot(*(there - own[m]).T))
            numbers[k] = number
        self._numbers[radius] = numbers, mouths

    def _same(self, passages: Passages, k: int) -> int:
        """The number of a passage of larger hulls that overlaps this one; -1 for none."""
        rows, columns = np.nonzero(passages.number == k)
        nodes = passages.origin + np.stack([columns, rows], axis=1) * passages.step
        for radius, (numbers, _) in self._numbers.items():
            other = self._known[radius]
            at = np.rint((nodes - other.origin) / other.step).astype(np.int64)
            within = ((at >= 0) & (at < other.number.shape[::-1])).all(axis=1)
            here = other.number[at[within, 1], at[within, 0]]
            if (here >= 0).any():
                return int(numbers[here[here >= 0][0]])
        return NOWHERE

    def bound(self, radius: float, through: Through) -> Bound:
        """The same in numbers of all passages, with the mouths where they lie."""
        numbers, names = self._numbers[radius]
        bound = Bound.nowhere(len(through.passage))
        some = np.flatnonzero(through.passage >= 0)
        local = through.passage[some]
        place, leaves = numbers[local], names[local, through.exit[some]]
        bound.place[some], bound.exit[some] = place, leaves
        bound.ahead[some] = through.ahead[some]
        mouths = self._known[radius].mouths[local]
        mouths = np.concatenate([mouths, np.full((len(some), 1, 2), np.inf)], axis=1)
        row = np.arange(len(some))
        bound.way_out[some] = mouths[row, through.exit[some]]
        enters = np.where(through.entry[some] < 0, through.exit[some], through.entry[some])
        bound.mouth[some] = mouths[row, enters]
        return bound


class Held(NamedTuple):
    """What waiting units do."""

    rows: Ints
    """(k,) which units wait."""
    aim: Floats
    """(k, 2) where they go meanwhile: back from the mouth, or nowhere."""
    remaining: Floats
    """(k,) how far that is."""


class Narrows:
    """Who may enter the narrow places of a world, followed up from step to step."""

    def __init__(self) -> None:
        self.registry = Registry()
        self.turns, self.bound = Turns.none(0), Bound.nowhere(0)

    def admit(self, units: int) -> None:
        """Make room for the units of a new group."""
        more = zip(self.turns, Turns.none(units), strict=True)
        self.turns = Turns(*(np.concatenate(both) for both in more))
        self.bound = Bound.nowhere(len(self.turns.turn))

    def due(self, step: int, dt: float) -> bool:
        """Whether turns are to be decided at this step."""
        return step % max(1, round(EVERY / dt)) == 0

    def decide(
        self, bound: Bound, position: Floats, length: Floats, stopping: Floats, moving: Bools,
        dt: float,
    ) -> None:  # fmt: skip
        """Decide who enters; `length` (N,) is of hulls, `stopping` (N,) how far they need."""
        self.bound = bound
        passages = len(self.registry.mouths)
        places = Places(np.full(passages, MOUTHS + 1), np.full(passages, MANY))
        each = max(1, round(EVERY / dt)) * dt
        take_turns(position, length, stopping, moving, bound, places, each, self.turns)

    def hold(self, position: Floats, length: Floats) -> Held:
        """What the waiting units do: those too near the mouth step back, the others stand."""
        rows = np.flatnonzero(self.turns.waiting)
        off = position[rows] - self.bound.mouth[rows]
        away = np.maximum(np.hypot(*off.T), 1e-300)
        back = np.maximum(KEEP_OFF * length[rows] - away, 0.0)
        back[np.isinf(back)] = 0.0
        return Held(rows, position[rows] + off * (back / away)[:, None], back)

    def in_the_way(self, position: Floats, length: Floats, left: Floats) -> Bools:
        """(k,) which units must not rest where they are: at a mouth that is nearer than their place.

        `left` (k,) is the way to that place, world units.
        """
        mouths = self.registry.mouths.reshape(-1, 2)
        mouths = mouths[np.isfinite(mouths[:, 0])]
        if not len(mouths) or not len(position):
            return np.zeros(len(position), np.bool_)
        off = np.hypot(*(position[:, None] - mouths).T).min(axis=0)
        near: Bools = (off < KEEP_OFF * length) & (off < left)
        return near
