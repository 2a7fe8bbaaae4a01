"""Stops at which units stay for a time before they go on along their route."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sim.core.arrays import NO_ROWS, Bools, Floats, Ints
from sim.core.columns import Columns, alike
from sim.core.units import Units
from sim.orders.counters import keep_back, stand_in_line
from sim.orders.near import near_units
from sim.orders.pursuits import NONE

if TYPE_CHECKING:
    from sim.orders.orders import Orders

WAITS, SERVED, TOGETHER, STANDS = range(4)
"""How units stay at a stop: for a time; for a time, one after the other; until all of a formation
have come; or for good, with the heading of their formation."""
CLOSE = 4.0
"""A unit so near to its place at a halt, hull lengths, counts as come if others hold that."""


class Stays(Columns):
    """Which of N units stay at a stop of their route, and for how long yet.

    At a counter units are served one at a time, in the order in which they came. Units of a
    formation stay until all of them have come.
    """

    columns: ClassVar = {"left": 0.0, "kind": WAITS, "since": 0, "place": 0.0, "heading": 0.0}

    def __init__(self) -> None:
        self.left = np.zeros(0)
        """(N,) seconds that each still has to stay; 0 for units that do not."""
        self.kind = np.zeros(0, np.int64)
        """(N,) how it stays: `WAITS`, `SERVED` or `TOGETHER`."""
        self.since = np.zeros(0, np.int64)
        """(N,) the step at which it came."""
        self.place = np.zeros((0, 2))
        """(N, 2) where it stays."""
        self.heading = np.zeros(0)
        """(N,) the heading of its formation there, radians."""

    def forget(self, rows: Ints) -> None:
        """These units have other orders now."""
        self.left[rows] = 0.0

    def follow(self, orders: Orders, before: Ints, units: Units, step: int, dt: float) -> None:
        """Begin the stays of units that have come to a stop, and keep those there that stay.

        `before` (N,) are their legs before this step.
        """
        minds, halts = orders.minds, orders.minds.halts.copy()
        kept_off = self._kept_off(orders, before, units)
        orders.leg[kept_off[self.left[kept_off] == 0]] += 1
        self._begin(orders, before, step)
        stay = (self.left > 0) & units.present & minds.moving
        minds.halts[orders.pursuits.of == NONE] = False
        first = self._first_in_line(stay & (self.kind == SERVED), units, orders)
        line = self._line_up(orders, units, first, halts)
        if not stay.any():
            return
        off, keeps = self.off(units, orders), stay & ~line
        orders.aim[keeps], orders.remaining[keeps] = self.place[keeps], off[keeps]
        there = stay & (off <= 2 * orders.radius)
        minds.blocked[there] = 0.0
        stands = there & (((self.kind == TOGETHER) & orders.returns) | (first & ~orders.circles))
        minds.halts[stands] = (halts | (off <= orders.tolerance))[stands]
        counts = stay & (self.kind == WAITS)
        counts |= first
        others = units.present & ~orders.minds.stuck
        # Craft that circle cannot stand at their places: that they have come is enough.
        come = there | ~orders.returns
        come[kept_off] = True
        come &= stay & (self.kind == TOGETHER)
        counts |= orders.bands.together(come, others, stay & ~come)
        self.left[counts] = np.maximum(self.left[counts] - dt, 0.0)

    def _line_up(self, orders: Orders, units: Units, served: Bools, halts: Bools) -> Bools:
        """(N,) which stand in line for a counter where some are `served` (N,); has them stand.

        Units that come up to others there do, and some that did before, as `halts` (N,) tell.
        """
        minds, stays = orders.minds, self.left > 0
        stop = np.clip(orders.first[:-1] + orders.leg, 0, len(orders.points) - 1)
        bound: Bools = orders.sent & (orders.stays[stop, 0] > 0) & (orders.stays[stop, 1] == SERVED)
        bound &= orders.loop | (orders.leg + 1 < np.diff(orders.first))
        bound = minds.moving & np.where(stays, self.kind == SERVED, bound) & ~served
        if not bound.any():
            return bound
        counter = np.where(stays[:, None], self.place, orders.points[stop])
        line = stand_in_line(orders, units, bound, served, counter, halts)
        off = keep_back(orders, units, line, counter)
        minds.halts[line] = ((halts & (off <= 2 * orders.radius)) | (off <= orders.tolerance))[line]
        minds.blocked[line] = 0.0
        orders.patience.renew(line)
        return line

    def off(self, units: Units, orders: Orders) -> Floats:
        """(N,) how far each unit that stays is off its place, world units; infinite for others."""
        off: Floats = np.hypot(*orders.plane.nearest(self.place - units.position).T)
        return np.where(self.left > 0, off, np.inf)

    def _begin(self, orders: Orders, before: Ints, step: int) -> None:
        """Units that have just passed a stop with a stay go no further than that stop."""
        some = np.flatnonzero((orders.leg != before) & orders.sent)
        stop = orders.first[some] + before[some]
        stays = orders.stays[stop]
        some, stop, stays = (each[stays[:, 0] > 0] for each in (some, stop, stays))
        count = np.diff(orders.first)[some]
        orders.leg[some] = (before[some] + 1) % count
        self.left[some], self.kind[some], self.heading[some] = stays.T
        self.since[some], self.place[some] = step, orders.points[stop]
        formed = self.kind[some] == TOGETHER
        orders.bands.come_to(some[formed], count[formed])

    def _kept_off(self, orders: Orders, before: Ints, units: Units) -> Ints:
        """Rows of units near their places at a halt, which others hold: they count as come.

        They still make for their places until the formation goes on: one at rest has that time to
        step aside. No clock of their own tells when, as they change places with each other.
        """
        if not orders.bands.known:
            return NO_ROWS
        place, close, bound = self._bound_for_a_halt(orders, before, units)
        return _held(orders, units, place, close, bound)

    def _bound_for_a_halt(
        self, orders: Orders, before: Ints, units: Units
    ) -> tuple[Floats, Bools, Bools]:
        """The next place (N, 2) of each unit, which are near it (N,), and bound for a halt there.

        Bound are units of a formation that have not come to it yet, or were pushed off it.
        """
        stop = np.clip(orders.first[:-1] + orders.leg, 0, len(orders.points) - 1)
        stays, on = self.left > 0, orders.returns & orders.sent & units.present
        place = np.where(stays[:, None], self.place, orders.points[stop])
        kind = np.where(stays, self.kind, orders.stays[stop, 1])
        off = np.hypot(*orders.plane.nearest(place - units.position).T)
        close = on & (off < CLOSE * 2 * orders.radius)
        comes = np.where(stays, off > 2 * orders.radius, orders.leg == before)
        bound = close & comes & (kind == TOGETHER) & orders.minds.moving
        return place, close, bound

    def _first_in_line(self, served: Bools, units: Units, orders: Orders) -> Bools:
        """(N,) which of the `served` units (N,) came first at a counter: the nearest of several."""
        rows = np.flatnonzero(served)
        first = np.zeros(len(served), np.bool_)
        if len(rows):
            off: Floats = np.hypot(*orders.plane.nearest(units.position[rows] - self.place[rows]).T)
            counter = alike(self.place[rows])
            line = np.lexsort((off, self.since[rows], counter))
            ahead = np.append(True, np.diff(counter[line]) != 0)
            first[rows[line[ahead]]] = True
        return first


def _held(orders: Orders, units: Units, place: Floats, close: Bools, bound: Bools) -> Ints:
    """Rows of the units, of all `bound` (N,) for their `place` (N, 2), whose places others hold.

    Others belong to another formation, or to none. They stand so near to the place that both would
    overlap, or are `close` (N,) to a place of their own that is so near to it.
    """
    rows, near = np.flatnonzero(bound), orders.plane.nearest
    if not len(rows):
        return rows
    stands = units.present & (orders.minds.halts | ~orders.minds.moving)
    some = replace(units, present=close | stands)
    within = (2 * CLOSE + 2) * 2 * float(orders.radius[some.present].max())
    found = near_units(some, orders.plane, within, rows)
    i, j = found.of, found.other
    there = orders.radius[i] + orders.radius[j]
    held = stands[j] & (np.hypot(*near(place[i] - units.position[j]).T) < there)
    held |= close[j] & (np.hypot(*near(place[i] - place[j]).T) < there)
    return np.unique(i[held & (orders.bands.of[j] != orders.bands.of[i])])
