"""A world that is saved and goes on from a state: in memory, or in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from sim import saving
from sim.changing import Changing
from sim.core.files import AnyPath
from sim.saving import State


class Resuming(Changing):
    """A roster that can be saved, and put into a state that was saved."""

    def save(self, path: AnyPath | None = None, *, about: Mapping[str, Any] | None = None) -> State:
        """The whole state of this world, from which it, or another, goes on bit for bit.

        With a `path` it is also written to a file, with what there is to say `about` it: texts and
        numbers. Raises `BadInput` in the middle of a step, for a world in a space of your own or
        with bodies of your own, and to a file for a rule or model that has no name and for an event
        that is a function of your own.
        """
        state = saving.take(self, about or {})
        if path is not None:
            saving.write(state, path)
        return state

    def load(self, state: State | AnyPath) -> None:
        """Put this world into a state of its own, or of one like it; or into that of a file.

        Groups and parts added since are gone, and those that were there are the same objects as
        before; its `space` and the bodies in it may be new. Raises `BadInput` for the state of
        another world and for files that cannot be read; the world stays as it was then.
        """
        saving.put(self, state if isinstance(state, State) else saving.read(state))

    @classmethod
    def from_file(cls, path: AnyPath) -> Self:
        """The world of a file that `save` has written. Raises `BadInput` for any other."""
        state = saving.read(path)
        world = cls(**saving.made_with(state))
        saving.put(world, state)
        return world
