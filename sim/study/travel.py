"""How each unit travels: path length, effort, rest, and turning back and forth.

One pass over the units a frame; everything else about motion is read from the arrays kept here.
"""

from __future__ import annotations

from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.shared_cache import njit
from sim.study.frame import Frame
from sim.study.setting import Setting

SLOW = 0.01
"""Hull lengths a second below which a unit counts as resting."""
REST, RECENT, TAIL = 1.0, 0.25, 2.0
"""Seconds that a rest lasts, that speed is measured over, that jitter is looked for at the end."""

ABSENT, SEEN, FLIPPED = 0, 1, 2


def whole_steps(seconds: float, time_step: float) -> int:
    """Steps that cover these seconds, at least one; 1 s has 60 of 1/60 s however that rounds."""
    return max(1, ceil(seconds / time_step - 1e-9))


@njit(cache=True, error_model="numpy")
def travel(
    step: int, time_step: float, position: Floats, present: Bools, size: Floats, length: Floats,
    last: Floats, moved: Floats, path: Floats, effort: Floats, seconds: Floats,
    recent: Floats, moving: Ints, rested: Ints, tail: NDArray[np.uint8],
) -> None:  # fmt: skip
    """Take in one step from `last` to `position`."""
    window, slot, spot = recent.shape[1], step % recent.shape[1], step % tail.shape[1]
    for i in range(len(position)):
        dx, dy = position[i, 0] - last[i, 0], position[i, 1] - last[i, 1]
        last[i, 0], last[i, 1] = position[i, 0], position[i, 1]
        if not (present[i] and np.isfinite(dx) and np.isfinite(dy)):
            moved[i, 0] = moved[i, 1] = recent[i, slot] = 0.0
            rested[i], tail[i, spot] = 0, ABSENT
            continue
        if size[0] > 0:
            dx -= size[0] * np.rint(dx / size[0])
        if size[1] > 0:
            dy -= size[1] * np.rint(dy / size[1])
        way, slow = np.sqrt(dx * dx + dy * dy), SLOW * length[i] * time_step
        was = moved[i, 0] ** 2 + moved[i, 1] ** 2
        back = way > slow and was > slow * slow and dx * moved[i, 0] + dy * moved[i, 1] < 0
        tail[i, spot] = FLIPPED if back else SEEN
        rested[i] = rested[i] + 1 if way < slow else 0
        moved[i, 0], moved[i, 1] = dx, dy
        path[i] += way
        effort[i] += way * way / time_step
        seconds[i] += time_step
        recent[i, slot] = way
        total = 0.0
        for k in range(window):
            total += recent[i, k]
        if total > window * slow:
            moving[i] = step


class Travel(Columns):
    """Motion so far, (N,): `path` (world units), `effort` (integral of speed squared), `seconds`.

    Steps across the seam of a torus take the short way. `rested` counts the steps, up to now, each
    of which was slower than 1 % of the hull length a second; `moving` is the last frame at which
    the length travelled over the last quarter second came to more than that speed, -1 for never.
    `moved` (N, 2) is the last step's displacement.
    """

    columns: ClassVar = {
        "_last": np.nan, "moved": 0.0, "path": 0.0, "effort": 0.0, "seconds": 0.0, "moving": -1,
        "rested": 0, "_recent": 0.0, "_tail": ABSENT,
    }  # fmt: skip

    def __init__(self, setting: Setting) -> None:
        n, step = len(setting), setting.time_step
        self._setting = setting
        self._last = np.zeros((n, 2))
        self.moved = np.zeros((n, 2))
        self.path, self.effort, self.seconds = np.zeros(n), np.zeros(n), np.zeros(n)
        self.moving, self.rested = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
        self._recent = np.zeros((n, whole_steps(RECENT, step)))
        self._tail = np.zeros((n, whole_steps(TAIL, step)), dtype=np.uint8)
        self._step = 0

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came: those of a new setting have these old rows, -1 for new ones."""
        self._setting = setting
        self.rearrange(old_rows)

    def observe(self, frame: Frame) -> None:
        """Take in the next frame; the first is where everyone stands."""
        self._step = frame.step
        if frame.step == 0:
            self._last[:] = frame.position
            return
        setting = self._setting
        travel(
            frame.step, setting.time_step, frame.position, frame.present, setting.size,
            setting.length,
            self._last, self.moved, self.path, self.effort, self.seconds,
            self._recent, self.moving, self.rested, self._tail,
        )  # fmt: skip

    def flips(self, arrival_step: Ints, rows: slice) -> float | None:
        """Jitter: reversals per unit and second after arrival, over the last 2 s of the run.

        A reversal is a step that points more than 90 degrees away from the one before, both faster
        than 1 % of the hull length a second. Seconds count from a unit's arrival (`arrival_step`
        (N,), -1 for none) while it is present; None if there are none.
        """
        width = self._tail.shape[1]
        ends = (
            self._step - (self._step - np.arange(width)) % width
        )  # the frame each slot was last written at
        counted = (arrival_step[rows, None] >= 0) & (ends > arrival_step[rows, None]) & (ends > 0)
        tail = self._tail[rows]
        seconds = np.count_nonzero(counted & (tail != ABSENT)) * self._setting.time_step
        if not seconds > 0:
            return None
        return float(np.count_nonzero(counted & (tail == FLIPPED)) / seconds)
