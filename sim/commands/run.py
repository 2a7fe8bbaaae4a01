"""`python -m sim run FILE`: run a scenario file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.film import FilmOptions, sorted_into, take_options
from sim.commands.progress import Bar, say_when_compiling, working
from sim.commands.states import Continued, Saver, StateOptions, refuse_beside_load
from sim.core.errors import BadInput
from sim.core.files import atomic, check_targets
from sim.core.interrupts import INTERRUPTED, breakable, put_off
from sim.core.resources import at_hand
from sim.record.made_by import made_by
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory
from sim.run import Watcher, run
from sim.scenario.playlist import Begin, Clicks, Playlist
from sim.scenario.schema import Scenario
from sim.screen.capture import FilmRecorder
from sim.screen.display import has_display
from sim.screen.sight import row_named
from sim.screen.theme import theme_named
from sim.screen.window import Window
from sim.study.goal_notes import GoalNotes
from sim.study.report import Report
from sim.warm_up import start_helper
from sim.world import World

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A scenario file (TOML).", callback=at_hand)
]
MaybeFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="A scenario file (TOML), unless --load.", callback=at_hand
    ),
]
Seed = Annotated[int | None, typer.Option(help="Overrides the file's seed.")]
Seconds = Annotated[float | None, typer.Option(help="Overrides the file's duration, in seconds.")]
View = Annotated[str | None, typer.Option(help="Of all groups: wide, limited, narrow or all.")]
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
Views = Annotated[bool, typer.Option("--views", help="Show what one unit of each group sees.")]
Mouse = Annotated[
    str | None,
    typer.Option(metavar="NAME[,NAME]", help="Groups that left and right clicks send."),
]
Select = Annotated[
    str | None,
    typer.Option(metavar="GROUP[:K]", help="Look inside the K-th unit of a group, from 0."),
]
Ways = Annotated[bool, typer.Option("--ways", help="Show the ways planned for all units.")]
ThemeName = Annotated[str, typer.Option("--theme", help="Of the picture: dark or light.")]


@dataclass(frozen=True)
class RunOptions:
    """What is asked of a run, as the command line says it."""

    seed: Seed = None
    seconds: Seconds = None
    metrics: MetricsFile = None
    trajectory: TrajectoryFile = None
    trajectory_every: Every = 1
    headless: Headless = False
    ways: Ways = False
    views: Views = False
    theme: ThemeName = "dark"
    select: Select = None
    mouse: Mouse = None
    view: View = None
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
        refuse_beside_load(load, given | {"--set": self.changes, "--mouse": self.mouse})


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
    overrides, colors, playlist = asked.overrides, theme_named(asked.theme), None
    ways, views = asked.ways, asked.views
    load, save, metrics, trajectory = states.load, states.save, asked.metrics, asked.trajectory
    if load is not None:
        asked.refuse_beside(load, file)
        plan: Scenario | Continued = Continued.of(load, asked.seconds)
    elif file is not None:
        playlist = Playlist(file, overrides, asked.seed, asked.view, clicks, begin=begin)
        plan = playlist.plan
    else:
        raise BadInput("FILE: is missing: name a scenario file, or a state to --load")
    film.check(plan.duration)
    states.check(plan)
    outputs = [target for target in (metrics, trajectory, save, film.film) if target is not None]
    source = load or file
    assert source is not None
    tiles = plan.map.file if isinstance(plan, Scenario) else None
    check_targets([source, None if tiles is None else source.parent / tiles], outputs)
    shown = not (asked.headless or outputs) and has_display()
    if isinstance(plan, Continued):
        world = plan.world
    else:
        assert playlist is not None
        playlist.by_hand = shown
        say_when_compiling(lambda: start_helper(source, overrides, judged=not shown))
        world = playlist.build()
    row = None if asked.select is None else row_named(world, asked.select)
    if shown:
        window = Window(
            world, plan.title, duration=plan.duration, record_as=source.stem, theme=colors,
            ways=ways, views=views, panel=True, playlist=playlist, ends=asked.seconds is not None,
        )  # fmt: skip
        window.scene.selected = row
        window.run()
        return
    origin = made_by(plan.text, world.seed, overrides)
    with world:
        report = Report(world, plan.title)  # plans all ways: nothing is begun yet
    with world, put_off():  # from the first file that is begun to the last that is finished
        writers: list[Trajectory | FilmRecorder | Saver] = []
        try:
            if save is not None:
                writers.append(Saver(states, plan))
            if trajectory is not None:
                recorded = Stage.of(world, plan.title).text()
                made, every = json.dumps(origin), asked.trajectory_every
                told = plan.text, recorded, made
                writers.append(Trajectory(trajectory, every, *told, GoalNotes()))
            recorder = film.recorder(world, colors, ways=ways, views=views, row=row)
            if recorder is not None:
                writers.append(recorder)
        except BaseException:
            for writer in writers:
                writer.abort()
            raise
        interrupted = _run_headless(world, plan, report, writers, metrics, origin)
        for target in outputs:
            if target == save and not any(isinstance(w, Saver) and w.saved for w in writers):
                print(f"no {target}: the run ended before --at {states.at:g}")
            elif target == film.film and recorder is not None and not recorder.frames:
                print(f"no {target}: the run ended before --film-from {film.film_from:g}")
            else:
                print(f"wrote {target}")
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def command(file: MaybeFile = None, **options: Any) -> None:
    """Run a scenario file, or go on from a saved state, in a window where there is a display.

    There is no window with --headless, or where an output is asked for.
    """
    perform(file, *sorted_into(RECORDS, options))


RECORDS = (RunOptions, StateOptions, FilmOptions)
OPTIONS = take_options(command, command, "file", RECORDS)
"""Those of the command line, that demos share."""


def shows(options: Mapping[str, Any]) -> bool:
    """Whether a run with these options shows or writes anything."""
    asked = any(options.get(name) for name in ("headless", "metrics", "trajectory", "save", "film"))
    return asked or has_display()


def _run_headless(
    world: World,
    plan: Scenario | Continued,
    report: Report,
    writers: Sequence[Watcher],
    metrics: Path | None,
    origin: dict[str, Any],
) -> bool:
    """Run without a window, write what was asked for, say how it went; whether Ctrl-C ended it."""
    done: Callable[[], bool] = (lambda: report.done) if plan.stop_when_arrived else (lambda: False)
    watchers = [report, *writers, Bar(plan.title, plan.steps)]
    outcome = run(world, plan.steps, watchers, done)
    with working("working out the figures"), breakable(patience=0):
        figures = {**report.result(outcome.wall_s), "made_by": origin}
    if metrics is not None:
        with atomic(metrics, "w") as file:
            json.dump(figures, file, indent=2, allow_nan=False)
            file.write("\n")
    print(_summary(figures))
    return outcome.interrupted


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
