"""Kernels on disk are as new as the sources they came from."""

from pathlib import Path

import pytest

from sim.core.kernel_cache import forget_stale

SOURCES = {
    "plane.py": "SIZE = 1",
    "cells.py": "from pack.plane import (\n    SIZE,\n)",
    "scan.py": "def late():\n    from pack import cells",
    "draw.py": "import pack.colours",
    "colours.py": "RED = 1",
}
"""Which of five files imports which: scan, through cells, needs plane; draw needs colours."""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of five files, with one compiled kernel each."""
    package = tmp_path / "pack"
    (package / "__pycache__").mkdir(parents=True)
    for name, text in SOURCES.items():
        (package / name).write_text(text)
    forget_stale(package)
    for name in SOURCES:
        (package / "__pycache__" / f"{name[:-3]}.kernel-1.py311.nbi").write_text("compiled")
    return package


def kernels(package: Path) -> set[str]:
    """The files that have a kernel on disk."""
    return {index.name.split(".")[0] for index in package.rglob("*.nbi")}


@pytest.mark.parametrize(
    ("changed", "dropped"),
    [
        ("plane.py", {"plane", "cells", "scan"}),
        ("scan.py", {"scan"}),
        ("colours.py", {"colours", "draw"}),
        (None, set()),
    ],
)
def test_a_changed_source_drops_the_kernels_that_use_it(package: Path, changed, dropped) -> None:
    """Those of the file itself and of all files that import it, directly or not; no other."""
    if changed:
        (package / changed).write_text("a = 12345")
    forget_stale(package)
    assert kernels(package) == {name[:-3] for name in SOURCES} - dropped


def test_kernels_of_unknown_age_are_dropped(package: Path) -> None:
    """Without a readable record of the sources nothing on disk is trusted."""
    (package / "__pycache__" / "kernels.json").write_text("[")
    forget_stale(package)
    assert kernels(package) == set()


def test_a_package_that_cannot_be_written_to_is_left_alone(tmp_path: Path) -> None:
    """Where the record cannot be kept nothing fails."""
    (tmp_path / "__pycache__").write_text("not a folder")
    forget_stale(tmp_path)
