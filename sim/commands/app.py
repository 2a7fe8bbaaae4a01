"""The command line: every command of `python -m sim` by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from sim import __version__
from sim.commands import (
    bench,
    check,
    compare,
    demo,
    edit,
    gallery,
    maps,
    metrics,
    models,
    new,
    replay,
    run,
    schema,
    score,
    sweep,
    tune,
    warm_up,
)  # fmt: skip

COMMANDS: dict[str, tuple[Callable[..., Any], str]] = {
    "run": (run.command, "run maps/flocking.toml --seconds 10 --metrics out.json"),
    "edit": (edit.command, "edit hall.toml"),
    "new": (new.command, "new game --model flock"),
    "check": (check.command, "check game.toml"),
    "demo": (demo.command, "demo flocking"),
    "gallery": (gallery.command, "gallery flocking"),
    "models": (models.command, "models flock"),
    "maps": (maps.command, "maps maps/level.tmx --png level.png"),
    "schema": (schema.command, "schema --out scenario.schema.json"),
    "metrics": (metrics.command, "metrics run.npz --out out.json"),
    "replay": (replay.command, "replay run.npz --html run.html"),
    "score": (score.command, "score --models crowd --out out/score"),
    "sweep": (
        sweep.command,
        "sweep maps/flocking.toml --vary groups.blue.view=wide,narrow --seeds 20 --out out/sweep",
    ),
    "tune": (tune.command, "tune maps/flocking.toml --objective polarisation --out out/tune"),
    "compare": (compare.command, "compare two_lines --models crowd,orca --gif both.gif"),
    "bench": (bench.command, "bench --units 1000"),
    "warm-up": (warm_up.command, "warm-up flocking lanes"),
}
"""Every command, with a line that uses it; the words of the line stand behind `python -m sim`."""

app = typer.Typer(
    name="sim",
    help="Groups of units that move together as rigid bodies, steered by forces at the bow.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _name, (_command, _example) in COMMANDS.items():
    app.command(
        _name,
        epilog=f"Example: python -m sim {_example}",
        context_settings=demo.PASS_ON if _name == "demo" else None,
    )(_command)


def _tell_version(asked: bool) -> None:
    if asked:
        print(f"groupmove {__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option(
        "--version", callback=_tell_version, is_eager=True, help="Print the version and leave."
    ),
]


@app.callback()
def main(version: Version = False) -> None:
    """Groups of units that move together as rigid bodies, steered by forces at the bow."""
