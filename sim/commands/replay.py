"""`python -m sim replay RUN.npz`: show a recorded run again, film it, or make a page of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from sim.commands.bars import Runs
from sim.commands.film import FilmOptions, Look
from sim.commands.options import take_options
from sim.commands.recorded import Recording, ScenarioFile, stage_of
from sim.commands.run import ThemeName
from sim.core.errors import BadInput, naming
from sim.core.files import check_targets
from sim.core.interrupts import PATIENCE, Interrupts, breakable, put_off
from sim.record.html import write_html
from sim.record.trajectory import load
from sim.screen.capture import FilmRecorder
from sim.screen.pane import has_display
from sim.screen.replay import Replay
from sim.screen.replay_window import ReplayWindow
from sim.screen.roles import page_colors
from sim.screen.theme import theme_named

MOST_PICTURES = 100_000
"""Of a film of a recorded run."""


def command(
    trajectory: Recording,
    scenario: ScenarioFile = None,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a page that plays it; no window.")
    ] = None,
    theme: ThemeName = "dark",
    **filming: Any,
) -> None:
    """Play a recorded run in a window; or write a film of it, or a page that plays it."""
    colors, film = theme_named(theme), FilmOptions(**filming)
    check_targets([trajectory, scenario], [html, film.film])
    motion = load(trajectory)
    stage, motion = stage_of(trajectory, motion, scenario)
    with naming(f"{trajectory}: "):
        replay = Replay(stage, motion)
    film.check(replay.end + replay.time_step)
    with naming(f"{trajectory}: "):
        worn = page_colors(stage, colors)
    if html is not None:
        write_html(html, motion, stage, worn)
        print(f"wrote {html}")
    if film.film is not None:
        with put_off():
            recorder = film.recorder(replay, Look(colors))
            assert recorder is not None
            with naming(f"{trajectory}: "):
                _film(replay, recorder, film.film_speed / film.film_fps)
        print(f"wrote {film.film}")
    if html is None and film.film is None:
        if not has_display():
            raise BadInput("no display can be reached here; --html makes a page, --film a film")
        ReplayWindow(replay, stage.title, record_as=trajectory.stem, theme=colors).run()


take_options(command, "trajectory", [FilmOptions])


def _film(replay: Replay, recorder: FilmRecorder, every: float) -> None:
    """Film the whole of a replay, with a picture every `every` seconds of it."""
    step = min(every, replay.time_step)
    try:
        if not replay.end - replay.start <= MOST_PICTURES * step:
            raise BadInput(
                f"from {replay.start:g} to {replay.end:g} s in steps of {step:g} s: a film has at "
                f"most {MOST_PICTURES:,} pictures"
            )
        try:
            times = np.arange(replay.start, replay.end + step / 2, step).tolist()
            with Runs("film", len(times), of="moments") as bar, breakable(PATIENCE):
                for time in times:
                    if Interrupts.seen:
                        break
                    replay.time = time
                    recorder.observe(replay)
                    bar.one_more()
        except BaseException:
            if not Interrupts.seen:
                raise
        recorder.close()
    except BaseException:
        recorder.abort()
        raise
