"""Crowds in the libraries written in C++ that are used from Python: pyrvo and JuPedSim."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.study.density import Density, scattered
from sim.study.peers.jps import simulation

STEP = 1 / 60
"""Seconds, as ours; what a step costs does not depend on it."""


class OrcaCrowd:
    """Optimal reciprocal collision avoidance: pyrvo, the Python face of RVO2.

    The values are those of RVO2's own examples. Each unit strolls about its first place, so that
    density stays; velocities are set from Python between blocks, and that is not timed.
    https://gamma.cs.unc.edu/RVO2/documentation
    """

    sight = Density(15.0)
    _most, _horizon, _radius, _speed = 10, 10.0, 1.5, 2.0

    def __init__(self, units: int, neighbours: float, seed: int) -> None:
        import pyrvo

        self.side = self.sight.side(units, neighbours)
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._units = units
        self._run = pyrvo.RVOSimulator()
        self._run.set_time_step(STEP)
        self._run.set_agent_defaults(
            self.sight.radius, self._most, self._horizon, self._horizon, self._radius, self._speed
        )
        self._homes = scattered(units, self.side, 2 * self._radius, self._rng)[:units]
        for x, y in self._homes.tolist():
            self._run.add_agent((x, y))

    def rest(self) -> None:
        """Each unit wants to go to some other place near its first."""
        ahead = stroll(self._homes, self.sight, self.side, self._rng) - self.places()
        ahead *= self._speed / np.maximum(np.hypot(ahead[:, :1], ahead[:, 1:]), 1e-9)
        for agent, (x, y) in enumerate(ahead.tolist()):
            self._run.set_agent_pref_velocity(agent, (x, y))

    def step(self) -> None:
        """A step of all."""
        self._run.do_step()

    def places(self) -> Floats:
        """Where all are, (n, 2)."""
        found = map(self._run.get_agent_position, range(self._units))
        return np.array([place.to_tuple() for place in found])


class JuPedSimCrowd:
    """The collision-free speed model (Tordeux, Chraibi and Seyfried 2016) of JuPedSim.

    Each unit strolls about its first place in a square room; where to is set between blocks.
    https://www.jupedsim.org/stable/pedestrian_models/index.html
    """

    sight = Density(3.0)  # the model's cut-off radius, fixed in CollisionFreeSpeedModel.hpp
    _gap = 0.8

    def __init__(self, units: int, neighbours: float, seed: int) -> None:
        self.side = side = self.sight.side(units, neighbours)
        self._rng = np.random.Generator(np.random.PCG64(seed))
        room = [(0, 0), (side, 0), (side, side), (0, side)]
        self._homes = scattered(units, side, self._gap, self._rng)[:units]
        self._run, _ = simulation("CollisionFreeSpeedModel", room, STEP, self._homes, {})

    def rest(self) -> None:
        """Each unit wants to go to some other place near its first."""
        targets = stroll(self._homes, self.sight, self.side, self._rng, self._gap)
        for agent, target in zip(self._run.agents(), targets.tolist(), strict=True):
            agent.target = tuple(target)

    def step(self) -> None:
        """A step of all."""
        self._run.iterate()

    def places(self) -> Floats:
        """Where all are, (n, 2)."""
        return np.array([agent.position for agent in self._run.agents()])


def stroll(
    homes: Floats, sight: Density, side: float, rng: np.random.Generator, margin: float = 0.0
) -> Floats:
    """A place for each (n, 2), within two radii of its home each way and inside the square."""
    away = rng.uniform(-2 * sight.radius, 2 * sight.radius, homes.shape)
    places: Floats = np.clip(homes + away, margin, side - margin)
    return places
