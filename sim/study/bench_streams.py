"""Two streams into each other, for our models and for other people's: what a crowd is timed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.orders.goal import GO, Goal
from sim.study.peers.jps import simulation
from sim.study.peers.orca import HORIZON, NEIGHBOURS, NEIGHBOURS_WITHIN
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

    @property
    def starts(self) -> Floats:
        """(2n, 2) of both."""
        return np.concatenate([self.west, self.east])

    @property
    def onward(self) -> Floats:
        """(2n, 2) where each is bound for, from its start."""
        way = np.zeros_like(self.starts)
        way[: len(self.west), 0], way[len(self.west) :, 0] = self.way, -self.way
        return way


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


class OrcaStreams:
    """The same in pyrvo, with the parameters of RVO2's examples; nothing is read from Python."""

    def __init__(self, units: int, area: float) -> None:
        import pyrvo

        streams = Streams.of(units, area)
        self._run = pyrvo.RVOSimulator()
        self._run.set_time_step(STEP)
        self._run.set_agent_defaults(NEIGHBOURS_WITHIN, NEIGHBOURS, HORIZON, HORIZON, RADIUS, SPEED)
        ways = np.sign(streams.onward) * SPEED
        for agent, (place, way) in enumerate(zip(streams.starts, ways, strict=True)):
            self._run.add_agent(tuple(place.tolist()))
            self._run.set_agent_pref_velocity(agent, tuple(way.tolist()))

    def step(self) -> None:
        """A step of all."""
        self._run.do_step()


class JuPedSimStreams:
    """The same in a model of JuPedSim, in a room round all; targets are set once."""

    def __init__(self, model: str, units: int, area: float) -> None:
        streams = Streams.of(units, area)
        ends = streams.starts + streams.onward
        (left, top), (right, bottom) = ends.min(axis=0) - GAP, ends.max(axis=0) + GAP
        room = [(left, top), (right, top), (right, bottom), (left, bottom)]
        speed, radius = np.full(len(ends), SPEED), np.full(len(ends), RADIUS)
        self._run, _ = simulation(
            model, room, STEP, streams.starts, {}, desired_speed=speed, radius=radius
        )
        for one, end in zip(self._run.agents(), ends.tolist(), strict=True):
            one.target = tuple(end)

    def step(self) -> None:
        """A step of all."""
        self._run.iterate()
