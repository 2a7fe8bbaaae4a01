"""What all demo scripts share: the same options, and a GIF where there is no display."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from sim.commands import guard
from sim.commands import run as running
from sim.commands.film import FilmOptions
from sim.commands.options import sorted_into
from sim.core.resources import folder
from sim.scenario.playlist import Begin, Clicks


def play(
    script: str, clicks: Clicks | None = None, *, ways: bool = False, views: bool = False,
    begin: Begin | None = None, film: Callable[[FilmOptions], None] | None = None,
) -> None:  # fmt: skip
    """Run `maps/NAME.toml` for the demo script NAME.py, with the options of `python -m sim run`.

    The groups that `clicks` names are sent by the mouse, the first one by its left button, the
    second by its right; until a user does, each is sent where its clicks say. `ways` shows the
    ways planned for all units, `views` what one unit of each group sees, asked for or not. `begin`
    is called with each world before its first step, and whether a person gives orders to it. A
    `film` makes the demo's film instead of one of the scenario.
    """
    name = Path(script).stem
    file = folder("maps") / f"{name}.toml"

    def command(**options: Any) -> None:
        options["ways"] = ways or options.get("ways", False)
        options["views"] = views or options.get("views", False)
        if not running.shows(options):
            print(f"There is no display here: simulating, and writing {name}.gif.")
            options["film"] = Path(f"{name}.gif")
        if film is not None and options.get("film") is not None:
            film(*sorted_into([FilmOptions], options))
        else:
            asked, states, filmed = sorted_into(running.RECORDS, options)
            running.perform(file, asked, states, filmed, clicks, begin)

    shared = running.OPTIONS
    command.__signature__ = inspect.Signature(shared)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in shared}
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(
        name=name, help="In a window, or as a GIF in this folder where there is no display."
    )(command)
    guard(app)
