"""Tuning: parameters that make a scenario's runs worth more, searched for with Optuna.

Trials are asked for in batches and run seed by seed, each batch as one: what is tried depends on
the batches alone, not on what runs them, how many at a time, or how often it was stopped.
"""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput, printable
from sim.record.made_by import code_fingerprint
from sim.study.extras import extra
from sim.study.job import Job, Source
from sim.study.journal import Row
from sim.study.objective import NoValueError, Objective
from sim.study.tune_space import Range

STUDY = "study.db"
WARM_UP = 5
"""Trials that are run to their end before any is given up early."""
RowsOf = Callable[[Sequence[Job]], list[Row]]
"""Gives the rows of jobs, those made before and those made now: `make` with where and how."""


@dataclass(frozen=True)
class Tuning:
    """What is tuned: the worth of runs over `ranges`, each trial with the first `seeds` seeds."""

    of: Source
    ranges: tuple[Range, ...]
    objective: Objective
    minimise: bool
    seeds: int
    batch: int

    def __post_init__(self) -> None:
        """Raise `BadInput` for no range, or two of one key."""
        keys = [each.key for each in self.ranges]
        if not keys:
            raise BadInput("nothing to tune: name a --range KEY=LOW:HIGH")
        for key in keys:
            if keys.count(key) > 1:
                raise BadInput(f"--range {key}: is given twice")

    def definition(self) -> dict[str, Any]:
        """What makes two tunings the same, in plain values; how many trials there are is not."""
        return self.of.definition | {
            "kind": "tune",
            "range": [each.text() for each in self.ranges],
            "objective": self.objective.text,
            "minimise": self.minimise,
            "seeds": self.seeds,
            "batch": self.batch,
            "code": code_fingerprint(),  # values of other code are not to be compared with
        }

    def changes(self, trial: Any) -> list[str]:
        """What a trial proposes, as overrides."""
        return [f"{each.key}={each.suggest(trial)}" for each in self.ranges]


@contextmanager
def opened(tuning: Tuning, folder: Path, first: dict[str, Any]) -> Iterator[Any]:
    """Optuna's study of a folder, made where there is none, with `first` as what is tried first."""
    optuna = extra("optuna", "tuning")
    database = extra("sqlalchemy.exc", "tuning")  # which Optuna brings
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        # a trial that goes on after a stop tells what it told before
        warnings.filterwarnings("ignore", message=".*already.*", category=UserWarning)
        storage = None
        try:
            # not by an address, in which some signs of a folder's name mean something else
            connect = partial(sqlite3.connect, folder / STUDY, timeout=60.0)
            storage = optuna.storages.RDBStorage("sqlite://", {"creator": connect})
            study = optuna.create_study(
                storage=storage, study_name="sim", load_if_exists=True,
                direction="minimize" if tuning.minimise else "maximize",
                pruner=optuna.pruners.MedianPruner(WARM_UP, max(1, tuning.seeds // 4)),
            )  # fmt: skip
            if not study.trials and first:
                study.enqueue_trial(first)
            yield study
        except (optuna.exceptions.StorageInternalError, database.SQLAlchemyError) as error:
            cause = error.__cause__ or error
            said = printable(str(getattr(cause, "orig", None) or cause).partition("\n")[0])
            raise BadInput(f"{folder / STUDY}: cannot be written: {said}") from None
        finally:
            if storage is not None:
                storage.remove_session()


def search(tuning: Tuning, study: Any, trials: int, rows_of: RowsOf) -> None:
    """Go on until the study has `trials` trials. Raises `BadInput` where none has any worth."""
    while (left := trials - len(finished(study))) > 0:
        _run(tuning, study, _batch(tuning, study, left), rows_of)
        over = finished(study)
        whys = [trial.user_attrs.get("why") for trial in over]
        if len(over) >= min(tuning.batch, trials) and all(whys):
            raise BadInput(f"--objective {tuning.objective.text}: no trial has a value: {whys[0]}")


def finished(study: Any) -> list[Any]:
    """The trials that are over: complete, given up early, or failed."""
    return [trial for trial in study.get_trials(deepcopy=False) if trial.state.is_finished()]


def _batch(tuning: Tuning, study: Any, most: int) -> dict[Any, list[str]]:
    """The next trials and what they change: trials that a stop left unfinished, or new ones."""
    optuna = extra("optuna", "tuning")
    running = [t for t in study.get_trials(deepcopy=False) if t.state.name == "RUNNING"]
    if running:
        trials = [optuna.trial.Trial(study, each._trial_id) for each in running]
        return {trial: tuning.changes(trial) for trial in trials}
    # a sampler of its own for each batch: how often the study was stopped leaves no trace
    study.sampler = optuna.samplers.TPESampler(
        seed=len(study.get_trials(deepcopy=False)), multivariate=True, constant_liar=True
    )
    asked = {}
    for _ in range(min(tuning.batch, most)):
        trial = study.ask()
        asked[trial] = tuning.changes(trial)
    return asked


def _run(tuning: Tuning, study: Any, asked: dict[Any, list[str]], rows_of: RowsOf) -> None:
    """Run a batch seed by seed; a trial whose mean so far is below the median is given up."""
    state = extra("optuna", "tuning").trial.TrialState
    values: dict[Any, list[float]] = {trial: [] for trial in asked}
    for seed in range(tuning.seeds):
        rows = rows_of([tuning.of.job(asked[trial], seed) for trial in values])
        for trial, row in zip(list(values), rows, strict=True):
            try:
                values[trial].append(tuning.objective(row))
            except NoValueError as why:
                trial.set_user_attr("why", f"seed {row['seed']}: {why}")
                study.tell(trial, state=state.FAIL)
                del values[trial]
            else:
                trial.report(float(np.mean(values[trial])), seed)
        for trial in [each for each in values if seed < tuning.seeds - 1 and each.should_prune()]:
            study.tell(trial, state=state.PRUNED)
            del values[trial]
    for trial, worth in values.items():
        study.tell(trial, float(np.mean(worth)))


@dataclass(frozen=True)
class Worth:
    """What some changes are worth over some seeds: (seeds,) values, NaN where a run has none."""

    values: Floats
    why: str = ""

    @property
    def mean(self) -> float:
        """Over the runs that have a value."""
        good = self.values[~np.isnan(self.values)]
        return float(good.mean()) if len(good) else float("nan")

    def __str__(self) -> str:
        good = self.values[~np.isnan(self.values)]
        said = f"{self.mean:.4g}" + (f" ± {good.std(ddof=1):.2g}" if len(good) > 1 else "")
        lacks = len(self.values) - len(good)
        return f"{said} ({lacks} without a value: {self.why})" if lacks else said


def worth(
    tuning: Tuning, all_changes: Sequence[Sequence[str]], seeds: Sequence[int], rows_of: RowsOf
) -> list[Worth]:
    """What each of some changes is worth over the same seeds."""
    jobs = [tuning.of.job(changes, seed) for changes in all_changes for seed in seeds]
    rows = iter(rows_of(jobs))
    found = []
    for _ in all_changes:
        values, why = [], ""
        for _ in seeds:
            try:
                values.append(tuning.objective(next(rows)))
            except NoValueError as error:
                values.append(float("nan"))
                why = why or str(error)
        found.append(Worth(np.array(values), why))
    return found
