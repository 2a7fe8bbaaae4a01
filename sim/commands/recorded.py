"""What was run to make a recording: told by its file, or by the one that is named."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sim.core.errors import BadInput, naming
from sim.core.resources import at_hand
from sim.record.run import Run
from sim.record.stage import Stage, aligned
from sim.scenario.build import build
from sim.scenario.load import load
from sim.scenario.schema import Scenario
from sim.study.goal_notes import read_sent

Recording = Annotated[
    Path, typer.Argument(metavar="RUN.npz|RUN.txt", help="What `run --trajectory` wrote.")
]
ScenarioFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The scenario that was run, where the run does not tell.",
        callback=at_hand,
    ),
]


def plan_of(
    trajectory: Path, motion: Run, scenario: Path | None, changes: Sequence[str], seed: int | None
) -> Scenario:
    """The scenario that was run: the file that is named, or the text kept with the run."""
    if scenario is not None:
        return load(scenario, changes, seed)
    if not motion.text:
        raise BadInput(f"{trajectory}: does not tell what was run: name it with --scenario FILE")
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "scenario.toml"
        kept.write_text(motion.text, encoding="utf-8")
        try:
            plan = load(kept, changes, seed)
        except BadInput as bad:
            said = str(bad).replace(str(kept), f"{trajectory}'s scenario")
            raise BadInput(f"{said} (--scenario FILE names it elsewhere)") from None
    plan.keep_path(Path(f"{trajectory}'s scenario"))
    return plan


def stage_of(trajectory: Path, motion: Run, scenario: Path | None) -> tuple[Stage, Run]:
    """What it was played on: as kept with the run, or as its scenario has it; and the run on it.

    Raises `BadInput` where that is another number of units than the run has.
    """
    if motion.stage and scenario is None:
        with naming(f"{trajectory}: "):
            stage = Stage.read(motion.stage)
    else:
        plan = plan_of(trajectory, motion, scenario, (), None)
        if not plan.sources:
            units = sum(each.size for each in plan.groups) + len(plan.player)
            _check_units(trajectory, motion, units)
        stage = Stage.of(build(plan), plan.title)
    with naming(f"{trajectory}: stage: "):  # nothing solid is too far from a torus, or too large
        stage.solids.check(stage.plane)
        (stage.standing if motion.parts is None else motion.parts).check(stage.plane)
    with naming(f"{trajectory}: "):
        sent = read_sent(motion.sent, len(motion.time), len(motion.group)) if motion.sent else {}
    stage, laid = aligned(stage, motion, sent)
    _check_units(trajectory, laid, stage.units)
    return stage, laid


def _check_units(trajectory: Path, motion: Run, units: int) -> None:
    if units != len(motion.group):
        raise BadInput(
            f"{trajectory}: {len(motion.group)} units, and {units} in what was run "
            "(--scenario FILE names it elsewhere)"
        )
