"""Each step at the narrow places: which units come to them, and which of these wait."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.navigation.sight import rooms_at
from sim.orders.lanes import longest
from sim.orders.minds import FREE, STOPS
from sim.orders.places import NOWHERE, Bound, bound_for, sooner
from sim.orders.shared_stops import long_hulls, room_at_stops
from sim.orders.turns import ASK, KEEP_OFF

if TYPE_CHECKING:
    from sim.core.units import Units
    from sim.orders.orders import Orders

FITS = 0.9
"""Of its radius: so much room is enough for a unit that clears a lane."""


def take_turns_at_places(orders: Orders, units: Units, step: int, takers: Bools) -> None:
    """At narrow places those wait whose turn it is not."""
    narrows, minds = orders.narrows, orders.minds
    lanes = np.zeros(0, np.int64) if orders.guide is None else orders.guide.registry.lanes
    if not len(lanes) + len(orders.shared):
        if narrows.bound.place.max(initial=NOWHERE) != NOWHERE:  # the last narrow place has gone
            narrows.bound = Bound.nowhere(len(minds.stance))
        if np.count_nonzero(minds.stance):
            minds.stance[:], minds.gate[:] = FREE, NOWHERE
            orders.hold = np.zeros_like(orders.hold)
        return
    if step % narrows.every == 0:
        here, moving = units.position, minds.moving & units.present & takers
        at = np.minimum(orders.first[:-1] + orders.leg, max(len(orders.points) - 1, 0))
        sent = moving & orders.sent
        stop = np.where(sent, orders.stops[at], -1)
        through = Bound.nowhere(len(here))
        if len(lanes) and orders.guide is not None:
            through = orders.guide.bound(here, orders.aim)
        clear = orders.tolerance + 2 * orders.radius
        touch = bound_for(stop, here, orders.points[at], clear, orders.plane)
        stopping, stops = STOPS * minds.speed, room_at_stops(orders, stop)
        bound = sooner(through, touch, len(lanes))
        abreast, length = lanes.copy(), _lengths(orders, bound, len(lanes))
        abreast[bound.place[long_hulls(orders) & _comes_to(bound, len(lanes))]] = 1
        narrows.decide(bound, abreast, stops, here, length, stopping, moving)
        course = orders.plane.nearest(orders.aim - here)
        narrows.open_lanes(here, course, length, moving, len(lanes), partial(_fits, orders))
    turns = narrows.turns
    length = _lengths(orders, narrows.bound, len(lanes))
    orders.hold = narrows.hold(units.position, length)
    minds.blocked[turns.waiting] = 0.0
    minds.stance[:] = narrows.stance
    gates = narrows.gates((KEEP_OFF + ASK) * length + STOPS * minds.speed)
    minds.gate[:] = np.where(minds.moving, gates, NOWHERE)
    minds.ahead[:] = narrows.bound.ahead
    orders.patience.renew(turns.waiting)


def _fits(orders: Orders, places: Floats, rows: Ints) -> Bools:
    """(k,) whether the units in some rows fit at places (k, 2), but for a little."""
    if orders.guide is None or not len(rows):
        return np.ones(len(rows), np.bool_)
    widest = max(party.radius for party in orders.guide.parties.values())
    room = rooms_at(orders.guide.planner.latest.grid(widest), places)
    return room >= FITS * orders.radius[rows]


def _lengths(orders: Orders, bound: Bound, passages: int) -> Floats:
    """(N,) of the hulls, world units; before a passage as far as the longest there reaches.

    Long ones that wait for a passage stand across its mouth otherwise, as they turn; and small ones
    leave no room for a large one that comes out.
    """
    reach, comes = orders.outlines.reach, _comes_to(bound, passages)
    near = comes & orders.minds.moving & (bound.ahead < 2 * (KEEP_OFF + ASK) * reach)
    most = longest(reach, np.where(near, bound.place, NOWHERE), orders.narrows.turns.turn, passages)
    most = np.maximum(reach, most[np.where(comes, bound.place, NOWHERE)])
    return 2 * np.where(comes, most, orders.radius)


def _comes_to(bound: Bound, passages: int) -> Bools:
    """(N,) which units come to a passage next: the numbers of stops follow those of passages."""
    found: Bools = (bound.place != NOWHERE) & (bound.place < passages)
    return found
