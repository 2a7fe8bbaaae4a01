"""All figures of a run, from any program: its frames in, one JSON object out."""

from __future__ import annotations

from typing import Any

from sim.core.arrays import Bools, Floats, Ints
from sim.record.hash import TrajectoryHash
from sim.study.flow import Flow, Line
from sim.study.lanes import Lanes
from sim.study.metrics import Metrics
from sim.study.setting import Setting


class Judge(Metrics):
    """Takes frames one by one and gives the object that `--metrics` writes; knows no world."""

    def __init__(self, setting: Setting, title: str, seed: int) -> None:
        super().__init__(setting)
        self._title, self._seed, self._hash, self._now = title, seed, TrajectoryHash(), 0.0
        self._by_id: Ints | None = None

    def follow(self, setting: Setting, old_rows: Ints, by_id: Ints | None = None) -> None:
        """Units came, or were sent elsewhere; `by_id` (N,) are the rows in the order of ids."""
        super().follow(setting, old_rows)
        self._by_id = by_id

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame."""
        super().observe(time, position, angle, present)
        rows = slice(None) if self._by_id is None else self._by_id
        self._hash.add(position[rows], angle[rows], present[rows])
        self._now = time

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures; `wall_s` is the time that the run took, None where it is not known."""
        units, steps = len(self.setting), max(0, self._step)
        return {
            "title": self._title,
            "seed": self._seed,
            "units": units,
            "steps": steps,
            "time_step_s": self.setting.time_step,
            "simulated_s": self._now,
            "wall_s": wall_s,
            "unit_steps_per_s": units * steps / wall_s if wall_s else None,
            "trajectory_sha256": self._hash.hexdigest(),
            **super().result(),
        }


class FullJudge(Judge):
    """Measures lanes as well and, across a `line` (x1, y1, x2, y2), flow."""

    def __init__(self, setting: Setting, title: str, seed: int, line: Line | None = None) -> None:
        super().__init__(setting, title, seed)
        self._lanes = Lanes(setting, self._arrival)
        self._flow = None if line is None else Flow(setting, line)
        self._observers += (self._lanes,) if self._flow is None else (self._lanes, self._flow)

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures and, None where undefined, lane_order_start, lane_order, specific_flow."""
        return {
            **super().result(wall_s),
            "lane_order_start": self._lanes.start,
            "lane_order": self._lanes.late,
            "specific_flow": None if self._flow is None else self._flow.specific,
        }
