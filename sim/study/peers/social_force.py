"""PySocialForce: the extended social force model (Moussaid and others 2009, 2010)."""

from __future__ import annotations

import logging
from math import hypot
from typing import Any
from unittest.mock import patch

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.study.peers.crowd import corners_of, outline
from sim.study.setting import Setting

SPACING = 0.1
"""Metres between the points of its obstacles, by default."""
BEYOND = 1.0
"""Targets that are only passed lie at least so far ahead: it would stop at 0.5."""


class SocialForceCrowd:
    """Its defaults throughout, but for the radius, which is the scene's mean.

    The defaults are the ones that its code has: what its file of defaults says of step and radius
    is not read where it says it. It desires 1.3 times the speed that an agent starts with, and that
    is the scene's desired speed: agents start with the speed that makes it so. Only walls know the
    radius; to each other agents are points. It stops within 0.5 m of a target. Its obstacles are
    lines, taken as points at every 0.1 m. The setting is to be in metres (`in_metres`). It draws
    nothing by lot.
    """

    def __init__(self, setting: Setting, time_step: float, seed: int) -> None:  # noqa: ARG002
        pysocialforce = _library()
        self.time_step = time_step
        self._units = len(setting)
        self._rows = np.arange(self._units)
        self._started = False
        state = np.zeros((self._units, 6))
        state[:, :2] = state[:, 4:] = setting.start
        self._run: Any = pysocialforce.Simulator(state, obstacles=lines(setting) or None)
        self._run.peds.step_width = time_step
        self._run.peds.agent_radius = float(setting.reach.mean())
        self._speed = setting.speed / self._run.peds.max_speed_multiplier

    def aim(self, targets: Floats, onward: Bools) -> None:
        """Point all at their targets, or beyond targets that are only passed."""
        peds, rows = self._run.peds, self._rows
        if not len(rows):
            return
        ahead = targets[rows] - peds.state[:, :2]
        far = np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-12)
        beyond = np.where(onward[rows], np.maximum(far, BEYOND), far)
        peds.state[:, 4:6] = peds.state[:, :2] + ahead * (beyond / far)[:, None]
        if not self._started:
            peds.state[:, 2:4] = ahead * (self._speed / far)[:, None]
            peds.initial_speeds = self._speed.copy()
            peds.state = peds.state  # works out the greatest speeds anew
            self._started = True

    def step(self) -> None:
        """One step of all that are left."""
        if not len(self._rows):
            return
        peds = self._run.peds
        with np.errstate(invalid="ignore", divide="ignore"):  # it divides by speeds that are 0
            self._run.step_once()
        peds.ped_states.clear()  # it would keep every step
        peds.group_states.clear()

    def places(self) -> Floats:
        """Where all are, (N, 2)."""
        places = np.full((self._units, 2), np.nan)
        places[self._rows] = self._run.peds.state[:, :2]
        return places

    def remove(self, rows: Ints) -> None:
        """Go on with the others."""
        peds, stay = self._run.peds, ~np.isin(self._rows, rows)
        self._rows = self._rows[stay]
        peds.initial_speeds = peds.initial_speeds[stay]
        peds.state = peds.state[stay]


def lines(setting: Setting) -> list[tuple[float, float, float, float]]:
    """All that is solid as PySocialForce takes it: lines x1, x2, y1, y2.

    What is shorter than its spacing of points would be no point at all, and is left out.
    """
    solids = setting.solids
    closed = [corners_of(box) for box in solids.boxes] + [outline(disc) for disc in solids.discs]
    if setting.bounds is not None:
        closed.append(corners_of(np.array(setting.bounds)))
    ends = [np.stack([shape, np.roll(shape, -1, axis=0)], axis=1) for shape in closed]
    ends += [wall.reshape(1, 2, 2) for wall in solids.walls]
    pairs = np.concatenate(ends).tolist() if ends else []
    return [(x1, x2, y1, y2) for (x1, y1), (x2, y2) in pairs if hypot(x2 - x1, y2 - y1) >= SPACING]


def _library() -> Any:
    """PySocialForce, kept from what it does to the log of the whole program.

    It opens a log file where the user happens to stand and sets the root logger to tell everything.
    """
    root = logging.getLogger()
    level, handlers, disabled = root.level, root.handlers[:], root.manager.disable
    logging.disable()
    try:
        with patch.object(logging, "FileHandler", lambda *_: logging.NullHandler()):
            import pysocialforce
    finally:
        logging.disable(disabled)
        root.setLevel(level)
        root.handlers[:] = handlers
    return pysocialforce
