"""Units that follow another one keep out of its way.

C. W. Reynolds, Steering Behaviors for Autonomous Characters (1999), "leader following": a follower
that finds itself ahead of its leader steers aside, out of the leader's path, before it comes up
again. He has one follower in mind, or few. Many that stand close round a leader also make room for
each other: all ahead of it go on outward until all of them have room beside its path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours.curves import directions
from sim.behaviours.table import Terms
from sim.core.arrays import Bools, Floats
from sim.core.geometry import own_frame
from sim.perception.percepts import Percepts
from sim.perception.quarry import Quarry

MARGIN = 0.3
"""Room kept beside the path of the unit followed, hull lengths."""
LOOSE = 4.0
"""Units that part take up this many times the squares of the radii of their hulls."""
SOON = 0.3
"""Time in which a unit goes the way that it still is in, s."""


class _Path(NamedTuple):
    """Where n units stand on the path of the unit that each follows. Own frame, world units."""

    way: Floats
    """(n, 2) the direction in which it is bound; zeros where it is bound nowhere."""
    aside: Floats
    """(n, 2) the direction to the side of it on which each unit stands."""
    along: Floats
    """(n,) how far ahead of it."""
    off: Floats
    """(n,) how far beside its path."""


def make_way(me: Percepts, quarry: Quarry, wanted: Terms) -> Terms:
    """What n units want that follow others, and do not stand in their way.

    (n, 2), shares of the desired speed, own frame, as is what they `wanted` (n, 2).

    A unit ahead of the one that it follows, as near as all that follow that one stand if they stand
    round it, goes out to its own side of the path: clear of it, and further by what others ahead
    need beside it. Of these only those of its own group count. What it `wanted` counts as far as
    that leads no nearer to the path.
    """
    path = _path(me, quarry)
    rows, reach = np.maximum(quarry.who, 0), me.bodies.reach
    radius = reach[me.rows]
    clear = radius + reach[rows] + MARGIN * me.hull.length
    bound = (path.way != 0).any(axis=1) & ~quarry.led
    apart = np.hypot(path.along, path.off)
    pack = clear + np.sqrt(LOOSE * _fellows(bound, quarry, me)) * radius
    before = bound & (path.along > 0) & (apart < pack)
    others = np.maximum(_fellows(before, quarry, me) - 1, 0)
    wide = clear + np.sqrt(LOOSE * others) * radius
    outward = np.clip((wide - path.off) / SOON / me.speeds, 0, 1)
    out = np.maximum((wanted * path.aside).sum(axis=1), outward)
    rest = np.sqrt(np.maximum(1 - out * out, 0.0))
    on = np.clip((wanted * path.way).sum(axis=1), -rest, rest)
    clearing: Terms = out[:, None] * path.aside + on[:, None] * path.way
    return np.where(before[:, None], clearing, wanted)


def _fellows(some: Bools, quarry: Quarry, me: Percepts) -> Floats:
    """(n,) how many of `some` (n,) units of the group follow the same unit as each."""
    rows = np.maximum(quarry.who, 0)
    return np.bincount(rows[some], minlength=len(me.bodies.reach))[rows].astype(float)


def _path(me: Percepts, quarry: Quarry) -> _Path:
    """Of a unit on its way to a place, straight to what it heads for now.

    Of one that is under way without a place, as it pursues others, where it faces; else where it
    moves. Nowhere for one that rests and has arrived, or behind which the unit rests: it moves only
    where others push it, or as it makes way. Nor for one that is itself after units of this group:
    what it comes up to does not bar its way, and two that follow each other would dodge for good.
    """
    bodies, rows = me.bodies, np.maximum(quarry.who, 0)
    to = me.plane.nearest(me.bound_for[rows] - bodies.position[rows])
    sent, moving = np.isfinite(to).all(axis=1), me.minds.moving[rows]
    way = np.where(moving[:, None], bodies.heading[rows], bodies.velocity[rows])
    way = np.where((moving & sent)[:, None], to, way)
    rests = ~moving & (me.minds.arrived[rows] | me.minds.halts[me.rows])
    nowhere = (quarry.who < 0) | rests | quarry.comes
    way = directions(np.where(nowhere[:, None], 0.0, way))
    way = own_frame(way, bodies.heading[me.rows])
    aside = np.stack([-way[:, 1], way[:, 0]], axis=1)
    off = -(quarry.offset * aside).sum(axis=1)
    side = np.where(off < 0, -1.0, 1.0)
    return _Path(way, side[:, None] * aside, -(quarry.offset * way).sum(axis=1), np.abs(off))
