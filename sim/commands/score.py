"""`python -m sim score [SCENES...]`: models and peers in the same scenes, judged alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.bars import Runs
from sim.commands.sweep import Jobs, Out
from sim.core.errors import BadInput
from sim.record.trajectory import load as load_motion
from sim.scenario.build import build
from sim.study.engines import cores, engine
from sim.study.job import Task, made, make
from sim.study.journal import Row, journal
from sim.study.peers import PEERS
from sim.study.plots import figure_class, plot_bars, plot_traces
from sim.study.score import (
    Entry,
    find_scene,
    perform,
    prepare_traces,
    refusals,
    scene_files,
    trials,
)
from sim.study.score_table import cells, markdown, write_table
from sim.study.sweep import MOST_RUNS
from sim.study.trial import plan_of


def command(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENES...", help="Names of shipped scenes, or files; all without."),
    ] = None,
    models: Annotated[
        str, typer.Option(help="Our models, with commas between; none: peers alone.")
    ] = "crowd",
    peers: Annotated[
        str, typer.Option(help=f"Other libraries' models: {', '.join(PEERS)}; all, or none.")
    ] = "none",
    seeds: Annotated[
        int, typer.Option(min=1, max=MOST_RUNS, help="Runs of a scene that draws its starts.")
    ] = 5,
    out: Out = Path("score"),
    workers: Jobs = None,
) -> None:
    """Run models and peers in the same scenes and write a table, plots and traces.

    What was finished before in the same folder is not run again. The exit status is 2 where a
    scene was refused, whatever was to run there.
    """
    figure_class()
    files = [find_scene(name) for name in scenes] if scenes else scene_files()
    ours = names_in(models)
    todo = trials(files, ours, names_in(peers, tuple(PEERS)), seeds)
    if not todo:
        raise BadInput("--models none --peers none: no model and no peer to run")
    rows = made_rows(
        "score", todo, out, workers, partial(perform, out=out),
        lambda row: f"{row['scene']}, {row['runner']}", lambda: prepare_traces(todo, out),
    )  # fmt: skip
    found = cells(rows)
    write_table(found, rows, out)
    plot_bars(found, out)
    _draw_traces(todo, out)
    print(markdown(found))
    print(f"wrote {out / 'score.md'}, {out / 'score.json'}, plots, and a trace picture a scene")
    if refused := refusals(rows):
        raise BadInput("\n".join(refused))


def names_in(text: str, every: tuple[str, ...] = ()) -> list[str]:
    """The names in a list with commas; "none", and "all" where there is such a thing."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["none"]:
        return []
    return list(every) if every and names == ["all"] else list(dict.fromkeys(names))


def made_rows(
    kind: str, todo: Sequence[Task], out: Path, workers: int | None, work: Callable[[Any], Row],
    told: Callable[[Row], str], begin: Callable[[], None] = lambda: None,
) -> list[Row]:  # fmt: skip
    """The rows of all tasks in their order, those made before and those made now by `work`.

    What is `told` of the last stands beside the bar; `begin` is called once the folder is there.
    """
    with engine("joblib", workers or cores()) as spread, journal(out, {"kind": kind}) as kept:
        begin()
        before = sum(made(task, kept) is not None for task in todo)
        with Runs(kind, len(todo), before) as bar:
            return make(todo, kept, spread, lambda row: bar.one_more(told(row)), work)


def _draw_traces(todo: Sequence[Entry], out: Path) -> None:
    """A picture a scene, of the first seed of each runner."""
    folder = out / "traces"
    for scene in dict.fromkeys(trial.scene for trial in todo):
        first: dict[str, Entry] = {}
        for trial in todo:
            if trial.scene == scene and trial.trace(out).exists():
                first.setdefault(trial.runner, trial)
        if not first:
            continue
        runs = [(name, load_motion(each.trace(out))) for name, each in first.items()]
        runner, trial = next(iter(first.items()))
        plan = plan_of(scene, runner, trial.seed)
        plot_traces(plan.title, build(plan).solids, runs, folder / f"{scene.stem}.png")
