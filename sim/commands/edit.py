"""`python -m sim edit [FILE]`: build a scenario in the window."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.run import ThemeName
from sim.core.errors import BadInput
from sim.core.files import check_target, first_free
from sim.scenario.playlist import Playlist
from sim.scenario.toml import dumps
from sim.screen.theme import theme_named
from sim.screen.window import Window

EMPTY = {
    "title": "Ground",
    "seed": 1,
    "duration": 120.0,
    "map": {"bounds": [0, 0, 60, 40], "edges": "wall"},
    "groups": [{"name": "units", "count": 0}],
}
"""The scenario of an empty ground: its group waits for units."""


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A scenario file, there or to be.")
    ] = None,
    theme: ThemeName = "dark",
) -> None:
    """Open a scenario, or an empty ground, to build on; it stands still until Space.

    Ctrl S writes FILE. Keys are listed by H.
    """
    opened(file, theme).run()


def opened(file: Path | None, theme: str = "dark") -> Window:
    """The window to build in, paused. Raises `BadInput` for a file that cannot be read or made."""
    target = file if file is not None else first_free("ground", ".toml")
    check_target(target)
    text = None
    if not target.exists():
        if target.suffix != ".toml":
            raise BadInput(f"{target}: must end in .toml: a scenario is written there")
        text = dumps(EMPTY | {"title": target.stem or "Ground"})
    playlist = Playlist(target, text=text)
    window = Window(
        playlist.build(), playlist.plan.title, duration=playlist.plan.duration,
        record_as=target.stem, theme=theme_named(theme), panel=True, playlist=playlist,
        save_as=target,
    )  # fmt: skip
    window.controls.paused = window.controls.hand.building = True
    window.controls.about = file is not None and bool(playlist.text)
    return window
