"""When Python looks for garbage: not while thousands of objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW_OBJECTS = 200_000
"""In a process of the command line Python looks for garbage when there are this many objects more,
not 700: to look through all that was imported, again and again, took 0.15 s of each start."""


def begin_rarely() -> None:
    """Collect no garbage until all that a command is made of is there, and rarely from then on."""
    gc.disable()
    gc.set_threshold(NEW_OBJECTS)


def collect_from_here() -> None:
    """What there is by now stays: garbage is looked for among what comes from here on.

    Nothing in a process that has not begun so: what there is may well be a user's garbage.
    """
    if gc.get_threshold()[0] == NEW_OBJECTS:
        gc.freeze()
        gc.enable()


@contextmanager
def paused() -> Iterator[None]:
    """Collect no garbage meanwhile: each look goes through all that is there, and finds nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
