"""The runs whose figures are pinned, and how to pin them anew.

`python tests/golden/renew.py` writes figures.json after a change that is meant to change them; the
difference then belongs into the commit, for whoever reviews it.
"""

import json
from pathlib import Path
from typing import Any

from sim.run import run
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.report import Report

MAPS = Path(__file__).resolve().parents[2] / "maps"
PINNED = Path(__file__).with_name("figures.json")
SECONDS = 5.0
"""Short enough that what the last bit of another processor does has not grown to be seen."""

RUNS: dict[str, tuple[str, list[str]]] = {
    "flocking": ("flocking", []),
    "flocking, book, narrow": (
        "flocking",
        ['groups.blue.model="flock_book"', 'groups.blue.view="narrow"'],
    ),
    "alignment": ("alignment", []),
    "separation": ("separation", []),
    "obstacles": ("obstacles", []),
    "player": ("player", []),
    "intercept": ("intercept", []),
    "leader, seed 3": ("leader", ["seed=3"]),
}
FIGURES = (
    "units", "steps", "polarisation", "mean_nearest_distance", "contacts", "max_overlap_share",
    "wall_crossings", "composite01",
)  # fmt: skip


def figures(name: str) -> dict[str, Any]:
    """The figures of one of the runs, to six digits."""
    file, changes = RUNS[name]
    plan = load(MAPS / f"{file}.toml", [*changes, f"duration={SECONDS}"])
    world = build(plan)
    report = Report(world, plan.title)
    found = report.result(run(world, plan.steps, [report]).wall_s)
    x, y = world.units.position.mean(axis=0)
    known = {key: found[key] for key in FIGURES} | {"mean_x": x, "mean_y": y}
    return {key: value if value is None else float(f"{value:.6g}") for key, value in known.items()}


def pinned() -> dict[str, dict[str, Any]]:
    """The figures as they were last pinned."""
    found: dict[str, dict[str, Any]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


def renew() -> None:
    """Pin the figures of today."""
    PINNED.write_text(json.dumps({n: figures(n) for n in RUNS}, indent=2) + "\n", encoding="utf-8")
