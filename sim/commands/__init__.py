"""The commands of `python -m sim`, one file each."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from sim.core.errors import BadInput, Diverged
from sim.core.interrupts import INTERRUPTED, Interrupts, no_more, raised

BAD_INPUT, FAILED = 2, 1
"""Exit statuses."""
_LOST = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Where what is printed can no longer be written."""
_NONE_LEFT = (errno.EMFILE, errno.ENFILE)
"""Where no more files can be opened."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Letters that a terminal takes for commands, but for the tab and the end of a line."""


def guard(app: Callable[[], object]) -> None:
    """Run a command line; bad input is one clear message and exit status 2, never a traceback.

    Whatever else an interrupt breaks off on its way, the exit status is 130.
    """
    _ready_output()
    with raised():
        try:
            _whole(app)
        except BadInput as error:
            _end(BAD_INPUT, str(error))
        except Diverged as error:
            _end(FAILED, str(error))
        except MemoryError:
            _end(FAILED, "there is not enough memory for this")
        except BrokenPipeError:
            _end(FAILED)
        except OSError as error:
            if error.errno in _NONE_LEFT:
                _end(FAILED, f"no more files can be opened (see ulimit -n): {error.strerror}")
            # What a file has no room for is `BadInput`: this is of what was printed.
            if error.errno not in _LOST or error.filename is not None:
                raise
            _end(FAILED, f"what was to be printed cannot be written: {error.strerror}")
        except KeyboardInterrupt:
            _end(INTERRUPTED)
        except BaseException:
            if not Interrupts.seen:
                raise
            _end(INTERRUPTED)
        if Interrupts.seen:
            _end(INTERRUPTED)


def _whole(app: Callable[[], object]) -> None:
    """Run a command line, and write out all that it printed while it can still be told of."""
    try:
        app()
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()


def _ready_output() -> None:
    """Let anything be printed: to streams that are closed, and of letters that theirs have not.

    What goes to standard output shows the control letters of names as their escapes, as errors do.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if name == "stdout":
                vars(stream)["write"] = partial(_write, stream.write)


def _write(write: Callable[[str], int], text: str) -> int:
    """Write a text without control letters."""
    return write(_CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text))


def _end(status: int, said: str = "") -> NoReturn:
    no_more()
    with contextlib.suppress(OSError):  # the reader of the output may be gone
        if said:
            print(f"error: {said}", file=sys.stderr)
        sys.stdout.flush()
    sys.exit(INTERRUPTED if Interrupts.seen else status)
