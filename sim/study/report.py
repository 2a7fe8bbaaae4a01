"""The metrics of a world's run as one JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.study.judge import Judge
from sim.study.setting import NO_GOAL, POINTS, REGION, Cohort, Goals, Setting
from sim.world import World


class Report:
    """A watcher that computes all metrics of a run, and its fingerprint."""

    def __init__(self, world: World, title: str) -> None:
        self._judge = Judge(setting_of(world), title, world.seed)

    def observe(self, world: World) -> None:
        """Take in the world as it is now."""
        units = world.units.copy()
        self._judge.observe(world.time, units.position, units.angle, units.present)

    def close(self) -> None:
        """Nothing to finish."""

    @property
    def done(self) -> bool:
        """Whether everybody who has somewhere to arrive is there and at rest."""
        return self._judge.done

    def result(self, wall_s: float) -> dict[str, Any]:
        """The object that `--metrics` writes; `wall_s` is the time spent stepping."""
        return self._judge.result(wall_s)


def setting_of(world: World) -> Setting:
    """What the metrics must know of a world before its first step."""
    cohorts = tuple(Cohort(g.name, g.rows, g.hull, g.speed) for g in world.groups)
    plane = world.plane
    walls = plane.bounds if plane.edges == "wall" else None
    start = world.units.position.copy()
    return Setting(
        cohorts,
        _goals(world),
        start,
        world.time_step,
        plane.period,
        world.fixed_solids,
        walls,
        world.map,
    )


def _goals(world: World) -> Goals:
    """What the units of a world can arrive at; pursuits and loops have no end."""
    orders = world.orders
    sent = (np.diff(orders.first) > 0) & ~orders.loop
    inside = sent & ~np.isnan(orders.region[:, 0])
    kind = np.where(inside, REGION, np.where(sent, POINTS, NO_GOAL))
    region = np.where(inside[:, None], orders.region, 0.0)
    leave = orders.leave.copy()
    return Goals(kind, orders.points, orders.first, orders.tolerance.copy(), region, leave)
