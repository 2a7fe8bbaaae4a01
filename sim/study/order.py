"""How ordered a group is: headings, distances of neighbours, and ranks across its way."""

from __future__ import annotations

from array import array

import numpy as np
import scipy

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit
from sim.study.frame import Frame, Observer
from sim.study.pairs import on_tiles, short_ways
from sim.study.setting import Setting


@njit(cache=True, error_model="numpy")
def order(
    angle: Floats,
    present: Bools,
    group: Ints,
    nearest: Floats,
    length: Floats,
    sums: Floats,
    row: Floats,
) -> None:
    """Fill `row` (G + 1, 2): polarisation and mean nearest distance, a group a row, last of all."""
    every = len(row) - 1
    sums[:] = 0.0
    for i in range(len(angle)):
        if not present[i]:
            continue
        near = nearest[i] / length[i]
        c, s = np.cos(angle[i]), np.sin(angle[i])
        for g in (group[i], every):
            sums[g, 0] += c
            sums[g, 1] += s
            sums[g, 2] += 1.0
            if not np.isnan(near):
                sums[g, 3] += near
                sums[g, 4] += 1.0
    for g in range(len(row)):
        row[g, 0] = (
            np.sqrt(sums[g, 0] ** 2 + sums[g, 1] ** 2) / sums[g, 2]
        )  # 0 / 0 is NaN: no unit there
        row[g, 1] = sums[g, 3] / sums[g, 4]


class Order(Observer):
    """Polarisation and mean nearest-neighbour distance, means over the second half of the run.

    Polarisation is norm(sum of headings) / N over the units present, headings being body angles:
    the order parameter of Vicsek et al., Phys. Rev. Lett. 75 (1995) 1226. The nearest neighbour may
    be of any group; its distance is between centres, in lengths of the unit's own hull.

    The half is not known before the end, so two numbers a frame and group are kept (16 bytes each):
    the only thing in the figures that grows with the run, 3.5 MB a group for an hour at 60 steps a
    second.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        groups = len(setting.cohorts) + 1
        self._series = np.empty((1024, groups, 2))
        self._sums = np.empty((groups, 5))
        self._frames = 0

    def observe(self, frame: Frame) -> None:
        """Take in the next frame."""
        if self._frames == len(self._series):
            self._series = np.concatenate([self._series, np.empty_like(self._series)])
        setting = self._setting
        order(
            frame.angle, frame.present, setting.group, frame.nearest, setting.length,
            self._sums, self._series[self._frames],
        )  # fmt: skip
        self._frames += 1

    def second_half(self, group: int) -> tuple[float | None, float | None]:
        """(polarisation, mean nearest distance) of a group, -1 for all; None where undefined.

        The second half of frames 0..T are those from T / 2 on. Frames in which no unit is there to
        measure are left out.
        """
        half = self._series[self._frames // 2 : self._frames, group]
        means = [float(np.mean(v[~np.isnan(v)])) if not np.isnan(v).all() else None for v in half.T]
        return means[0], means[1]


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
    places = on_tiles(position, size)
    tree = scipy.spatial.cKDTree(places, boxsize=size if size.any() else None)
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
