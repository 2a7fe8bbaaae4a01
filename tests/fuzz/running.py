"""A command of `python -m sim` in this process, and what it said."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from functools import cache
from typing import NamedTuple


class Said(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    err: str


def command(arguments: list[str]) -> Said:
    """Run it; what escapes it, escapes."""
    from sim.commands import guard

    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["sim", *arguments]
    status: object = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            guard(_line())
    except SystemExit as end:
        status = end.code or 0
    finally:
        sys.argv = before
    return Said(status if isinstance(status, int) else 1, err.getvalue())


@cache
def _line() -> Callable[[], object]:
    """The command line, made once: that takes as long as most cases."""
    from typer.main import get_command

    from sim.commands.app import app

    return get_command(app)
