"""`python -m sim compare SCENE --models crowd,orca --gif OUT.gif`: runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.commands.progress import working
from sim.commands.score import names_in
from sim.core.errors import BadInput
from sim.core.files import check_targets
from sim.models import model
from sim.record.film import check_film
from sim.scenario.build import build
from sim.screen.capture import check_speed
from sim.screen.side_by_side import film_side_by_side
from sim.study.peers import PEERS
from sim.study.score import find_scene
from sim.study.trial import Trial, plan_of, try_out


def command(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A shipped scene, or a file.")],
    gif: Annotated[Path, typer.Option("--gif", metavar="OUT.gif", help="Where the film goes.")],
    models: Annotated[
        str, typer.Option(help=f"Models of ours, and peers ({', '.join(PEERS)}), commas between.")
    ] = "crowd,orca",
    seed: Annotated[int | None, typer.Option(help="Overrides the file's seed.")] = None,
    fps: Annotated[float, typer.Option(help="Frames a second of the GIF.")] = 20.0,
    speed: Annotated[float, typer.Option(help="Seconds of the run in a second of the film.")] = 1.0,
) -> None:
    """Run a scene by several models and film the runs beside each other."""
    check_film(gif, fps)
    check_speed(gif, speed)
    names = names_in(models)
    if not names:
        raise BadInput(f"--models {models}: must name at least one")
    for name in names:
        if name in PEERS:
            PEERS[name].check()
        else:
            model(name)
    file = find_scene(scene)
    check_targets([file], [gif])
    runs = []
    for name in names:
        with working(f"{name} runs {file.stem}"):
            figures, motion = try_out(Trial(file, name, seed), speed / fps)
        runs.append((name, motion))
        print(_said(name, figures["arrived_share"], figures["simulated_s"]))
    with working("filming"):
        film_side_by_side(gif, build(plan_of(file, names[0], seed)), runs, fps, speed)
    print(f"wrote {gif}")


def _said(name: str, share: float | None, seconds: float) -> str:
    arrived = "" if share is None else f", arrived {share:.2f}"
    return f"{name}: {seconds:.1f} s{arrived}"
