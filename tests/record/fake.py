"""A small world to record: whatever the recorders read of one, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sim.core.pieces import Piece
from sim.core.units import Units
from sim.navigation.areas import Area


@dataclass
class FakeGroup:
    """A name and the rows of its units."""

    name: str
    rows: slice

    @property
    def leads(self) -> NDArray[np.bool_]:
        """Nobody leads."""
        return np.zeros(self.rows.stop - self.rows.start, np.bool_)

    @property
    def radii(self) -> NDArray[np.float64]:
        """All are alike."""
        return np.full(self.rows.stop - self.rows.start, 0.5)


@dataclass
class FakeWorld:
    """Units that drift irregularly, so that every figure needs all its digits."""

    units: Units
    groups: list[FakeGroup] = field(default_factory=list)
    time: float = 0.0
    time_step: float = 1 / 60
    steps: int = 0
    pieces: list[Piece] = field(default_factory=list)
    areas: tuple[Area, ...] = ()

    @property
    def ids(self) -> NDArray[np.int64]:
        """Each unit's, as if it had been there from the start."""
        return np.arange(len(self.units))

    @property
    def ids_given(self) -> int:
        """How many there have been."""
        return len(self.units)

    def step(self) -> None:
        """Move every unit a little."""
        shift = 0.1 * (self.steps + 1) / 7
        self.units = replace(
            self.units, position=self.units.position + shift, angle=self.units.angle - shift / 3
        )
        self.steps += 1
        self.time = self.steps * self.time_step

    def leave(self, unit: int) -> None:
        """Take a unit out of the world."""
        present = self.units.present.copy()
        present[unit] = False
        self.units = replace(self.units, present=present)


def fake_world(east: int = 2, west: int = 1) -> FakeWorld:
    """Two groups of units at irregular places."""
    count = east + west
    rng = np.random.default_rng(7)
    units = replace(
        Units.blank(np.repeat([0, 1], [east, west])),
        position=rng.normal(size=(count, 2)) * 100,
        angle=rng.normal(size=count),
    )
    return FakeWorld(
        units, [FakeGroup("east", slice(0, east)), FakeGroup("west", slice(east, count))]
    )
