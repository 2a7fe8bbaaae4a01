"""What is done to a world that runs, and is no part of its scenario: done, undone, done again."""

from __future__ import annotations

from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.columns import numbers_of
from sim.core.errors import BadInput
from sim.core.spawn import Points
from sim.living.errands import Errands, errands_of, send_back
from sim.orders import Goal
from sim.world import World


class Act:
    """What can be done to a world, undone and done again. Raises `BadInput` where it cannot."""

    world: ref[World]
    """The world that it was done to."""

    def do(self, world: World) -> None:
        """Do it."""
        raise NotImplementedError

    def undo(self, world: World) -> None:
        """Undo it."""
        raise NotImplementedError


class Removal(Act):
    """Units are taken out. Undone, as many enter where these were, and do what their group does."""

    def __init__(self, ids: ArrayLike) -> None:
        self._ids = np.asarray(ids, np.int64)
        self._left: list[tuple[str, Floats]] = []

    def do(self, world: World) -> None:
        """Take them out."""
        units, going = world.units, np.isin(world.ids, self._ids)
        left = []
        for group in world.groups:
            rows = numbers_of(group.rows)[going[group.rows]]
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


class Turn(Act):
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


class Sending(Act):
    """Units get a goal. Undone, they are after what they were after before.

    What is scheduled for their groups holds nevertheless, unless it `lapses`.
    """

    def __init__(self, ids: ArrayLike, goal: Goal, queue: bool, lapses: bool = False) -> None:
        self._ids, self._queue, self._lapses = np.asarray(ids, np.int64), queue, lapses
        self._goal = goal
        self._before: list[Errands] = []

    def do(self, world: World) -> None:
        """Send all of them that are there. Raises `BadInput` for what they cannot do."""
        ids = self._ids[np.isin(self._ids, world.ids[world.units.present])]
        before = errands_of(world.roster, ids, self._lapses)
        world.select(ids).order(self._goal, queue=self._queue)
        self._before = before
        for errands in before:
            if errands.schedule:
                errands.group.schedule = []

    def undo(self, world: World) -> None:
        """Send them where they were bound for. Raises `BadInput` where no way leads there."""
        send_back(world.roster, self._before)
