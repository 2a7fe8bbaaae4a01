"""`python -m sim replay RUN.npz`: show a recorded run again, or make a page of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.recorded import stage_of
from sim.record.files import check_target
from sim.record.html import write_html
from sim.record.trajectory import load
from sim.screen.page_colors import page_colors
from sim.screen.theme import DARK

Trajectory = Annotated[
    Path, typer.Argument(metavar="RUN.npz|RUN.txt", help="What `run --trajectory` wrote.")
]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The scenario that was run, where the run does not tell."),
]
Page = Annotated[Path, typer.Option(metavar="OUT.html", help="Write a page that plays it.")]


def command(trajectory: Trajectory, html: Page, scenario: ScenarioFile = None) -> None:
    """Write a page of HTML that plays a recorded run in a browser."""
    check_target(html)
    motion = load(trajectory)
    stage = stage_of(trajectory, motion, scenario)
    write_html(html, motion, stage, page_colors(stage, DARK))
    print(f"wrote {html}")
