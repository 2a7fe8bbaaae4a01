"""What made a run: versions of all that figures depend on, the code, the scenario and seed."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sim import __version__

LIBRARIES = ("pymunk", "numpy", "numba")
SHOW = frozenset({"commands", "screen"})
"""Rooms that no figure of a run depends on."""


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


@cache
def code_fingerprint(rooms: tuple[str, ...] | None = None, top: bool = True) -> str:
    """64 hexadecimal digits of the code of these rooms, and of the modules at the `top` with them.

    Of all rooms that figures depend on, without any given.
    """
    package = Path(__file__).resolve().parent.parent
    within = rooms or tuple(
        each.name
        for each in package.iterdir()
        if each.is_dir() and each.name not in SHOW and not each.name.startswith("_")
    )
    modules = package.glob("*.py") if top else ()
    files = [*modules, *(f for room in within for f in (package / room).rglob("*.py"))]
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(file.read_bytes())
    return whole.hexdigest()
