"""The score table's runs: which there are, and what each leaves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from sim.core.errors import BadInput, printable
from sim.core.files import atomic, check_target
from sim.core.resources import folder
from sim.models import model
from sim.record.made_by import code_fingerprint
from sim.scenario.load import load
from sim.scenario.schema import Scenario
from sim.study.flow import Line
from sim.study.journal import Row, writing
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


@dataclass(frozen=True)
class Entry(Trial):
    """A trial that is a row of the table."""

    @cached_property
    def key(self) -> str:
        """What the row depends on: the scene's text, the seed, the line, and whose code runs it."""
        said = [self.scene.read_text(encoding="utf-8"), self.seed, self.line, self.runner]
        theirs = self.runner in PEERS
        said.append(code_fingerprint(THEIRS, top=False) if theirs else code_fingerprint())
        said.append(self.version)
        return hashlib.sha256(repr(said).encode()).hexdigest()

    @property
    def head(self) -> Row:
        """What the row begins with."""
        scene, version = self.scene.stem, self.version
        return {"scene": scene, "runner": self.runner, "seed": self.seed, "version": version}

    @property
    def version(self) -> str | None:
        """The version of a peer's library; None for a model of ours."""
        return PEERS[self.runner].version if self.runner in PEERS else None

    def trace(self, out: Path) -> Path:
        """Where its motion is kept."""
        return out / "traces" / f"{self.scene.stem}--{self.runner}--{self.seed}.npz"


def trials(
    scenes: Iterable[Path], models: Sequence[str], peers: Sequence[str], seeds: int
) -> list[Entry]:
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
            Entry(scene, runner, plan.seed + k, LINES.get(scene.stem))
            for runner in runners
            for k in range(seeds if drawn or (runner in PEERS and PEERS[runner].draws) else 1)
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


def perform(entry: Entry, out: Path) -> Row:
    """Run a trial, and keep its motion. One that fails is a row with its error.

    Of a scene that is `refused` the row has what is said of it, too.
    """
    try:
        figures, motion = try_out(entry)
        with atomic(entry.trace(out)) as file:
            np.savez_compressed(
                file, time=motion.time, position=motion.position.astype(np.float32),
                angle=motion.angle.astype(np.float32), group=motion.group, text=motion.text,
            )  # fmt: skip
        return {"error": None, "figures": figures}
    except Exception as error:  # whatever a library throws: the table is to be finished
        said = {"error": printable(f"{type(error).__name__}: {error}")}
        return said | ({"refused": str(error)} if isinstance(error, BadInput) else {})


def refusals(rows: Sequence[Row]) -> list[str]:
    """What is said of each scene that was refused whatever was to run there."""
    found: list[str] = []
    for scene in dict.fromkeys(row["scene"] for row in rows):
        said = [row.get("refused", "") for row in rows if row["scene"] == scene]
        found += [said[0]] if all(said) else []
    return found


def prepare_traces(todo: Sequence[Entry], out: Path) -> None:
    """Make the folder of traces. Raises `BadInput` where they cannot be written there."""
    folder = out / "traces"
    with writing(folder):
        folder.mkdir(exist_ok=True)
    check_target(max((entry.trace(out) for entry in todo), key=lambda file: len(bytes(file))))
