"""Which way units face that stand in their formation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.core.units import Units
from sim.orders.minds import HARDLY
from sim.orders.stays import STANDS, TOGETHER

if TYPE_CHECKING:
    from sim.orders.orders import Orders


def turns_to_make(orders: Orders, rows: slice, units: Units) -> Floats | None:
    """(n,) how far units in some rows have to turn to face as their formation does, radians.

    Clockwise on screen, from -pi to pi; NaN for units that do not stand in a formation; None where
    there is no formation at all.
    """
    if not orders.bands.known:
        return None
    minds, staying, first = orders.minds, orders.staying, orders.first[:-1][rows]
    stays = np.append(orders.stays, [[0.0, 0.0, 0.0]], axis=0)[first + orders.leg[rows]]
    there = minds.arrived[rows] & ~minds.moving[rows] & (np.diff(orders.first)[rows] > 0)
    there &= stays[:, 1] == STANDS
    halts = (staying.left[rows] > 0) & (staying.kind[rows] == TOGETHER)
    heading = np.where(halts, staying.heading[rows], stays[:, 2])
    speed = np.hypot(*units.velocity[rows].T)
    stands = (there | halts) & units.present[rows] & (speed < HARDLY * minds.speed[rows])
    turn: Floats = np.remainder(heading - units.angle[rows] + np.pi, 2 * np.pi) - np.pi
    return np.where(stands, turn, np.nan)
