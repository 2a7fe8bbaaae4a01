"""`python -m sim run FILE`: run a scenario file."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.codes import INTERRUPTED
from sim.commands.progress import Bar, say_if_compiling
from sim.errors import BadInput
from sim.record.files import atomic, check_target
from sim.record.trajectory import Trajectory
from sim.run import Watcher, run
from sim.scenario.build import build
from sim.scenario.load import load
from sim.scenario.schema import Scenario
from sim.screen.capture import GifRecorder
from sim.screen.display import has_display
from sim.screen.scene import Scene
from sim.screen.window import Window
from sim.study.report import Report
from sim.world import World

File = Annotated[Path, typer.Argument(metavar="FILE", help="A scenario file (TOML).")]
Seed = Annotated[int | None, typer.Option(help="Overrides the file's seed.")]
Seconds = Annotated[float | None, typer.Option(help="Overrides the file's duration, in seconds.")]
View = Annotated[str | None, typer.Option(help="wide, limited or narrow, for all groups.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key, e.g. groups.east.speed=1.6."),
]
Headless = Annotated[
    bool, typer.Option("--headless", help="No window, even where there is a display.")
]
MetricsFile = Annotated[Path | None, typer.Option(metavar="OUT.json", help="Write the metrics.")]
TrajectoryFile = Annotated[
    Path | None, typer.Option(metavar="OUT.txt|OUT.npz", help="Write the trajectory.")
]
Every = Annotated[int, typer.Option("--trajectory-every", min=1, help="Steps between frames.")]
GifFile = Annotated[
    Path | None, typer.Option(metavar="OUT.gif", help="Write a GIF; no display needed.")
]
GifSize = Annotated[str | None, typer.Option(metavar="WxH", help="Pixels, e.g. 640x360.")]
Clicks = Mapping[str, Sequence[tuple[float, tuple[float, float]]]]
"""By group: times (s) and the places that it is sent to."""
GifFps = Annotated[float, typer.Option(help="Frames a second of the GIF.")]
Ways = Annotated[bool, typer.Option("--ways", help="Show the ways planned for all units.")]


def perform(
    file: File,
    seed: Seed = None,
    seconds: Seconds = None,
    metrics: MetricsFile = None,
    trajectory: TrajectoryFile = None,
    trajectory_every: Every = 1,
    gif: GifFile = None,
    gif_size: GifSize = None,
    gif_fps: GifFps = 25.0,
    headless: Headless = False,
    ways: Ways = False,
    view: View = None,
    changes: Changes = None,
    clicks: Clicks | None = None,
) -> None:
    """Run a scenario file with these options, and with clicks by the names of groups.

    A window sends these groups by its mouse buttons; until somebody does, they follow the clicks.
    """
    overrides = [*(changes or []), *([] if seconds is None else [f"duration={seconds!r}"])]
    plan = load(file, overrides, seed)
    size = None if gif_size is None else _pixels(gif_size)
    outputs = [target for target in (metrics, trajectory, gif) if target is not None]
    _check_targets(file, outputs)
    world = build(plan, view)
    sends = [world.group(name) for name in clicks or {}]
    for group in sends:
        group.schedule = list((clicks or {})[group.name])
    say_if_compiling()
    if not (headless or outputs) and has_display():
        window = Window(world, plan.title, duration=plan.duration, record_as=file.stem, ways=ways)
        window.controls.sends = sends
        window.run()
        return
    writers: list[Trajectory | GifRecorder] = []
    try:
        if trajectory is not None:
            writers.append(Trajectory(trajectory, trajectory_every, plan.text))
        if gif is not None:
            writers.append(GifRecorder(gif, world, size=size, fps=gif_fps, scene=Scene(ways=ways)))
    except BadInput:
        for writer in writers:
            writer.abort()
        raise
    _run_headless(world, plan, writers, metrics)
    for target in outputs:
        print(f"wrote {target}")


def command(file: File, **options: Any) -> None:
    """Run a scenario file, in a window where there is a display.

    There is no window with --headless, or where an output is asked for.
    """
    perform(file, **options)


_whole = inspect.signature(perform, eval_str=True)
OPTIONS = [each for each in _whole.parameters.values() if each.name not in ("file", "clicks")]
"""Those of the command line, that demos share."""
command.__signature__ = _whole.replace(  # type: ignore[attr-defined]
    parameters=[_whole.parameters["file"], *OPTIONS]
)
command.__annotations__ = {each.name: each.annotation for each in OPTIONS} | {"file": File}


def _check_targets(file: Path, outputs: Sequence[Path]) -> None:
    """Raise `BadInput` for a target that cannot be written, or that another file of the run is."""
    taken = [file.resolve()]
    for target in outputs:
        place = check_target(target)
        if place in taken:
            raise BadInput(f"{target}: is the scenario file or another output; give each its own")
        taken.append(place)


def _pixels(text: str) -> tuple[int, int]:
    """Width and height from "640x360"."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    width, height = (int(n) for n in found.groups()) if found else (0, 0)
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise BadInput(f"--gif-size {text}: must be WIDTHxHEIGHT, each from 16 to 8192 pixels")
    return width, height


def shows(options: Mapping[str, Any]) -> bool:
    """Whether a run with these options shows or writes anything."""
    asked = any(options.get(name) for name in ("headless", "metrics", "trajectory", "gif"))
    return asked or has_display()


def _run_headless(
    world: World, plan: Scenario, writers: Sequence[Watcher], metrics: Path | None
) -> None:
    """Run without a window, write what was asked for, and say how it went."""
    report = Report(world, plan.title)
    done: Callable[[], bool] = (lambda: report.done) if plan.stop_when_arrived else (lambda: False)
    watchers = [report, *writers, Bar(plan.title, plan.steps)]
    outcome = run(world, plan.steps, watchers, done)
    figures = report.result(outcome.wall_s)
    if metrics is not None:
        with atomic(metrics, "w") as file:
            json.dump(figures, file, indent=2, allow_nan=False)
            file.write("\n")
    print(_summary(figures))
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)


def _summary(figures: dict[str, Any]) -> str:
    """Two lines for people; the rest is in the metrics file."""
    rate = figures["unit_steps_per_s"]
    speed = f"{rate:,.0f} unit-steps a second" if rate else "no steps"
    seen = {"arrived": "arrived_share", "polarisation": "polarisation", "contacts": "contacts"}
    said = [f"{word} {figures[key]:.3g}" for word, key in seen.items() if figures[key] is not None]
    return (
        f"{figures['title']}: {figures['units']} units, {figures['simulated_s']:.1f} s simulated "
        f"in {figures['wall_s']:.1f} s ({speed})\n{', '.join(said)}"
    )
