"""What every helm can do: from a command to forces on the units, and what acts where."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from sim.behaviours.commands import Command
from sim.core.arrays import Floats, Ints, filled
from sim.core.hull import Hull
from sim.core.relay import Relay
from sim.core.units import Units


class Crafts(NamedTuple):
    """The n units of a group as a helm moves them; lengths and mass go by the group's hull."""

    hull: Hull
    speed: Floats
    """(n,) desired speed where each is now, world units / s."""
    own: Floats
    """(n,) desired speed on plain ground. What a craft can speed up by goes by the lesser."""
    usual: Floats
    """(n,) what its hull is made for: the model's desired speed, or `own` where that is more.

    What one that is faster than it is to be can slow down by goes by its pace, up to this.
    """
    moment: Floats
    """(n,) moments of inertia."""
    bow: Floats
    """(n,) how far ahead of the centre the bow lies."""

    @classmethod
    def alike(cls, hull: Hull, speed: Floats, own: Floats, made_for: float = 0.0) -> Crafts:
        """Units that all have this hull; their speeds here, on plain ground and the model's."""
        n, usual = len(speed), np.maximum(own, made_for)
        return cls(hull, speed, own, usual, filled(n, hull.moment), filled(n, hull.bow))


class Drive(NamedTuple):
    """One step of a group's helm: what it was given, and where it wrote."""

    units: Units
    rows: slice
    command: Floats
    """(n, 2) the arbiter's, in (ahead, starboard)."""
    crafts: Crafts
    dt: float
    out: Floats
    """(N, 3) forces and torques, of all units."""


class Forces(NamedTuple):
    """What acts where on n units over one step, in the frame (ahead, starboard) of its begin.

    World units, kg and seconds; zeros for units that have left.
    """

    thrust: Floats
    """(n,) along the keel. It turns nothing."""
    steering: Floats
    """(n,) across the keel at the bow, to starboard: it pushes sideways, and turns by the lever."""
    grip: Floats
    """(n, 2) of the ground or the water, at the centre: takes up or adds motion."""
    couple: Floats
    """(n,) the torque of the water, which resists turning; the ground has none."""
    lever: Floats
    """(n,) how far ahead of the centre the bow lies; 0 for what has no bow."""

    @property
    def total(self) -> Floats:
        """(n, 3) the force (ahead, starboard) and the torque that these come to."""
        ahead, starboard = self.grip.T
        torque = self.lever * self.steering + self.couple
        return np.column_stack([ahead + self.thrust, starboard + self.steering, torque])


@runtime_checkable
class Helm(Protocol):
    """A craft's controls and its resistance. Frozen; a group has one for all its units."""

    @property
    def takes(self) -> Command:
        """What a command of 1 stands for; rules that give something else do not fit."""

    def terminal_speed(self, length: float) -> float:
        """The speed that a full command ahead ends at, for a hull so long, world units / s."""

    def for_speed(self, speed: float, length: float) -> Helm:
        """The same helm for another desired speed, world units / s."""

    def steer(self, drive: Drive) -> None:
        """Write each unit's force (2) and torque over the next dt s to its row of `out` (N, 3).

        Each moves at its own speed of `crafts`; the helm's is what the group has in common.
        """

    def parts(self, drive: Drive) -> Forces:
        """Take apart what `steer` has written, given the same: what acts where."""


@runtime_checkable
class TurnsInPlace(Protocol):
    """A helm that can turn units which stand."""

    def turn(self, drive: Drive, turns: Floats) -> None:
        """After `steer`: turn units that stand by (n,) radians, clockwise on screen; NaN: not."""


def own_parts(drive: Drive) -> Floats:
    """(3, n) force ahead, force to starboard and torque that were written; 0 for the absent."""
    units, rows = drive.units, drive.rows
    (c, s), (x, y, torque) = units.heading[rows].T, drive.out[rows].T
    return np.where(units.present[rows], (c * x + s * y, c * y - s * x, torque), 0.0)


def relaid(acting: Callable[[], Forces], old_rows: Ints) -> Forces:
    """The forces on units that have come to other rows since, from these (n,); none on new ones."""
    relay = Relay(old_rows)
    return Forces(*(relay.anew(each, 0.0) for each in acting()))


def nothing(n: int) -> Forces:
    """No force on any of n units."""
    return Forces(np.zeros(n), np.zeros(n), np.zeros((n, 2)), np.zeros(n), np.zeros(n))
