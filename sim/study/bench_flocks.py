"""Flocks in the libraries of agents that are used for them in Python: violet, Mesa and agentpy.

Each has Reynolds' three rules (Flocks, herds and schools, SIGGRAPH 1987) over all neighbours within
a radius, on a torus. Mesa's is the example that it installs; the other two are written after the
documentation of their libraries, in the way that it shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from sim.core.arrays import Floats
from sim.study.density import Density, scattered

TOGETHER, APART, ALONG = 0.001, 0.1, 0.05
"""Weights of cohesion, separation and alignment: a flock that holds together loosely."""
NEAR = 0.3
"""Separation begins at this share of the radius."""


class PeerFlock:
    """What the three have in common: speed 1 a step, and a fresh start once a radius is covered.

    Flocks gather, and would be ever denser from block to block.
    """

    sight: Density
    _go: Callable[[], object]

    def __init__(self, units: int, neighbours: float, seed: int) -> None:
        self.units, self.seed = units, seed
        self.side = self.sight.side(units, neighbours)
        self._start()
        self._steps = 0

    def rest(self) -> None:
        """Start anew unless the last start was just now."""
        if self._steps > self.sight.radius:
            self._start()
            self._steps = 0

    def step(self) -> None:
        """A step of all."""
        self._go()
        self._steps += 1

    def _start(self) -> None:
        """Make the agents anew, and `_go`, which takes a step."""
        raise NotImplementedError


class VioletFlock(PeerFlock):
    """Agents of violet-simulator (`vi`), without its window.

    Its grid finds neighbours by `in_proximity_accuracy`; it does not look across the edges.
    https://api.violet.m-rots.com
    """

    sight = Density(25.0)  # `Config.radius` by default

    def _start(self) -> None:
        # It imports pygame, which would print a greeting.
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        import vi

        self.side = float(round(self.side))  # its windows are whole pixels
        rng = np.random.Generator(np.random.PCG64(self.seed))
        starts = iter((rng.random((self.units, 2)) * self.side).tolist())

        class Boid(vi.Agent):  # type: ignore[misc]
            def on_spawn(self) -> None:
                self.pos = type(self.move)(next(starts))

            def change_position(self) -> None:
                self.there_is_no_escape()
                self.pos += self.move

            def update(self) -> None:
                near = list(self.in_proximity_accuracy())
                offset, course, crowd = self.move * 0, self.move * 0, self.move * 0
                for other, distance in near:
                    offset += other.pos - self.pos
                    course += other.move - self.move
                    if distance < NEAR * self.config.radius:
                        crowd += self.pos - other.pos
                if near:
                    wish = offset * TOGETHER + course * ALONG + crowd * APART
                    self.move += wish / len(near)
                if self.move.length() > 0:
                    self.move.scale_to_length(self.config.movement_speed)

        window = vi.config.Window.square(int(self.side))
        config = vi.Config(radius=25, window=window, seed=self.seed, movement_speed=1.0)
        run = vi.HeadlessSimulation(config).batch_spawn_agents(self.units, Boid, images=[])
        self._agents, self._go = list(run._agents), run.tick

    def places(self) -> Floats:
        """Where all are, (n, 2)."""
        return np.array([(agent.pos.x, agent.pos.y) for agent in self._agents])


class MesaFlock(PeerFlock):
    """The flock that Mesa installs with its examples, with the values it has there.

    https://mesa.readthedocs.io/stable/examples/basic/boid_flockers.html
    """

    sight = Density(10.0)  # its `vision` by default

    def _start(self) -> None:
        from mesa.examples.basic.boid_flockers.model import BoidFlockers

        self._model = BoidFlockers(
            population_size=self.units, width=self.side, height=self.side, vision=10, seed=self.seed
        )
        self._go = self._model.step

    def places(self) -> Floats:
        """Where all are, (n, 2)."""
        return np.array(self._model.space.agent_positions, dtype=float)


class AgentpyFlock(PeerFlock):
    """Agents of agentpy in its `Space`, a torus with a k-d tree.

    https://agentpy.readthedocs.io/en/latest/agentpy_flocking.html
    """

    sight = Density(10.0)  # the outer radius of the flock in its model library

    def _start(self) -> None:
        import agentpy

        rng = np.random.Generator(np.random.PCG64(self.seed))
        units, side, radius = self.units, self.side, self.sight.radius

        class Boid(agentpy.Agent):  # type: ignore[misc]
            def setup(self) -> None:
                self.course = _unit(rng.normal(size=2))
                self.next = self.course

            def decide(self) -> None:
                positions = self.model.space.positions
                near = list(self.model.space.neighbors(self, distance=radius))
                if not near:
                    return
                offsets = np.array([positions[other] for other in near]) - positions[self]
                offsets -= side * np.rint(offsets / side)
                courses = np.array([other.course for other in near])
                crowd = offsets[np.hypot(offsets[:, 0], offsets[:, 1]) < NEAR * radius]
                wish = offsets.sum(axis=0) * TOGETHER - crowd.sum(axis=0) * APART
                wish += (courses - self.course).sum(axis=0) * ALONG
                self.next = _unit(self.course + wish / len(near))

            def go(self) -> None:
                self.course = self.next
                self.model.space.move_by(self, self.course)

        class Flock(agentpy.Model):  # type: ignore[misc]
            def setup(self) -> None:
                self.space = agentpy.Space(self, shape=[side, side], torus=True)
                self.boids = agentpy.AgentList(self, units, Boid)
                starts = list(scattered(units, side, 0.0, rng)[:units])
                self.space.add_agents(self.boids, positions=starts)

            def step(self) -> None:
                self.boids.decide()
                self.boids.go()

        self._model = Flock()
        self._model.sim_setup(seed=self.seed)
        self._go = self._model.sim_step

    def places(self) -> Floats:
        """Where all are, (n, 2)."""
        return np.array([self._model.space.positions[boid] for boid in self._model.boids])


def _unit(vector: Floats) -> Floats:
    length = np.hypot(vector[0], vector[1])
    return vector / length if length > 0 else vector
