"""What a group asks of the world that it is in."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.spawn import Spawn
from sim.core.units import Units
from sim.orders import Goal, Orders

if TYPE_CHECKING:
    from sim.group.group import Group


class Home(Protocol):
    """What a group asks of the world that it is in."""

    @property
    def ids(self) -> Ints:
        """(N,) the id of the unit in each row."""

    def orders_now(self) -> Orders:
        """The orders of all units, after groups have started on the goals just given to them."""

    @property
    def units(self) -> Units:
        """The state of all units now; read-only."""

    def rng(self, name: str) -> np.random.Generator:
        """A random generator of its own for each purpose, from the run's seed."""

    def tidy(self) -> None:
        """Lay the rows anew where units were removed."""

    def add(self, group: Group, spawn: Spawn | ArrayLike, **options: Any) -> Ints:
        """Add units to a group, and return their ids (k,)."""

    def remove(self, ids: ArrayLike, of: Group | None = None) -> None:
        """Take units out of the world, all `of` one group if it is given."""

    def check_goal(self, group: Group, goal: Goal | None) -> None:
        """Raise `BadInput` for a goal that the units of a group cannot get to, or amid a step."""

    def change(self, said: str) -> AbstractContextManager[None]:
        """Within, no step is taken. Raises `BadInput` that begins as `said` amid one."""

    def forget(self) -> None:
        """Groups changed: what was worked out from them is worked out anew."""
