"""Flow: how many pass a line, how quickly."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.core.shared_cache import njit
from sim.study.frame import Frame, Observer
from sim.study.setting import Setting

Line = tuple[float, float, float, float]

FIRST, LAST = 0.2, 0.8
"""The steady part: from when the first share of all units that pass has passed, to the second."""


@njit(cache=True, error_model="numpy")
def pass_line(
    before: Floats, after: Floats, present: Bools, line: Floats, began: float, step: float,
    passed: Floats,
) -> None:  # fmt: skip
    """Write down in `passed` (N,), NaN before, when each unit's centre first crosses the line."""
    ex, ey = line[2] - line[0], line[3] - line[1]
    for i in range(len(before)):
        if not present[i] or not np.isnan(passed[i]):
            continue
        a = ex * (before[i, 1] - line[1]) - ey * (before[i, 0] - line[0])
        b = ex * (after[i, 1] - line[1]) - ey * (after[i, 0] - line[0])
        if (a >= 0) == (b >= 0) or np.isnan(a) or np.isnan(b):
            continue
        share = a / (a - b)
        x = before[i, 0] + share * (after[i, 0] - before[i, 0]) - line[0]
        y = before[i, 1] + share * (after[i, 1] - before[i, 1]) - line[1]
        if 0 <= x * ex + y * ey <= ex * ex + ey * ey:
            passed[i] = began + share * step


def specific(passed: Floats, line: Line | Floats) -> float | None:
    """Units a second and world unit of the line, of which each has `passed` it at a time (N,), s.

    In the steady part; None of fewer than ten that pass. NaN stands for a unit that does not.
    """
    times = np.sort(passed[~np.isnan(passed)])
    first, last = round(FIRST * len(times)), round(LAST * len(times)) - 1
    if len(times) < 10 or times[last] <= times[first]:
        return None
    width = float(np.hypot(line[2] - line[0], line[3] - line[1]))
    return float((last - first) / (times[last] - times[first]) / width)


class Flow(Observer):
    """Flow through a line (x1, y1, x2, y2), whose length is the clear width of the passage.

    The specific flow is the number of units a second and unit of width, as T. Kretz, A. Grünebohm
    and M. Schreckenberg (Experimental study of pedestrian flow through a bottleneck, J. Stat. Mech.
    2006, P10014) and A. Seyfried and others (New insights into pedestrian flow through bottlenecks,
    Transportation Science 43, 2009) give it. Only the steady part counts: from the passage of the
    first fifth of the units that pass at all to that of the fourth fifth.
    """

    columns: ClassVar = {"_before": np.nan, "_passed": np.nan}

    def __init__(self, setting: Setting, line: Line) -> None:
        super().__init__(setting)
        self._line = np.array(line, dtype=float)
        width = float(np.hypot(*(self._line[2:] - self._line[:2])))
        if not (np.isfinite(self._line).all() and width > 0):
            raise BadInput(f"line {line}: must be x1, y1, x2, y2 of two points apart")
        self._before = setting.start.copy()
        self._time = 0.0
        self._passed = np.full(len(setting), np.nan)

    def observe(self, frame: Frame) -> None:
        """Take in the next frame."""
        step = frame.time - self._time
        pass_line(
            self._before, frame.position, frame.present, self._line, self._time, step, self._passed
        )
        self._before[:], self._time = frame.position, frame.time

    @property
    def specific(self) -> float | None:
        """Units a second and world unit of width; None of fewer than ten that pass."""
        return specific(self._passed, self._line)
