"""Bands: units that form up together, which of them belong together, and how far each has come."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.relay import Relay
from sim.orders.formation import Formation
from sim.orders.goal import Goal, Place

NONE = -1
DRESS = 0.5
"""How long a formation stands at a halt after the last has come, s."""


class Halt(NamedTuple):
    """A place and heading of a formation."""

    at: Place
    heading: float
    wait: float
    """How long all stay there, s."""
    turns: bool
    """Whether each unit may take another place of the formation there, the one near by."""
    files: int = 0
    """How many stand abreast, the first rank `at` the place, where it is folded to pass a gap; 0
    where it has its own shape."""


class Band(NamedTuple):
    """Units with one order to form up."""

    goal: Goal
    start: Place | None = None
    """The mean of their places when they set off; None before they have."""
    halts: tuple[Halt, ...] = ()
    """Where they halt on their way, in order; none before they have set off."""
    led: bool = False
    """Whether they have been led to the first stop of a loop."""

    @property
    def formation(self) -> Formation:
        """The one in which they are to stand."""
        assert self.goal.formation is not None
        return self.goal.formation


class Bands(Columns):
    """The bands that N units form, by number."""

    columns: ClassVar = {"of": NONE, "come": NONE}

    known: dict[int, Band]
    loose: set[int]

    def __init__(self) -> None:
        self.of = np.zeros(0, np.int64)
        """(N,) the number of each unit's band, -1 for none."""
        self.come = np.zeros(0, np.int64)
        """(N,) how many places each has come to where it waits for the others of its band; -1 for
        units that have just joined."""
        self.known = {}
        self.loose = set()
        """Those whose units have still to be given their places."""
        self.given = 0
        """How many numbers have been given."""

    def rearrange(self, relay: Relay) -> None:
        """Units come, go and change group; bands that have lost some are to form up anew."""
        before = self._sizes
        super().rearrange(relay)
        now = self._sizes
        self.loose |= {number for number in self.known if now[number] != before[number]}
        self._tidy()

    def leave(self, rows: Ints) -> None:
        """Units in some rows have other orders now."""
        self.loose |= {int(number) for number in np.unique(self.of[rows]) if number != NONE}
        self.of[rows] = self.come[rows] = NONE
        self._tidy()

    def join(self, rows: Ints, goal: Goal, led: bool = False) -> None:
        """Units in some rows form up together with units that have the same goal."""
        number = next((k for k, band in self.known.items() if band.goal is goal), NONE)
        if number == NONE:
            number = self.given
            self.given += 1
            self.known[number] = Band(goal, led=led)
        self.of[rows], self.come[rows] = number, NONE
        self.loose.add(number)

    def come_to(self, rows: Ints, halts: Ints) -> None:
        """Units in some rows have come to where they wait for the others; `halts` a round.

        Bands that have gone a round form up anew: not all have the places that they began with.
        """
        self.come[rows] += 1
        for number in np.unique(self.of[rows][self.come[rows] % halts == 0]).tolist():
            come = self.come[self.of == number]
            if self.known[number].goal.loop and (come == come[0]).all():
                self.loose.add(number)

    def together(self, waits: Bools, counts: Bools, away: Bools) -> Bools:
        """(N,) which waiting units have the others of their band with them.

        Others are the units that count (N,): not stuck for long. Those `away` (N,) had come, and
        were pushed off their places.
        """
        come = self.come - away
        some = counts & (self.of != NONE)
        least = np.full(self.given + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, self.of[some], come[some])
        return waits & (come <= least[self.of])

    def paced(self, speeds: Floats, marches: Bools) -> Floats:
        """(N,) the desired `speeds`: of a band that is under way, those of the slowest in it.

        `marches` (N,) are the units that are on their way to their next halt.
        """
        marches = marches & (self.of != NONE)
        if not marches.any():
            return speeds
        least = np.full(self.given, np.inf)
        np.minimum.at(least, self.of[marches], speeds[marches])
        return np.where(marches, np.minimum(speeds, least[self.of]), speeds)

    @property
    def _sizes(self) -> Ints:
        """How many units each band has, by its number; none of any where no band is known."""
        if not self.known:
            return np.zeros(self.given, np.int64)
        return np.bincount(self.of + 1, minlength=self.given + 1)[1:]

    def _tidy(self) -> None:
        sizes = self._sizes
        self.known = {number: band for number, band in self.known.items() if sizes[number]}
        self.loose &= set(self.known)
