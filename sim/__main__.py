"""`python -m sim`: the command line, guarded before anything heavy is imported."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn

from sim.core.collecting import begin_rarely
from sim.core.interrupts import INTERRUPTED, leave_at_once


def main() -> None:
    """Run the command line."""
    from sim.commands import guard
    from sim.commands.app import app

    guard(app)


def entry() -> NoReturn:
    """Run the command line as a process of its own."""
    leave_at_once()
    begin_rarely()
    try:
        main()
        status = 0
    except SystemExit as end:
        status = _status(end.code)
    except KeyboardInterrupt:  # while its handler was set, or taken away
        status = INTERRUPTED
    finally:
        leave_at_once()
    if status != INTERRUPTED:  # as Python does at its end: first threads, then what was registered
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    _leave(status)


def _status(code: object) -> int:
    """The exit status that `sys.exit` was told; a text is said."""
    if isinstance(code, int | None):
        return code or 0
    print(code, file=sys.stderr)
    return 1


def _leave(status: int) -> NoReturn:
    """End here, and leave it to the system to take down what there is.

    Python would first put signals back to what they were, so that an interrupt ends the process as
    by the signal, with all files written; and wait for the engine, minutes for many walls.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # what was said has not arrived
            status = status or 1
    os._exit(status)


if __name__ == "__main__":
    entry()
