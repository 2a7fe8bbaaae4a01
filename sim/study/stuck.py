"""Units that are stuck: sent somewhere, not there, and hardly moved for long.

Units at a stop of their route that holds them stay there on purpose, and are not stuck.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.study.frame import Frame, Observer
from sim.study.pairs import short_ways
from sim.study.setting import NO_GOAL, Setting

SPAN, LOOK = 10.0, 0.25
"""Over how long a time units that are stuck have not moved by a hull length, s, and how often it is
looked at where they are."""


class Stuck(Observer):
    """Where each unit was at each `LOOK` of the last `SPAN` seconds."""

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
