"""What a start with all kernels on disk does without."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from sim.core import collecting

KERNELS = """
import numpy as np
from sim.core.compiled import Kernel

def summed(begin, end, rows):
    order = np.argsort(rows[begin:end])
    return rows[order[0]] + np.array([rows[i] for i in range(begin, end)]).sum()

def turned(begin, end, rows, by):
    return (rows @ by)[0, 0]

summed, turned = Kernel.making_arrays(summed), Kernel.making_arrays(turned)
"""
USE = """
import sys
import numpy as np
from sim.core.compiled import njit
import kernels
assert kernels.summed(np.arange(5.0)) == [10.0]
built = list(kernels.summed.compiled.stats.cache_hits.values())
late = [name for name in ("scipy.linalg", "numba.typed.dictimpl") if name in sys.modules]
assert kernels.turned(np.eye(3), np.full((3, 3), 2.0)) == [2.0]
product = njit()(lambda a, b: a @ b)
assert product(np.eye(2), np.eye(2)).sum() == 2.0
print(built, late)
"""
"""Sums and sorts with a kernel from disk, then multiplies matrices with one that is compiled."""


def test_a_start_from_disk_imports_nothing_that_only_compiling_takes(tmp_path: Path) -> None:
    """It takes 0.2 s; what is compiled after all, and multiplies matrices, works as well."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    said = [
        subprocess.run(
            [sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split("\n")[0]
        for _ in range(2)
    ]
    assert said[0].startswith("[] ")
    assert said[1] == "[1] []"


@pytest.fixture
def own_threshold():
    """What this process holds of garbage, as it was."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()
    gc.unfreeze()


@pytest.mark.usefixtures("own_threshold")
def test_garbage_is_looked_for_again_once_a_command_is_there() -> None:
    """Not before, and then not among what the command is made of."""
    collecting.begin_rarely()
    assert not gc.isenabled()
    collecting.collect_from_here()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert gc.get_threshold()[0] == collecting.NEW_OBJECTS


@pytest.mark.usefixtures("own_threshold")
def test_the_garbage_of_a_users_own_process_is_left_to_it() -> None:
    """A demo that a user's program plays keeps nothing of that program from being collected."""
    before = gc.get_freeze_count()
    collecting.collect_from_here()
    assert gc.get_freeze_count() == before
