"""The commands of `python -m sim`, one file each."""

from __future__ import annotations

import sys
from collections.abc import Callable

from sim.commands.codes import BAD_INPUT, FAILED, INTERRUPTED
from sim.errors import BadInput, Diverged


def guard(app: Callable[[], object]) -> None:
    """Run a command line; bad input is one clear message and exit status 2, never a traceback."""
    try:
        app()
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except Diverged as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.exit(FAILED)
