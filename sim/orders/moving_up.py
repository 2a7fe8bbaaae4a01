"""Moving up in a region: so that units which rest before it get in as long as it has room.

Units that were held up, as by a stream at a crossing, rest before their region, or in it, where
they bar the way of others. When the way is free again they go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.units import Units
from sim.orders.filling import (
    Lattice,
    choose_places,
    free_places,
    images_at,
    in_region,
    take_all,
    taken_places,
    to_stay_in_region,
)
from sim.orders.settle import bars_way

if TYPE_CHECKING:
    from sim.orders.orders import Orders

AT_ONCE = 50
"""Units at rest in a region that look for a place farther in at one time, at most; as many of those
before it."""
FREE_WAY = 2.0
"""Hull radii without others ahead, straight or at 45 degrees, with which a unit at rest goes on."""


class _Resting(NamedTuple):
    """Units at rest in or before their regions, which may go farther in."""

    rows: Ints
    """(k,)"""
    inward: Floats
    """(k, 2) the way in, along an axis, of length 1; that of all in one region is the same."""
    before: Bools
    """(k,) which rest before their region."""
    free: Bools
    """(k,) which have no other within `FREE_WAY` straight ahead; walls are not looked at."""


def shut_out(orders: Orders, units: Units, before: Bools) -> Bools:
    """(N,) which of the units `before` (N,) their regions find no free place in them.

    Where hulls differ, if the largest of them finds none.
    """
    found = np.zeros(len(before), np.bool_)
    for region in np.unique(orders.region[before], axis=0):
        theirs = (orders.region == region).all(axis=1)
        rows = np.flatnonzero(theirs & before)
        most = float(orders.outlines.reach[rows].max())
        lattice = Lattice.inside(region, most, int(theirs.sum()))
        here, radius = units.position[rows], float(orders.radius[rows].max())
        free = free_places(orders, lattice.places, radius, here)
        at = in_region(orders.plane, region, units.position)
        take_all(lattice, free, *taken_places(orders, units, at, theirs, region), most)
        found[rows] = not free.any()
    return found


def move_up(orders: Orders, units: Units, rests: Bools, before: Bools) -> Bools:
    """(N,) which units at rest, `rests` (N,), go on; sets the places they go to.

    Where one rests `before` (N,) a region, units at rest in it that can go on take free places
    farther in, see `_take_farther_in`. Where none does nothing changes.
    """
    goes = np.zeros(len(rests), np.bool_)
    if not before.any():
        return goes
    way = _ways_in(orders, units, rests & to_stay_in_region(orders), before)
    theirs = np.asarray(way.any(axis=1))
    side, room = np.column_stack((-way[:, 1], way[:, 0])), FREE_WAY * orders.radius
    free, left, right = (
        ~bars_way(orders, units, theirs, ahead, room) for ahead in (way, way - side, way + side)
    )
    rows = np.flatnonzero(theirs & (before | free | left | right))
    resting = _Resting(rows, way[rows], before[rows], free[rows])
    goes[rows] = _take_farther_in(orders, units, resting)
    return goes


def _take_farther_in(orders: Orders, units: Units, resting: _Resting) -> Bools:
    """(k,) which units at rest go on: each to a free place farther in, if the way to it is clear.

    Those in their region take one first, the foremost before the others, then those before it; at
    most `AT_ONCE` of each, and in it no more than there are before it, the nearest to these. One
    before its region that finds none goes on where no unit is ahead.
    """
    takes = np.zeros(len(resting.rows), np.bool_)
    for region in np.unique(orders.region[resting.rows], axis=0):
        asked = np.flatnonzero((orders.region[resting.rows] == region).all(axis=1))
        sent = (orders.region == region).all(axis=1)
        reach = orders.outlines.reach[resting.rows]
        lattice = Lattice.inside(region, float(reach[asked].max()), int(sent.sum()))
        here = images_at(orders.plane, region, units.position[resting.rows])
        radius = float(orders.radius[resting.rows[asked]].max())
        free = free_places(orders, lattice.places, radius, here[asked])
        at = sent | in_region(orders.plane, region, units.position)
        taken = taken_places(orders, units, at, sent, region)
        take_all(lattice, free, *taken, float(reach[asked].max()))
        asked = _in_turn(asked, here, resting, lattice.places[free], 2 * reach)
        here, inward, reach = here[asked], resting.inward[asked], reach[asked]
        before = resting.before[asked]
        places = choose_places(lattice, free, here, inward, reach, *taken, False)
        on = ((places - here) * inward).sum(axis=1) > 2 * reach
        later = np.flatnonzero(on & ~before)
        on[later[_by_nearness(here[later], here[before])[np.count_nonzero(before) :]]] = False
        orders.points[orders.first[resting.rows[asked[on]]]] = places[on]
        takes[asked] = on | (before & resting.free[asked])
    return takes


def _in_turn(asked: Ints, here: Floats, resting: _Resting, free: Floats, least: Floats) -> Ints:
    """Which of the units `asked`, that are `here` (k, 2), look for a place farther in, in order.

    Of those in the region the nearest to units before it, of all with a free place (p, 2) farther
    in by the `least` (k,).
    """
    depth = (here * resting.inward).sum(axis=1)
    before = resting.before[asked]
    inside, outside = asked[~before], _foremost(asked[before], here, depth)[:AT_ONCE]
    if len(inside) and len(free):
        deepest = (free * resting.inward[inside[0]]).sum(axis=1).max()
        inside = inside[depth[inside] + least[inside] < deepest]
    inside = inside[_by_nearness(here[inside], here[outside])[:AT_ONCE]]
    return np.concatenate((_foremost(inside, here, depth), outside))


def _foremost(some: Ints, here: Floats, depth: Floats) -> Ints:
    """The same units, the foremost before the others."""
    return np.asarray(some[np.lexsort((*here[some].T, -depth[some]))])


def _by_nearness(here: Floats, others: Floats) -> Ints:
    """(k,) numbers of places `here` (k, 2), those nearest to any of the `others` (b, 2) first."""
    off = here[:, None] - others
    nearest = np.hypot(off[..., 0], off[..., 1]).min(axis=1, initial=np.inf)
    return np.asarray(np.lexsort((*here.T, nearest)))


def _ways_in(orders: Orders, units: Units, rests: Bools, before: Bools) -> Floats:
    """(N, 2) the way in, along an axis, for units at rest of regions that some rest `before`.

    It is the axis nearest to the way to the middle of the region: there most of its room is.
    Within a region it is the one that most of those before it have to go. Where as many come from
    opposite sides none in it moves. Zeros for all others.
    """
    ways = np.zeros_like(units.position)
    for region in np.unique(orders.region[before], axis=0):
        theirs = rests & (orders.region == region).all(axis=1)
        outside = theirs & before
        here = images_at(orders.plane, region, units.position[outside])
        ways[outside] = _along_axis((region[:2] + region[2:]) / 2 - here)
        ways[theirs & ~before] = _along_axis(ways[outside].sum(axis=0)[None])
    return ways


def _along_axis(ways: Floats) -> Floats:
    """(k, 2) the axis nearest to each of the ways (k, 2), of length 1; zeros for zeros."""
    nearest, rows, axis = np.zeros_like(ways), np.arange(len(ways)), np.abs(ways).argmax(axis=1)
    nearest[rows, axis] = np.sign(ways[rows, axis])
    return nearest
