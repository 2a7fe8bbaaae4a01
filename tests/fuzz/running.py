"""A command of `python -m sim` in this process, and what it said."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import NamedTuple


class Said(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    err: str


def command(arguments: list[str]) -> Said:
    """Run it; what escapes it, escapes."""
    from sim.__main__ import main

    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["sim", *arguments]
    status: object = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        status = end.code or 0
    finally:
        sys.argv = before
    return Said(status if isinstance(status, int) else 1, err.getvalue())
