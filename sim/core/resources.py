"""Where the demos and the maps are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def folder(name: str) -> Path:
    """The folder "demos" or "maps"."""
    shipped = _PACKAGE / "_shipped" / name
    return shipped if shipped.is_dir() else _PACKAGE.parent / name


def at_hand(path: Path | None) -> Path | None:
    """The path itself; for `maps/NAME`, where there is no such file, the one of the package.

    So `maps/flocking.toml` is found from any folder, with or without a checkout. What cannot be a
    name of a file is given back too: its reader says what is wrong with it.
    """
    # `os.path.exists` knows names that are too long and folders that are locked.
    if path is None or os.path.exists(path) or path.parts[:1] != ("maps",) or ".." in path.parts:
        return path
    ours = folder("maps").joinpath(*path.parts[1:])
    return ours if os.path.isfile(ours) else path
