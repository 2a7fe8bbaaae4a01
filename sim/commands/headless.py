"""A run without a window: the files it writes, and what it says at its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sim.commands.film import FilmOptions, Look
from sim.commands.progress import Bar, working
from sim.commands.states import Continued, Saver, StateOptions
from sim.core.errors import NotDone, plural
from sim.core.files import atomic
from sim.core.interrupts import breakable, put_off
from sim.record.made_by import made_by
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory
from sim.run import Watcher, run
from sim.scenario.schema import Scenario
from sim.screen.capture import FilmRecorder
from sim.study.goal_notes import GoalNotes
from sim.study.report import Report
from sim.world import World

TOLD = 1.0
"""Seconds of compiling that are told; kernels that are on disk take less."""


class Files(NamedTuple):
    """What a run is to write."""

    metrics: Path | None
    trajectory: Path | None
    every: int
    """Steps between the frames of the trajectory."""
    states: StateOptions
    film: FilmOptions

    @property
    def named(self) -> list[Path]:
        """All that are asked for."""
        each = self.metrics, self.trajectory, self.states.save, self.film.film
        return [file for file in each if file is not None]

    def begin(
        self, world: World, plan: Scenario | Continued, look: Look, origin: dict[str, Any]
    ) -> list[Trajectory | FilmRecorder | Saver]:
        """The watchers that write them. All are begun, or none."""
        writers: list[Trajectory | FilmRecorder | Saver] = []
        try:
            if self.states.save is not None:
                writers.append(Saver(self.states, plan))
            if self.trajectory is not None:
                told = plan.text, Stage.of(world, plan.title).text(), json.dumps(origin)
                writers.append(Trajectory(self.trajectory, self.every, *told, GoalNotes()))
            recorder = self.film.recorder(world, look)
            if recorder is not None:
                writers.append(recorder)
        except BaseException:
            for writer in writers:
                writer.abort()
            raise
        return writers

    def say(self, writers: Sequence[Watcher]) -> None:
        """Say which of them are written, and which are not as the run ended before."""
        saved = any(isinstance(each, Saver) and each.saved for each in writers)
        filmed = any(isinstance(each, FilmRecorder) and each.frames for each in writers)
        for file in self.named:
            if file == self.states.save and not saved:
                print(f"no {file}: the run ended before --at {self.states.at:g}")
            elif file == self.film.film and not filmed:
                print(f"no {file}: the run ended before --film-from {self.film.film_from:g}")
            else:
                print(f"wrote {file}")


def run_headless(
    world: World, plan: Scenario | Continued, files: Files, look: Look, overrides: list[str]
) -> bool:
    """Run without a window, write the files, say how it went; whether an interrupt ended it.

    An event that cannot be done ends the run: `NotDone` is raised when all is written.
    """
    origin = made_by(plan.text, world.seed, overrides)
    with world:
        report = Report(world, plan.title)  # plans all ways: nothing is begun yet
    with world, put_off():  # from the first file that is begun to the last that is finished
        writers = files.begin(world, plan, look, origin)
        done: Callable[[], bool] = (
            (lambda: report.done) if plan.stop_when_arrived else (lambda: False)
        )
        shown = Bar(plan.title, plan.steps)
        outcome = run(world, plan.steps, [report, *writers, shown], done, (NotDone,))
        with working("working out the figures"), breakable(patience=0):
            figures = {**report.result(outcome.wall_s), "made_by": origin}
        if files.metrics is not None:
            with atomic(files.metrics, "w") as file:
                json.dump(figures, file, indent=2, allow_nan=False)
                file.write("\n")
        print(_summary(figures, outcome.compiling_s))
        files.say(writers)
    if outcome.refused is not None:
        raise outcome.refused
    return outcome.interrupted


def _summary(figures: dict[str, Any], compiling_s: float) -> str:
    """Two lines for people; the rest is in the metrics file."""
    besides = f", besides {compiling_s:.1f} s of compiling" if compiling_s > TOLD else ""
    rate, count = figures["unit_steps_per_s"], figures["units"]
    speed = f"{rate:,.0f} unit-steps a second" if rate else "no steps"
    said, came = [f"contacts {figures['contacts']}"], figures["arrived"]
    if figures["polarisation"] is not None:
        said.insert(0, f"polarisation {figures['polarisation']:.3g}")
    if came is not None:
        said.insert(0, f"arrived {came} ({100 * figures['arrived_share']:.3g} %)")
    return (
        f"{figures['title']}: {count} {plural(count, 'unit')}, "
        f"{figures['simulated_s']:.1f} s simulated in {figures['wall_s']:.1f} s ({speed})"
        f"{besides}\n"
        f"{', '.join(said)}"
    )
