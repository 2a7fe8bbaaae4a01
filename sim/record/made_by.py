"""What made a run: the versions of all that figures depend on, and the scenario and seed."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sim import __version__

LIBRARIES = ("pymunk", "numpy", "numba")


def made_by(text: str = "", seed: int | None = None, changes: Sequence[str] = ()) -> dict[str, Any]:
    """Versions of sim, Python and libraries, the platform, and what was run.

    `scenario_sha256` is of the scenario's text, None without one; `changes` are KEY=VALUE, as the
    command line gave them. What is not known here is None.
    """
    known = hashlib.sha256(text.encode()).hexdigest() if text else None
    return {
        "sim": __version__,
        "scenario_sha256": known,
        "changes": list(changes),
        "seed": seed,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: version_of(name) for name in LIBRARIES},
    }


@cache
def version_of(name: str) -> str | None:
    """The version of a library that is installed, None without it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
