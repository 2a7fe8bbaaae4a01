"""The rows of a sweep as a file that pandas and polars read, and a summary for people."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.files import atomic
from sim.study.extras import extra, installed
from sim.study.journal import Row

KEEPS = ("run", "title", "seed", "units", "steps", "time_step_s", "error", "trajectory_sha256")
"""Columns that say what was run, not how it went."""


def default_format() -> str:
    """Parquet where the library for it is installed."""
    return "parquet" if installed("pyarrow") else "csv"


def columns(table: Sequence[Row]) -> dict[str, list[Any]]:
    """The table by columns, in the order in which names appear; None where a row has no value.

    Every column is of one type: whole numbers among others become floats, anything mixed text, and
    a column of nothing but None floats.
    """
    names = dict.fromkeys(name for row in table for name in row)
    return {name: _of_one_type([row.get(name) for row in table]) for name in names}


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool} or kinds <= {int} or kinds <= {str}:
        return values
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in values]
    return [None if value is None else str(value) for value in values]


def write_table(table: Sequence[Row], folder: Path, kind: str, name: str = "rows") -> Path:
    """Write all rows as a file of that name, .parquet or .csv, whole or not at all."""
    target, named = folder / f"{name}.{kind}", columns(table)
    if kind == "csv":
        with atomic(target, "w") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(named)
            writer.writerows(zip(*named.values(), strict=True))
        return target
    arrow, parquet = extra("pyarrow", "--format parquet"), extra("pyarrow.parquet", "parquet")
    arrays = {
        name: arrow.array(values, None if any(v is not None for v in values) else arrow.float64())
        for name, values in named.items()
    }
    with atomic(target) as file:
        parquet.write_table(arrow.table(arrays), file, compression="zstd")
    return target


@dataclass(frozen=True)
class Summary:
    """What a sweep found, point by point: (points,) of each figure."""

    keys: tuple[str, ...]
    points: list[tuple[Any, ...]]
    runs: list[int]
    failed: list[int]
    mean: dict[str, list[float]]
    spread: dict[str, list[float]]
    """Standard deviations over the runs of a point, n - 1; NaN of fewer than two."""


def figures(table: Sequence[Row], keys: Sequence[str], asked: Sequence[str] = ()) -> list[str]:
    """The figures that a summary shows: those asked for, or those of all units that vary."""
    named = columns(table)
    numbers = [
        name
        for name, values in named.items()
        if name not in (*KEEPS, *keys)
        and all(v is None or isinstance(v, int | float) for v in values)
    ]
    if asked:
        return [name for name in asked if name in numbers]
    return [
        name
        for name in numbers
        if not name.startswith("groups.") and len(set(named[name]) - {None}) > 1
    ]


def summarise(table: Sequence[Row], keys: Sequence[str], shown: Sequence[str]) -> Summary:
    """Mean and spread of each figure at each point; a run that failed or has none is left out."""
    points: dict[tuple[Any, ...], list[Row]] = {}
    for row in table:
        points.setdefault(tuple(_key(row[key]) for key in keys), []).append(row)
    values = {
        name: [
            np.array([row[name] for row in rows if row.get(name) is not None], float)
            for rows in points.values()
        ]
        for name in shown
    }
    return Summary(
        tuple(keys), list(points),
        [len(rows) for rows in points.values()],
        [sum(row["error"] is not None for row in rows) for rows in points.values()],
        {n: [float(v.mean()) if len(v) else np.nan for v in all_] for n, all_ in values.items()},
        {n: [float(v.std(ddof=1)) if len(v) > 1 else np.nan for v in all_]
         for n, all_ in values.items()},
    )  # fmt: skip


def _key(value: Any) -> Any:
    """A value that can be told apart: tables and arrays as text."""
    return value if isinstance(value, int | float | str) else str(value)


def markdown(found: Summary) -> str:
    """A table, a row a point: mean ± standard deviation of each figure."""
    rows = []
    for place, point in enumerate(found.points):
        cells = [str(value) for value in point]
        cells += [str(found.runs[place]), str(found.failed[place])]
        cells += [_cell(found.mean[n][place], found.spread[n][place]) for n in found.mean]
        rows.append([cell.replace("|", "/") for cell in cells])
    return as_markdown([*found.keys, "runs", "failed", *found.mean], rows)


def as_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with these heads of columns, a row a line."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _cell(mean: float, spread: float) -> str:
    if not isfinite(mean):
        return "-"
    return f"{mean:.4g} ± {spread:.2g}" if isfinite(spread) else f"{mean:.4g}"
