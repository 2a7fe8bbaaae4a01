"""Tiny runs to measure: a setting from a few words, and trajectories written out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.core.hull import Hull
from sim.core.plane import Bounds
from sim.core.solids import Solids
from sim.study.metrics import Metrics
from sim.study.setting import POINTS, REGION, Cohort, Goals, Setting

DISC = Hull.disc(0.5)
WEDGE = Hull("wedge", 4, 2)
BOX = Hull("box", 3, 2)
NOTHING = Solids()
Point = tuple[float, float]


@dataclass(frozen=True)
class At:
    """A unit is to come within `tolerance` (world units) of a point."""

    point: Point
    tolerance: float


@dataclass(frozen=True)
class Along:
    """A unit is to come within `tolerance` of each point in order; the last one is the arrival."""

    points: Sequence[Point]
    tolerance: float


@dataclass(frozen=True)
class Inside:
    """A unit is to bring its centre into a region (left, top, right, bottom)."""

    region: Bounds


Want = At | Along | Inside | None
"""One unit's goal; None for loops, chases, wandering: goals without an arrival."""


def goals_of(wants: Sequence[Want], leave: bool = False) -> Goals:
    """From one goal a unit; with `leave` all of them are exits."""
    n = len(wants)
    kind, tolerance, region = np.zeros(n, dtype=np.int64), np.zeros(n), np.zeros((n, 4))
    points: list[Point] = []
    first = np.zeros(n + 1, dtype=np.int64)
    for row, want in enumerate(wants):
        if isinstance(want, Inside):
            kind[row], region[row] = REGION, want.region
        elif want is not None:
            kind[row], tolerance[row] = POINTS, want.tolerance
            points.extend([want.point] if isinstance(want, At) else want.points)
        first[row + 1] = len(points)
    flat = np.array(points, dtype=float).reshape(-1, 2)
    stays = np.zeros(len(flat), dtype=bool)
    return Goals(kind, flat, first, tolerance, region, np.full(n, leave), stays)


def setting(
    start: Any,
    wants: Sequence[Want] | None = None,
    *,
    hull: Hull = DISC,
    groups: Sequence[tuple[str, int, Hull]] | None = None,
    speed: float = 1.0,
    time_step: float = 0.1,
    period: tuple[float, float] = (np.inf, np.inf),
    solids: Solids = NOTHING,
    bounds: Bounds | None = None,
    leave: bool = False,
) -> Setting:
    """Units at `start` (N, 2): one group "all", or (name, count, hull) each."""
    start = np.asarray(start, dtype=float)
    cohorts, row, radius = [], 0, []
    for name, count, own in groups if groups is not None else [("all", len(start), hull)]:
        cohorts.append(Cohort(name, slice(row, row + count), own))
        radius += [own.radius] * count
        row += count
    goals = goals_of(list(wants) if wants is not None else [None] * len(start), leave)
    return Setting(
        tuple(cohorts), goals, start, np.full(len(start), speed), np.array(radius, float),
        time_step, np.array(period), solids, bounds,
    )  # fmt: skip


def play(scene: Setting, position: Any, angle: Any = None) -> Metrics:
    """Feed frames position (T, N, 2), angle (T, N) or 0; rows of NaN are absent."""
    metrics = Metrics(scene)
    position = np.asarray(position, dtype=float)
    angle = np.zeros(position.shape[:2]) if angle is None else np.asarray(angle, dtype=float)
    for step, (where, way) in enumerate(zip(position, angle, strict=True)):
        present = ~np.isnan(where[:, 0])
        metrics.observe(step * scene.time_step, where, way, present)
    return metrics


def figures(scene: Setting, position: Any, angle: Any = None) -> dict[str, Any]:
    """The figures of such a run."""
    return play(scene, position, angle).result()


def frame(position: Any, present: Any, time: float = 0.0) -> Any:
    """A frame of which no more is told."""
    return SimpleNamespace(time=time, position=np.asarray(position, float), present=present)


def walk(*legs: tuple[tuple[float, float], tuple[float, float], int]) -> np.ndarray:
    """Frames (T, 2) of one unit: each leg goes from one point to another in its number of steps."""
    parts = [np.linspace(a, b, steps + 1)[1:] for a, b, steps in legs]
    return np.concatenate([np.array([legs[0][0]], dtype=float), *parts])


def together(*units: np.ndarray) -> np.ndarray:
    """Frames (T, N, 2) of several units; units that end early stay where they are."""
    longest = max(len(unit) for unit in units)
    return np.stack(
        [np.concatenate([u, np.repeat(u[-1:], longest - len(u), axis=0)]) for u in units], axis=1
    )
