"""Pictures of a sweep: each figure against each key, and over each two keys as heat maps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.study.journal import Row
from sim.study.score_plots import figure_class, save

BLUE = "#2e86ab"


def plot(table: Sequence[Row], keys: Sequence[str], shown: Sequence[str], out: Path) -> None:
    """A PNG a figure in `out`: mean, spread and every run by key; mean and spread by two keys."""
    out.mkdir(exist_ok=True)
    pairs = list(combinations(keys, 2))
    for name in shown:
        rows = [row for row in table if row.get(name) is not None]
        if not rows or not keys:
            continue
        wide, deep = max(len(keys), 2 if pairs else 1), 1 + len(pairs)
        sheet = figure_class()(figsize=(5 * wide, 3.8 * deep), layout="constrained")
        for place, key in enumerate(keys):
            _line(sheet.add_subplot(deep, wide, place + 1), rows, key, name)
        for depth, pair in enumerate(pairs, 1):
            for place, what in enumerate(("mean", "standard deviation")):
                axes = sheet.add_subplot(deep, wide, depth * wide + place + 1)
                _heat(sheet, axes, rows, pair, name, what)
        save(sheet, out / (re.sub(r"[^\w.-]", "_", name) + ".png"))


def _line(axes: Any, rows: Sequence[Row], key: str, name: str) -> None:
    """Mean and standard deviation over all runs of each value, and the runs as points."""
    values = _values(rows, key)
    ticks = _places(values)
    runs = [np.array([row[name] for row in rows if row[key] == v], float) for v in values]
    mean = np.array([each.mean() for each in runs])
    spread = np.array([each.std(ddof=1) if len(each) > 1 else 0.0 for each in runs])
    for place, each in zip(ticks, runs, strict=True):
        axes.plot(np.full(len(each), place), each, ".", color="#8a8f98", markersize=3, alpha=0.6)
    if _numeric(values):
        axes.fill_between(ticks, mean - spread, mean + spread, color=BLUE, alpha=0.2, linewidth=0)
        axes.plot(ticks, mean, "o-", color=BLUE)
    else:  # nothing lies between two words
        axes.errorbar(ticks, mean, spread, fmt="o", color=BLUE, capsize=6)
        axes.set_xticks(ticks, [str(value) for value in values])
    axes.set(xlabel=key, ylabel=name)
    axes.grid(alpha=0.3)


def _heat(
    sheet: Any, axes: Any, rows: Sequence[Row], pair: tuple[str, str], name: str, what: str
) -> None:
    """A field a pair of values; blank where no run has the figure."""
    across, down = (_values(rows, key) for key in pair)
    field = np.full((len(down), len(across)), np.nan)
    for i, y in enumerate(down):
        for k, x in enumerate(across):
            runs = [row[name] for row in rows if row[pair[0]] == x and row[pair[1]] == y]
            if what == "mean" and runs:
                field[i, k] = np.mean(runs)
            elif len(runs) > 1:
                field[i, k] = np.std(runs, ddof=1)
    seen = axes.imshow(field, origin="lower", aspect="auto", cmap="viridis")
    sheet.colorbar(seen, ax=axes)
    axes.set_xticks(range(len(across)), [_short(value) for value in across])
    axes.set_yticks(range(len(down)), [_short(value) for value in down])
    axes.set(xlabel=pair[0], ylabel=pair[1], title=f"{name}, {what}")


def _values(rows: Sequence[Row], key: str) -> list[Any]:
    """What a key takes: numbers in order of size, others in their own."""
    found: list[Any] = []
    for row in rows:
        if row[key] not in found:
            found.append(row[key])
    return sorted(found) if _numeric(found) else found


def _numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _places(values: Sequence[Any]) -> Floats:
    return np.array(values, float) if _numeric(values) else np.arange(len(values), dtype=float)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
