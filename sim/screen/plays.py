"""How a run begins anew in the same window, and what else may be shown there."""

from __future__ import annotations

from typing import NamedTuple

from sim.core.errors import BadInput
from sim.scenario.playlist import Playlist
from sim.world import World


class Play(NamedTuple):
    """What the window goes on with."""

    world: World
    words: str
    """What there is to say of it."""
    title: str | None = None
    duration: float | None = None
    """Of another scenario; a run that begins anew keeps them, and all that was switched."""


class Plays:
    """The runs that may take the place of the one shown: those of a playlist, if there is one.

    Every method raises `BadInput` where there is none, or its file cannot be built.
    """

    def __init__(self, playlist: Playlist | None) -> None:
        self.playlist = playlist

    def restart(self) -> Play:
        """The same again, with the same seed."""
        playlist = self._list()
        return Play(playlist.build(playlist.seed), f"from the start, seed {playlist.seed}")

    def new_seed(self) -> Play:
        """The same scenario with the next seed."""
        playlist = self._list()
        return Play(playlist.build(playlist.seed + 1), f"seed {playlist.seed}")

    def beside(self, step: int) -> Play:
        """The scenario `step` places further on."""
        return self.pick(self._list().beside(step))

    def pick(self, name: str) -> Play:
        """A scenario by its name."""
        playlist = self._list()
        world = playlist.pick(name)
        return Play(world, name, playlist.plan.title, playlist.plan.duration)

    def _list(self) -> Playlist:
        if self.playlist is None:
            raise BadInput("this run has no scenario file to begin anew from")
        return self.playlist
