"""A case of a guideline: what is run, what must hold, and what was found."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sim.core.resources import folder
from sim.models import model as find_model
from sim.record.made_by import code_fingerprint
from sim.record.run import Run
from sim.scenario.load import load, read_text
from sim.study.journal import Row
from sim.study.trial import Trial, plan_of
from sim.study.verify.measured import Measured

Figures = Mapping[str, Any]
"""Of one run, by name: those of `sim.study.metrics.FullJudge`, and what the case reads."""
Runs = Mapping[str, Figures]
"""Of one seed: the figures of each run of a case, by the run's name."""


@dataclass(frozen=True)
class Finding:
    """What was measured, and whether it is as asked; None where nothing is asked but to tell."""

    measured: str
    holds: bool | None


@dataclass(frozen=True)
class Picture:
    """A diagram: what a case found, as points (x, y), and what was measured of real crowds."""

    across: str
    up: str
    points: Sequence[tuple[float, float]]
    sets: tuple[Measured, ...]


@dataclass(frozen=True)
class Case:
    """One test: its scenario, in one run or several, and how it is judged."""

    name: str
    """As its sources name it, with commas between: "RiMEA 10, NIST 3.1"."""
    asks: str
    """What must hold, in one sentence."""
    file: str
    """The scenario, within the folder of maps."""
    judge: Callable[[Runs], Finding]
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"": ()})
    """The changes (KEY=VALUE) of each run, by its name."""
    read: Callable[[Run], Figures] = lambda _: {}
    """What is read from the motion of a run beside the figures of every run."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The scenarios of runs that have another one, by the run's name."""
    picture: Callable[[Runs], Picture] | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The names that it has in its sources, one by one."""
        return tuple(self.name.split(", "))

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
        said = (self.case, self.run, self.runner, self.seed, self.changes, read_text(self.scene))
        return hashlib.sha256(repr((*said, code_fingerprint())).encode()).hexdigest()

    @property
    def head(self) -> Row:
        """What the row begins with."""
        return {"case": self.case, "run": self.run, "model": self.runner, "seed": self.seed}


def shots(case: Case, model: str, rules: Sequence[str], seeds: int) -> list[Shot]:
    """All runs of a case with the seeds 0, 1, ..., all groups with these rules beside the model's.

    Raises `BadInput` for a model or a rule that is not known, or does not fit.
    """
    find_model(model)
    made = []
    for run, changes in case.runs.items():
        path = case.path(run)
        names = [group.name for group in load(path).groups]
        more = [f"groups.{name}.behaviours.{rule}=true" for name in names for rule in rules]
        whole = (*changes, *more)
        plan_of(path, model, changes=whole)
        made += [Shot(path, model, seed, None, whole, case.name, run) for seed in range(seeds)]
    return made


def found(case: Case, rows: Sequence[Row]) -> list[Finding]:
    """What a case finds with each seed, from the rows of its runs."""
    findings = []
    for mine in by_seed(rows):
        wrong = trouble(mine)
        findings.append(Finding(wrong, False) if wrong else case.judge(figures_of(mine)))
    return findings


def by_seed(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each seed, in the order of the seeds."""
    seeds = dict.fromkeys(row["seed"] for row in rows)
    return [[row for row in rows if row["seed"] == seed] for seed in seeds]


def trouble(rows: Sequence[Row]) -> str | None:
    """Why these runs cannot be judged: one failed, or units lack at their goals, or in figures."""
    for row in rows:
        run = row["run"] or "the run"
        if row["error"] is not None:
            return f"{run}: {row['error']}"
        share, through = (row["figures"][name] for name in ("arrived_share", "wall_crossings"))
        if share not in (None, 1.0):
            return f"{run}: {share:.0%} arrive"
        if through:
            return f"{run}: {through} steps of units through walls"
        for name, value in row["read"].items():
            if value is None or (isinstance(value, list) and None in value):
                return f"{run}: {name} is not known of all"
    return None


def figures_of(rows: Sequence[Row]) -> Runs:
    """The figures of each run, with what was read, by the run's name."""
    return {row["run"]: {**row["figures"], **row["read"]} for row in rows}
