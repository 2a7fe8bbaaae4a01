"""`python -m sim export RUN.npz --out run.txt`: a recorded run for PedPy and JuPedSim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.recorded import Recording, ScenarioFile, stage_of
from sim.core.errors import BadInput, Unwritable, naming
from sim.core.files import atomic, check_targets
from sim.record.exchange import converted, groups_table, jupedsim_file, pedpy_text, walkable_wkt
from sim.record.trajectory import load


def command(
    trajectory: Recording,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.txt|OUT.sqlite", help="PedPy's text, or JuPedSim's trajectory file."
        ),
    ] = None,
    scenario: ScenarioFile = None,
    metres: Annotated[
        float, typer.Option(metavar="M", help="Length of one world unit, in metres.")
    ] = 1.0,
    y_up: Annotated[
        bool, typer.Option("--y-up", help="Let y grow upwards: change its sign.")
    ] = False,
    walkable: Annotated[
        Path | None,
        typer.Option(metavar="OUT.wkt", help="Write the bounds without solids, as WKT."),
    ] = None,
    groups: Annotated[
        Path | None, typer.Option(metavar="OUT.csv", help="Write the group of each unit.")
    ] = None,
) -> None:
    """Write a recorded run in the formats of PedPy and JuPedSim, in metres."""
    targets = [each for each in (out, walkable, groups) if each is not None]
    check_targets([trajectory, scenario], targets)
    if not targets:
        raise BadInput("export: name at least one of --out, --walkable and --groups")
    if out is not None and out.suffix not in (".txt", ".sqlite"):
        raise BadInput(f"--out {out}: must end in .txt or .sqlite")
    motion = load(trajectory)
    area, text = "", out is not None and out.suffix == ".txt"
    if walkable is not None or (out is not None and not text):
        stage, motion = stage_of(trajectory, motion, scenario)
        area = walkable_wkt(stage, metres, y_up)
    with naming(f"{trajectory}: "):
        run = converted(motion, metres, y_up)
        contents: dict[Path | None, Callable[[], bytes]] = {
            out: lambda: pedpy_text(run).encode() if text else jupedsim_file(run, area),
            walkable: lambda: f"{area}\n".encode(),
            groups: lambda: groups_table(run).encode(),
        }
        _write({path: content() for path, content in contents.items() if path is not None})


def _write(contents: Mapping[Path, bytes]) -> None:
    """Write all files that can be written. Raises `BadInput` for the first that cannot."""
    failed: BadInput | None = None
    for path, content in contents.items():
        try:
            with atomic(path, "wb") as file:
                file.write(content)
            print(f"wrote {path}")
        except Unwritable as bad:
            failed = failed or bad
    if failed is not None:
        raise failed
