"""What the command line says while it works.

Bars are imported when one is shown: most runs show none, and rich takes 20 ms to import.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from numba.core import event

from sim.core.compiled import compiled_before
from sim.perception import scan
from sim.world import World

if TYPE_CHECKING:
    from sim.commands.bars import Runs

PATIENCE, INTERVAL = 1.0, 0.1
"""Seconds before a bar appears, and between its updates."""


class Bar:
    """A watcher that shows a progress bar on a terminal when a run takes more than a moment."""

    def __init__(self, title: str, steps: int) -> None:
        self._title, self._steps = title, steps
        self._begun = self._last = monotonic()
        self._runs: Runs | None = None

    def observe(self, world: World) -> None:
        """Move the bar."""
        now = monotonic()
        if now - self._last < INTERVAL or now - self._begun < PATIENCE or not sys.stderr.isatty():
            return
        self._last = now
        if self._runs is None:
            from sim.commands.bars import Runs

            self._runs = Runs(self._title, self._steps, of="steps")
            self._runs.start()
        self._runs.reach(world.steps)

    def close(self) -> None:
        """Take the bar away."""
        if self._runs is not None:
            self._runs.stop()


@contextmanager
def working(on: str) -> Iterator[None]:
    """Within, say on a terminal what is being done."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{on} ..."):
        yield


ONCE = "Compiling what is used for the first time; this happens once ..."


class _Told(event.Listener):  # type: ignore[misc]
    """Says so when this process compiles its first kernel, calls for help, and no more."""

    told = False
    call: Callable[[], None] = staticmethod(lambda: None)

    def on_start(self, _event: event.Event) -> None:
        """A kernel is not in the cache."""
        if not _Told.told:
            _Told.told = True
            print(ONCE, file=sys.stderr)
            _Told.call()

    def on_end(self, _event: event.Event) -> None:
        """Nothing is to be said."""


def say_when_compiling(call: Callable[[], None] = lambda: None) -> None:
    """From now on say so, once, when this process compiles: else it would seem to hang.

    `call` is called then: others may help.
    """
    _Told.call = staticmethod(call)
    listen()


@cache
def listen() -> None:
    """Have numba tell, from now on."""
    event.register("numba:compile", _Told())  # type: ignore[no-untyped-call]


def say_if_compiling() -> None:
    """Say so if nothing was ever compiled: the processes to come will do it, and say nothing."""
    if not compiled_before(scan.scan):
        print(ONCE, file=sys.stderr)
