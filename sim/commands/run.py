"""`python -m sim run FILE`: run a scenario file."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.film import FilmOptions, Look
from sim.commands.headless import Files, run_headless
from sim.commands.options import sorted_into, take_options
from sim.commands.progress import say_when_compiling
from sim.commands.states import Continued, StateOptions
from sim.core.collecting import collect_from_here
from sim.core.errors import BadInput
from sim.core.files import check_targets
from sim.core.interrupts import INTERRUPTED
from sim.core.resources import at_hand
from sim.scenario.messages import unreached
from sim.scenario.playlist import Begin, Clicks, Playlist
from sim.scenario.schema import Scenario
from sim.screen.pane import has_display
from sim.screen.sight import row_named
from sim.screen.theme import theme_named
from sim.screen.window import Window
from sim.warm_up import start_helper

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A scenario file (TOML).", callback=at_hand)
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a key, e.g. groups.east.speed=1.6; may be repeated.",
    ),
]
ThemeName = Annotated[str, typer.Option("--theme", help="Of the picture: dark or light.")]


@dataclass(frozen=True)
class RunOptions:
    """What is asked of a run, as the command line says it."""

    seed: Annotated[int | None, typer.Option(help="Overrides the file's seed.")] = None
    seconds: Annotated[
        float | None, typer.Option(help="Overrides the file's duration, in seconds.")
    ] = None
    metrics: Annotated[Path | None, typer.Option(metavar="OUT.json", help="Write the metrics.")] = (
        None
    )
    trajectory: Annotated[
        Path | None, typer.Option(metavar="OUT.txt|OUT.npz", help="Write the trajectory.")
    ] = None
    trajectory_every: Annotated[
        int, typer.Option("--trajectory-every", min=1, help="Steps between frames.")
    ] = 1
    headless: Annotated[
        bool, typer.Option("--headless", help="No window, even where there is a display.")
    ] = False
    ways: Annotated[bool, typer.Option("--ways", help="Show the ways planned for all units.")] = (
        False
    )
    views: Annotated[
        bool, typer.Option("--views", help="Show what one unit of each group sees, up to a wall.")
    ] = False
    theme: ThemeName = "dark"
    select: Annotated[
        str | None,
        typer.Option(metavar="GROUP[:K]", help="Look inside the K-th unit of a group, from 0."),
    ] = None
    mouse: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME]", help="Groups that left and right clicks send."),
    ] = None
    view: Annotated[
        str | None, typer.Option(help="Of all groups: wide, limited, narrow or all.")
    ] = None
    changes: Changes = None

    @property
    def overrides(self) -> list[str]:
        """The changes of the file's keys."""
        found = [*(self.changes or [])]
        if self.seconds is not None:
            found.append(f"duration={self.seconds!r}")
        if self.mouse is not None:
            found.append(f"mouse={json.dumps(self.mouse.split(','))}")
        return found

    def refuse_beside(self, load: Path, file: Path | None) -> None:
        """Raise `BadInput` for what has no meaning where a state is loaded."""
        given = {"FILE": file, "--seed": self.seed is not None, "--view": self.view}
        for name, value in (given | {"--set": self.changes, "--mouse": self.mouse}).items():
            if value:
                raise BadInput(f"--load {load}: goes on with a run as it is: leave out {name}")


def perform(
    file: Path | None,
    asked: RunOptions,
    states: StateOptions,
    film: FilmOptions,
    clicks: Clicks | None = None,
    begin: Begin | None = None,
) -> None:
    """Run a scenario file with these options, and clicks by group.

    A window sends these groups by its mouse buttons; until a user does, they follow the clicks.
    What `begin` does to the world is done at each start.
    With a state to load a run goes on instead.
    """
    collect_from_here()  # demos import all of this after their command has been found
    theme, source = theme_named(asked.theme), states.load or file
    if source is None:
        raise BadInput("FILE: is missing: name a scenario file, or a state to --load")
    playlist: Playlist | None = None
    if states.load is not None:
        asked.refuse_beside(source, file)
        plan: Scenario | Continued = Continued.of(source, asked.seconds)
    else:
        playlist = Playlist(source, asked.overrides, asked.seed, asked.view, clicks, begin=begin)
        plan = playlist.plan
    files = Files(asked.metrics, asked.trajectory, asked.trajectory_every, states, film)
    film.check(plan.duration)
    states.check(plan)
    tiles = plan.map.file if isinstance(plan, Scenario) else None
    check_targets([source, None if tiles is None else source.parent / tiles], files.named)
    shown = not (asked.headless or files.named) and has_display()
    if isinstance(plan, Continued):
        world = plan.world
    else:
        assert playlist is not None
        playlist.by_hand = shown
        say_when_compiling(lambda: start_helper(source, asked.overrides, judged=not shown))
        world = playlist.build()
    row = None if asked.select is None else row_named(world, asked.select)
    look = Look(theme, asked.ways, asked.views, row)
    if not shown:
        if isinstance(plan, Scenario) and asked.seconds is None:  # a window may go on
            for said in unreached(plan):
                print(f"{source}: {said}", file=sys.stderr)
        if run_headless(world, plan, files, look, asked.overrides):
            raise typer.Exit(INTERRUPTED)
        return
    window = Window(
        world, plan.title, duration=plan.duration, record_as=source.stem, theme=theme,
        ways=look.ways, views=look.views, panel=True, playlist=playlist,
        ends=asked.seconds is not None,
    )  # fmt: skip
    window.scene.selected = row
    window.run()


def command(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="A scenario file (TOML), unless --load.", callback=at_hand
        ),
    ] = None,
    **options: Any,
) -> None:
    """Run a scenario file, or go on from a saved state, in a window where there is a display.

    There is no window with --headless, or where an output is asked for.
    """
    perform(file, *sorted_into(RECORDS, options))


RECORDS = (RunOptions, StateOptions, FilmOptions)
OPTIONS = take_options(command, "file", RECORDS)
"""Those of the command line, that demos share."""


def shows(options: Mapping[str, Any]) -> bool:
    """Whether a run with these options shows or writes anything."""
    asked = any(options.get(name) for name in ("headless", "metrics", "trajectory", "save", "film"))
    return asked or has_display()
