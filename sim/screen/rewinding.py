"""Back in a run, and on again from there: its states are kept, one a second."""

from __future__ import annotations

from collections.abc import Callable

from sim.core.errors import BadInput
from sim.saving import State
from sim.screen.scene import Scene
from sim.world import World

APART = 1.0
"""Seconds of the run between two states."""
KEPT = 61
"""States that are kept: a minute."""
JUST_NOW = 0.5
"""A state so few seconds old is passed over on the way back: the run has gone on meanwhile."""


class Rewind:
    """The last states of a run that a scene shows; `say` shows a message.

    Going back keeps what came after, until the run goes on from there: then it is forgotten. A run
    that is `recorded` does not go back: its files know one course of time.
    """

    def __init__(
        self, scene: Scene, recorded: Callable[[], bool], say: Callable[[str], None]
    ) -> None:
        self._scene, self._recorded, self._say = scene, recorded, say
        self._states: list[tuple[float, State]] = []
        self._refused = ""

    def begin(self, world: World) -> None:
        """Another world takes the place of the one before."""
        self._states, self._refused = [], ""
        self.note(world)

    @property
    def times(self) -> list[float]:
        """The times (s) of the states that are kept, in order."""
        return [time for time, _ in self._states]

    def note(self, world: World) -> None:
        """The world has taken a step: keep its state if it is time."""
        while self._states and self._states[-1][0] > world.time:
            self._states.pop()
        if self._refused or (self._states and world.time < self._states[-1][0] + APART):
            return
        try:
            self._states.append((world.time, world.save()))
        except BadInput as error:
            self._refused = str(error)
        del self._states[:-KEPT]

    def go(self, world: World, way: int) -> None:
        """Go to the state before (-1) or after (1) the present, if there is one."""
        if self._recorded():
            self._say("a run that is recorded or measured cannot go back")
            return
        if way < 0:
            found = [each for each in self._states if each[0] < world.time - JUST_NOW][-1:]
        else:
            found = [each for each in self._states if each[0] > world.time][:1]
        if not found:
            self._say(self._refused or "no state is kept there: a run is kept for a minute")
            return
        time, state = found[0]
        world.load(state)
        self._scene.forget_past()
        self._say(f"{time:.1f} s: the run goes on from here")
