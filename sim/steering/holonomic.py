"""The helm of what moves any way without turning, and takes time to change its velocity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from sim.behaviours.commands import ACCELERATION, Command
from sim.core.arrays import Floats
from sim.core.compiled import Kernel
from sim.core.errors import BadInput
from sim.steering.craft import Drive, Forces, own_parts


@dataclass(frozen=True)
class HolonomicHelm:
    """Takes a command for the acceleration that is wanted: 1 is all there is, own frame.

    Speed is bounded by the desired speed. A unit that wants no acceleration brakes fully, and
    stands still. Nothing turns the hull, or holds it: it has no bow. A hull held upright heads for
    nowhere, and a force off its centre could not turn it; so all acts at the centre.
    """

    takes: ClassVar[Command] = ACCELERATION
    pace: float
    """Desired speed in lengths / s."""
    acceleration: float
    """The most there is, in desired speeds per second; a unit that is faster brakes by its pace,
    up to the model's own desired speed."""

    def __post_init__(self) -> None:
        for name in ("pace", "acceleration"):
            if not 0 < getattr(self, name) < np.inf:
                raise BadInput(f"helm.{name} = {getattr(self, name)}: must be greater than 0")

    def terminal_speed(self, length: float) -> float:
        """The speed that a full command ends at if it lasts, world units / s."""
        return self.pace * length

    def for_speed(self, speed: float, length: float) -> HolonomicHelm:
        """The same helm with another desired speed, world units / s."""
        return replace(self, pace=speed / length)

    def steer(self, drive: Drive) -> None:
        """Write each unit's force (2) and torque over the next dt s to its row of `out` (N, 3)."""
        units, rows, command, crafts, dt, out = drive
        most = self.acceleration * np.minimum(crafts.speed, crafts.own)
        figures = crafts.speed, crafts.own, most, self.acceleration, crafts.usual
        limits = _Limits(dt, *figures, crafts.hull.mass)
        _push(out[rows], units.velocity[rows], units.heading[rows], command, limits)

    def parts(self, drive: Drive) -> Forces:
        """All of it is the grip at the centre: without a bow there is neither keel nor lever."""
        ahead, starboard, torque = own_parts(drive)
        none = np.zeros(len(ahead))
        return Forces(none, none, np.column_stack([ahead, starboard]), torque, none)


class _Limits(NamedTuple):
    """The step, the greatest speeds here and on plain ground and the accelerations (n,).

    Then what a unit that is faster brakes by, and the mass. World units, kg, s.
    """

    dt: float
    speed: Floats
    own: Floats
    most: Floats
    acceleration: float
    usual: Floats
    mass: float


@Kernel
def _push(begin, end, out, velocity, heading, command, limits):  # type: ignore[no-untyped-def]
    """The force that gives each unit the velocity it is to have after dt."""
    dt, mass = limits.dt, limits.mass
    for i in range(begin, end):
        most = limits.most[i]
        c, s = heading[i, 0], heading[i, 1]
        vx, vy = velocity[i, 0], velocity[i, 1]
        x, y = command[i, 0], command[i, 1]
        size, now = np.sqrt(x * x + y * y), np.sqrt(vx * vx + vy * vy)
        if now > limits.speed[i]:
            most = max(most, limits.acceleration * min(now, limits.usual[i]))
        # Slower ground is no wall: one brakes to the speed that it allows.
        speed = max(limits.speed[i], min(limits.own[i], now - most * dt))
        if size > 1e-9:
            x, y = x / max(size, 1.0), y / max(size, 1.0)
            ux, uy = vx + most * dt * (c * x - s * y), vy + most * dt * (s * x + c * y)
            bound = min(1.0, speed / max(np.sqrt(ux * ux + uy * uy), 1e-300))
        else:
            ux, uy = vx, vy
            bound = 1 - most * dt / now if now > most * dt else 0.0
        out[i, 0] = mass * (ux * bound - vx) / dt
        out[i, 1] = mass * (uy * bound - vy) / dt
        out[i, 2] = 0.0
