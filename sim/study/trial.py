"""One run of one scene by one model, ours or a peer's, judged by the same code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.record.run import Run
from sim.record.trajectory import group_names
from sim.run import Watcher, run
from sim.scenario.build import build
from sim.scenario.load import load
from sim.scenario.schema import Scenario
from sim.study.flow import Line
from sim.study.goal_notes import need_all, read_sent
from sim.study.metrics import FullJudge
from sim.study.peers import PEERS, peer
from sim.study.peers.run import frames
from sim.study.report import Report, Sent, followed, forget_absent, setting_of
from sim.study.setting import Setting
from sim.world import World

EVERY = 0.1
"""Seconds between the frames that are kept of a trial."""

MOVES = ("remove", "regroup")
"""Events after which there are other units, or the same in other rows."""


@dataclass(frozen=True)
class Trial:
    """A scene, its runner (a model of ours or one of `PEERS`), the seed, a line for flow.

    `changes` (KEY=VALUE) are made to the scene before it is run.
    """

    scene: Path
    runner: str
    seed: int | None = None
    line: Line | None = None
    changes: tuple[str, ...] = ()


def plan_of(
    scene: Path, runner: str, seed: int | None = None, changes: Sequence[str] = ()
) -> Scenario:
    """The scenario, with a model of ours in all groups; a peer takes it as it is.

    Raises `BadInput` for a file or a model that is refused, and where units come, go or change
    group: the frames of all runners are to have the same units.
    """
    names = [] if runner in PEERS else [group.name for group in load(scene).groups]
    models = [f"groups.{name}.model={runner}" for name in names]
    plan = load(scene, [*models, *changes], seed)
    told = ["sources"] if plan.sources else []
    told += [f"events: {event.action}" for event in plan.events if event.action in MOVES]
    if told:
        raise BadInput(
            f"{scene}: {told[0]}: all units must be there from the start, and stay in their groups"
        )
    return plan


def try_out(trial: Trial, every: float = EVERY) -> tuple[dict[str, Any], Run]:
    """Run it to its end: the figures, and the frames, at least one in `every` seconds.

    Raises `BadInput` for what the runner does not take.
    """
    plan = plan_of(trial.scene, trial.runner, trial.seed, trial.changes)
    world = build(plan)
    judge = FullJudge(setting_of(world), plan.title, plan.seed, trial.line)
    film = Film(group_names(world), plan.text, every)
    if trial.runner in PEERS:
        wall_s = _run_peer(trial.runner, plan, world, judge, film)
    else:
        report = Report(world, plan.title, judge)
        wall_s = _run(world, plan, [report, _Shower(film)], lambda: report.done)
    return judge.result(wall_s), film.run()


def _run_peer(name: str, plan: Scenario, world: World, judge: FullJudge, film: Film) -> float:
    """Let a peer run what a world was built for; returns the seconds that it took."""
    setting, leave = setting_of(world), world.roster.orders_now().leave.copy()
    begun = perf_counter()
    seen = frames(peer(name), setting, lambda: judge.arrived, leave, plan.seed)
    for frame in islice(seen, plan.steps + 1):
        judge.observe(*frame)
        film.observe(*frame)
        if plan.stop_when_arrived and judge.done:
            break
    return perf_counter() - begun


def measure(plan: Scenario, line: Line | None = None, steps: int | None = None) -> dict[str, Any]:
    """Run a scenario to its end, or for `steps` steps at most: its figures.

    Raises `BadInput` for what does not fit, `Diverged` for a state that is no longer finite.
    """
    world = build(plan)
    judge = FullJudge(setting_of(world), plan.title, plan.seed, line)
    report = Report(world, plan.title, judge)
    return report.result(_run(world, plan, [report], lambda: report.done, steps))


def _run(
    world: World,
    plan: Scenario,
    watchers: Sequence[Watcher],
    arrived: Callable[[], bool],
    steps: int | None = None,
) -> float:
    """Step a world as its scenario says; returns the seconds that it took."""
    done = arrived if plan.stop_when_arrived else lambda: False
    steps = plan.steps if steps is None else min(steps, plan.steps)
    outcome = run(world, steps, watchers, done)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return outcome.wall_s


class Film:
    """Keeps a frame every `every` seconds, and the last one."""

    def __init__(self, group: NDArray[np.str_], text: str, every: float) -> None:
        self._group, self._text, self._every = group, text, every
        self._frames: list[tuple[float, Floats, Floats]] = []
        self._last: tuple[float, Floats, Floats] | None = None

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame."""
        where = np.where(present[:, None], position, np.nan)
        self._last = time, where, np.where(present, angle, np.nan)
        if time >= len(self._frames) * self._every - 1e-9:
            self._frames.append(self._last)

    def run(self) -> Run:
        """What was kept."""
        kept = self._frames
        if self._last is not None and kept[-1] is not self._last:
            kept = [*kept, self._last]
        time, position, angle = (np.array(part) for part in zip(*kept, strict=True))
        return Run(time, position, angle, self._group, self._text)


@dataclass
class _Shower(Watcher):
    """Shows the frames of a world to a film."""

    film: Film

    def observe(self, world: World) -> None:
        units = world.units.copy()
        self.film.observe(world.time, units.position, units.angle, units.present)


def judge_run(plan: Scenario, motion: Run, line: Line | None = None) -> dict[str, Any]:
    """The figures of a recorded run of a scenario.

    Frames are taken to be as far apart as the first two. Raises `BadInput` where the run has other
    units than the scenario.
    """
    world = build(plan)
    setting, ids = setting_of(world), world.ids
    units, frames = len(motion.group), len(motion.time)
    sent = read_sent(motion.sent, frames, units) if motion.sent else {}
    known = np.unique(np.concatenate([ids, *(each.ids for each in sent.values())]))
    if len(ids) > units or not np.isin(np.flatnonzero(motion.present.any(axis=0)), known).all():
        raise BadInput(f"{plan.path}: has {len(known)} units; the trajectory has {units}")
    if not frames:
        raise BadInput("a run without a frame: there is nothing to measure")
    if motion.parts is not None:
        motion.parts.check(world.plane)
    step = float(motion.time[1] - motion.time[0]) if frames > 1 else plan.time_step
    setting = replace(setting, start=motion.position[0][ids], time_step=step)
    forget_absent(setting, motion.present[0][ids])
    judge = FullJudge(setting, plan.title, plan.seed, line)
    for frame, time in enumerate(motion.time.tolist()):
        if frame in sent:
            now = sent[frame]
            groups, places = _groups(now, motion, setting), motion.position[frame][now.ids]
            setting, ids, old_rows = followed(setting, ids, now, groups, places)
            judge.follow(setting, old_rows, np.argsort(ids))
        if motion.parts is not None:
            judge.stand(motion.parts.pieces(time, motion.time))
        judge.observe(
            time, motion.position[frame][ids], motion.angle[frame][ids], motion.present[frame][ids]
        )
    return judge.result()


def _groups(sent: Sent, motion: Run, setting: Setting) -> Ints:
    """(k,) the numbers of the groups of these units, in the order of the cohorts.

    Raises `BadInput` for a group, or the number of a hull, that the scenario does not have.
    """
    names = [cohort.name for cohort in setting.cohorts]
    group = motion.group[sent.ids]
    if not np.isin(group, names).all():
        raise BadInput(f"group: must be one of {', '.join(names)}")
    known = (sent.hull >= 0) & (sent.hull < len(names))
    need_all("sent: hull", sent.hull, known, f"from 0 to {len(names) - 1}")
    return np.array([names.index(name) for name in group.tolist()], np.int64)
