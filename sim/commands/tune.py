"""`python -m sim tune FILE`: search for the parameters that make runs worth most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from sim.commands.bars import Runs
from sim.commands.options import sorted_into, take_options
from sim.commands.progress import say_if_compiling
from sim.commands.run import File
from sim.commands.sweep import ManyRuns
from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.study.extras import extra
from sim.study.job import make, rehearsed
from sim.study.journal import Row, journal
from sim.study.objective import Objective
from sim.study.plots import figure_class
from sim.study.sweep import MOST_RUNS
from sim.study.tune import RowsOf, Tuning, Worth, finished, opened, search, worth
from sim.study.tune_report import best_of, importance, plot, write_best, write_trials
from sim.study.tune_space import ranges_of, standing


@dataclass(frozen=True)
class Judging:
    """Which worth is the best, and by which seeds it is judged."""

    minimise: Annotated[
        bool, typer.Option("--minimise", help="Search for the least, not the most.")
    ] = False
    seeds: Annotated[
        int, typer.Option(min=1, max=MOST_RUNS, help="Runs a trial, from the file's seed upward.")
    ] = 5
    held_out: Annotated[
        int, typer.Option(min=0, max=MOST_RUNS, help="Seeds kept back to judge the best by.")
    ] = 10


RECORDS = (Judging, ManyRuns)


def command(
    file: File,
    objective: Annotated[
        str, typer.Option("--objective", metavar="EXPR", help="Of figures, e.g. -mean_time_ratio.")
    ],
    trials: Annotated[
        int, typer.Option(min=1, max=MOST_RUNS, help="In all, those made before included.")
    ] = 50,
    ranges: Annotated[
        list[str] | None,
        typer.Option(
            "--range", metavar="KEY=LOW:HIGH", help="Also LOW:HIGH:log, LOW:HIGH:whole, or A,B,C."
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, max=MOST_RUNS, help="Trials that are run beside each other.")
    ] = 8,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where study and results go.")] = Path(
        "tune"
    ),
    **options: Any,
) -> None:
    """Search for parameters that make the objective greatest, and write the best as a scenario.

    Without --range every number of every rule in use may go from a third of what it is to three
    times that. The same command again goes on where it was.
    """
    figure_class()
    extra("optuna", "tuning")
    judging, asked = sorted_into(RECORDS, options)
    table = asked.table
    of = asked.source(file)
    plan = of.job([], 0).plan()
    world = build(plan)
    spans = ranges_of(ranges or (), world)
    for span in spans:
        for end in span.ends:
            of.job([f"{span.key}={end}"], 0).plan()
    say_if_compiling()
    told = Objective(objective, rehearsed(plan, of.line))
    tuning = Tuning(of, tuple(spans), told, judging.minimise, judging.seeds, batch)
    with (
        asked.engine() as spread,
        journal(out, tuning.definition()) as kept,
        opened(tuning, out, standing(world, tuning.ranges)) as study,
    ):
        rows_of = partial(make, kept=kept, spread=spread)
        try:
            _search(tuning, study, trials, rows_of)
            _tell(tuning, study, judging.held_out, rows_of, out, table)
        except KeyboardInterrupt:
            print(f"stopped after {len(finished(study))} trials; the same command goes on")
            raise


take_options(command, "file", RECORDS)


def _search(tuning: Tuning, study: Any, trials: int, rows_of: partial[list[Row]]) -> None:
    before = len(finished(study))
    if before:
        print(f"{before} of {trials} trials were made before")
    with Runs("tune", trials, before, "trials") as bar:
        tell = partial(rows_of, tell=lambda _: bar.reach(len(finished(study))))
        search(tuning, study, trials, tell)


def _tell(
    tuning: Tuning, study: Any, held_out: int, rows_of: RowsOf, out: Path, table: str
) -> None:
    """Judge the best by seeds that were not used for tuning; write and print what was found."""
    best = best_of(study)
    if best is None:
        raise BadInput(f"--objective {tuning.objective.text}: no trial has a value")
    changes = tuning.changes(best)
    both: list[list[str]] = [[], changes]
    seen = worth(tuning, both, range(tuning.seeds), rows_of)
    later = range(tuning.seeds, tuning.seeds + held_out)
    kept_back = worth(tuning, both, later, rows_of)
    states = [trial.state.name for trial in finished(study)]
    said = [
        f"{'least' if tuning.minimise else 'most'} of {tuning.objective.text}",
        f"{len(states)} trials ({states.count('PRUNED')} given up early, "
        f"{states.count('FAIL')} failed); the best is number {best.number}",
        *_compared(f"{tuning.seeds} seeds that it was tuned on", seen, tuning.minimise),
        *(_compared(f"{held_out} seeds held out", kept_back, tuning.minimise) if held_out else []),
    ]
    target = write_best(tuning, changes, [*said, *changes], out)
    write_trials(tuning, study, out, table)
    plot(tuning, study, seen[0], out)
    print("\n".join(said))
    shares = importance(study)
    for change in changes:
        key = change.partition("=")[0]
        share = f"  (importance {shares[key]:.2f})" if key in shares else ""
        print(f"  {change}{share}")
    print(f"wrote {target}, a table of trials, and plots")


def _compared(what: str, both: list[Worth], minimise: bool) -> list[str]:
    stands, found = both
    gain = (stands.values - found.values) if minimise else (found.values - stands.values)
    better = int(np.sum(gain > 0))
    return [f"{what}: {stands} as it stands, {found} tuned; better in {better} of {len(gain)}"]
