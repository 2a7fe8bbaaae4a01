"""Golden runs: figures that may only change on purpose, and runs that repeat to the last bit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .runs import RUNS, figures, pinned

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", RUNS)
def test_figures(name: str):
    """A run's figures are the pinned ones (tests/golden/renew.py pins new ones)."""
    assert figures(name) == pytest.approx(pinned()[name], rel=1e-3, abs=1e-6)


def test_pinned_runs_are_run():
    """Nothing is pinned that is no longer run, and nothing is run that is not pinned."""
    assert set(pinned()) == set(RUNS)


def test_two_processes_two_hash_seeds(tmp_path):
    """The same seed gives the same fingerprint in two processes, whatever hashing does there."""
    prints = []
    for seed in ("1", "4242"):
        target = tmp_path / f"{seed}.json"
        subprocess.run(
            [sys.executable, "-m", "sim", "run", str(ROOT / "maps" / "intercept.toml"),
             "--seconds", "3", "--seed", "9", "--metrics", str(target)],
            cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, check=True, capture_output=True,
        )  # fmt: skip
        found = json.loads(target.read_text())
        prints.append((found["trajectory_sha256"], found["polarisation"], found["steps"]))
    assert prints[0] == prints[1]
    assert prints[0][2] == 180
