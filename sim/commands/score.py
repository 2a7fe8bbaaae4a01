"""`python -m sim score [SCENES...]`: models and peers in the same scenes, judged alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.progress import Runs
from sim.commands.sweep import Jobs, Out
from sim.core.errors import BadInput
from sim.record.trajectory import load as load_motion
from sim.scenario.build import build
from sim.study.engines import cores
from sim.study.journal import Row
from sim.study.peers import PEERS
from sim.study.score import (
    check_out,
    find_scene,
    finished,
    run_all,
    scene_files,
    trace_file,
    trials,
)
from sim.study.score_plots import figure_class, plot_bars, plot_traces
from sim.study.score_table import cells, markdown, write_table
from sim.study.sweep import MOST_RUNS
from sim.study.trial import Trial, plan_of

Scenes = Annotated[
    list[str] | None,
    typer.Argument(metavar="SCENES...", help="Names of shipped scenes, or files; all without."),
]
Models = Annotated[str, typer.Option(help="Our models, with commas between; none: peers alone.")]
Peers = Annotated[
    str, typer.Option(help=f"Other libraries' models: {', '.join(PEERS)}; all, or none.")
]
Seeds = Annotated[
    int, typer.Option(min=1, max=MOST_RUNS, help="Runs of a scene that draws its starts.")
]


def command(
    scenes: Scenes = None,
    models: Models = "crowd",
    peers: Peers = "none",
    seeds: Seeds = 5,
    out: Out = Path("score"),
    workers: Jobs = None,
) -> None:
    """Run models and peers in the same scenes and write a table, plots and traces.

    What was finished before in the same folder is not run again.
    """
    figure_class()
    check_out(out)
    files = [find_scene(name) for name in scenes] if scenes else scene_files()
    ours = names_in(models)
    todo = trials(files, ours, names_in(peers, tuple(PEERS)), seeds)
    if not todo:
        raise BadInput("--models none --peers none: no model and no peer to run")
    rows = _rows(todo, out, workers or cores())
    found = cells(rows)
    write_table(found, rows, out)
    plot_bars(found, out)
    _draw_traces(todo, out)
    print(markdown(found))
    print(f"wrote {out / 'score.md'}, {out / 'score.json'}, plots, and a trace picture a scene")


def names_in(text: str, every: tuple[str, ...] = ()) -> list[str]:
    """The names in a list with commas; "none", and "all" where there is such a thing."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["none"]:
        return []
    return list(every) if every and names == ["all"] else list(dict.fromkeys(names))


def _rows(todo: Sequence[Trial], out: Path, workers: int) -> list[Row]:
    """The rows of all trials in their order, those made before and those made now."""
    before = {trial: row for trial in todo if (row := finished(trial, out)) is not None}
    missing = [trial for trial in todo if trial not in before]
    with Runs("score", len(todo), len(before)) as bar:

        def tell(row: Row) -> None:
            bar.advance(f"{row['scene']}, {row['runner']}")

        made = run_all(missing, out, workers, tell) if missing else []
    known = {(row["scene"], row["runner"], row["seed"]): row for row in made}
    return [
        before.get(trial) or known[trial.scene.stem, trial.runner, trial.seed] for trial in todo
    ]


def _draw_traces(todo: Sequence[Trial], out: Path) -> None:
    """A picture a scene, of the first seed of each runner."""
    folder = out / "traces"
    folder.mkdir(exist_ok=True)
    for scene in dict.fromkeys(trial.scene for trial in todo):
        first: dict[str, Trial] = {}
        for trial in todo:
            if trial.scene == scene and trace_file(trial, out).exists():
                first.setdefault(trial.runner, trial)
        if not first:
            continue
        runs = [(name, load_motion(trace_file(each, out))) for name, each in first.items()]
        runner, trial = next(iter(first.items()))
        plan = plan_of(scene, runner, trial.seed)
        plot_traces(plan.title, build(plan).solids, runs, folder / f"{scene.stem}.png")
