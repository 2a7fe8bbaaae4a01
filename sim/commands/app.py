"""The command line: every command of `python -m sim` by name."""

from __future__ import annotations

from collections import UserDict
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sim import __version__
from sim.core.collecting import collect_from_here

COMMANDS = {
    "run": "run maps/flocking.toml --seconds 10 --metrics out.json",
    "edit": "edit hall.toml",
    "new": "new game --model flock",
    "check": "check game.toml",
    "demo": "demo flocking",
    "gallery": "gallery flocking",
    "models": "models flock",
    "maps": "maps maps/level.tmx --png level.png",
    "schema": "schema --out scenario.schema.json",
    "metrics": "metrics run.npz --out out.json",
    "export": "export run.npz --out run.txt --y-up --walkable area.wkt",
    "replay": "replay run.npz --html run.html",
    "score": "score --models crowd --out out/score",
    "verify": "verify --model crowd --out out/verify",
    "sweep": "sweep maps/flocking.toml --vary groups.blue.view=wide,narrow --seeds 20 "
    "--out out/sweep",
    "tune": "tune maps/flocking.toml --objective polarisation --out out/tune",
    "compare": "compare two_lines --models crowd,orca --gif both.gif",
    "bench": "bench --units 1000",
    "warm-up": "warm-up flocking lanes",
}
"""Every command, with a line that uses it; the words of the line stand behind `python -m sim`.

Its module has its name. What it does is the module's `command`, what it takes `CONTEXT`, if any.
"""


class Loaded(UserDict[str, Any]):
    """The commands by name. The module of one is loaded when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        """The command of that name, as typer makes it. Raises `KeyError`."""
        if self.data[name] is None:
            module = import_module(f"sim.commands.{name.replace('-', '_')}")
            alone = typer.Typer(rich_markup_mode=None, add_completion=False)
            made = alone.command(
                name,
                epilog=f"Example: python -m sim {COMMANDS[name]}",
                context_settings=getattr(module, "CONTEXT", None),
            )
            made(module.command)
            collect_from_here()
            self.data[name] = typer.main.get_command(alone)
        return self.data[name]


class Commands(TyperGroup):
    """The command line as a whole."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = Loaded(dict.fromkeys(COMMANDS))


app = typer.Typer(
    cls=Commands,
    name="sim",
    help="Groups of units that move together as rigid bodies, steered by forces at the bow.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        print(f"groupmove {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Groups of units that move together as rigid bodies, steered by forces at the bow."""
