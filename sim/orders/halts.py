"""Where a formation halts on its way, at each stop and about each gap; which way it faces there."""

from __future__ import annotations

from math import remainder, tau
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.core.units import Units
from sim.orders.bands import DRESS, Band, Halt
from sim.orders.folding import folds
from sim.orders.goal import Place
from sim.orders.minds import HARDLY
from sim.orders.standing_room import Room
from sim.orders.stays import STANDS, TOGETHER

if TYPE_CHECKING:
    from sim.orders.orders import Orders

TURNS = 1e-6
"""A formation turns at a stop if its courses differ by more, radians."""


def halts_of(band: Band, n: int, room: Room) -> tuple[Halt, ...]:
    """All halts of n units, in order: folded before each gap, whole behind it, and at each stop.

    On a loop the gaps between its last stop and its first come last; before it begins, units are
    led to its first stop (`way_in`).
    """
    heading, halts = headings(band, room), list[Halt]()
    before = None if band.goal.loop else band.start
    for stop, at in enumerate(band.goal.routes[0]):
        if before is not None:
            halts += _about_gaps(band, n, before, stop, heading, room)
        halts += _at_stop(band, stop, heading)
        before = at
    if band.goal.loop and before is not None:
        halts += _about_gaps(band, n, before, 0, heading, room)
    return tuple(halts)


def way_in(band: Band, n: int, room: Room) -> bool:
    """Whether n units have a gap to pass on the way to the first stop of a loop."""
    if not band.goal.loop or band.led or band.start is None:
        return False
    return bool(_about_gaps(band, n, band.start, 0, headings(band, room), room))


def headings(band: Band, room: Room) -> Floats:
    """(m,) the heading of the formation at each stop as it comes there, radians."""
    goal, facing = band.goal, band.formation.facing
    stops = np.array(goal.routes[0])
    if facing is not None:
        return np.full(len(stops), facing)
    before = np.roll(stops, 1, axis=0)
    if not goal.loop:
        before[0] = stops[0] if band.start is None else band.start
    way = room.plane.nearest(stops - before)
    goes = np.hypot(*way.T) > room.length * np.append(1.0, np.full(len(stops) - 1, 1e-9))
    if not goes.any():
        return np.zeros(len(stops))
    # one that goes nowhere keeps the course before; before the first there is only the next
    last = np.maximum.accumulate(np.where(goes, np.arange(len(stops)), -1))
    which = np.where(last < 0, int(np.argmax(goes)), last)
    found: Floats = np.arctan2(way[which, 1], way[which, 0])
    return found


def _about_gaps(
    band: Band, n: int, begin: Place, stop: int, heading: Floats, room: Room
) -> list[Halt]:
    """The halts of n units about the gaps on the way from `begin` to a stop, by its number."""
    nominal, fixed = band.formation.places(n), band.formation.facing is not None
    return folds(begin, band.goal.routes[0][stop], nominal, float(heading[stop]), fixed, room)


def _at_stop(band: Band, stop: int, heading: Floats) -> list[Halt]:
    """The halts at a stop: as it comes there and, where it goes on another way, turned to that."""
    goal, last = band.goal, len(heading) - 1
    at, comes = goal.routes[0][stop], float(heading[stop])
    wait = goal.stays[0][stop][0] if goal.stays else 0.0
    halts = [Halt(at, comes, max(wait, DRESS), turns=False)]
    onward = float(heading[0] if stop == last else heading[stop + 1])
    goes_on = stop < last or (goal.loop and last > 0)
    if goes_on and abs(remainder(onward - comes, tau)) > TURNS:
        halts.append(Halt(at, onward, DRESS, turns=True))
    return halts


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
