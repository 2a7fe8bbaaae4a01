"""What a tuning leaves: the best as a scenario file, a table of trials, two pictures."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import printable
from sim.core.files import atomic
from sim.scenario.load import document_of
from sim.scenario.toml import dumps
from sim.study.extras import extra
from sim.study.journal import Row
from sim.study.plots import figure_class, save
from sim.study.sweep_table import write_table
from sim.study.tune import Tuning, Worth, finished

BEST = "best.toml"


def best_of(study: Any) -> Any:
    """The best trial that was run with every seed, the earlier of two; None without any."""
    complete = [trial for trial in finished(study) if trial.state.name == "COMPLETE"]
    sign = 1 if study.direction.name == "MINIMIZE" else -1
    return min(complete, key=lambda trial: (sign * trial.value, trial.number), default=None)


def write_best(tuning: Tuning, changes: Sequence[str], said: Sequence[str], folder: Path) -> Path:
    """The scenario with the best parameters, which `run` takes; `said` stands above it."""
    of, target = tuning.of, folder / BEST
    document = document_of(of.text, of.path, [*of.changes, *changes])
    ground = document.get("map", {}).get("file")
    if ground is not None:
        there = Path(of.path).parent / ground
        document["map"]["file"] = os.path.relpath(there, folder.absolute())
    head = "".join(f"# {printable(line)}\n" for line in said)
    with atomic(target, "w") as file:
        file.write(f"{head}\n{dumps(document)}")
    return target


def write_trials(tuning: Tuning, study: Any, folder: Path, kind: str) -> None:
    """Every trial that is over: what it tried, how it ended, its mean, and over how many seeds."""
    table: list[Row] = []
    for trial in finished(study):
        row: Row = {"trial": trial.number, "state": trial.state.name.lower(), "value": _mean(trial)}
        row |= {"seeds": len(trial.intermediate_values)}
        row |= {each.key: trial.params.get(each.key) for each in tuning.ranges}
        table.append({**row, "why": trial.user_attrs.get("why")})
    write_table(table, folder, kind, "trials")


def plot(tuning: Tuning, study: Any, stands: Worth, folder: Path) -> None:
    """`history.png`: trials as they came; `importance.png`: what each parameter decides."""
    trials = finished(study)
    figure = figure_class()(figsize=(8, 4.5))
    axes = figure.add_subplot()
    for state, mark, color, said in (
        ("COMPLETE", "o", "#2e86ab", "mean over all seeds"),
        ("PRUNED", "x", "#8a8f98", "given up early"),
    ):
        mine = [t for t in trials if t.state.name == state]
        axes.plot([t.number for t in mine], [*map(_mean, mine)], mark, color=color, label=said)
    mine = [t for t in trials if t.state.name == "COMPLETE"]
    if mine:
        better = np.minimum if tuning.minimise else np.maximum
        best = better.accumulate([t.value for t in mine])
        axes.step([t.number for t in mine], best, where="post", color="#e4572e", label="best")
    if np.isfinite(stands.mean):
        axes.axhline(stands.mean, color="#5b8c5a", linestyle="--", label="as it stands")
    axes.set(xlabel="trial", ylabel=tuning.objective.text)
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    save(figure, folder / "history.png")
    weights = importance(study)
    if not weights:
        return
    figure = figure_class()(figsize=(8, 1 + 0.3 * len(weights)))
    axes = figure.add_subplot()
    axes.barh(list(weights), list(weights.values()), color="#2e86ab")
    axes.invert_yaxis()
    axes.set(xlabel="importance (PED-ANOVA), shares of 1")
    axes.grid(axis="x", alpha=0.3)
    save(figure, folder / "importance.png")


def _mean(trial: Any) -> float | None:
    """The mean over the seeds that were run; None where there was none."""
    seen = trial.intermediate_values
    if trial.state.name == "COMPLETE":
        return float(trial.value)
    return float(seen[max(seen)]) if seen else None


def importance(study: Any) -> dict[str, float]:
    """How much each parameter decides whether a trial is a good one, the most first; shares of 1.

    S. Watanabe, A. Bansal and F. Hutter, "PED-ANOVA: efficiently quantifying hyperparameter
    importance in arbitrary subspaces", IJCAI 2023. Nothing where too few trials are complete.
    """
    optuna = extra("optuna", "tuning")
    judge = optuna.importance.PedAnovaImportanceEvaluator()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*(too small|will be equal).*")
        try:
            found = optuna.importance.get_param_importances(study, evaluator=judge)
        except (ValueError, RuntimeError, UserWarning):
            return {}
    return {key: float(value) for key, value in found.items() if np.isfinite(value)}
