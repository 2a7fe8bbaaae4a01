"""Stops that many units share: numbers of the places of all stops, and which of them count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.core.columns import kinds
from sim.core.shared_cache import njit
from sim.orders.places import NOWHERE

if TYPE_CHECKING:
    from sim.orders.orders import Orders

MANY_TOUCH = 5
"""Units that touch a stop and leave it again, from which on they take turns there."""


def number_stops(orders: Orders) -> Ints:
    """Number the stops that many units share; turns at others than before lapse.

    (M,) numbers of the places of all stops, alike for stops at one place.
    """
    numbers, firsts = kinds(orders.points)
    orders.stops, kept = shared_stops(numbers, len(firsts), orders.first, orders.loop)
    shared = orders.points[firsts[kept]]
    if not np.array_equal(shared, orders.shared):
        orders.shared, guide = shared, orders.guide
        orders.narrows.forget_stops(0 if guide is None else len(guide.registry.lanes))
    return numbers


def shared_stops(numbers: Ints, count: int, first: Ints, loop: Bools) -> tuple[Ints, Ints]:
    """(M,) numbers of the stops of all routes that `MANY_TOUCH` or more touch and leave.

    -1 for other stops. The last stop of a route that is no loop is not left again. `numbers` (M,)
    are those of the `count` places where the stops are. With them, which places count (K,).
    """
    touch = np.zeros(count, np.int64)
    _count_left(numbers, first, loop, touch)
    kept = np.flatnonzero(touch >= MANY_TOUCH)
    names = np.full(count, NOWHERE)
    names[kept] = np.arange(len(kept))
    found = np.empty(len(numbers), np.int64)
    _name_left(numbers, first, loop, names, found)
    return found, kept


@njit(cache=True)
def _count_left(numbers, first, loop, touch):  # type: ignore[no-untyped-def]
    """Count by the numbers of places how many stops are left again: all but last ones."""
    for i in range(len(loop)):
        for stop in range(first[i], first[i + 1] - (not loop[i])):
            touch[numbers[stop]] += 1


@njit(cache=True)
def _name_left(numbers, first, loop, names, found):  # type: ignore[no-untyped-def]
    """Write the names of their places to all these stops, `NOWHERE` to others."""
    for i in range(len(loop)):
        end = first[i + 1] - (not loop[i])
        for stop in range(first[i], first[i + 1]):
            found[stop] = names[numbers[stop]] if stop < end else NOWHERE
