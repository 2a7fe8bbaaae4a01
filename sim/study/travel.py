"""How each unit travels: path length, effort, rest, turning back and forth; and which are stuck.

One pass over the units a frame; other figures of motion are read from the arrays kept here.
"""

from __future__ import annotations

from math import ceil
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit
from sim.study.frame import Frame, Observer
from sim.study.pairs import short_way, short_ways
from sim.study.setting import NO_GOAL, Setting

SLOW = 0.01
"""Hull lengths a second below which a unit counts as resting."""
REST, RECENT, TAIL = 1.0, 0.25, 2.0
"""Seconds that a rest lasts, that speed is measured over, that jitter is looked for at the end."""

ABSENT, SEEN, FLIPPED = 0, 1, 2


def whole_steps(seconds: float, time_step: float) -> int:
    """Steps that cover these seconds, at least one; 1 s has 60 of 1/60 s however that rounds."""
    return max(1, ceil(seconds / time_step - 1e-9))


class Done(NamedTuple):
    """What each of N units has done so far."""

    last: Floats
    """(N, 2) where it was at the last frame."""
    moved: Floats
    """(N, 2) the last step; across the seam of a torus the short way."""
    path: Floats
    """(N,) world units."""
    effort: Floats
    """(N,) the integral of speed squared."""
    seconds: Floats
    """(N,) for which it was there."""
    recent: Floats
    """(N, k) lengths of the last k steps, in a ring."""
    moving: Ints
    """(N,) the last frame at which the length travelled over the last quarter second came to more
    than 1 % of the hull length a second; -1 for never."""
    rested: Ints
    """(N,) steps, up to now, each of which was slower than that."""
    tail: NDArray[np.uint8]
    """(N, t) ABSENT, SEEN or FLIPPED at each of the last t steps, in a ring."""


@njit(cache=True, error_model="numpy")
def travel(
    step: int, time_step: float, position: Floats, present: Bools, size: Floats, length: Floats,
    done: Done,
) -> None:  # fmt: skip
    """Take in one step, to `position`."""
    moved, recent = done.moved, done.recent
    window, slot, spot = recent.shape[1], step % recent.shape[1], step % done.tail.shape[1]
    for i in range(len(position)):
        dx, dy = position[i, 0] - done.last[i, 0], position[i, 1] - done.last[i, 1]
        done.last[i, 0], done.last[i, 1] = position[i, 0], position[i, 1]
        if not (present[i] and np.isfinite(dx) and np.isfinite(dy)):
            moved[i, 0] = moved[i, 1] = recent[i, slot] = 0.0
            done.rested[i], done.tail[i, spot] = 0, ABSENT
            continue
        dx, dy = short_way(dx, dy, size)
        way, slow = np.sqrt(dx * dx + dy * dy), SLOW * length[i] * time_step
        was = moved[i, 0] ** 2 + moved[i, 1] ** 2
        back = way > slow and was > slow * slow and dx * moved[i, 0] + dy * moved[i, 1] < 0
        done.tail[i, spot] = FLIPPED if back else SEEN
        done.rested[i] = done.rested[i] + 1 if way < slow else 0
        moved[i, 0], moved[i, 1] = dx, dy
        done.path[i] += way
        done.effort[i] += way * way / time_step
        done.seconds[i] += time_step
        recent[i, slot] = way
        total = 0.0
        for k in range(window):
            total += recent[i, k]
        if total > window * slow:
            done.moving[i] = step


class Travel(Observer):
    """The motion of all units so far: `done`."""

    columns: ClassVar = {"done": Done(np.nan, 0.0, 0.0, 0.0, 0.0, 0.0, -1, 0, ABSENT)}  # type: ignore[arg-type]

    def __init__(self, setting: Setting) -> None:
        n, step = len(setting), setting.time_step
        super().__init__(setting)
        self._step = 0
        self.done = Done(
            np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n), np.zeros(n), np.zeros(n),
            np.zeros((n, whole_steps(RECENT, step))), np.full(n, -1, np.int64),
            np.zeros(n, np.int64), np.zeros((n, whole_steps(TAIL, step)), np.uint8),
        )  # fmt: skip

    def observe(self, frame: Frame) -> None:
        """Take in the next frame; the first is where everyone stands."""
        self._step = frame.step
        if frame.step == 0:
            self.done.last[:] = frame.position
            return
        setting = self._setting
        travel(
            frame.step, setting.time_step, frame.position, frame.present, setting.size,
            setting.length, self.done,
        )  # fmt: skip

    def flips(self, arrival_step: Ints, rows: slice) -> float | None:
        """Jitter: reversals per unit and second after arrival, over the last 2 s of the run.

        A reversal is a step that points more than 90 degrees away from the one before, both faster
        than 1 % of the hull length a second. Seconds count from a unit's arrival (`arrival_step`
        (N,), -1 for none) while it is present; None if there are none.
        """
        width = self.done.tail.shape[1]
        # the frame each slot was last written at
        ends = self._step - (self._step - np.arange(width)) % width
        counted = (arrival_step[rows, None] >= 0) & (ends > arrival_step[rows, None]) & (ends > 0)
        tail = self.done.tail[rows]
        seconds = np.count_nonzero(counted & (tail != ABSENT)) * self._setting.time_step
        if not seconds > 0:
            return None
        return float(np.count_nonzero(counted & (tail == FLIPPED)) / seconds)


SPAN, LOOK = 10.0, 0.25
"""Over how long a time units that are stuck have not moved by a hull length, s, and how often it is
looked at where they are."""


class Stuck(Observer):
    """Where each unit was at each `LOOK` of the last `SPAN` seconds: which are stuck.

    A stuck unit was sent somewhere, is not there, and has hardly moved for all that time. Units at
    a stop of their route that holds them stay there on purpose, and are not stuck.
    """

    columns: ClassVar = {"_places": np.nan}

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._places = np.full((len(setting), round(SPAN / LOOK) + 1, 2), np.nan)
        self._looks = 0

    def observe(self, frame: Frame) -> None:
        """Take in the next frame."""
        if frame.time < self._looks * LOOK - 1e-9:
            return
        counted = frame.present & ~self._at_stops(frame.position)
        places = np.where(counted[:, None], frame.position, np.nan)
        self._places[:, self._looks % self._places.shape[1]] = places
        self._looks += 1

    def _at_stops(self, position: Floats) -> Bools:
        """(N,) which units are within a hull length of the tolerance of a stop that holds them."""
        setting, found = self._setting, np.zeros(len(position), np.bool_)
        goals = setting.goals
        stops = np.flatnonzero(goals.stays)
        goal = np.searchsorted(goals.first, stops, side="right") - 1
        off = short_ways(goals.points[stops] - position[goal], setting.size)
        found[goal[np.hypot(*off.T) <= (goals.tolerance + setting.length)[goal]]] = True
        return found

    def count(self, rows: slice, arrived: Ints) -> int:
        """How many have a goal, are not there (`arrived` (N,) is -1), and have hardly moved.

        They were there for the whole time, and never a hull length from where they are now.
        """
        last = self._places[rows, (self._looks - 1) % self._places.shape[1]]
        away = short_ways(self._places[rows] - last[:, None], self._setting.size)
        far = np.hypot(away[..., 0], away[..., 1]).max(axis=1, initial=0.0)
        sent = self._setting.goals.kind[rows] != NO_GOAL
        still = far < self._setting.length[rows]  # of NaN, False: it has not been there for so long
        return int(np.count_nonzero(sent & (arrived[rows] < 0) & still))
