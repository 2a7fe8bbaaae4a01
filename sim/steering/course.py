"""The helm of walkers: a unit that turns its bow to the course it wants, and walks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY, Command
from sim.core.arrays import Floats
from sim.core.compiled import Kernel
from sim.core.errors import BadInput
from sim.core.geometry import to_own_frame, to_world
from sim.steering.craft import Drive, Forces, own_parts


@dataclass(frozen=True)
class CourseHelm:
    """Takes a command for the velocity that is wanted: 1 is the desired speed, own frame.

    Thrust acts along the keel. A steering force at the bow turns the unit to its course: its torque
    is that force times the lever arm, and it pushes sideways. At the centre the grip of feet on the
    ground takes that push up, and adds what is to be walked sideways (`sidestep`), as far as it
    holds: the rest of the push is real. Everything is reached as by a first-order lag, and bounded.
    """

    takes: ClassVar[Command] = VELOCITY
    pace: float = 1.3
    """Desired speed in lengths / s."""
    response: float = 0.15
    """Time constant of the speed, s."""
    turning: float = 0.12
    """Time constant of the course, s."""
    fastest_turn: float = 6.0
    """Bound on the turn rate, rad / s."""
    acceleration: float = 8.0
    """Bound on the acceleration, in desired speeds per second; a unit that is faster brakes by its
    pace, up to the model's own desired speed."""
    grip: float = 300.0
    """The most that the ground holds or pushes sideways, lengths / s^2: with less of it a unit
    that turns slides. This much holds against any turn, up to 15 lengths / s."""
    sidestep: float = 0.5
    """How much of a sideways command is walked at once, without turning to it."""
    astern: float = 0.5
    """The fastest backward, as a share of the desired speed."""
    heeded: float = 0.25
    """From this size of a command on one turns to it as quickly as one can."""
    calm: float = 1.0
    """How much more slowly one turns to smaller ones: a power of their share of `heeded`."""

    def __post_init__(self) -> None:
        for name in ("pace", "response", "turning", "fastest_turn", "acceleration", "heeded"):
            if not 0 < getattr(self, name) < np.inf:
                raise BadInput(f"helm.{name} = {getattr(self, name)}: must be greater than 0")
        if not 0 <= self.grip < np.inf:
            raise BadInput(f"helm.grip = {self.grip}: must be 0 or greater")
        for name in ("sidestep", "astern"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"helm.{name} = {getattr(self, name)}: must be between 0 and 1")
        if not 0 <= self.calm < np.inf:
            raise BadInput(f"helm.calm = {self.calm}: must be 0 or greater")

    def terminal_speed(self, length: float) -> float:
        """The speed that a full command ahead ends at, world units / s."""
        return self.pace * length

    def for_speed(self, speed: float, length: float) -> CourseHelm:
        """The same helm with another desired speed, world units / s."""
        return replace(self, pace=speed / length)

    def steer(self, drive: Drive) -> None:
        """Write each unit's force (2) and torque over the next dt s to its row of `out` (N, 3)."""
        units, rows, command, crafts, dt, out = drive
        hull, most = crafts.hull, self.acceleration * np.minimum(crafts.speed, crafts.own)
        feet = _Feet(
            dt, crafts.speed, self.response, self.turning, self.fastest_turn, most,
            self.acceleration, crafts.usual, self.sidestep, self.astern, self.heeded, self.calm,
            hull.mass, crafts.moment, crafts.bow, hull.mass * self.grip * hull.length,
        )  # fmt: skip
        velocity, spin, heading = units.velocity[rows], units.spin[rows], units.heading[rows]
        _walk(out[rows], velocity, spin, heading, command, tuple(feet))

    def turn(self, drive: Drive, turns: Floats) -> None:
        """Turn units that stand by (n,) radians, as to a course; NaN for units that do not turn."""
        units, rows, crafts, dt = drive.units, drive.rows, drive.crafts, drive.dt
        _, starboard, torque = own_parts(drive)
        rate = np.clip(turns / self.turning, -self.fastest_turn, self.fastest_turn)
        turned = 1 - np.exp(-4 * dt / self.turning)
        wanted = crafts.moment * (rate - units.spin[rows]) * turned / dt
        more = np.where(np.isnan(turns), 0.0, wanted - torque)
        # the grip takes up the push of the bow, as far as it holds: see `_walk`
        most = crafts.hull.mass * self.grip * crafts.hull.length
        held = starboard - (torque + more) / crafts.bow
        aside = np.where(np.isnan(turns), 0.0, np.clip(held, -most, most) - held)
        c, s = units.heading[rows].T
        drive.out[rows] += np.column_stack([-s * aside, c * aside, more])

    def parts(self, drive: Drive) -> Forces:
        """Thrust, the steering force that gives the torque, and the grip beside it: exactly."""
        ahead, starboard, torque = own_parts(drive)
        bow = drive.crafts.bow
        steering, none = torque / bow, np.zeros(len(ahead))
        grip = np.column_stack([none, starboard - steering])
        return Forces(ahead, steering, grip, none, bow)


class _Feet(NamedTuple):
    """The step and the figures of `CourseHelm`, in world units, with those of the n hulls."""

    dt: float
    speed: Floats
    response: float
    turning: float
    fastest_turn: float
    most: Floats
    acceleration: float
    usual: Floats
    sidestep: float
    astern: float
    heeded: float
    calm: float
    mass: float
    moment: Floats
    bow: Floats
    grip: float


@Kernel
def _walk(begin, end, out, velocity, spin, heading, command, feet):  # type: ignore[no-untyped-def]
    """Mean force and torque over dt that bring each unit toward the velocity it wants."""
    feet = _Feet(*feet)
    dt, turning, mass = feet.dt, feet.turning, feet.mass
    reached = 1 - np.exp(-dt / feet.response)
    # The turn rate answers four times as quickly as the course: critically damped, no swinging.
    turned = 1 - np.exp(-4 * dt / turning)
    for i in range(begin, end):
        speed, most = feet.speed[i], feet.most[i]
        c, s = heading[i, 0], heading[i, 1]
        ahead, starboard = to_own_frame(velocity[i, 0], velocity[i, 1], c, s)
        x, y = command[i, 0], command[i, 1]
        size = np.sqrt(x * x + y * y)
        if size > 1:
            x, y = x / size, y / size
        # A unit that wants to stand plants its feet.
        share = reached if size > 0 else 1.0
        more = (max(x, -feet.astern) * speed - ahead) * share
        aside = (feet.sidestep * y * speed - starboard) * share
        now = np.sqrt(ahead * ahead + starboard * starboard)
        if now > speed:
            most = max(most, feet.acceleration * min(now, feet.usual[i]))
        change = np.sqrt(more * more + aside * aside)
        if change > most * dt:
            more, aside = more * most * dt / change, aside * most * dt / change
        # A unit that hardly wants to move has no course to turn to: it steps aside or back.
        course = np.arctan2(y, x) * min(1.0, size / feet.heeded) ** feet.calm
        rate = min(max(course / turning, -feet.fastest_turn), feet.fastest_turn)
        torque = feet.moment[i] * (rate - spin[i]) * turned / dt
        # The bow pushes sideways; the ground makes up the difference, as far as it holds.
        held, most_held = aside - torque / feet.bow[i] * dt / mass, feet.grip * dt / mass
        if abs(held) > most_held:
            aside += min(max(held, -most_held), most_held) - held
        x, y = to_world(more, aside, c, s)
        out[i, 0], out[i, 1], out[i, 2] = mass * x / dt, mass * y / dt, torque
