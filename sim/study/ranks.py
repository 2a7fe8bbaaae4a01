"""How far a group stands in ranks: offset rows across the way it heads."""

from __future__ import annotations

from array import array

import numpy as np
import scipy

from sim.core.arrays import Floats
from sim.study.frame import Frame, Observer
from sim.study.pairs import short_ways
from sim.study.setting import Setting

EVERY = 0.25
"""Seconds between two frames that are measured: ranks change slowly."""
NEIGHBOURS, SHELL = 6, 1.4
"""The first shell of a hexagonal lattice: six at a distance of 1, the next are at 1.73."""


def rank_order(position: Floats, angle: Floats, size: Floats) -> Floats:
    """(n,) minus the mean of cos 6 x bearing over each unit's first shell; NaN without neighbours.

    `position` (n, 2), `angle` (n,) where bows point, `size` (2,) of a torus, 0 where nothing wraps.
    The bearing is from the unit's own bow: 1 for rows abreast and offset by half a gap, -1 for
    offset rows that march end-on (or a file), 0 in the mean for random places or headings. The
    bond-orientational order of Nelson and Halperin, Phys. Rev. B 19 (1979) 2457, with its phase
    referred to the heading.
    """
    if len(position) < 2:
        return np.full(len(position), np.nan)
    wraps = size > 0
    places = np.where(wraps, np.mod(position, np.where(wraps, size, 1.0)), position)
    tree = scipy.spatial.cKDTree(places, boxsize=size if wraps.any() else None)
    distance, nearest = tree.query(places, k=min(NEIGHBOURS + 1, len(places)))
    near = distance[:, 1:] <= SHELL * distance[:, 1:2]
    away = short_ways(places[nearest[:, 1:]] - places[:, None], size)
    bearing = np.arctan2(away[..., 1], away[..., 0]) - angle[:, None]
    order: Floats = np.where(near, -np.cos(6 * bearing), 0.0).sum(axis=1) / near.sum(axis=1)
    return order


class Ranks(Observer):
    """The order of each group's ranks, mean over the second half of the run.

    A unit's neighbours are those of its own group.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._last = -np.inf
        self._times, self._orders = array("d"), array("d")
        self._time = 0.0

    def observe(self, frame: Frame) -> None:
        """Take in the next frame."""
        self._time = frame.time
        if frame.time < self._last + EVERY - 1e-9:
            return
        self._last = frame.time
        each = np.full(len(self._setting), np.nan)
        for cohort in self._setting.cohorts:
            rows = np.arange(len(each))[cohort.rows][frame.present[cohort.rows]]
            each[rows] = rank_order(frame.position[rows], frame.angle[rows], self._setting.size)
        cohorts = [each[cohort.rows] for cohort in self._setting.cohorts]
        self._times.append(frame.time)
        self._orders.extend(_mean(v) for v in [*cohorts, each])

    def second_half(self, group: int) -> float | None:
        """The order of a group, -1 for all; None where no unit has a neighbour."""
        times = np.array(self._times)
        orders = np.array(self._orders).reshape(len(times), -1)
        mean = _mean(orders[times >= self._time / 2 - EVERY, group]) if len(times) else np.nan
        return None if np.isnan(mean) else mean


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan
