"""Libraries that only some commands need: asked for when they are, with a word where they lack."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sim.core.errors import BadInput

STUDY = 'pip install "groupmove[study]"'
"""What brings all of the extra: in a checkout that is installed, and without one."""


def extra(module: str, what: str) -> Any:
    """A module of the extra "study". Raises `BadInput`, which says what to install, without it."""
    try:
        return import_module(module)
    except ImportError as missing:
        library = module.partition(".")[0]
        raise BadInput(
            f"{what} needs {library}, which is not installed: pip install {library}, "
            f"or the whole extra: {STUDY}"
        ) from missing


def installed(module: str) -> bool:
    """Whether there is such a library, without the time it takes to load."""
    return find_spec(module) is not None
