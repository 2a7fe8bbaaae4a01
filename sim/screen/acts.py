"""What is done to a world that runs, and is no part of its scenario: done, undone, done again."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.spawn import Points
from sim.world import World


class Removal:
    """Units are taken out. Undone, as many enter where these were, and do what their group does."""

    def __init__(self, ids: ArrayLike) -> None:
        self._ids = np.asarray(ids, np.int64)
        self._left: list[tuple[str, Floats]] = []

    def do(self, world: World) -> None:
        """Take them out."""
        units, going = world.units, np.isin(world.ids, self._ids)
        left = []
        for group in world.groups:
            rows = np.arange(group.rows.start, group.rows.stop)[going[group.rows]]
            rows = rows[units.present[rows]]
            if len(rows):
                left.append((group.name, units.position[rows].copy()))
        world.remove(self._ids)
        self._left = left

    def undo(self, world: World) -> None:
        """Have as many enter. Raises `BadInput`, with none entered, where there is no room."""
        ids: list[int] = []
        try:
            for name, places in self._left:
                ids += world.group(name).add(Points(places)).tolist()
        except BadInput:
            world.remove(ids)
            raise
        self._ids = np.array(ids, np.int64)


class Turn:
    """A part is opened, or closed; undone, the other way round."""

    def __init__(self, name: str, to_close: bool) -> None:
        self._name, self._to_close = name, to_close

    def do(self, world: World) -> None:
        """Open or close it. Raises `BadInput` for a part that is not there any more."""
        self._turn(world, self._to_close)

    def undo(self, world: World) -> None:
        """Close or open it again. Raises `BadInput` as `do`."""
        self._turn(world, not self._to_close)

    def _turn(self, world: World, to_close: bool) -> None:
        if self._name not in world.parts:
            raise BadInput(f"part {self._name!r}: is not there any more")
        part = world.parts[self._name]
        (part.close if to_close else part.open)()


Act = Removal | Turn
"""What can be done and undone so."""
