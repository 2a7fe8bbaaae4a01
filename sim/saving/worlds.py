"""New worlds that go on from a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from sim.core.files import AnyPath
from sim.living.roster import Roster
from sim.living.site import Site
from sim.saving.file import made_with, read
from sim.saving.state import State, put


class Made(Protocol):
    """What is put into a state: a world."""

    roster: Roster
    site: Site


W = TypeVar("W", bound=Made)


def world_in(kind: Callable[..., W], state: State | AnyPath) -> W:
    """A new world in a state, or in that of a file that `save` has written.

    Raises `BadInput` for any other file.
    """
    found = state if isinstance(state, State) else read(state)
    world = kind(**made_with(found))
    put(world.roster, world.site, found)
    return world
