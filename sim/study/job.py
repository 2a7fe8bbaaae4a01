"""A run as a value, of which any process on any machine makes the same row; each is made once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from sim.core.errors import BadInput, printable
from sim.record.made_by import code_fingerprint
from sim.scenario.load import loads, read_text
from sim.scenario.schema import Scenario
from sim.study.engines import Engine
from sim.study.flow import Line
from sim.study.journal import Journal, Row
from sim.study.sweep_table import KEEPS
from sim.study.trial import measure

CLOCK = ("wall_s", "unit_steps_per_s")
"""Figures of the machine, not of the run: rows leave them out, or no two would be the same."""
DEAD = "its process died"


@dataclass(frozen=True)
class Job:
    """One run of a source: all changes (KEY=VALUE), a seed, a fingerprint of the code to run it."""

    of: Source
    changes: tuple[str, ...]
    seed: int
    code: str

    @cached_property
    def key(self) -> str:
        """A name for all that its row depends on; where the file lies is no part of that."""
        of = self.of
        said = (of.text, self.changes, self.seed, of.line, of.ground, self.code)
        return hashlib.sha256(repr(said).encode()).hexdigest()[:32]

    @property
    def head(self) -> Row:
        """What its row begins with."""
        return {"set": list(self.changes), "seed": self.seed}

    def plan(self) -> Scenario:
        """The scenario with its changes. Raises `BadInput` for what is refused."""
        return loads(self.of.text, self.of.path, self.changes, self.seed)


@dataclass(frozen=True)
class Source:
    """A scenario file as it was read, and what all jobs that are made of it have in common.

    Maps are looked for beside `path`; `ground` is a fingerprint of the map file; flow is measured
    across `line`.
    """

    path: str
    text: str
    changes: tuple[str, ...]
    line: Line | None
    ground: str
    first_seed: int

    @property
    def definition(self) -> Row:
        """What makes two of them the same, in plain values."""
        return {
            "scenario": self.text, "ground": self.ground, "set": list(self.changes),
            "line": self.line,
        }  # fmt: skip

    def job(self, changes: Sequence[str], seed: int) -> Job:
        """A run of it with more changes; `seed` counts from the file's own."""
        return Job(self, (*self.changes, *changes), self.first_seed + seed, code_fingerprint())


def source(path: Path, changes: Sequence[str], line: Line | None = None) -> Source:
    """Read and check a scenario file. Raises `BadInput`."""
    text = read_text(path)
    plan = loads(text, path, changes)
    ground = ""
    if plan.map.file is not None:
        path = path.absolute()  # for processes that work in another folder
        ground = hashlib.sha256((path.parent / plan.map.file).read_bytes()).hexdigest()
    return Source(str(path), text, tuple(changes), line, ground, plan.seed)


def perform(job: Job) -> Row:
    """Run a job: its figures, flat, and `error`, None where there was none; `wall_s` beside them.

    Figures of groups are named groups.NAME.FIGURE. A run that fails is a row with its error.
    """
    try:
        if job.code != code_fingerprint():
            raise BadInput("this worker has other code of the package")
        return {"error": None, **flat(measure(job.plan(), job.of.line))}
    except Exception as error:  # whatever a user's rule throws: the others are to be run
        word = "" if isinstance(error, BadInput) else f"{type(error).__name__}: "
        return {"error": printable(f"{word}{error}")}


def rehearsed(plan: Scenario, line: Line | None = None) -> list[str]:
    """The names of the figures of a run, found by one step of it; all is compiled after that.

    Raises `BadInput` for what does not fit, `Diverged` for a state that is no longer finite.
    """
    return [name for name in flat(measure(plan, line, steps=1)) if name not in (*KEEPS, *CLOCK)]


def flat(figures: Row) -> Row:
    """Figures with those of the groups beside the others."""
    groups = figures["groups"]
    return {
        **{key: value for key, value in figures.items() if key != "groups"},
        **{f"groups.{g}.{key}": value for g, said in groups.items() for key, value in said.items()},
    }


class Task(Hashable, Protocol):
    """What a row is made of."""

    @property
    def key(self) -> str:
        """A name for all that its row depends on."""

    @property
    def head(self) -> Row:
        """What its row begins with."""


def made(job: Task, kept: Journal) -> Row | None:
    """The row of a job that was made before; one that failed is to be made again."""
    row = kept.rows.get(job.key)
    return row if row is not None and row.get("error", DEAD) is None else None


def make(
    jobs: Sequence[Task], kept: Journal, spread: Engine,
    tell: Callable[[Row], None] = lambda _: None, work: Callable[[Any], Row] = perform,
) -> list[Row]:  # fmt: skip
    """The rows of all jobs in their order, those made before and those made now by `work`.

    `tell` hears of each that is made. Raises `BadInput` where a row cannot be kept.
    """
    missing = [job for job in dict.fromkeys(jobs) if made(job, kept) is None]
    for index, result in spread(work, missing) if missing else ():
        job = missing[index]
        row = {**job.head, **(result or {"error": DEAD})}
        kept.add(job.key, row)
        tell(row)
    return [kept.rows[job.key] for job in jobs]
