"""Lanes: whether units abreast walk the same way."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.shared_cache import njit
from sim.study.arrival import Arrival
from sim.study.frame import Frame, Observer
from sim.study.setting import NO_GOAL, REGION, Setting

ABREAST = 0.75
"""Hull lengths: within so far across the stream two units are in one lane (Rex and Löwen's 3/4)."""
OPPOSED = 0.9
"""Streams are opposite where all ways lie along one line as nearly as this cosine."""
MOST = 0.5
"""Lanes are looked for as long as each stream has this share of its units on the way."""


@njit(cache=True, error_model="numpy")
def lane_order(across: Floats, way: Ints, here: Bools, width: Floats) -> float:
    """Mean over the units `here` of ((like - other) / (like + other)) squared, in their own lane.

    `across` (N,) is where each is across the stream, `way` (N,) 1 or -1. A unit is like itself.
    """
    total, count = 0.0, 0
    for i in range(len(across)):
        if not here[i]:
            continue
        like = other = 0
        for j in range(len(across)):
            if here[j] and abs(across[j] - across[i]) < width[i]:
                if way[i] == way[j]:
                    like += 1
                else:
                    other += 1
        total += ((like - other) / (like + other)) ** 2
        count += 1
    return total / count


class Lanes(Observer):
    """The order parameter of lane formation of Rex and Löwen, frame by frame.

    M. Rex and H. Löwen, "Lane formation in oppositely charged colloids driven by an electric
    field", Physical Review E 75 (2007) 051402: the mean over all units of ((n_l - n_o) / (n_l +
    n_o)) squared, where n_l and n_o are the units of one's own and of the other stream within 3/4
    of a spacing (here: of a hull length) across the stream. 1 is pure lanes; well mixed streams
    come near 0, of few units nearer 1 / n. It is defined where the units' ways, from start to
    goal, are opposite to each other, and while at least half of each stream is on its way.
    """

    columns: ClassVar = {"_way": 0}

    def __init__(self, setting: Setting, arrival: Arrival) -> None:
        super().__init__(setting)
        self._arrival = arrival
        self._way, self._axis = _ways(setting)
        self._least = [MOST * np.count_nonzero(self._way == side) for side in (1, -1)]
        self._open, self._orders = bool(self._way.any()), list[float]()

    def observe(self, frame: Frame) -> None:
        """Take in the next frame, after `arrival` has; new units are in no stream."""
        here = frame.present & (self._arrival.step < 0) & (self._way != 0)
        counts = [np.count_nonzero(here & (self._way == side)) for side in (1, -1)]
        self._open = self._open and all(
            count > 0 and count >= least for count, least in zip(counts, self._least, strict=True)
        )
        if self._open:
            across = frame.position @ np.array([-self._axis[1], self._axis[0]])
            width = ABREAST * self._setting.length
            self._orders.append(lane_order(across, self._way, here, width))

    @property
    def start(self) -> float | None:
        """The order of the first frame; None without two streams."""
        return self._orders[0] if self._orders else None

    @property
    def late(self) -> float | None:
        """The mean over the last quarter of the frames at which there are two streams."""
        last = self._orders[-max(1, len(self._orders) // 4) :]
        return float(np.mean(last)) if last else None


def _ways(setting: Setting) -> tuple[Ints, Floats]:
    """Which way each unit goes (N,), 1 or -1 along an axis (2,); all 0 without two streams."""
    goals, rows = setting.goals, np.flatnonzero(setting.goals.kind != NO_GOAL)
    none = np.zeros(len(setting), dtype=np.int64), np.array([1.0, 0.0])
    if len(rows) < 2:
        return none
    region = goals.region[rows]
    inside = goals.kind[rows] == REGION
    end = (region[:, :2] + region[:, 2:]) / 2
    end[~inside] = goals.points[goals.first[rows[~inside] + 1] - 1]
    ahead = end - setting.start[rows]
    ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-300)[:, None]
    axis = np.linalg.eigh(ahead.T @ ahead)[1][:, -1]
    along = ahead @ axis
    if np.abs(along).min() < OPPOSED or along.min() > 0 or along.max() < 0:
        return none
    way = np.zeros(len(setting), dtype=np.int64)
    way[rows] = np.where(along > 0, 1, -1)
    return way, axis
