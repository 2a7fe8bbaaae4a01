"""Which code made a row."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

SHOW = frozenset({"commands", "screen"})
"""Rooms that no figure of a run depends on."""


@cache
def fingerprint(rooms: tuple[str, ...] | None = None, top: bool = True) -> str:
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
