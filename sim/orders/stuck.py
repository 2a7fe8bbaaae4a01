"""Units that do not get on: in queues, or stuck for long."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.columns import Columns
from sim.core.plane import Plane
from sim.core.units import Units
from sim.navigation.jams import Traffic
from sim.orders.minds import Minds

QUEUED = 0.3
"""From so long a time on in which one hardly got on one stands in a queue, s."""
STUCK, LOOK = 10.0, 0.5
"""A unit is stuck that has not got a hull length away from where it was for so long; how often that
is looked at, s."""


class Whereabouts(Columns):
    """Where each of N units was when it last got on by a hull length."""

    columns: ClassVar = {"spot": np.nan, "since": 0.0}

    def __init__(self) -> None:
        self.spot = np.zeros((0, 2))
        """(N, 2) world units; NaN before it was looked at."""
        self.since = np.zeros(0)
        """(N,) s since then."""

    def watch(self, units: Units, moving: Bools, length: Floats, plane: Plane) -> None:
        """Look where all are, `LOOK` seconds after the last time; `length` (N,) is of hulls."""
        away = np.hypot(*plane.nearest(units.position - self.spot).T)
        on = ~((away < length) & moving)
        self.spot[on] = units.position[on]
        self.since = np.where(on, 0.0, self.since + LOOK)

    @property
    def stuck(self) -> Bools:
        """(N,) which have been there for `STUCK` seconds."""
        return np.greater_equal(self.since, STUCK)


def traffic(units: Units, minds: Minds, radius: Floats) -> Traffic:
    """The units that have been held up for a while."""
    held = minds.moving & units.present & (minds.blocked > QUEUED) & (minds.speed > 0)
    pace = np.hypot(*units.velocity[held].T) / minds.speed[held]
    return Traffic(units.position[held], pace, radius[held])
