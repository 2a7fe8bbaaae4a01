"""The narrow places of a world: which of them each unit comes to next, and what waiting means."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.plane import Plane
from sim.core.units import read_only
from sim.navigation.mouths import MOUTHS
from sim.orders.lanes import aside, lanes_out, passed_on
from sim.orders.minds import FREE, ITS_TURN, UNASKED, WAITING
from sim.orders.places import NOWHERE, Bound, Places, Turns
from sim.orders.shared_stops import Stops
from sim.orders.turns import (
    EVERY,
    FORECOURT,
    GONE,
    GONE_FROM_A_STOP,
    KEEP_OFF,
    KEEP_OFF_A_STOP,
    MANY,
    take_turns,
)

Fits = Callable[[Floats, Ints], Bools]
"""Whether the units in some rows (k,) fit at places (k, 2)."""


class Narrows(Columns):
    """Which units may enter the narrow places of a world, followed up from step to step.

    Passages have the first numbers, then come the stops that many units touch and leave.
    """

    columns: ClassVar = {
        "turns": read_only(Turns.none(1)), "bound": read_only(Bound.nowhere(1)), "lane": 0.0,
        "room": 0.0, "across": False,
    }  # fmt: skip

    def __init__(self, dt: float) -> None:
        self.every = max(1, round(EVERY / dt))
        """Steps from one decision to the next."""
        self._dt = dt
        self.turns, self.bound = Turns.none(0), Bound.nowhere(0)
        self.lane = np.zeros((0, 2))
        """(N, 2) which way others come out of the mouth that a unit without a turn comes to; zeros
        where none does."""
        self.room = np.zeros((0, 2))
        """(N, 2) how far waiting units have to go to make room for others, from where each is."""
        self.across = np.zeros(0, np.bool_)
        """(N,) which go across that lane: on their own side of it is something solid."""
        self.last = np.zeros(0, np.int64)
        """(G,) as `Places.last`."""

    def forget(self) -> None:
        """The narrow places are others now: all turns are given anew."""
        self.turns, self.last = Turns.none(len(self.turns.turn)), np.zeros(0, np.int64)

    def forget_stops(self, passages: int) -> None:
        """The shared stops are others now, whose numbers follow those of the passages."""
        for numbers in (self.turns.turn, self.bound.place):
            numbers[numbers >= passages] = NOWHERE
        self.last[passages:] = NOWHERE

    def decide(
        self, bound: Bound, lanes: Ints, stops: Stops, position: Floats, length: Floats,
        stopping: Floats, moving: Bools,
    ) -> None:  # fmt: skip
        """Decide which units enter the narrow places that they are `bound` for.

        `lanes` is how many units go abreast through each of the passages, `length` (N,) is of
        hulls, `stopping` (N,) how far units need to stop.
        """
        pushed = self.turns.waiting & (bound.ahead == 0.0)  # into the mouth where they wait
        pushed &= (bound.place == self.bound.place) & (bound.exit == self.bound.exit)
        bound.mouth[pushed] = self.bound.mouth[pushed]
        self.bound = bound
        places, dt = self._places(lanes, stops), self.every * self._dt
        take_turns(position, length, stopping, moving, bound, places, dt, self.turns)

    def _places(self, lanes: Ints, stops: Stops) -> Places:
        """All narrow places: the passages, then the stops."""
        shared = len(stops.room)
        counts = len(lanes), shared
        if len(self.last) != sum(counts):
            self.forget()  # what has a turn, has it by a number that another place may have now
            self.last = np.full(sum(counts), NOWHERE)
        return Places(
            exits=np.repeat([MOUTHS + 1, 1], counts),
            room=np.append(np.full(len(lanes), MANY), stops.room),
            lanes=np.append(lanes, np.ones(shared, np.int64)),
            off=np.repeat([KEEP_OFF, KEEP_OFF_A_STOP], counts),
            gone=np.repeat([GONE, GONE_FROM_A_STOP], counts),
            in_order=np.append(np.zeros(len(lanes), np.bool_), stops.serve),
            last=self.last,
        )

    def open_lanes(
        self,
        position: Floats,
        course: Floats,
        length: Floats,
        moving: Bools,
        passages: int,
        fits: Fits,
    ) -> None:
        """Units without a turn clear the way for units that come out, on courses (N, 2).

        Stops are numbered after the `passages`. A unit inside one still goes in.
        """
        bound, turn = self.bound, self.turns.turn
        goes_in = (bound.place >= passages) & (turn == bound.place) & (bound.ahead == 0.0)
        self.lane = lanes_out(bound, self.turns, position, course, length, moving & ~goes_in)
        rows = np.flatnonzero(self.lane.any(axis=1))
        at, off = position[rows], (position - self.bound.mouth)[rows]
        near, far = (
            aside(off, self.lane[rows], length[rows], np.full(len(rows), across))
            for across in (False, True)
        )
        clears = near.any(axis=1)
        self.turns.waiting[rows] |= clears
        self.across[:] = False
        self.across[rows] = clears & ~fits(at + near, rows) & fits(at + far, rows)

    @property
    def _at_stops(self) -> Bools:
        """(N,) which units enter their place where they leave it: at stops, or inside a passage."""
        found: Bools = (self.bound.mouth == self.bound.way_out).all(axis=1)
        return found

    def hold(self, position: Floats, length: Floats) -> Floats:
        """(N, 2) where the waiting units are to go, from where each is; zeros for all others.

        As near to the mouth as units wait, but out of the way of units that come out, and of others
        that have to make room. One that was pushed into the mouth goes back to it.
        """
        asks = np.flatnonzero(self._asks)
        stops = self._at_stops
        given = passed_on(position[asks], length[asks], self.room[asks])
        self.room[:] = 0.0
        self.turns.waiting[asks] |= given.any(axis=1)
        waits = self.turns.waiting[asks]
        asks, given = asks[waits], given[waits]
        off = position[asks] - self.bound.mouth[asks]
        away = np.maximum(np.hypot(*off.T), 1e-300)
        keep = np.where(stops[asks], KEEP_OFF_A_STOP, KEEP_OFF) * length[asks]
        back = np.where((self.bound.ahead[asks] == 0.0) & ~stops[asks], -away, keep - away)
        there, near = off * (back / away)[:, None], away < keep
        there[~near & (given.any(axis=1) | stops[asks])] = 0.0
        self.room[asks] = given + aside(off, self.lane[asks], length[asks], self.across[asks])
        offset = np.zeros_like(position)
        offset[asks] = self.room[asks] + there
        self.room[asks[near]] += there[near]
        return offset

    def comes_to_one(self, rows: slice, within: float) -> Bools:
        """(n,) which units come to a narrow place within so far, world units, or are inside one."""
        found: Bools = (self.bound.place[rows] != NOWHERE) & (self.bound.ahead[rows] < within)
        return found

    @property
    def queue(self) -> Bools:
        """(N,) which units wait at a narrow place, or have a turn and are not through yet."""
        return self.turns.waiting | self._goes

    @property
    def _asks(self) -> Bools:
        """(N,) which units ask for a turn and have none."""
        found: Bools = (self.turns.turn == NOWHERE) & (self.turns.idle > 0.0)
        return found

    @property
    def _goes(self) -> Bools:
        goes: Bools = (self.turns.turn != NOWHERE) & (self.turns.turn == self.bound.place)
        return goes

    def gates(self, within: Floats) -> Ints:
        """(N,) numbers the mouths that units come to within so far (N,), world units, or are in.

        `NOWHERE` for others, and for units that have no turn there though others have.
        """
        bound = self.bound
        comes = (bound.place != NOWHERE) & (bound.ahead < within) & ~self._asks
        return np.where(comes, bound.place * (MOUTHS + 1) + bound.exit, NOWHERE)

    @property
    def stance(self) -> Ints:
        """(N,) as in `Minds`."""
        turns = self.turns
        asked = np.zeros(len(self.last) + 1, np.bool_)  # the last is of units that have no turn
        asked[self.bound.place[self._asks]] = True
        asked[NOWHERE] = False
        has = np.where(asked[turns.turn], ITS_TURN, UNASKED)
        return np.where(turns.waiting, WAITING, np.where(turns.turn == NOWHERE, FREE, has))

    def in_the_way(self, position: Floats, plane: Plane, length: Floats, left: Floats) -> Bools:
        """(N,) which units would rest before a mouth that others come out of, or wait to enter.

        That mouth is nearer than their own place, to which the way left is `left` (N,).
        """
        found = np.zeros(len(position), np.bool_)
        turns, bound = self.turns, self.bound
        goes, asks = self._goes, self._asks
        mouths = [turns.way_out[goes], bound.mouth[goes], bound.mouth[asks]]
        for mouth in np.unique(np.concatenate(mouths), axis=0):
            off = np.hypot(*plane.nearest(position - mouth).T)
            found |= (off < FORECOURT * length) & (off < left)
        return found
