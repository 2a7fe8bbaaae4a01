"""`python -m sim verify [CASES...]`: cases of guidelines and measurements, judged, as one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.score import made_rows, names_in
from sim.commands.sweep import Jobs, Out
from sim.study.journal import Row, write_json
from sim.study.plots import figure_class
from sim.study.verify.case import Case, by_seed, figures_of, found, shots, trouble
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
    every = [shot for each in todo.values() for shot in each]
    rows = made_rows("verify", every, out, workers, perform, lambda row: str(row["case"]))
    results = [_result(case, [row for row in rows if row["case"] == case.name]) for case in those]
    heading = " with ".join([f"Verification of {model}", *([", ".join(more)] if more else [])])
    write_page(out / "verify.html", heading, results, LEFT_OUT)
    told = [
        {"case": each.case.name, "asks": each.case.asks, "verdict": each.verdict,
         "findings": [asdict(finding) for finding in each.findings]}
        for each in results
    ]  # fmt: skip
    write_json(out / "verify.json", {"title": heading, "cases": told, "runs": rows})
    print(markdown(results, LEFT_OUT))
    print(f"wrote {out / 'verify.html'}, {out / 'verify.json'}")


def _result(case: Case, rows: Sequence[Row]) -> Result:
    """What a case found, and the diagram of its first seed."""
    first = by_seed(rows)[0]
    picture = None
    if case.picture is not None and trouble(first) is None:
        picture = case.picture(figures_of(first))
    return Result(case, found(case, rows), picture)
