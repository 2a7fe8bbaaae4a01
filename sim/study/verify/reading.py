"""What is read from the motion of a run: times at lines, speeds between them, speed by density."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.record.run import Run
from sim.study.flow import Line, pass_line

MOVED = 0.1
"""World units from its start at which a unit has set off."""


def passed(run: Run, line: Line) -> Floats:
    """(N,) s, when the centre of each unit first crosses the line; NaN for one that does not."""
    when = np.full(run.position.shape[1], np.nan)
    where = np.array(line, dtype=float)
    for before, after in zip(range(len(run.time) - 1), range(1, len(run.time)), strict=True):
        here = ~np.isnan(run.position[[before, after], :, 0]).any(axis=0)
        began = float(run.time[before])
        step = float(run.time[after]) - began
        pass_line(run.position[before], run.position[after], here, where, began, step, when)
    return when


def set_off(run: Run) -> Floats:
    """(N,) s, when each unit is first more than `MOVED` from its start; NaN for one that stays."""
    far = np.hypot(*(run.position - run.position[0]).transpose(2, 0, 1)) > MOVED
    found: Floats = np.where(far.any(axis=0), run.time[far.argmax(axis=0)], np.nan)
    return found


def pace(run: Run, first: Line, second: Line) -> Floats:
    """(N,) world units / s between two parallel lines; NaN for a unit that does not cross both."""
    middle = [np.array([(x1 + x2) / 2, (y1 + y2) / 2]) for x1, y1, x2, y2 in (first, second)]
    apart = float(np.hypot(*(middle[1] - middle[0])))
    return apart / (passed(run, second) - passed(run, first))


def widest(run: Run, names: tuple[str, ...]) -> float:
    """The greatest distance at any time between two units of these groups, world units."""
    rows = np.isin(run.group, names)
    where = run.position[:, rows]
    apart = where[:, :, None] - where[:, None]
    return float(np.nanmax(np.hypot(apart[..., 0], apart[..., 1])))


def steady(run: Run, since: float, period: float) -> tuple[float, float]:
    """Mean speed along x, world units / s, and the share of unit-frames that stand, after `since`.

    On a torus that is `period` long. A unit stands below a twentieth of a world unit / s.
    """
    late = run.time >= since
    step = np.diff(run.position[late], axis=0)
    step[..., 0] -= period * np.round(step[..., 0] / period)
    speed = step / np.diff(run.time[late])[:, None, None]
    return float(speed[..., 0].mean()), float((np.hypot(speed[..., 0], speed[..., 1]) < 0.05).mean())
