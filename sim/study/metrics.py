"""All figures of a run, from any program: its frames in, one JSON object out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.pieces import Piece
from sim.study.arrival import Arrival
from sim.study.contacts import Contacts
from sim.study.flow import Flow, Line
from sim.study.frame import Framer, Observer
from sim.study.free_path import free_path
from sim.study.lanes import Lanes
from sim.study.order import Order, Ranks
from sim.study.setting import Setting
from sim.study.travel import Stuck, Travel
from sim.study.walls import Walls

PER_CONTACT = 50.0
"""What one contact weighs in SteerBench's composite score."""


class Metrics:
    """Takes frames one by one and gives the figures of what it has seen so far.

    It reads positions and angles and knows no model. Memory does not grow with the frames but for
    16 bytes a frame and group (see `Order`). A group's figures are over its own units, whatever
    group they meet: a contact of two groups counts in both, a nearest neighbour may be of any.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._framer = Framer(setting)
        self._travel = Travel(setting)
        self._contacts = Contacts(setting)
        self._walls = Walls(setting, self._travel)
        self._arrival = Arrival(setting, self._travel, self._contacts, self._walls)
        self._order, self._ranks = Order(setting), Ranks(setting)
        self._stuck = Stuck(setting)
        # In this order: walls need the step travelled, arrival what was counted up to its frame.
        self._observers: tuple[Observer, ...] = (
            self._travel, self._contacts, self._walls, self._arrival, self._order, self._ranks,
            self._stuck,
        )  # fmt: skip
        self._free: Floats | None = None
        self._step = -1

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came in after the last frame, or were sent elsewhere: there is a new setting.

        `old_rows` (N,) are the rows that its units had before, -1 for new ones. No unit goes: units
        that have left keep their rows.
        """
        self.setting, self._free = setting, None
        self._framer.follow(setting)
        for observer in self._observers:
            observer.follow(setting, old_rows)

    def stand(self, pieces: Sequence[Piece]) -> None:
        """From the next frame on these parts of the ground are there, open or closed."""
        self._walls.stand(pieces)

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame: time in s, position (N, 2), angle (N,) in radians, present (N,).

        The first call is the start; rows of absent units are ignored. Nothing is written to and
        nothing is kept of the arrays.
        """
        frame = self._framer(time, position, angle, present)
        for observer in self._observers:
            observer.observe(frame)
        self._step = frame.step

    @property
    def arrived(self) -> Bools:
        """(N,) which units have arrived by the last frame."""
        return self._arrival.step >= 0

    @property
    def done(self) -> bool:
        """Whether all units with an arrival have arrived and none of them moves.

        False where no unit has one, but some are there: nothing is ever done there.
        """
        return self._arrival.done(self._step)

    def result(self) -> dict[str, Any]:
        """The figures by name, None where one is undefined; under "groups" the same by group."""
        figures = self._figures(slice(0, len(self.setting)), -1)
        figures["groups"] = {
            cohort.name: self._figures(cohort.rows, number)
            for number, cohort in enumerate(self.setting.cohorts)
        }
        return figures

    def _figures(self, rows: slice, group: int) -> dict[str, Any]:
        polarisation, near = self._order.second_half(group)
        walls = self._walls
        return {
            **self._arrivals(rows),
            "entered": int(np.count_nonzero(self._arrival.entered[rows])),
            "left": int(np.count_nonzero(self._arrival.gone[rows])),
            "stuck": self._stuck.count(rows, self._arrival.step),
            "contacts": int(self._contacts.counts[group]),
            "max_overlap_share": float(self._contacts.deepest[group]),
            "wall_crossings": int(walls.crossings[rows].sum()),
            "max_wall_overlap_share": float(walls.deepest[rows].max(initial=0.0)),
            "jitter_flips": self._travel.flips(self._arrival.step, rows),
            "polarisation": polarisation,
            "mean_nearest_distance": near,
            "rank_order": self._ranks.second_half(group),
            "composite01": self._composite01(rows),
        }

    def _arrivals(self, rows: slice) -> dict[str, Any]:
        """Which units arrived, and when; ratios compare with the free path at the desired speed.

        Units that start where they want to be have no free path to compare with and are left out of
        the ratios, as are units that were sent elsewhere after they had arrived; if the free path
        of an arrived unit is not known, neither are the ratios.
        """
        arrival, wants = self._arrival, int(self._arrival.arrives[rows].sum())
        came = arrival.step[rows] >= 0
        times = arrival.time[rows][came]
        if self._free is None:
            self._free = free_path(self.setting)
        free = self._free[rows][came]
        far = (free != 0) & ~arrival.again[rows][came]
        time_ratio = times[far] * self.setting.speed[rows][came][far] / free[far]
        path_ratio = arrival.path[rows][came][far] / free[far]
        settled = arrival.settled_step(rows, self._step)
        return {
            "arrived": len(times) if wants else None,
            "arrived_share": len(times) / wants if wants else None,
            "settled_s": None if settled is None else settled * self.setting.time_step,
            "mean_time_s": _or_none(np.mean, times),
            "max_time_s": _or_none(np.max, times),
            "mean_time_ratio": _or_none(np.mean, time_ratio),
            "max_time_ratio": _or_none(np.max, time_ratio),
            "mean_path_ratio": _or_none(np.mean, path_ratio),
        }

    def _composite01(self, rows: slice) -> float | None:
        """SteerBench's first composite score, mean over the units; lower is better.

        50 x contacts with units and walls + seconds + integral of speed squared over time (mass 1),
        each unit measured up to its arrival, or to the end without one. The score of Singh,
        Kapadia, Faloutsos and Reinman, "SteerBench: a benchmark suite for evaluating steering
        behaviors", Computer Animation and Virtual Worlds 20 (2009) 533-548, with the weights of
        SteerSuite's CompositeTechnique01 and energy as an integral rather than a sum of frames.
        """
        arrival, travel = self._arrival, self._travel.done
        came = arrival.step[rows] >= 0
        touched = self._contacts.per_unit[rows] + self._walls.contacts[rows]
        contacts = np.where(came, arrival.contacts[rows], touched)
        seconds = np.where(came, arrival.time[rows], travel.seconds[rows])
        effort = np.where(came, arrival.effort[rows], travel.effort[rows])
        return _or_none(np.mean, PER_CONTACT * contacts + seconds + effort)


def _or_none(mean: Any, values: Floats) -> float | None:
    """A mean or maximum; None of nothing, or where one of the values is not known."""
    return float(mean(values)) if len(values) and not np.isnan(values).any() else None


class TrajectoryHash:
    """SHA-256 over x, y and angle of every unit, at the start and after every step.

    Two runs with the same one are the same run, bit for bit. The bytes are those of (steps, N, 3)
    float64, little-endian, row by row; a unit that left is NaN (the one with the bits
    0x7ff8000000000000). Units are in the order of their ids, from the first step that has them.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, position: Floats, angle: Floats, present: Bools) -> None:
        """Add a frame: position (N, 2), angle (N,), present (N,)."""
        rows = np.column_stack([position, angle])
        rows[~present] = np.nan
        self._sha.update(rows.astype("<f8").tobytes())

    def hexdigest(self) -> str:
        """64 hexadecimal digits."""
        return self._sha.hexdigest()


