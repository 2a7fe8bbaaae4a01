"""The score table's runs: on all cores, each kept as a row file of its own, none made twice."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from sim.core.errors import BadInput, printable
from sim.core.files import atomic, check_target
from sim.core.resources import folder
from sim.models import model
from sim.scenario.load import load
from sim.scenario.schema import Scenario
from sim.study import code
from sim.study.engines import engine
from sim.study.flow import Line
from sim.study.job import DEAD
from sim.study.journal import Row
from sim.study.peers import PEERS, peer
from sim.study.trial import Trial, plan_of, try_out

SCENES = "scenes"
"""The folder of maps that has the scenes that all are compared in."""
LINES: dict[str, Line] = {
    "bottleneck_080": (2.8, -0.4, 2.8, 0.4),
    "bottleneck_100": (2.8, -0.5, 2.8, 0.5),
    "bottleneck_120": (2.8, -0.6, 2.8, 0.6),
    "doorway_30": (0.2, -0.4, 0.2, 0.4),
    "rimea_12": (15.0, 4.5, 15.0, 5.5),
}
"""Where flow is measured, scene by scene: at the end of the passage."""
OURS = ("behaviours", "engine", "maps", "models", "navigation", "orders", "perception", "steering")
"""The rooms that a run of our own depends on, beside the modules at the top."""
THEIRS = ("navigation", "study/peers")
"""The rooms that a peer's run depends on, beside its library: ways, and how it is told of them."""


def scene_files() -> list[Path]:
    """All scenes that are shipped."""
    return sorted((folder("maps") / SCENES).glob("*.toml"))


def find_scene(name: str) -> Path:
    """A scene by its name or by its path. Raises `BadInput` for neither."""
    path = Path(name)
    shipped = {each.stem: each for each in scene_files()}
    if os.path.exists(path):  # of a name that is too long, `Path.exists` raises an error
        return path
    if name not in shipped:
        allowed = ", ".join(sorted(shipped))
        raise BadInput(f"scene {name}: no such file and no shipped scene; shipped: {allowed}")
    return shipped[name]


def trials(
    scenes: Iterable[Path], models: Sequence[str], peers: Sequence[str], seeds: int
) -> list[Trial]:
    """Every runner in every scene with `seeds` seeds, from the file's own upward.

    Where neither the scene nor the runner draws by lot there is one run. Raises `BadInput` for
    names and files that do not exist, scenes of one name, and peers that are not installed.
    """
    scenes = list(dict.fromkeys(scenes))
    names = [scene.stem for scene in scenes]
    for name in names:
        if not name.isprintable():  # tables are UTF-8, and a line a row
            raise BadInput(f"scene {name!a}: its file's name must be text on one line")
        if names.count(name) > 1:
            raise BadInput(f"scene {name}: there are two of that name, and rows are kept by name")
    for name in models:
        model(name)
    for name in peers:
        peer(name).check()
    runners, found = [*models, *peers], []
    for scene in scenes:
        plan = plan_of(scene, runners[0]) if runners else load(scene)
        drawn = _draws(plan)
        found += [
            Trial(scene, runner, plan.seed + k, LINES.get(scene.stem))
            for runner in runners
            for k in range(seeds if drawn or _lots(runner) else 1)
        ]
    return found


def _draws(plan: Scenario) -> bool:
    """Whether starts depend on the seed."""
    starts = [group.spawn for group in plan.groups if group.spawn is not None]
    starts += [player.spawn for player in plan.player]
    return any(
        start.region is not None or start.object is not None or start.heading == "random"
        for start in starts
    )


def _lots(runner: str) -> bool:
    """Whether a runner is a peer that draws by lot itself."""
    return runner in PEERS and PEERS[runner].draws


def row_file(trial: Trial, out: Path, suffix: str = "json") -> Path:
    """Where a trial's row is kept."""
    return out / "rows" / f"{trial.scene.stem}--{trial.runner}--{trial.seed}.{suffix}"


def trace_file(trial: Trial, out: Path) -> Path:
    """Where its motion is kept."""
    return row_file(trial, out, "npz")


def finished(trial: Trial, out: Path) -> Row | None:
    """The row of a trial that was made before from the same scene by the same code, or None.

    One that failed is made again: what it failed of may have been put right.
    """
    try:
        row: Row = json.loads(row_file(trial, out).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return row if row.get("error") is None and row.get("of") == fingerprint(trial) else None


def make(trial: Trial, out: Path) -> Row:
    """Run a trial and write its row, and its motion if it is the scene's first seed.

    A run that fails is a row with its error.
    """
    row = _head(trial)
    try:
        figures, motion = try_out(trial)
        row["figures"] = figures
        with atomic(trace_file(trial, out)) as file:
            np.savez_compressed(
                file, time=motion.time, position=motion.position.astype(np.float32),
                angle=motion.angle.astype(np.float32), group=motion.group, text=motion.text,
            )  # fmt: skip
    except Exception as error:  # whatever a library throws: the table is to be finished
        row["error"] = printable(f"{type(error).__name__}: {error}")
    _write(trial, out, row)
    return row


def _write(trial: Trial, out: Path, row: Row) -> None:
    with atomic(row_file(trial, out), "w") as file:
        json.dump(row, file, indent=1, allow_nan=False)
        file.write("\n")


def run_all(
    todo: Sequence[Trial], out: Path, workers: int, tell: Callable[[Row], None] = lambda _: None
) -> list[Row]:
    """Make the rows of all trials in `workers` processes; `tell` hears of each as it is finished.

    A library that takes its process down with it is a row with that error, and no other's. Raises
    `BadInput`, before any is made, where a row's name is too long for a file.
    """
    (out / "rows").mkdir(parents=True, exist_ok=True)
    check_target(max((row_file(trial, out) for trial in todo), key=lambda file: len(bytes(file))))
    rows: list[Row] = []
    with engine("joblib", workers) as spread:
        for index, row in spread(partial(make, out=out), todo):
            rows.append(_dead(todo[index], out) if row is None else row)
            tell(rows[-1])
    return rows


def _dead(trial: Trial, out: Path) -> Row:
    """The row of a trial whose process died, twice with others beside it and once alone."""
    row = _head(trial) | {"error": DEAD}
    _write(trial, out, row)
    return row


def _head(trial: Trial) -> Row:
    """What a row says of any trial."""
    row: Row = {"scene": trial.scene.stem, "runner": trial.runner, "seed": trial.seed}
    return row | {"of": fingerprint(trial), "version": version_of(trial.runner), "error": None}


def fingerprint(trial: Trial) -> str:
    """What a row depends on: the scene's text, the seed, the line, and whose code runs it."""
    said = [trial.scene.read_text(encoding="utf-8"), trial.seed, trial.line, trial.runner]
    theirs = trial.runner in PEERS
    said.append(code.fingerprint(THEIRS, top=False) if theirs else code.fingerprint(OURS))
    said.append(version_of(trial.runner))
    return hashlib.sha256(repr(said).encode()).hexdigest()


def version_of(runner: str) -> str | None:
    """The version of a peer's library; None for a model of ours."""
    return PEERS[runner].version if runner in PEERS else None


def check_out(out: Path) -> None:
    """Make the folder for the results. Raises `BadInput` where that cannot be."""
    try:
        (out / "rows").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{out}: cannot be written: {error.strerror or error}") from None
