"""How many steps a frame is worth, and when a run is due to end.

The run keeps pace with the clock, and never tries to make up for a long halt.
"""

from __future__ import annotations

from sim.world import World

MOST = 0.1
"""Seconds of the clock that one frame may make up for; whatever is lost beyond is not simulated."""


class Pacer:
    """Turns elapsed seconds of the clock into whole time steps; the remainder is carried over."""

    def __init__(self, time_step: float) -> None:
        self._time_step = time_step
        self._owed = 0.0

    def steps(self, elapsed: float, speed: float) -> int:
        """Steps due after `elapsed` more seconds of the clock; `speed` 2 is twice as fast."""
        self._owed += min(elapsed, MOST) * speed
        steps = int(self._owed / self._time_step + 1e-9)
        self._owed = max(0.0, self._owed - steps * self._time_step)
        return steps

    def forgive(self) -> None:
        """Forget what is owed: the machine cannot keep up."""
        self._owed = 0.0


class Deadline:
    """When a run has lasted as long as it was to: then it ends, or halts once and may go on."""

    def __init__(self, duration: float | None, ends: bool) -> None:
        self._duration, self._ends, self._halted = duration, ends, False

    def ends_at(self, world: World) -> bool:
        """Whether the run is over."""
        return self._ends and self._due(world)

    def halts_at(self, world: World) -> bool:
        """Whether the run is to stand still now; never twice."""
        if self._ends or self._halted or not self._due(world):
            return False
        self._halted = True
        return True

    def renew(self) -> None:
        """The run begins anew."""
        self._halted = False

    def _due(self, world: World) -> bool:
        half = world.time_step / 2
        return self._duration is not None and world.time >= self._duration - half
