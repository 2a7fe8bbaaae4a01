"""Compiling, told of in the window, which would seem to hang, or done beforehand by a rehearsal."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

import pygame
from numba.core import event

from sim.screen.scene import SHOWS, Scene
from sim.world import World

SECONDS = 2.0
"""How long a world runs: by then units have met, and touched each other."""
SIZE = (320, 240)


class Announcer(event.Listener):  # type: ignore[misc]
    """Tells of each kernel as its compiling begins, with how many there were; in one thread alone.

    Planners compile in threads of their own, where nothing may be drawn: these are counted.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.count = 0
        self._tell, self._thread = tell, threading.current_thread()

    def on_start(self, begun: event.Event) -> None:
        """A kernel is not in the cache on disk."""
        self.count += 1
        kernel = getattr(begun.data.get("dispatcher"), "__name__", "a rule")
        if threading.current_thread() is self._thread:
            self._tell(
                f"compiling what is used for the first time: {kernel.strip('_')} ({self.count} so "
                "far; `python -m sim warm-up` does all of it beforehand)"
            )

    def on_end(self, _: event.Event) -> None:
        """Nothing is to be said."""


def announced(tell: Callable[[str], None]) -> AbstractContextManager[Announcer]:
    """Within, tell of everything that is compiled."""
    found: AbstractContextManager[Announcer]
    found = event.install_listener("numba:compile", Announcer(tell))  # type: ignore[no-untyped-call]
    return found


def rehearse(world: World) -> None:
    """Run a world for a moment, with a look inside its first unit, and close it."""
    scene, surface = Scene(shows=SHOWS, views=True), pygame.Surface(SIZE)
    with world:
        for step in range(round(SECONDS / world.time_step)):
            world.step()
            if step % 30 == 0:
                scene.selected = 0
                scene.paint(surface, world)
