"""Lines before counters: units that come up to others there stand until it is their turn.

Without a line all press on to the counter: they circle round the one that is served, and push it
off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import alike
from sim.core.units import Units
from sim.orders.minds import STOPS, WAITING
from sim.orders.near import near_units

if TYPE_CHECKING:
    from sim.orders.orders import Orders

BEHIND, SLACK = 2.0, 0.5
"""Between centres, hull lengths: a unit so near to one that stands in line, or is served, stands in
line too, and one that has been served gets out between them; how much farther off it may be before
it moves up."""
CLEAR = 1.5
"""Hull lengths: how far from the counter a unit in line stands at least."""


def stand_in_line(
    orders: Orders, units: Units, bound: Bools, served: Bools, counter: Floats, stood: Bools
) -> Bools:
    """(N,) which units stand in line, of all that are `bound` (N,) for the places `counter` (N, 2).

    Some are `served` (N,) there. As long as none is, the nearest to the counter goes up to it. The
    others stand behind one that is nearer to it: one that is served, or is about to be, or stood in
    line, `stood` (N,), before this step. When that goes on so do they.
    """
    stands = np.zeros(len(bound), np.bool_)
    asks = bound & units.present & ~orders.circles & (orders.minds.stance != WAITING)
    asks &= ~orders.minds.stuck  # for one that cannot get there none stands
    rows = np.flatnonzero(asks | served)
    if not len(rows):
        return stands
    off = np.hypot(*orders.plane.nearest(counter[rows] - units.position[rows]).T)
    place, radius = alike(counter[rows]), orders.radius[rows]
    room = BEHIND * 2 * radius + np.where(
        stood[rows], SLACK * 2 * radius, STOPS / 2 * orders.minds.speed[rows]
    )
    next_up = _next_up(place, off, served[rows])
    holds = served[rows] | stood[rows] | (next_up & (off < room))
    line = _Line(rows, place, off, holds, room)
    stands[rows[asks[rows] & ~next_up & _behind_another(orders, units, line)]] = True
    return stands


def keep_back(orders: Orders, units: Units, line: Bools, counter: Floats) -> Floats:
    """(N,) how far the units in line, `line` (N,), are off where they are to stand; sets that.

    They stand where they are, but not so near to the counter that another could not be there.
    """
    off = orders.plane.nearest(units.position - counter)
    away = np.hypot(*off.T)
    short = np.where(line, np.maximum(CLEAR * 2 * orders.radius - away, 0.0), 0.0)
    back = off * (short / np.maximum(away, 1e-300))[:, None]
    orders.aim[line], orders.remaining[line] = (units.position + back)[line], short[line]
    return short


class _Line(NamedTuple):
    """The k units that are bound for counters, or served there."""

    rows: Ints
    place: Ints
    """(k,) numbers of the counters."""
    off: Floats
    """(k,) how far each is from its own, world units."""
    holds: Bools
    """(k,) behind which others stand."""
    room: Floats
    """(k,) within which of these each stands, world units."""


def _behind_another(orders: Orders, units: Units, line: _Line) -> Bools:
    """(k,) which units are close behind one that `holds` a place in their line."""
    found, number = np.zeros(len(line.rows), np.bool_), np.full(len(units), -1)
    if not line.holds.any():
        return found
    number[line.rows] = np.arange(len(line.rows))
    near = near_units(units, orders.plane, float(line.room.max()), line.rows)
    i, j = number[near.of], number[near.other]
    i, j = i[j >= 0], j[j >= 0]
    here = units.position[line.rows]
    apart = np.hypot(*orders.plane.nearest(here[i] - here[j]).T)
    behind = line.holds[j] & (line.place[i] == line.place[j]) & (line.off[j] < line.off[i])
    found[i[behind & (apart < line.room[i])]] = True
    return found


def _next_up(place: Ints, off: Floats, served: Bools) -> Bools:
    """(k,) the nearest to each place where none is served."""
    found = np.zeros(len(place), np.bool_)
    line = np.lexsort((off, ~served, place))
    first = line[np.append(True, np.diff(place[line]) != 0)]
    found[first] = ~served[first]
    return found
