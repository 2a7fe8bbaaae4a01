"""Ctrl-C and SIGTERM: when they end a run, and how. Nothing heavy is imported here.

At start-up nothing has been begun: the process ends at once. In a command they are a
`KeyboardInterrupt`. While a run writes files they are put off to the end of the step, where all
files are in order. A second one breaks off a step, but never the writing that ends a file.
In a program of a user, Ctrl-C waits for the end of what is being done to a world.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

bare: Any = sys.modules.get("_signal", signal)  # behind `signal`: quick, as it names no numbers
INTERRUPTED = 130
"""The exit status."""
PATIENCE = 5.0
"""Seconds that a step may take after an interrupt: then it is broken off."""
SOON = 0.01
"""Seconds after which an interrupt that a callback swallowed is raised once more."""
BACK = f"{os.sep}llvmlite{os.sep}", os.path.join("numba", "core", "serialize.py")
"""In the names of the files that compiled code, and what loads it, call back."""
KINDS = (signal.SIGINT, signal.SIGTERM)

_Handler = Callable[[int, FrameType | None], Any]


class Interrupts:
    """What has come: `seen` is whether any has since the command began.

    `patience` is how many seconds what is being done may still take after one, 0 for any number;
    None where not even a second one breaks it off.
    """

    seen = False
    patience: float | None = None
    held = 0
    """How many things are being done, one within another, for the end of which Ctrl-C waits."""
    due = False
    """Whether one waits."""
    owner: _Handler = signal.default_int_handler
    """What handles Ctrl-C elsewhere, and gets it when it has waited."""


def leave_at_once() -> None:
    """From now on an interrupt ends the process there and then: there is nothing to finish."""
    _install(_leave)


@contextmanager
def raised() -> Iterator[None]:
    """Within, an interrupt is a `KeyboardInterrupt`, and noted.

    One that is raised inside a callback (the end of an object, compiled code that calls back) goes
    no further than that callback: it is raised once more, a moment later.
    """
    Interrupts.seen = False
    unraisable, sys.unraisablehook = sys.unraisablehook, _swallowed
    alarm = signal.signal(signal.SIGALRM, _raise) if _can_wait() else None
    before = _install(_raise)
    try:
        yield
    finally:
        if alarm is not None:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, alarm)
        sys.unraisablehook = unraisable
        _restore(before)


@contextmanager
def put_off() -> Iterator[None]:
    """Within, an interrupt is only noted in `Interrupts.seen`: for what must not be cut in two.

    Elsewhere than in the main thread, and where other code handles interrupts, nothing changes.
    """
    known = signal.getsignal(signal.SIGINT)
    if not _is_main() or known not in (_raise, signal.default_int_handler):
        yield
        return
    if known is not _raise:
        Interrupts.seen = False
    before = _install(_note)
    alarm = signal.signal(signal.SIGALRM, _break_off) if _can_wait() else None
    try:
        yield
    finally:
        if alarm is not None:
            signal.signal(signal.SIGALRM, alarm)
        _restore(before)


@contextmanager
def breakable(patience: float) -> Iterator[None]:
    """Within `put_off`: what may be broken off, once, with a `KeyboardInterrupt`.

    A second interrupt does it, or these seconds after the first; 0: these do not count.
    """
    Interrupts.patience = patience
    try:
        yield
    finally:
        Interrupts.patience = None
        if _can_wait():
            signal.setitimer(signal.ITIMER_REAL, 0.0)


def hold() -> None:
    """From now on Ctrl-C waits for `let_go`, which each call has; a second one does not.

    What handles it, in the main thread, may raise: a world would be left half changed.
    """
    if not _is_main():
        return
    if Interrupts.held == 0:
        handler = bare.getsignal(signal.SIGINT)
        if handler is not _keep:  # a debugger that came amid a change sets it again after it
            if not callable(handler) or getattr(handler, "__module__", "") == __name__:
                return
            Interrupts.owner = handler
        bare.signal(signal.SIGINT, _keep)
    Interrupts.held += 1


def let_go() -> None:
    """The end of what `hold` began. If Ctrl-C waits, it is handled at the last end."""
    if Interrupts.held == 0 or not _is_main():
        return
    Interrupts.held -= 1
    if Interrupts.held == 0 and _keep_no_more():
        Interrupts.owner(signal.SIGINT, sys._getframe())


def _forked() -> None:
    """In a child that was forked amid a change: it may never come to the end, so nothing waits."""
    if Interrupts.held:
        _keep_no_more()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def no_more() -> None:
    """From now on interrupts change nothing: all is done, and the process is about to end."""
    _install(_ignore)
    if _can_wait():
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """The process ends anyway."""


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _raise(_number: int, frame: FrameType | None) -> None:
    Interrupts.seen = True
    if not _waits(frame):
        raise KeyboardInterrupt


def _waits(frame: FrameType | None) -> bool:
    """Whether compiled code has called back: then an interrupt comes again a moment later.

    What LLVM calls back cannot raise. The code that it was to hand over would be missing, and a
    call of it ends the process. What a kernel calls back would make it a `SystemError`.
    """
    if not _called_back(frame) or not _can_wait():
        return False
    signal.setitimer(signal.ITIMER_REAL, SOON)
    return True


def _called_back(frame: FrameType | None) -> bool:
    while frame is not None and not any(each in frame.f_code.co_filename for each in BACK):
        frame = frame.f_back
    return frame is not None


def _swallowed(what: sys.UnraisableHookArgs) -> None:
    """What Python does with an exception that could not be raised where it came up."""
    if not issubclass(what.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(what)
    elif _can_wait():
        signal.setitimer(signal.ITIMER_REAL, SOON)


def _keep(number: int, frame: FrameType | None) -> None:
    if Interrupts.held and (not Interrupts.due or _called_back(frame)):
        Interrupts.due = True
        return
    _keep_no_more()
    Interrupts.owner(number, frame)


def _keep_no_more() -> bool:
    """Ctrl-C is left to its owner again; whether one has waited."""
    handler = bare.signal(signal.SIGINT, Interrupts.owner)
    if handler is not _keep:  # what was done meanwhile has set another
        bare.signal(signal.SIGINT, handler)
    due, Interrupts.due, Interrupts.held = Interrupts.due, False, 0
    return due


def _note(number: int, frame: FrameType | None) -> None:
    if Interrupts.seen:
        _break_off(number, frame)
        return
    Interrupts.seen = True
    if Interrupts.patience and _can_wait():
        signal.setitimer(signal.ITIMER_REAL, Interrupts.patience)


def _break_off(number: int, frame: FrameType | None) -> None:
    if Interrupts.patience is not None and not _waits(frame):
        Interrupts.patience = None  # what comes of it, is finished
        _raise(number, frame)


def _can_wait() -> bool:
    return hasattr(signal, "setitimer") and hasattr(signal, "SIGALRM") and _is_main()


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _install(handler: _Handler) -> dict[signal.Signals, Any]:
    """Set a handler; those before. A signal that is ignored stays so, as `nohup` wants it."""
    if not _is_main():
        return {}
    mine = {k: old for k in KINDS if (old := signal.getsignal(k)) not in (signal.SIG_IGN, None)}
    for kind in mine:
        signal.signal(kind, handler)
    return mine


def _restore(before: dict[signal.Signals, Any]) -> None:
    for kind, handler in before.items():
        signal.signal(kind, handler)
