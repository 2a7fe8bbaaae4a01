"""One frame as the observers get it: read by all of them, filled once by `Metrics`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.errors import BadInput
from sim.core.hull import sizes
from sim.core.overlap import Outlines, Turned
from sim.core.relay import Relay
from sim.study.pairs import near_pairs
from sim.study.setting import Setting


@dataclass
class Frame:
    """Frame number `step` (0 is the start): state (N, 2), (N,), (N,) and what figures share."""

    step: int
    time: float
    """s since the start."""
    position: Floats
    angle: Floats
    present: Bools
    hulls: Turned
    pairs: Ints
    """(m, 2) candidates for contacts and for chains of resting units."""
    nearest: Floats
    """(N,) distance of each unit's nearest neighbour of any group, NaN without one."""


class Observer(Columns):
    """What takes in a run frame by frame: it has a setting, and columns of its units."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came: those of a new setting have these old rows, -1 for new ones."""
        self._setting = setting
        self.rearrange(Relay(old_rows))

    def observe(self, frame: Frame) -> None:
        """Take in the next frame; the first is where all stand."""
        raise NotImplementedError


class Framer:
    """Makes frames, keeping their memory from one to the next."""

    def __init__(self, setting: Setting) -> None:
        self._step, self._start = 0, 0.0
        self.follow(setting)

    def follow(self, setting: Setting) -> None:
        """Take up other units: those of a new setting."""
        self._size = setting.size
        hulls = [cohort.hull for cohort in setting.cohorts]
        self._outlines = Outlines(hulls, setting.hull, sizes(hulls, setting.hull, setting.radius))
        self._within = setting.reach.copy()
        if np.any(setting.goals.shared >= 0):
            self._within += setting.radius / 4  # chains of resting units have gaps of up to half
        self._nearest = np.zeros(len(setting))

    def __call__(self, time: float, position: Floats, angle: Floats, present: Bools) -> Frame:
        """The next frame; the arrays are not copied.

        Raises `BadInput` for one of more or fewer units than there are: kernels would read on.
        """
        units = len(self._nearest)
        if not len(position) == len(angle) == len(present) == units:
            raise BadInput(f"a frame of {len(position)} units: must be of {units}")
        if self._step == 0:
            self._start = time
        self._outlines.turn(angle, present)
        pairs = near_pairs(position, present, self._size, self._within, self._nearest)
        frame = Frame(
            self._step, time - self._start, position, angle, present, self._outlines.turned, pairs,
            self._nearest,
        )  # fmt: skip
        self._step += 1
        return frame
