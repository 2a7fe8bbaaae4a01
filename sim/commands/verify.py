"""`python -m sim verify [CASES...]`: cases of guidelines and measurements, judged, as one page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.bars import Runs
from sim.commands.score import names_in
from sim.commands.sweep import Jobs, Out
from sim.core.files import atomic
from sim.study.engines import cores, engine
from sim.study.job import made, make
from sim.study.journal import Row, journal
from sim.study.plots import figure_class
from sim.study.verify.case import Case, Shot, by_seed, figures_of, found, shots, trouble
from sim.study.verify.cases import LEFT_OUT, find, perform
from sim.study.verify.page import Result, markdown, write_page


def command(
    cases: Annotated[
        list[str] | None,
        typer.Argument(metavar="CASES...", help='Such as "RiMEA 9" or Lanes; all without.'),
    ] = None,
    model: Annotated[str, typer.Option(help="The model of all units.")] = "crowd",
    rules: Annotated[
        str,
        typer.Option(help="Rules beside those of the model, with commas between: keep_headway."),
    ] = "none",
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="Runs of each, by seed.")] = 1,
    out: Out = Path("verify"),
    workers: Jobs = None,
) -> None:
    """Run tests of guidelines for pedestrian models and write one page with table and diagrams.

    What was finished before in the same folder is not run again.
    """
    figure_class("the page")
    those, more = find(cases or []), names_in(rules)
    todo = {case.name: shots(case, model, more, seeds) for case in those}
    rows = _rows([shot for each in todo.values() for shot in each], out, workers or cores())
    results = [_result(case, [row for row in rows if row["case"] == case.name]) for case in those]
    heading = " with ".join([f"Verification of {model}", *([", ".join(more)] if more else [])])
    write_page(out / "verify.html", heading, results, LEFT_OUT)
    with atomic(out / "verify.json", "w") as file:
        told = [
            {"case": each.case.name, "asks": each.case.asks, "verdict": each.verdict,
             "findings": [asdict(finding) for finding in each.findings]}
            for each in results
        ]  # fmt: skip
        json.dump({"title": heading, "cases": told, "runs": rows}, file, indent=1)
        file.write("\n")
    print(markdown(results, LEFT_OUT))
    print(f"wrote {out / 'verify.html'}, {out / 'verify.json'}")


def _rows(todo: Sequence[Shot], out: Path, workers: int) -> list[Row]:
    """The rows of all runs in their order, those made before and those made now."""
    with engine("joblib", workers) as spread, journal(out, {"kind": "verify"}) as kept:
        before = sum(made(shot, kept) is not None for shot in todo)
        with Runs("verify", len(todo), before) as bar:
            return make(todo, kept, spread, lambda row: bar.one_more(row["case"]), perform)


def _result(case: Case, rows: Sequence[Row]) -> Result:
    """What a case found, and the diagram of its first seed."""
    first = by_seed(rows)[0]
    picture = None
    if case.picture is not None and trouble(first) is None:
        picture = case.picture(figures_of(first))
    return Result(case, found(case, rows), picture)
