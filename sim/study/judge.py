"""All figures of a run, from any program: its frames in, one JSON object out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.core.arrays import Bools, Floats, Ints
from sim.core.pieces import Piece
from sim.record.hash import TrajectoryHash
from sim.study.flow import Flow, Line
from sim.study.lanes import Lanes
from sim.study.metrics import Metrics
from sim.study.setting import Setting


class Judge:
    """Takes frames one by one and gives the object that `--metrics` writes; knows no world."""

    def __init__(self, setting: Setting, title: str, seed: int) -> None:
        self._setting, self._title, self._seed = setting, title, seed
        self._metrics, self._hash = Metrics(setting), TrajectoryHash()
        self._frames, self._time = 0, 0.0
        self._order: Ints | None = None

    def follow(self, setting: Setting, old_rows: Ints, order: Ints) -> None:
        """Units came, as in `Metrics.follow`; `order` (N,) are the rows in the order of ids."""
        self._setting, self._order = setting, order
        self._metrics.follow(setting, old_rows)

    def stand(self, pieces: Sequence[Piece]) -> None:
        """From the next frame on these parts of the ground are there, open or closed."""
        self._metrics.stand(pieces)

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame, as `Metrics.observe` does."""
        self._metrics.observe(time, position, angle, present)
        if self._order is not None:
            rows = self._order
            position, angle, present = position[rows], angle[rows], present[rows]
        self._hash.add(position, angle, present)
        self._frames, self._time = self._frames + 1, time

    @property
    def arrived(self) -> Bools:
        """(N,) which units have arrived by the last frame."""
        return self._metrics.arrived

    @property
    def done(self) -> bool:
        """Whether every unit that has a place to arrive at is there and at rest."""
        return self._metrics.done

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures; `wall_s` is the time that the run took, None where it is not known."""
        units, steps = len(self._setting), max(0, self._frames - 1)
        return {
            "title": self._title,
            "seed": self._seed,
            "units": units,
            "steps": steps,
            "time_step_s": self._setting.time_step,
            "simulated_s": self._time,
            "wall_s": wall_s,
            "unit_steps_per_s": units * steps / wall_s if wall_s else None,
            "trajectory_sha256": self._hash.hexdigest(),
            **self._metrics.result(),
        }


class FullJudge(Judge):
    """Measures lanes as well and, across a `line` (x1, y1, x2, y2), flow."""

    def __init__(self, setting: Setting, title: str, seed: int, line: Line | None = None) -> None:
        super().__init__(setting, title, seed)
        self._lanes = Lanes(setting)
        self._flow = None if line is None else Flow(setting, line)

    def follow(self, setting: Setting, old_rows: Ints, order: Ints) -> None:
        """Units came, or were sent elsewhere."""
        super().follow(setting, old_rows, order)
        self._lanes.follow(setting, old_rows)
        if self._flow is not None:
            self._flow.rearrange(old_rows)

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame."""
        super().observe(time, position, angle, present)
        self._lanes.observe(position, present & ~self.arrived)
        if self._flow is not None:
            self._flow.observe(time, position, present)

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures and, None where undefined, lane_order_start, lane_order, specific_flow."""
        return {
            **super().result(wall_s),
            "lane_order_start": self._lanes.start,
            "lane_order": self._lanes.late,
            "specific_flow": None if self._flow is None else self._flow.specific,
        }
