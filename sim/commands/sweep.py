"""`python -m sim sweep FILE`: every combination of what is varied, on all cores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from sim.commands.bars import Runs
from sim.commands.metrics import Across, line_of
from sim.commands.options import take_options
from sim.commands.progress import say_if_compiling
from sim.commands.run import Changes, File
from sim.core.errors import BadInput, Diverged, suggest
from sim.core.files import atomic
from sim.record.made_by import made_by
from sim.study.engines import MOST_PROCESSES, Engine, cores, engine
from sim.study.extras import extra
from sim.study.job import Job, Source, made, make, rehearsed, source
from sim.study.journal import Journal, Row, journal
from sim.study.plots import figure_class, plot_sweep
from sim.study.sweep import Sweep, check, varied
from sim.study.sweep_table import default_format, figures, markdown, summarise, write_table

Out = Annotated[Path, typer.Option(metavar="DIR", help="Where rows, tables and pictures go.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, max=MOST_PROCESSES, help="Processes; as many as cores without.")
]


@dataclass(frozen=True)
class ManyRuns:
    """What is asked of many runs: of which changes, where they are made, and what table."""

    changes: Changes = None
    jobs: Jobs = None
    where: Annotated[
        Literal["joblib", "dask", "serial"], typer.Option("--engine", help="Where runs are made.")
    ] = "joblib"
    address: Annotated[
        str | None, typer.Option(metavar="tcp://HOST:8786", help="The Dask scheduler's.")
    ] = None
    kind: Annotated[
        Literal["parquet", "csv"] | None,
        typer.Option("--format", help="Of the table; parquet where pyarrow is installed."),
    ] = None
    line: Across = None

    @property
    def table(self) -> str:
        """The format of tables. Raises `BadInput` for one whose library is not installed."""
        if self.kind == "parquet":
            extra("pyarrow", "--format parquet")
        return self.kind or default_format()

    def source(self, file: Path) -> Source:
        """What is run: a scenario file with the changes."""
        across = None if self.line is None else line_of(self.line)
        return source(file, self.changes or (), across)

    def engine(self) -> AbstractContextManager[Engine]:
        """The engine that was asked for; one process is this one."""
        workers = self.jobs or cores()
        alone = self.where == "joblib" and workers == 1
        return engine("serial" if alone else self.where, workers, self.address)


def command(
    file: File,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=SPEC", help="FIRST:LAST:HOW_MANY, or values with commas between."
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Runs of each, from the file's seed upward.")
    ] = 1,
    out: Out = Path("sweep"),
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Show this one in summary and plots; else all that vary."
        ),
    ] = None,
    **options: Any,
) -> None:
    """Run a scenario with every combination of what is varied, and write a row a run.

    The same command again goes on where it was. A run that fails is a row with its error.
    """
    figure_class()
    asked = ManyRuns(**options)
    table = asked.table
    grid = tuple(varied(each) for each in vary or ())
    for each in grid:
        if [other.key for other in grid].count(each.key) > 1:
            raise BadInput(f"--vary {each.key}: is varied twice")
    sweep = Sweep(asked.source(file), grid, seeds)
    say_if_compiling()
    _rehearse(check(sweep), metric or ())
    with (
        asked.engine() as spread,
        journal(out, {"kind": "sweep", **sweep.definition()}) as kept,
    ):
        todo = sweep.jobs()
        before = sum(made(job, kept) is not None for job in todo)
        if before:
            print(f"{before} of {len(todo)} runs were made before")
        try:
            with Runs(file.stem, len(todo), before) as bar:
                rows = make(todo, kept, spread, lambda _: bar.one_more())
        except KeyboardInterrupt:
            _stopped(sweep, kept, out, table)
            raise
    _write(sweep, rows, out, table, metric or ())


take_options(command, "file", [ManyRuns])


def _rehearse(job: Job, metric: Sequence[str]) -> None:
    """A step of a run, so that all is compiled once and not in every process.

    Raises `BadInput` for a figure that runs do not have.
    """
    try:
        known = rehearsed(job.plan(), job.of.line)
    except (BadInput, Diverged):
        return  # its row will say why
    for name in metric:
        if name not in known:
            raise BadInput(f"--metric {name}: no such figure; {suggest(name, known)}")


def _write(
    sweep: Sweep, rows: list[Row], out: Path, kind: str, metric: list[str] | tuple[()]
) -> None:
    """All that a sweep that is finished leaves, and the summary on the terminal."""
    table, keys = sweep.table(rows), [each.key for each in sweep.varied]
    target = write_table(_signed(sweep, table), out, kind)
    shown = figures(table, keys, metric)
    text = markdown(summarise(table, keys, shown))
    with atomic(out / "summary.md", "w") as file:
        file.write(f"{text}\n")
    plot_sweep(table, keys, shown, out / "plots")
    print(text)
    failed = [row["error"] for row in table if row["error"] is not None]
    if failed:
        print(f"{len(failed)} of {len(table)} runs failed; the first: {failed[0]}")
    print(f"wrote {target}, {out / 'summary.md'} and {out / 'plots'}")


def _signed(sweep: Sweep, table: list[Row]) -> list[Row]:
    """Rows that tell what made them; the same in all, for each has its own seed and changes."""
    made = json.dumps(made_by(sweep.of.text, None, sweep.of.changes))
    return [{**row, "made_by": made} for row in table]


def _stopped(sweep: Sweep, kept: Journal, out: Path, kind: str) -> None:
    """What there is after Ctrl-C: a table of the rows so far."""
    rows = [kept.rows.get(job.key) for job in sweep.jobs()]
    table = [row for row, there in zip(sweep.table([r or {} for r in rows]), rows, strict=True)
             if there is not None]  # fmt: skip
    if table:
        write_table(_signed(sweep, table), out, kind)
    print(f"stopped with {len(table)} of {len(rows)} rows; the same command goes on from there")
