"""How many steps a frame is worth.

The run keeps pace with the clock, and never tries to make up for a long halt.
"""

from __future__ import annotations

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
