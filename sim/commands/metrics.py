"""`python -m sim metrics TRAJECTORY`: the figures of a run that was recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.options import Out, put_json
from sim.commands.progress import working
from sim.commands.recorded import ScenarioFile, plan_of
from sim.core.errors import BadInput, naming, printable
from sim.core.files import check_targets
from sim.core.limits import within_reach
from sim.record.trajectory import load as load_motion
from sim.study.flow import Line
from sim.study.trial import judge_run

Across = Annotated[
    str | None, typer.Option("--line", metavar="X1,Y1,X2,Y2", help="Measure flow across a line.")
]


def command(
    trajectory: Annotated[
        Path, typer.Argument(metavar="TRAJECTORY", help="A .npz or .txt file, ours or another's.")
    ],
    scenario: ScenarioFile = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="As `run` was told, e.g. duration=20."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed that was run.")] = None,
    line: Across = None,
    out: Out = None,
) -> None:
    """Print the metrics of a recorded run as one JSON object, those of `run` and a few more.

    They are worked out from the frames there are: with fewer frames they are coarser.
    """
    check_targets([trajectory, scenario], [out])
    across = None if line is None else line_of(line)
    motion = load_motion(trajectory)
    origin = _origin(motion.made_by)
    made_with = None if origin is None else origin.get("seed")
    if None not in (seed, made_with) and seed != made_with:
        raise BadInput(f"--seed {seed}: {trajectory} was made with seed {made_with}")
    plan = plan_of(trajectory, motion, scenario, changes or [], seed)
    with naming(f"{trajectory}: "), working("working out the figures"):
        figures = {**judge_run(plan, motion, across), "made_by": origin}
    put_json(figures, out)


def _origin(text: str) -> dict[str, Any] | None:
    """What a recording says made it; None where it says nothing that can be read."""
    try:
        told = json.loads(text)
        json.dumps(told, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def line_of(text: str) -> Line:
    """Four numbers with commas between."""
    try:
        x1, y1, x2, y2 = map(float, text.split(","))
    except ValueError:
        raise BadInput(f"--line {printable(text)}: must be X1,Y1,X2,Y2, four numbers") from None
    if not within_reach((x1, y1, x2, y2)) or (x1, y1) == (x2, y2):
        raise BadInput(f"--line {text}: must be two places apart, of numbers from -1e12 to 1e12")
    return x1, y1, x2, y2
