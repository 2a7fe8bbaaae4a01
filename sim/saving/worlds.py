"""New worlds that go on from a state."""

from __future__ import annotations

from inspect import signature
from typing import Protocol, TypeVar

from sim.core.errors import BadInput
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


def world_in(kind: type[W], state: State | AnyPath) -> W:
    """A new world in a state, or in that of a file that `save` has written.

    Raises `BadInput` for any other file.
    """
    found = state if isinstance(state, State) else read(state)
    given = made_with(found)
    try:
        signature(kind).bind(**given)
    except TypeError as error:
        raise BadInput(
            f"{kind.__name__}.load: its __init__ must take what World(...) takes: {error}"
        ) from None
    world = kind(**given)
    put(world.roster, world.site, found)
    return world
