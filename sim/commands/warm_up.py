"""`python -m sim warm-up`: compile all rules and pictures beforehand, with progress."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from sim.commands.bars import Runs
from sim.core.errors import BadInput, suggest
from sim.core.resources import folder
from sim.scenario.playlist import Playlist
from sim.screen.compiling import announced, rehearse


def command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Scenarios; all without a name.")
    ] = None,
) -> None:
    """Run a moment of each shipped scenario, so that no later start has to compile.

    What is compiled stays on disk until the package changes.
    """
    playlist = Playlist(folder("maps") / "flocking.toml")
    chosen = names or [name for name in playlist.files if "/" not in name]
    for name in chosen:
        if name not in playlist.files:
            raise BadInput(f"scenario {name!r}: {suggest(name, playlist.files)}")
    begun = perf_counter()
    with announced(lambda _: None) as compiled, Runs("warm-up", len(chosen), of="scenarios") as bar:
        for name in chosen:
            before = compiled.count
            rehearse(playlist.pick(name))
            bar.one_more(f"{name}: {compiled.count} compiled")
            print(f"{name}: {compiled.count - before} compiled", flush=True)
    print(f"{compiled.count} kernels compiled in {perf_counter() - begun:.0f} s")
