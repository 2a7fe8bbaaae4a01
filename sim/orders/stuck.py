"""Units that do not get on: in queues, or stuck for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.core.units import Units
from sim.navigation.jams import Traffic
from sim.orders.minds import Minds
from sim.orders.pursuits import NONE

if TYPE_CHECKING:
    from sim.orders.orders import Orders

QUEUED = 0.3
"""From so long a time on in which one hardly got on one stands in a queue, s."""
CREEPS = 1.0
"""And from so long a time on in which one has not got on by a hull length, s."""
LOOK = 0.5
"""Time between two looks at which units get on, s."""


def watch(orders: Orders, units: Units) -> None:
    """Find out which units on their way have got on by a hull length, `LOOK` s after the last time.

    Units at a stop at which they stay for a time, or in line there, count as if they had got on.
    """
    minds, length = orders.minds, 2 * orders.radius
    away = np.hypot(*orders.plane.nearest(units.position - orders.spot).T)
    bound = minds.moving & (orders.staying.off(units, orders) > length)
    bound &= ~(minds.halts & (orders.pursuits.of == NONE))
    on = ~((away < length) & bound)
    orders.spot[on] = units.position[on]
    minds.still[:] = np.where(on, 0.0, minds.still + LOOK)


def traffic(units: Units, minds: Minds, radius: Floats) -> Traffic:
    """The units that are held up, and how quickly each gets on.

    Units in a press move to and fro; they get on no quicker than by a hull length in the time in
    which they have not done so.
    """
    held = (minds.blocked > QUEUED) | (minds.still > CREEPS)
    held &= minds.moving & units.present & (minds.speed > 0)
    most = 2 * radius[held] / np.maximum(minds.still[held], LOOK)
    pace = np.minimum(np.hypot(*units.velocity[held].T), most) / minds.speed[held]
    return Traffic(units.position[held], pace, radius[held])
