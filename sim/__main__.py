"""`python -m sim`: the command line, guarded before anything heavy is imported."""

from __future__ import annotations

import contextlib
import os
import sys

from sim.interrupts import INTERRUPTED, leave_at_once


def main() -> None:
    """Run the command line."""
    from sim.commands import guard
    from sim.commands.app import app

    guard(app)


def entry() -> None:
    """Run the command line as a process of its own."""
    leave_at_once()
    try:
        main()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _leave()
        raise
    finally:
        leave_at_once()


def _leave() -> None:
    """End here: where an interrupt came amid `exec`, Python would end as by the signal itself."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    entry()
