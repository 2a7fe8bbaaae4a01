"""Crowds in the libraries written in C++ that are used from Python: pyrvo and JuPedSim."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sim.core.arrays import Floats
from sim.core.hull import Hull
from sim.core.plane import Bounds
from sim.study.density import Density, scattered
from sim.study.peers import Crowd, jps, orca
from sim.study.report import setting_of
from sim.study.setting import Setting
from sim.world import World

STEP = 1 / 60
"""Seconds, as ours; what a step costs does not depend on it."""


class Strollers:
    """A crowd of `sim.study.peers` in a square; each agent strolls about its first place.

    So density stays. They are told where to go from Python, between blocks: that is not timed.
    """

    sight: Density
    gap: float
    """The least between two at first."""
    margin: float
    """To the sides of the square, of the places that they stroll to."""

    def __init__(self, units: int, neighbours: float, seed: int) -> None:
        self.side = self.sight.side(units, neighbours)
        self._rng = np.random.Generator(np.random.PCG64(seed))
        self._homes = scattered(units, self.side, self.gap, self._rng)[:units]
        self._crowd = self._at_home()
        self.step, self.places = self._crowd.step, self._crowd.places

    def rest(self) -> None:
        """Each wants to go to a place up to twice as far from its first, each way, as it sees."""
        away = 2 * self.sight.radius
        places = self._homes + self._rng.uniform(-away, away, self._homes.shape)
        places = np.clip(places, self.margin, self.side - self.margin)
        self._crowd.aim(places, np.ones(len(places), np.bool_))

    def _at_home(self) -> Crowd:
        """The crowd, with all at their homes."""
        raise NotImplementedError


class OrcaCrowd(Strollers):
    """Optimal reciprocal collision avoidance: pyrvo, the Python face of RVO2.

    The values are those of RVO2's example of a circle.
    https://gamma.cs.unc.edu/RVO2/documentation
    """

    sight = Density(orca.NEIGHBOURS_WITHIN)
    gap, margin = 3.0, 0.0

    def _at_home(self) -> orca.OrcaCrowd:
        scene = setting(self._homes, radius=1.5, speed=2.0)
        return orca.OrcaCrowd(scene, STEP, seed=0, horizon=10.0)


class JuPedSimCrowd(Strollers):
    """The collision-free speed model (Tordeux, Chraibi and Seyfried 2016) of JuPedSim, in a room.

    Radius and speed are its defaults.
    https://www.jupedsim.org/stable/pedestrian_models/index.html
    """

    sight = Density(3.0)  # the model's cut-off radius, fixed in CollisionFreeSpeedModel.hpp
    gap = margin = 0.8

    def _at_home(self) -> jps.JuPedSimCrowd:
        room = 0.0, 0.0, self.side, self.side
        scene = setting(self._homes, radius=0.2, speed=1.2, bounds=room)
        return jps.JuPedSimCrowd("CollisionFreeSpeedModel", scene, STEP, {})


def setting(homes: Floats, radius: float, speed: float, bounds: Bounds | None = None) -> Setting:
    """Discs of that radius and speed at these places (n, 2), without goals; a room if bounded."""
    world = World()
    group = world.add_group("crowd", homes, model="crowd", hull=Hull.disc(radius))
    group.speed = speed
    return replace(setting_of(world), bounds=bounds)
