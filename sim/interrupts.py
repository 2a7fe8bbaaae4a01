"""Ctrl-C and SIGTERM: when they end a run, and how. Nothing heavy is imported here.

At start-up nothing has been begun: the process ends at once. In a command they are a
`KeyboardInterrupt`. While a run writes files they are put off to the end of the step, where all
files are in order; a second one breaks off at once.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

INTERRUPTED = 130
"""The exit status."""
PATIENCE = 5.0
"""Seconds that a step may take after an interrupt: then it is broken off."""
KINDS = (signal.SIGINT, signal.SIGTERM)

_Handler = Callable[[int, FrameType | None], Any]


class Interrupts:
    """What has come: `seen` is whether any has since the command began."""

    seen = False


def leave_at_once() -> None:
    """From now on an interrupt ends the process there and then: there is nothing to finish."""
    _install(_leave)


@contextmanager
def raised() -> Iterator[None]:
    """Within, an interrupt is a `KeyboardInterrupt`, and noted."""
    Interrupts.seen = False
    before = _install(_raise)
    try:
        yield
    finally:
        _restore(before)


@contextmanager
def put_off() -> Iterator[None]:
    """Within, an interrupt is only noted in `Interrupts.seen`: for what must not be cut in two.

    A second one makes a `KeyboardInterrupt` of it; so do `PATIENCE` seconds, until `finishing`.
    Elsewhere than in the main thread, and where somebody else sees to interrupts, nothing changes.
    """
    known = signal.getsignal(signal.SIGINT)
    if not _is_main() or known not in (_raise, signal.default_int_handler):
        yield
        return
    if known is not _raise:
        Interrupts.seen = False
    before = _install(_note)
    alarm = signal.signal(signal.SIGALRM, _raise) if _can_wait() else None
    try:
        yield
    finally:
        finishing()
        if alarm is not None:
            signal.signal(signal.SIGALRM, alarm)
        _restore(before)


def finishing() -> None:
    """No step is being taken any more: what is left is finished, however long it takes."""
    if _can_wait():
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _raise(_number: int, _frame: FrameType | None) -> NoReturn:
    Interrupts.seen = True
    raise KeyboardInterrupt


def _note(number: int, frame: FrameType | None) -> None:
    if Interrupts.seen:
        _raise(number, frame)
    Interrupts.seen = True
    if _can_wait():
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)


def _can_wait() -> bool:
    return hasattr(signal, "setitimer") and hasattr(signal, "SIGALRM") and _is_main()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _install(handler: _Handler) -> dict[signal.Signals, Any]:
    """Set a handler; those before. A signal that is ignored stays so, as `nohup` wants it."""
    if not _is_main():
        return {}
    before = {kind: signal.getsignal(kind) for kind in KINDS}
    mine = {kind: old for kind, old in before.items() if old not in (signal.SIG_IGN, None)}
    for kind in mine:
        signal.signal(kind, handler)
    return mine


def _restore(before: dict[signal.Signals, Any]) -> None:
    for kind, handler in before.items():
        signal.signal(kind, handler)
