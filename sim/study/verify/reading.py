"""What is read from the motion of a run: times at lines, speeds between them, crowds in places."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.plane import Bounds
from sim.record.run import Run
from sim.study.flow import Line, pass_line, specific

MOVED = 0.1
"""World units from its start at which a unit has set off."""


def passed(run: Run, line: Line) -> Floats:
    """(N,) s, when the centre of each unit first crosses the line; NaN for one that does not."""
    when = np.full(run.position.shape[1], np.nan)
    where, present = np.array(line, dtype=float), run.present
    for k in range(len(run.time) - 1):
        began = float(run.time[k])
        step = float(run.time[k + 1]) - began
        here = present[k] & present[k + 1]
        pass_line(run.position[k], run.position[k + 1], here, where, began, step, when)
    return when


def flow(run: Run, line: Line) -> float | None:
    """Units a second and world unit of the line, as `sim.study.flow.Flow` tells it."""
    return specific(passed(run, line), line)


def set_off(run: Run) -> Floats:
    """(N,) s, when each unit is first more than `MOVED` from its start; NaN for one that stays."""
    far = np.hypot(*(run.position - run.position[0]).transpose(2, 0, 1)) > MOVED
    return np.where(far.any(axis=0), run.time[far.argmax(axis=0)], np.nan)


def pace(run: Run, first: Line, second: Line) -> Floats:
    """(N,) world units / s between two parallel lines; NaN for a unit that does not cross both."""
    x1, y1, x2, y2 = np.array(second) - np.array(first)
    apart = float(np.hypot(x1 + x2, y1 + y2)) / 2
    return apart / (passed(run, second) - passed(run, first))


def crowd(run: Run, place: Bounds) -> Floats:
    """(T,) the units a square world unit in a rectangle (left, top, right, bottom)."""
    left, top, right, bottom = place
    x, y = run.position[..., 0], run.position[..., 1]
    inside: Bools = (x >= left) & (x < right) & (y >= top) & (y < bottom)
    found: Floats = inside.sum(axis=1) / ((right - left) * (bottom - top))
    return found


def steady(run: Run, since: float, around: float) -> float:
    """Mean speed of all units after `since` s, world units / s, forward along x.

    On a torus that is `around` world units long. Forward is where a unit faced at the start.
    """
    step = np.diff(run.position[run.time >= since], axis=0)[..., 0]
    step -= around * np.round(step / around)
    lasted = run.time[-1] - run.time[run.time >= since][0]
    forward = np.sign(np.cos(run.angle[0]))
    return float((forward * step.sum(axis=0)).mean() / lasted)
