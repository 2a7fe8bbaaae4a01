"""New worlds that go on from a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.files import AnyPath
from sim.saving.file import made_with, read
from sim.saving.state import State, put

if TYPE_CHECKING:
    from sim.world import World


def world_in(kind: type[World], state: State | AnyPath) -> World:
    """A new world in a state, or in that of a file that `save` has written.

    Raises `BadInput` for any other file.
    """
    found = state if isinstance(state, State) else read(state)
    world = kind(**made_with(found))
    put(world.roster, world.site, found)
    return world
