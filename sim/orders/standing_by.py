"""Units that pursue others: when they come to rest, and which ones strangers hold up.

Units that follow another one come to rest behind it when it rests, or cannot get on; units that
chase one, beside it. They stay on their way, as it may go on at any time. But what holds for units
at rest holds for them: others go round them, and they make way (`minds.rests`), also for the one
that they follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.units import Units
from sim.orders.minds import HARDLY, PATIENCE
from sim.orders.settle import bars_way, looks_up

if TYPE_CHECKING:
    from sim.orders.orders import Orders

SETS_OFF = 0.6
"""Share of its own desired speed: a unit goes along with one at rest that is as fast, for example
moved by the user. Units that make way are slower, unless their `pace` is set higher."""
NEARER = 0.25
"""A unit that is nearer than before by this share of its reach has come nearer."""


class Pursuers(NamedTuple):
    """Units of one group that are after another group, in the same way."""

    number: int
    """That of their goal, as in `Pursuits.of`."""
    rows: Ints
    """(k,)"""
    speed: Floats
    """(k,) desired, world units / s."""
    whom: Ints
    """(k,) the row of the unit that each is after; -1 for none."""
    to: Floats
    """(k, 2) where each is headed now, world units."""
    gap: Floats
    """(k,) how far from the middle of that unit each stops, world units; 0 where none does."""
    others: slice
    """The rows of the whole group that they are after."""


def stand_by(
    orders: Orders, following: Sequence[Pursuers], units: Units, step: int, dt: float
) -> None:
    """Say in `minds.halts` which of these units rest behind one that rests, or is blocked.

    A unit comes to rest when for `PATIENCE` seconds it has been up to the other, but for half a
    hull length; or has hardly moved, or come no nearer, while units of that group, or others that
    rest behind it, bar its way, and no stranger does. It rests until the other sets off, until the
    offset between the two has changed by a hull length, as one has made way, or until its way is
    free and it is not up to the other, but for a hull length.
    """
    if not following:
        return
    look = looks_up(step, dt)
    minds, pursuits = orders.minds, orders.pursuits
    halts = minds.halts.copy()
    still = ~minds.moving | halts | (minds.blocked > PATIENCE)
    pace = np.hypot(*units.velocity.T)
    for each in following:
        rows, speed, whom = each.rows, each.speed, each.whom
        calm = (whom >= 0) & still[whom] & (pace[whom] < SETS_OFF * speed)
        offset = orders.plane.nearest(units.position[whom] - units.position[rows])
        offset[whom < 0] = np.nan
        off, reach = np.hypot(*(offset - pursuits.offset[rows]).T), orders.outlines.reach[rows]
        apart = np.hypot(*offset.T)
        up = apart < each.gap + reach
        nearest = np.hypot(*pursuits.offset[rows].T)
        as_near = (apart >= nearest - NEARER * reach) & (apart <= nearest + 2 * reach)
        anew = ~halts[rows] & ~(as_near & calm)
        pursuits.offset[rows[anew]] = offset[anew]
        slow = calm & (up | (pace[rows] < HARDLY * speed) | ~anew)
        pursuits.since[rows] = np.where(slow, pursuits.since[rows] + dt, 0.0)
        stands = halts[rows] & calm & (off < 2 * reach)
        if look and calm.any():
            fellows = halts & (pursuits.of == each.number)
            fellows[each.others] = True
            held = apart < each.gap + (1 + halts[rows]) * reach
            held |= _barred(orders, units, each, fellows)
            stands &= held
            comes = held & slow & ~stands & (pursuits.since[rows] > PATIENCE)
            comes &= up | ~_barred(orders, units, each, ~fellows)
            pursuits.offset[rows[comes]] = offset[comes]
            stands |= comes
        minds.halts[rows] = stands


def _barred(orders: Orders, units: Units, each: Pursuers, by: Bools) -> Bools:
    """(k,) whether any unit of some (N,) stands close before each on its way."""
    some, ahead = np.zeros(len(units), np.bool_), np.ones((len(units), 2))
    some[each.rows] = units.present[each.rows] & (each.whom >= 0)
    ahead[each.rows] = orders.plane.nearest(each.to - units.position[each.rows])
    return bars_way(orders, units, some, ahead, orders.outlines.reach, by)[each.rows]


def note_held_up(orders: Orders, after: Sequence[Pursuers], units: Units) -> None:
    """Say in `minds.speed` which of these units a stranger holds up: they may count as blocked.

    A stranger is a unit at rest that neither belongs to the group that they are after, nor is after
    it in the same way: behind others a unit only queues, and before a stream it waits. One that
    halts, or has come up, is not held up.
    """
    if not after:
        return
    minds, pursuits = orders.minds, orders.pursuits
    pace, still = np.hypot(*units.velocity.T), ~minds.moving | minds.halts
    for each in after:
        rows = each.rows
        slow = (each.whom >= 0) & (pace[rows] < HARDLY * each.speed) & ~minds.halts[rows]
        offset = orders.plane.nearest(units.position[each.whom] - units.position[rows])
        slow &= np.hypot(*offset.T) >= each.gap + orders.outlines.reach[rows]
        strangers = pursuits.of != each.number
        strangers[each.others] = False
        strangers &= still
        held = slow & _barred(orders, units, each, strangers) if slow.any() else slow
        minds.speed[rows] = np.where(held, each.speed, 0.0)
