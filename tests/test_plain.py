"""Kernels as plain Python: slow, to be looked into, and with the results of compiled ones."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim import Hull, Region, World
from sim.orders.near import near_units

ROOT = Path(__file__).resolve().parent.parent
CODE = """
import sys, numpy
from tests.test_plain import flock
numpy.save(sys.argv[2], flock(sys.argv[1]))
"""


def flock(edges: str) -> np.ndarray:
    """Where all of a flock are after some steps, and then which ones are near each.

    Some leave it meanwhile, and others come.
    """
    world = World(seed=2, bounds=None if edges == "open" else (0, 0, 20, 20), edges=edges)
    group = world.add_group(
        "a", Region(0, 0, 20, 20), count=40, model="flock", hull=Hull.wedge(1.0, 0.5)
    )
    for step in range(12):
        if step in (4, 8):
            group.remove(group.ids[5:9])
            group.add(Region(0, 0, 20, 20), count=3)
        world.step()
    near = near_units(world.units, world.plane, 4.0)
    return np.concatenate([world.units.position.ravel(), near.first, near.other])


@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_plain_python_gives_the_same(edges, tmp_path):
    """To rounding, also in the first cells: to their left a number without a sign is huge."""
    command = [sys.executable, "-c", CODE, edges, str(tmp_path / "plain.npy")]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "plain.npy") == pytest.approx(flock(edges), abs=1e-9)
