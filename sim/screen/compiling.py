"""Saying in the window that rules are being compiled: without a word it would seem to hang."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event


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


@contextmanager
def announced(tell: Callable[[str], None]) -> Iterator[Announcer]:
    """Within, tell of everything that is compiled."""
    announcer = Announcer(tell)
    event.register("numba:compile", announcer)  # type: ignore[no-untyped-call]
    try:
        yield announcer
    finally:
        event.unregister("numba:compile", announcer)  # type: ignore[no-untyped-call]
