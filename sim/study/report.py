"""The metrics of a run as one JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.record.hash import TrajectoryHash
from sim.study.metrics import Metrics
from sim.study.setting import NO_GOAL, POINTS, REGION, Cohort, Goals, Setting
from sim.world import World


class Report:
    """A watcher that computes all metrics of a run, and its fingerprint."""

    def __init__(self, world: World, title: str) -> None:
        self._title = title
        self._world = world
        self._metrics = Metrics(setting_of(world))
        self._hash = TrajectoryHash()

    def observe(self, world: World) -> None:
        """Take in the world as it is now."""
        units = world.units
        self._metrics.observe(world.time, units.position, units.angle, units.present)
        self._hash.observe(world)

    def close(self) -> None:
        """Nothing to finish."""

    @property
    def done(self) -> bool:
        """Whether everybody who has somewhere to arrive is there and at rest."""
        return self._metrics.done

    def result(self, wall_s: float) -> dict[str, Any]:
        """The object that `--metrics` writes; `wall_s` is the time spent stepping."""
        world = self._world
        units = len(world.units)
        return {
            "title": self._title,
            "seed": world.seed,
            "units": units,
            "steps": world.steps,
            "time_step_s": world.time_step,
            "simulated_s": world.time,
            "wall_s": wall_s,
            "unit_steps_per_s": units * world.steps / wall_s if wall_s > 0 else None,
            "trajectory_sha256": self._hash.hexdigest(),
            **self._metrics.result(),
        }


def setting_of(world: World) -> Setting:
    """What the metrics must know of a world before its first step."""
    cohorts = tuple(Cohort(g.name, g.rows, g.hull, g.speed) for g in world.groups)
    plane = world.plane
    walls = plane.bounds if plane.edges == "wall" else None
    start = world.units.position.copy()
    return Setting(
        cohorts, _goals(world), start, world.time_step, plane.period, world.solids, walls
    )


def _goals(world: World) -> Goals:
    """What the units of a world can arrive at; pursuits and loops have no end."""
    orders = world.orders
    sent = (np.diff(orders.first) > 0) & ~orders.loop
    inside = sent & ~np.isnan(orders.region[:, 0])
    kind = np.where(inside, REGION, np.where(sent, POINTS, NO_GOAL))
    region = np.where(inside[:, None], orders.region, 0.0)
    return Goals(kind, orders.points, orders.first, orders.tolerance.copy(), region)
