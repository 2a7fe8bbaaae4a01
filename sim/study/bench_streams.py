"""Two streams into each other, for our models and for other people's: what a crowd is timed in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.orders.goal import GO, Goal
from sim.study.peers.jps import JuPedSimCrowd
from sim.study.peers.metres import scaled
from sim.study.peers.orca import OrcaCrowd
from sim.study.report import setting_of
from sim.study.setting import Setting
from sim.world import World

STEP = 1 / 60
"""s, for all."""
RADIUS, SPEED = 0.25, 1.3
"""World units, and world units / s."""
DENSE, SPARSE = 0.56, 5.6
"""World units squared for each."""
GAP = 2.0
"""World units between the two at first."""
ONWARD = 20.0
"""World units that each goes on beyond the other's start."""


@dataclass(frozen=True)
class Streams:
    """Two blocks face to face, `west` and `east` (n, 2) each, and how far each is sent."""

    west: Floats
    east: Floats
    way: float

    @classmethod
    def of(cls, units: int, area: float) -> Streams:
        """The places of all units, on a lattice that is a little out of order; world units."""
        half, side = units // 2, float(np.sqrt(area))
        rows = int(np.ceil(np.sqrt(half)))
        lattice = side * np.stack(np.divmod(np.arange(half), rows), axis=1)
        free = max(side - 2 * RADIUS, 0.0) / 3
        rng = np.random.Generator(np.random.PCG64(1))
        west, east = (lattice + rng.uniform(-free, free, lattice.shape) for _ in range(2))
        west[:, 0], east[:, 0] = -GAP / 2 - west[:, 0], GAP / 2 + east[:, 0]
        return cls(west, east, 2 * float(np.ptp(lattice[:, 0])) + ONWARD)


def streams_world(units: int, model: str, area: float, **options: Any) -> World:
    """Two groups of a model that walk into each other; the scene is scaled by its hull.

    A model that cannot be sent anywhere moves by its rules.
    """
    streams, world = Streams.of(units, area), World(seed=1, time_step=STEP, **options)
    probe = World().add_group("one", [(0.0, 0.0)], model=model)
    scale = probe.hull.reach / RADIUS
    able = frozenset[str]().union(*(s.rule.serves for s in probe.settings.values()))
    for name, starts, way, heading in (
        ("west", streams.west, streams.way, 0.0), ("east", streams.east, -streams.way, np.pi),
    ):  # fmt: skip
        group = world.add_group(name, starts * scale, model=model, heading=heading)
        if model == "crowd":
            group.speed = SPEED * scale
        if GO in able:
            group.goal = Goal.to((starts + np.array([way, 0.0])) * scale)
    return world


def peers_streams(name: str, world: World) -> Callable[[], None]:
    """A step of a peer's crowd in the same streams, by `CROWDS`; it is told once where all go."""
    setting = setting_of(world)
    setting = scaled(setting, RADIUS / float(setting.reach[0]))
    crowd = CROWDS[name](setting)
    crowd.step(setting.goals.points, np.ones(len(setting), np.bool_))
    return crowd.go_on


def _jps(model: str, setting: Setting) -> JuPedSimCrowd:
    """JuPedSim's, in a room round all."""
    places = np.concatenate([setting.start, setting.goals.points])
    (left, top), (right, bottom) = places.min(axis=0) - GAP, places.max(axis=0) + GAP
    return JuPedSimCrowd(model, replace(setting, bounds=(left, top, right, bottom)), STEP, {})


CROWDS: dict[str, Callable[[Setting], OrcaCrowd | JuPedSimCrowd]] = {
    "orca": lambda setting: OrcaCrowd(setting, STEP, 1),
    "jps-cfsm": partial(_jps, "CollisionFreeSpeedModel"),
    "jps-avm": partial(_jps, "AnticipationVelocityModel"),
}
"""Peers of `sim.study.peers`, at the step of all."""
