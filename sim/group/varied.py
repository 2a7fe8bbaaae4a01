"""What the units of a group have each for themselves, drawn as they enter: speeds and radii."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.columns import NEW
from sim.core.draws import Each, Spread, drawn, spread_of
from sim.core.hull import Sizes, sizes
from sim.core.units import Units
from sim.group.members import Members
from sim.steering.craft import Crafts, Drive, Helm, TurnsInPlace


class Varied(Members):
    """Members that may differ.

    They are numbered as they enter the group, 0, 1 and so on, and a number is never used again.
    What a unit draws follows from its number and the run's seed alone: not from when it enters, nor
    from units that have left. A unit that joins another group enters there, and draws anew.
    """

    columns: ClassVar = {**Members.columns, "_number": NEW, "_speeds": np.nan, "_radii": np.nan}
    helm: Helm

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._entered = 0
        self._number = np.full(len(self), NEW)
        self._speeds, self._radii = np.full((2, len(self)), np.nan)
        self._spread: Spread | None = None

    @property
    def speed(self) -> float:
        """Desired speed, world units / s: what full thrust ends at.

        Where speeds are drawn it is the middle of them. Settable: to a number, a distribution
        (`Normal`, `Uniform`), or a list with a number for each unit, in the order of `ids`.
        """
        return self.helm.terminal_speed(self.hull.length)

    @speed.setter
    def speed(self, speed: float | Spread | list[float]) -> None:
        given = spread_of(speed, "speed", len(self))
        self._spread = None if isinstance(given, float) else given
        typical = given if isinstance(given, float) else given.typical
        self.helm = self.helm.for_speed(typical, self.hull.length)
        if isinstance(given, Each) and len(self):
            self._speeds = np.array(given.values)
        else:
            self._draw(np.arange(len(self)))
        self._changed()

    @property
    def speeds(self) -> Floats:
        """(n,) the desired speed of each unit on plain ground, world units / s."""
        return np.full(len(self), self.speed) if self._spread is None else self._speeds.copy()

    @property
    def speed_spread(self) -> Spread | None:
        """By what the speeds are drawn; None where all units have the same."""
        return self._spread

    @property
    def fastest(self) -> float:
        """The highest desired speed that any unit of the group may ever have, world units / s."""
        return self.speed if self._spread is None else self._spread.bounds[1]

    def rearrange(self, old_rows: Ints) -> None:
        """Carry all columns to new rows; units that have just come get their numbers, and draw."""
        super().rearrange(old_rows)
        fresh = np.flatnonzero(self._number == NEW)
        self._radii[fresh] = self.coming(len(fresh)).radius
        self._number[fresh] = self._entered + np.arange(len(fresh))
        self._entered += len(fresh)
        self._draw(fresh)

    @property
    def radii(self) -> Floats:
        """(n,) the radius of each unit's hull, world units."""
        return self._radii.copy()

    @property
    def same_size(self) -> bool:
        """Whether all its hulls are alike."""
        return self.hull.spread is None

    def coming(self, count: int) -> Sizes:
        """How large the hulls of the next `count` units that enter will be."""
        spread, radius = self.hull.spread, np.full(count, self.hull.radius)
        if spread is not None:
            number = self._entered + np.arange(count)
            radius = drawn(spread, self._home.rng(f"radii of {self.name}"), number)
        return sizes([self.hull], np.zeros(count, np.int64), radius)

    def crafts(self, speed: Floats) -> Crafts:
        """The units as the helm moves them, where they have these desired speeds (n,)."""
        found = Crafts.alike(self.hull, speed)._replace(own=self.speeds)
        if self.hull.spread is None:
            return found
        moment = found.moment * np.square(self._radii / self.hull.radius)
        return found._replace(moment=moment, bow=self.radii)

    def steer(
        self, units: Units, speeds: Floats, turns: Floats | None, dt: float, forces: Floats
    ) -> None:
        """Write the forces and torques that the command takes into the rows of `forces` (N, 3).

        `speeds` (N,) are the desired speeds; `turns` (n,) how far units turn in place, if any do.
        """
        crafts = self.crafts(speeds[self.rows])
        drive = Drive(units, self.rows, self.command, crafts, dt, forces)
        self.helm.steer(*drive)
        self.acting = partial(self.helm.parts, drive)
        if turns is not None and isinstance(self.helm, TurnsInPlace):
            self.helm.turn(drive, turns)

    def _draw(self, members: Ints) -> None:
        """Some members (k,) draw their speeds, if there is anything to draw."""
        if self._spread is not None:
            rng = self._home.rng(f"speeds of {self.name}")
            self._speeds[members] = drawn(self._spread, rng, self._number[members])

    def _changed(self) -> None:
        """Whatever was worked out from this group is worked out anew."""
        raise NotImplementedError