class Judge(Metrics):
    """Takes frames one by one and gives the object that `--metrics` writes; knows no world."""

    def __init__(self, setting: Setting, title: str, seed: int) -> None:
        super().__init__(setting)
        self._title, self._seed, self._hash, self._now = title, seed, TrajectoryHash(), 0.0
        self._by_id: Ints | None = None

    def follow(self, setting: Setting, old_rows: Ints, by_id: Ints | None = None) -> None:
        """Units came, or were sent elsewhere; `by_id` (N,) are the rows in the order of ids."""
        super().follow(setting, old_rows)
        self._by_id = by_id

    def observe(self, time: float, position: Floats, angle: Floats, present: Bools) -> None:
        """Take in the next frame."""
        super().observe(time, position, angle, present)
        rows = slice(None) if self._by_id is None else self._by_id
        self._hash.add(position[rows], angle[rows], present[rows])
        self._now = time

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures; `wall_s` is the time that the run took, None where it is not known."""
        units, steps = len(self.setting), max(0, self._step)
        return {
            "title": self._title,
            "seed": self._seed,
            "units": units,
            "steps": steps,
            "time_step_s": self.setting.time_step,
            "simulated_s": self._now,
            "wall_s": wall_s,
            "unit_steps_per_s": units * steps / wall_s if wall_s else None,
            "trajectory_sha256": self._hash.hexdigest(),
            **super().result(),
        }


class FullJudge(Judge):
    """Measures lanes as well and, across a `line` (x1, y1, x2, y2), flow."""

    def __init__(self, setting: Setting, title: str, seed: int, line: Line | None = None) -> None:
        super().__init__(setting, title, seed)
        self._lanes = Lanes(setting, self._arrival)
        self._flow = None if line is None else Flow(setting, line)
        self._observers += (self._lanes,) if self._flow is None else (self._lanes, self._flow)

    def result(self, wall_s: float | None = None) -> dict[str, Any]:
        """The figures and, None where undefined, lane_order_start, lane_order, specific_flow."""
        return {
            **super().result(wall_s),
            "lane_order_start": self._lanes.start,
            "lane_order": self._lanes.late,
            "specific_flow": None if self._flow is None else self._flow.specific,
        }
