"""The suite once more, with every index of compiled code checked: a read outside is an error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ("engine", "perception", "behaviours", "steering", "navigation", "orders", "models",
            "study", "living", "ground", "saving", "test_world.py", "test_group.py",
            "test_foresight.py")  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", COMPILED)
def test_no_index_out_of_bounds(part: str, tmp_path_factory):
    """Kernels are compiled anew for it, into a cache of their own: the flag is no part of a key."""
    cache = tmp_path_factory.getbasetemp() / "checked"
    env = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", str(ROOT / "tests" / part)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]
