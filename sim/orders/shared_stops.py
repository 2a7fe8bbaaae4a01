"""Stops that many units share: numbers of the places of all stops, and which of them count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.columns import kinds
from sim.orders.places import NOWHERE
from sim.orders.stays import SERVED

if TYPE_CHECKING:
    from sim.orders.orders import Orders

MANY_TOUCH = 5
"""Units that touch a stop and leave it again, from which on they take turns there."""
AT_A_STOP, LONG_AT_A_STOP, LONG = 3, 2, 1.2
"""How many units may be at such a stop at a time; how many where one of them has a long hull, as
three long ones only go round each other; and what reach, in radii, makes a hull long."""


class Stops(NamedTuple):
    """The K stops that many units share."""

    serve: Bools
    """(K,) which of them serve one unit after the other."""
    room: Ints
    """(K,) how many units may be at each at a time."""


def room_at_stops(orders: Orders, bound: Ints) -> Stops:
    """The shared stops, for which units are `bound` (N,), by number; -1 for none."""
    serve, room = np.zeros(len(orders.shared), np.bool_), np.full(len(orders.shared), AT_A_STOP)
    serves = (orders.stays[:, 0] > 0) & (orders.stays[:, 1] == SERVED) & (orders.stops >= 0)
    serve[orders.stops[serves]] = True
    room[bound[long_hulls(orders) & (bound >= 0)]] = LONG_AT_A_STOP
    return Stops(serve, room)


def long_hulls(orders: Orders) -> Bools:
    """(N,) which units have hulls so long that two of them bar each other where two discs pass."""
    return orders.outlines.reach > LONG * orders.radius


def number_stops(orders: Orders) -> Ints:
    """Number the stops that many units share; turns at others than before lapse.

    (M,) numbers of the places of all stops, alike for stops at one place.
    """
    numbers, firsts = kinds(orders.points)
    goes_on = orders.queue.waits(len(orders.loop)) & np.isnan(orders.region[:, 0])
    orders.stops, kept = shared_stops(numbers, len(firsts), orders.first, orders.loop | goes_on)
    shared = orders.points[firsts[kept]]
    if not np.array_equal(shared, orders.shared):
        orders.shared, guide = shared, orders.guide
        orders.narrows.forget_stops(0 if guide is None else len(guide.registry.lanes))
    return numbers


def shared_stops(numbers: Ints, count: int, first: Ints, leaves: Bools) -> tuple[Ints, Ints]:
    """(M,) numbers of the stops of all routes that `MANY_TOUCH` or more touch and leave.

    -1 for other stops. The last stop is left again by units that go round and round, or have orders
    to come: `leaves` (N,). `numbers` (M,) are those of the `count` places where the stops are. With
    them, which places count (K,).
    """
    left = np.ones(len(numbers), np.bool_)
    left[first[1:][~leaves & (np.diff(first) > 0)] - 1] = False
    kept = np.flatnonzero(np.bincount(numbers[left], minlength=count) >= MANY_TOUCH)
    names = np.full(count, NOWHERE)
    names[kept] = np.arange(len(kept))
    return np.where(left, names[numbers], NOWHERE), kept
