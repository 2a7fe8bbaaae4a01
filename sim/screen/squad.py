"""The units that are selected for orders, by their ids, and the selections that were stored."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import NO_ROWS, Ints
from sim.world import World


class Squad:
    """A selection that follows its units: rows of a world move, ids never."""

    def __init__(self) -> None:
        self.ids: Ints = NO_ROWS
        """(n,) ids of the selected units, ascending; some may have left since."""
        self.stored: dict[int, Ints] = {}
        """Selections by the number that they were stored under."""

    def take(self, ids: ArrayLike, add: bool = False) -> None:
        """Select units by their ids (k,), besides the selected ones if `add`."""
        ids = np.asarray(ids, np.int64).reshape(-1)
        self.ids = np.union1d(self.ids, ids) if add else np.unique(ids)

    def swap(self, number: int) -> None:
        """Select a unit besides, or no longer where it is selected."""
        self.ids = np.setxor1d(self.ids, [number])

    def store(self, number: int) -> int:
        """Store what is selected under a number; how many units that are."""
        self.stored[number] = self.ids
        if not len(self.ids):
            del self.stored[number]
        return len(self.ids)

    def recall(self, number: int) -> bool:
        """Select what was stored under a number; whether there was anything."""
        if number in self.stored:
            self.ids = self.stored[number]
        return number in self.stored

    def rows(self, world: World) -> Ints:
        """(m,) the rows of the selected units that are in the world, ascending."""
        if not len(self.ids):
            return NO_ROWS
        return np.flatnonzero(np.isin(world.ids, self.ids) & world.units.present)

    def there(self, world: World) -> Ints:
        """(m,) the ids of the selected units that are in the world."""
        return np.array(world.ids[self.rows(world)])
