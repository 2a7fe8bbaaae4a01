"""Bodies that nothing steers: the bridge and the engine alone."""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.bridge import Bridge
from sim.engine.build import Spare, set_up
from sim.engine.placing import stand

DT = 1 / 60
HULLS = {
    "wedge": Hull("wedge", 4.0, 2.0, 10.0),
    "box": Hull("box", 3.0, 2.0, 5.0),
    "disc": Hull.disc(1.0, 2.0),
}


class Drift:
    """Units of one hull on a plane, with nothing but what they are given to move them."""

    def __init__(
        self, plane: Plane, hull: Hull, places, velocity=0.0, angles=0.0, spin=0.0
    ) -> None:
        places = np.array(places, dtype=float).reshape(-1, 2)
        n = len(places)
        self.space, self.plane, self.hull = pymunk.Space(), plane, hull
        set_up(self.space, [hull])
        self.bridge = Bridge(self.space, plane)
        bodies = stand(
            self.space, hull, places, np.broadcast_to(angles, n), np.full(n, hull.radius), Spare(0)
        )
        velocities, spins = np.broadcast_to(velocity, (n, 2)), np.broadcast_to(spin, n)
        for body, v, w in zip(bodies, velocities.tolist(), spins.tolist(), strict=True):
            body.velocity, body.angular_velocity = v, w
        self.bridge.add(bodies)
        self.bridge.seam.add_group(hull)
        self.group = np.zeros(n, np.int64)
        self.steps = 0

    @property
    def units(self) -> Units:
        """The state now."""
        return self.bridge.read(self.group, self.steps)

    def step(self, force=0.0) -> Units:
        """One step under forces and torques (n, 3), constant or a function of the units."""
        units = self.units
        given = force(units) if callable(force) else force
        forces = np.array(np.broadcast_to(given, (len(units), 3)), dtype=float)
        self.bridge.write(units, forces, DT)
        self.space.step(DT)
        self.steps += 1
        return self.units

    def run(self, steps: int, force=0.0) -> list[Units]:
        """The states after each of some steps."""
        return [self.step(force) for _ in range(steps)]
