"""Pictures of scores, by scene and as traces, and of sweeps: by each key, and as heat maps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.files import AnyPath, atomic
from sim.core.solids import Solids
from sim.record.run import Run
from sim.study.extras import extra
from sim.study.journal import Row
from sim.study.score_table import Cell

BARS = {
    "time_ratio": ("mean_time_ratio", "arrival time / free time, mean of units that arrived"),
    "contacts": ("contacts_a_unit", "contacts a unit"),
    "arrivals": ("arrived_share", "share arrived"),
}
"""Each picture: the figure that it shows, and what that is called."""
FAINT = 0.25
"""How solid the bars are of runners that did not bring all units there."""
COLORS = ("#e4572e", "#2e86ab", "#f2a541", "#5b8c5a", "#7d5ba6", "#8d6e63")


def figure_class(what: str = "a picture") -> Any:
    """What figures are made with. Raises `BadInput`, which says what to install, without it."""
    # not pyplot, which would look for a display
    return extra("matplotlib.figure", what).Figure


def plot_bars(found: Sequence[Cell], out: Path) -> None:
    """One PNG a figure: scenes downward, a bar a runner, faint where some units did not arrive."""
    scenes = list(dict.fromkeys(cell.scene for cell in found))
    runners = list(dict.fromkeys(cell.runner for cell in found))
    thick = 0.8 / len(runners)
    for name, (key, label) in BARS.items():
        figure = figure_class()(figsize=(8, 1 + 0.16 * len(scenes) * (len(runners) + 1)))
        axes = figure.add_subplot()
        for k, runner in enumerate(runners):
            mine = [cell for cell in found if cell.runner == runner]
            values = [getattr(cell, key) or 0.0 for cell in mine]
            places = [scenes.index(cell.scene) + (k + 0.5) * thick - 0.4 for cell in mine]
            bars = axes.barh(places, values, thick, label=runner)
            for bar, cell in zip(bars, mine, strict=True):
                bar.set_alpha(1.0 if cell.solved else FAINT)
        axes.set(xlabel=label, yticks=range(len(scenes)), yticklabels=scenes)
        axes.invert_yaxis()
        axes.grid(axis="x", alpha=0.3)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
        save(figure, out / f"{name}.png")


def plot_traces(
    title: str, solids: Solids, runs: Sequence[tuple[str, Run]], target: AnyPath
) -> None:
    """One PNG: the way of each unit, a panel a runner, groups by colour; a dot marks its end."""
    columns = min(3, len(runs))
    rows = -(-len(runs) // columns)
    where = np.concatenate([run.position.reshape(-1, 2) for _, run in runs])
    if np.isnan(where).all():
        where = np.zeros((1, 2))  # no unit was there
    low, high = np.nanmin(where, axis=0), np.nanmax(where, axis=0)
    margin = 0.04 * float((high - low).max()) + 1e-9
    low, high = low - margin, high + margin
    shape = min(3.0, max(0.3, float((high - low)[1] / (high - low)[0])))
    figure = figure_class()(figsize=(4 * columns, (4 * shape + 0.4) * rows), layout="constrained")
    figure.suptitle(title)
    for number, (runner, run) in enumerate(runs):
        axes = figure.add_subplot(rows, columns, number + 1)
        _draw_solids(axes, solids)
        names = list(dict.fromkeys(run.group.tolist()))
        for unit, group in enumerate(run.group.tolist()):
            color = COLORS[names.index(group) % len(COLORS)]
            x, y = run.position[:, unit].T
            axes.plot(x, y, color=color, linewidth=0.6, alpha=0.7)
            here = np.flatnonzero(~np.isnan(x))
            if len(here):
                axes.plot(x[here[-1]], y[here[-1]], ".", color=color, markersize=4)
        axes.set(title=runner, aspect="equal", xlim=(low[0], high[0]), ylim=(high[1], low[1]))
        axes.tick_params(labelsize=7)
    save(figure, target)


def _draw_solids(axes: Any, solids: Solids) -> None:
    grey = "#8a8f98"
    for left, top, right, bottom in solids.boxes.tolist():
        axes.fill([left, right, right, left], [top, top, bottom, bottom], color=grey, linewidth=0)
    turn = np.linspace(0, 2 * np.pi, 60)
    for x, y, radius in solids.discs.tolist():
        axes.fill(x + radius * np.cos(turn), y + radius * np.sin(turn), color=grey, linewidth=0)
    for x1, y1, x2, y2 in solids.walls.tolist():
        axes.plot([x1, x2], [y1, y2], color=grey, linewidth=2)


def save(figure: Any, target: AnyPath, dpi: int = 110) -> None:
    """Write a figure as a PNG, whole or not at all."""
    with atomic(target, "wb") as file:
        figure.savefig(file, format="png", dpi=dpi, bbox_inches="tight")


BLUE = "#2e86ab"


def plot_sweep(table: Sequence[Row], keys: Sequence[str], shown: Sequence[str], out: Path) -> None:
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
    ticks = np.array(values if _numeric(values) else range(len(values)), float)
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


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
