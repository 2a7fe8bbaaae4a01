"""The commands of `python -m sim`, one file each."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import NoReturn

from sim.commands.codes import BAD_INPUT, FAILED, INTERRUPTED
from sim.core.errors import BadInput, Diverged
from sim.core.interrupts import Interrupts, no_more, raised


def guard(app: Callable[[], object]) -> None:
    """Run a command line; bad input is one clear message and exit status 2, never a traceback.

    Whatever else an interrupt breaks off on its way, the exit status is 130.
    """
    with raised():
        try:
            app()
        except BadInput as error:
            _end(BAD_INPUT, str(error))
        except Diverged as error:
            _end(FAILED, str(error))
        except MemoryError:
            _end(FAILED, "there is not enough memory for this")
        except BrokenPipeError:
            _end(FAILED)
        except KeyboardInterrupt:
            _end(INTERRUPTED)
        except BaseException:
            if not Interrupts.seen:
                raise
            _end(INTERRUPTED)
        if Interrupts.seen:
            _end(INTERRUPTED)


def _end(status: int, said: str = "") -> NoReturn:
    no_more()
    with contextlib.suppress(OSError):  # the reader of the output may be gone
        if said:
            print(f"error: {said}", file=sys.stderr)
        sys.stdout.flush()
    sys.exit(INTERRUPTED if Interrupts.seen else status)
