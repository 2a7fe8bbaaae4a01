"""A case of a guideline: what is run, what must hold, and what was found."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.core.errors import printable
from sim.core.resources import folder
from sim.record.run import Run
from sim.scenario.load import read_text
from sim.study import code
from sim.study.flow import Line
from sim.study.journal import Row
from sim.study.trial import Trial, try_out

Figures = Mapping[str, Any]
"""Of one run, by name: those of `sim.study.metrics.FullJudge`, and what the case reads."""
Runs = Mapping[str, Figures]
"""Of one seed: the figures of each run of a case, by the run's name."""
EVERY = 0.25
"""Seconds between the frames that cases read."""


@dataclass(frozen=True)
class Finding:
    """What was measured, and whether it is as asked; None where nothing is asked but to tell."""

    measured: str
    holds: bool | None


@dataclass(frozen=True)
class Picture:
    """A diagram: points of ours and of others, x and y each, by name."""

    across: str
    up: str
    points: Mapping[str, Sequence[tuple[float, float]]]
    lines: Mapping[str, Sequence[tuple[float, float]]]


@dataclass(frozen=True)
class Case:
    """One test: its scenario, in one run or several, and how it is judged."""

    name: str
    """As its source names it: "RiMEA 9"."""
    asks: str
    """What must hold, in one sentence."""
    file: str
    """The scenario, within the folder of maps."""
    judge: Callable[[Runs], Finding]
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"": ()})
    """The changes (KEY=VALUE) of each run, by its name."""
    read: Callable[[Run], Figures] = lambda _: {}
    """What is read from the motion of a run beside the figures of every run."""
    line: Line | None = None
    """Where flow is measured."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The scenarios of runs that have another one, by the run's name."""
    picture: Callable[[Runs], Picture] | None = None

    def path(self, run: str) -> Path:
        """The scenario file of a run."""
        return folder("maps") / self.files.get(run, self.file)


@dataclass(frozen=True)
class Shot(Trial):
    """One run of a case, by a model, with a seed."""

    case: str = ""
    run: str = ""

    @cached_property
    def key(self) -> str:
        """What the row depends on: the scenario's text, the changes, the seed, and all code."""
        said = [self.case, self.run, self.runner, self.seed, self.line, self.changes]
        said += [read_text(self.scene), code.fingerprint()]
        return hashlib.sha256(repr(said).encode()).hexdigest()

    @property
    def head(self) -> Row:
        """What the row begins with."""
        return {"case": self.case, "run": self.run, "model": self.runner, "seed": self.seed}


def shots(cases: Sequence[Case], model: str, seeds: int) -> list[Shot]:
    """All runs of these cases, with the seeds 0, 1, ..."""
    return [
        Shot(case.path(run), model, seed, case.line, changes, case.name, run)
        for case in cases
        for seed in range(seeds)
        for run, changes in case.runs.items()
    ]


def perform(shot: Shot, cases: Mapping[str, Case]) -> Row:
    """Run a shot: the figures, with what its case reads. One that fails is a row with its error."""
    try:
        figures, motion = try_out(shot, EVERY)
        kept = {name: value for name, value in figures.items() if name != "groups"}
        return {"error": None, "figures": {**kept, **cases[shot.case].read(motion)}}
    except Exception as error:  # a model that cannot run a case fails it, and the others are run
        return {"error": printable(f"{type(error).__name__}: {error}")}


def found(case: Case, rows: Sequence[Row]) -> list[Finding]:
    """What a case finds with each seed, from the rows of its runs."""
    findings = []
    for seed in dict.fromkeys(row["seed"] for row in rows):
        mine = [row for row in rows if row["seed"] == seed]
        failed = [row["error"] for row in mine if row["error"] is not None]
        if failed:
            findings.append(Finding(failed[0], False))
        else:
            findings.append(case.judge({row["run"]: row["figures"] for row in mine}))
    return findings
