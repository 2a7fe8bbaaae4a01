"""`python -m sim warm-up`: compile what the demos use, so that each then starts at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.progress import Runs
from sim.errors import BadInput
from sim.resources import folder
from sim.warm_up import compile_all, rehearse, start_helper


def command(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Scenario files; those of all demos without any.")
    ] = None,
) -> None:
    """Compile what scenarios use, before it is needed; what was compiled before is kept."""
    chosen = files or sorted(folder("maps").glob("*.toml"))
    for file in chosen:
        if not file.is_file():
            raise BadInput(f"{file}: no such file")
    with Runs("warm-up", len(chosen), of="scenarios") as bar:
        for file in chosen:
            start_helper(file, [], judged=True)
            compile_all(rehearse(file))
            bar.advance(file.stem)
    print(f"what {len(chosen)} scenarios use is compiled")
