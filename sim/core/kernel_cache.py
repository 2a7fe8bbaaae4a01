"""Which compiled kernels on disk are still those of the sources."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

_IMPORTS = re.compile(
    r"^\s*from ([\w.]+) import (\([^)]*\)|[^\n]*)|^\s*import ([\w.]+)", re.MULTILINE
)


def forget_stale(package: Path) -> None:
    """Drop the disk cache of the kernels whose sources have changed since they were compiled.

    numba looks only at the file that a kernel stands in. Here the kernels of a file are dropped
    too when a file that it imports, directly or through others, has changed: a kernel holds the
    code of the helpers that it calls, and the constants that it names.
    """
    stamp = package / "__pycache__" / "kernels.json"
    now = _sources(package)
    try:
        before = _read(stamp)
        if before == now:
            return
        for name in _touched(package, {name for name in now if before.get(name) != now[name]}):
            file = package / name
            for index in (file.parent / "__pycache__").glob(f"{file.stem}.*.nbi"):
                index.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(json.dumps(now))
    except OSError:
        pass  # a package that cannot be written to does not change either


def _sources(package: Path) -> dict[str, list[int]]:
    """Time and size of every source now, by its path in the package."""
    found = {}
    for folder, _, files in os.walk(package):
        inside = folder[len(str(package)) + 1 :].replace(os.sep, "/")
        for name in files:
            if name.endswith(".py"):
                status = os.stat(os.path.join(folder, name))
                place = f"{inside}/{name}" if inside else name
                found[place] = [status.st_mtime_ns, status.st_size]
    return found


def _read(stamp: Path) -> dict[str, list[int]]:
    """Time and size of every source when kernels were last looked at; empty if not known."""
    try:
        before = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return {}
    return before if isinstance(before, dict) else {}


def _touched(package: Path, changed: set[str]) -> set[str]:
    """All files that have changed, or import one that has."""
    users: dict[str, list[str]] = {}
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        for other in _imports(package, file.read_text(encoding="utf-8")):
            users.setdefault(other, []).append(name)
    found, new = set(changed), list(changed)
    while new:
        more = [user for user in users.get(new.pop(), ()) if user not in found]
        found.update(more)
        new += more
    return found


def _imports(package: Path, text: str) -> set[str]:
    """The files of the package that a source imports."""
    found: set[str] = set()
    for module, names, whole in _IMPORTS.findall(text):
        parts = (module or whole).split(".")
        if parts[0] != package.name:
            continue
        place = package.joinpath(*parts[1:])
        wanted = re.findall(r"\w+", names)
        modules = [file for name in wanted if (file := place / f"{name}.py").exists()]
        if len(modules) < max(len(wanted), 1):  # the rest stands in the module itself
            modules += [f for f in (place.with_suffix(".py"), place / "__init__.py") if f.exists()]
        found.update(file.relative_to(package).as_posix() for file in modules)
    return found
