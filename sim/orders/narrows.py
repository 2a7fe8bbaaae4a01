"""The narrow places of a world: which of them each unit comes to next, and what waiting means."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns, alike
from sim.core.plane import Plane
from sim.navigation.mouths import MOUTHS
from sim.orders.minds import FREE, ITS_TURN, WAITING
from sim.orders.turns import (
    EVERY,
    FORECOURT,
    KEEP_OFF,
    MANY,
    NOWHERE,
    Bound,
    Places,
    Turns,
    take_turns,
)

if TYPE_CHECKING:
    from sim.core.units import Units
    from sim.orders.orders import Orders


MANY_TOUCH = 5
"""Units that touch a stop and leave it again, from which on they take turns there."""
STOPS = 0.4
"""Time in which a unit comes to a stop, s."""
AT_A_STOP = 3
"""How many of them may be there at a time."""


def shared_stops(points: Floats, first: Ints, loop: Bools) -> Ints:
    """(M,) numbers of the stops (M, 2) of all routes that `MANY_TOUCH` or more touch and leave.

    -1 for other stops. The last stop of a route that is no loop is not left again.
    """
    left = np.ones(len(points), np.bool_)
    there = np.diff(first) > 0
    left[first[1:][there & ~loop] - 1] = False
    numbers = np.full(len(points), NOWHERE)
    some = np.flatnonzero(left)
    if len(some):
        which = alike(points.take(some, axis=0))
        count = np.bincount(which)
        kept = np.flatnonzero(count >= MANY_TOUCH)
        names = np.full(len(count), NOWHERE)
        names[kept] = np.arange(len(kept))
        numbers[some] = names[which]
    return numbers


def bound_for(stops: Ints, position: Floats, points: Floats, clear: Floats, plane: Plane) -> Bound:
    """The narrow places of N units whose next stops, at `points` (N, 2), have the numbers `stops`.

    A unit is inside within `clear` (N,) of its stop, world units.
    """
    bound = Bound.nowhere(len(stops))
    some = np.flatnonzero(stops >= 0)
    off = plane.nearest(points[some] - position[some])
    bound.place[some], bound.exit[some] = stops[some], 0
    bound.ahead[some] = np.maximum(np.hypot(*off.T) - clear[some], 0.0)
    bound.mouth[some] = bound.way_out[some] = position[some] + off
    return bound


class Narrows(Columns):
    """Which units may enter the narrow places of a world, followed up from step to step.

    Passages have the first numbers, then come the stops that many units touch and leave.
    """

    columns: ClassVar = {"turns": Turns.none(1), "bound": Bound.nowhere(1)}

    def __init__(self, dt: float) -> None:
        self.every = max(1, round(EVERY / dt))
        """Steps from one decision to the next."""
        self._dt = dt
        self.turns, self.bound = Turns.none(0), Bound.nowhere(0)
        self._last = np.zeros(0, np.int64)

    def forget(self) -> None:
        """The narrow places are others now: all turns are given anew."""
        self.turns, self._last = Turns.none(len(self.turns.turn)), np.zeros(0, np.int64)

    def forget_stops(self, passages: int) -> None:
        """The shared stops are others now, whose numbers follow those of the passages."""
        for numbers in (self.turns.turn, self.bound.place):
            numbers[numbers >= passages] = NOWHERE
        self._last[passages:] = NOWHERE

    def decide(
        self, passages: Bound, stops: Bound, lanes: Ints, shared: int, position: Floats,
        length: Floats, stopping: Floats, moving: Bools,
    ) -> None:  # fmt: skip
        """Decide which units enter: the nearer of each unit's next passage and next stop counts.

        `lanes` is how many units go abreast through each of the passages, `shared` how many stops
        there are, `length` (N,) is of hulls, `stopping` (N,) how far units need to stop.
        """
        sooner, counts = stops.ahead < passages.ahead, (len(lanes), shared)
        for one, other in zip(passages, stops, strict=True):
            one[sooner] = other[sooner]
        passages.place[sooner] += len(lanes)
        self.bound = passages
        if len(self._last) != sum(counts):
            self.forget()  # what has a turn, has it by a number that another place may have now
            self._last = np.full(sum(counts), NOWHERE)
        exits, room = np.repeat([MOUTHS + 1, 1], counts), np.repeat([MANY, AT_A_STOP], counts)
        abreast = np.append(lanes, np.ones(shared, np.int64))
        take_turns(
            position, length, stopping, moving, passages,
            Places(exits, room, abreast, self._last), self.every * self._dt, self.turns,
        )  # fmt: skip

    def hold(self, position: Floats, length: Floats) -> Floats:
        """(N, 2) where the waiting units are to go, from where each is: back from the mouth.

        Zeros for units that keep off far enough, and for all others.
        """
        offset = np.zeros_like(position)
        rows = np.flatnonzero(self.turns.waiting)
        off = position[rows] - self.bound.mouth[rows]
        away = np.maximum(np.hypot(*off.T), 1e-300)
        back = np.maximum(KEEP_OFF * length[rows] - away, 0.0)
        offset[rows] = off * (back / away)[:, None]
        return offset

    def in_the_way(self, position: Floats, length: Floats, left: Floats) -> Bools:
        """(N,) which units would rest before a mouth that others come out of, or wait to enter.

        That mouth is nearer than their own place, to which the way left is `left` (N,).
        """
        found = np.zeros(len(position), np.bool_)
        turns, bound = self.turns, self.bound
        goes = (turns.turn != NOWHERE) & (turns.turn == bound.place)
        asks = (turns.turn == NOWHERE) & (turns.idle > 0.0)
        mouths = [turns.way_out[goes], bound.mouth[goes], bound.mouth[asks]]
        for mouth in np.unique(np.concatenate(mouths), axis=0):
            off = np.hypot(*(position - mouth).T)
            found |= (off < FORECOURT * length) & (off < left)
        return found


def number_stops(orders: Orders) -> None:
    """Number the stops that many units share; turns at others than before lapse."""
    orders.stops = shared_stops(orders.points, orders.first, orders.loop)
    shared = np.empty((int(orders.stops.max(initial=NOWHERE)) + 1, 2))
    some = np.flatnonzero(orders.stops != NOWHERE)
    shared[orders.stops[some]] = orders.points.take(some, axis=0)
    if not np.array_equal(shared, orders.shared):
        orders.shared, guide = shared, orders.guide
        orders.narrows.forget_stops(0 if guide is None else len(guide.registry.lanes))


def take_turns_at_places(orders: Orders, units: Units, step: int, takers: Bools) -> None:
    """At narrow places those wait whose turn it is not."""
    narrows, minds, length = orders.narrows, orders.minds, 2 * orders.radius
    lanes = np.zeros(0, np.int64) if orders.guide is None else orders.guide.registry.lanes
    stops = int(orders.stops.max(initial=-1)) + 1
    if not len(lanes) + stops:
        if minds.stance.any():  # the last narrow place has gone
            minds.stance[:], orders.hold = FREE, np.zeros_like(orders.hold)
        return
    if step % narrows.every == 0:
        here, moving = units.position, minds.moving & units.present & takers
        at = np.minimum(orders.first[:-1] + orders.leg, max(len(orders.points) - 1, 0))
        sent = moving & (np.diff(orders.first) > 0)
        stop = np.where(sent, orders.stops[at], -1)
        through = Bound.nowhere(len(here))
        if len(lanes) and orders.guide is not None:
            through = orders.guide.bound(here, orders.aim)
        touch = bound_for(stop, here, orders.points[at], orders.tolerance + length, orders.plane)
        stopping = STOPS * minds.speed
        narrows.decide(through, touch, lanes, stops, here, length, stopping, moving)
    turns = narrows.turns
    orders.hold = narrows.hold(units.position, length)
    minds.blocked[turns.waiting] = 0.0
    minds.stance[:] = np.where(turns.waiting, WAITING, np.where(turns.turn >= 0, ITS_TURN, FREE))
    orders.patience.renew(turns.waiting)
