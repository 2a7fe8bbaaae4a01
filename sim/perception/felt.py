"""What units feel ahead by rays, and how far the things they feel reach to either side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, own
from sim.perception.bodies import Bodies
from sim.perception.outlines import IN_LINE, NOTHING, away
from sim.perception.places import Things, cell_at
from sim.perception.rays import NO_HULL, Ray, named, sweep

MOST_IN_ONE = 64
"""Outlines that count as one, at the most: the nearest in the row of joins."""


class Felt(NamedTuple):
    """What n units of a group feel with r rays each. Own frame: (ahead, starboard).

    Rays run ahead, parallel to the keel, from the line abeam of each unit's centre.
    """

    abreast: Floats
    """(r,) how far to starboard each ray runs, world units."""
    reach: Floats
    """(n,) how long the rays are, world units."""
    distance: Floats
    """(n, r) along the ray to what it meets first, so that (distance, abreast) is where; infinite
    for nothing, 0 for a ray that begins inside something."""
    normal: Floats
    """(n, r, 2) unit vectors off the surface; zeros for nothing."""
    middle: Floats
    """(n, r, 2) to the centre of the smallest circle round the whole thing; zeros for nothing."""
    gap: Floats
    """(n, r) from the unit's centre to the nearest place of the whole thing; infinite for nothing,
    less than 0 inside it."""
    toward: Floats
    """(n, r, 2) unit vectors to that place; zeros for nothing."""
    close: Floats
    """(n, r) the least gap of the thing and what counts as one with it; infinite for nothing."""
    edge: Floats
    """(n, r, 2, 2) to the corners that reach furthest to port and to starboard of that direction,
    with the room asked for beside them, of the thing and what counts as one with it."""
    rounding: Floats
    """(n, r, 2) how far those reach beyond these corners, world units."""
    kind: Ints
    """(n, r) as in `Hits`."""
    who: Ints
    """(n, r) as in `Hits`."""


def room_to_feel(n: int, rays: int) -> Felt:
    """Memory for what n units feel with `rays` rays."""
    vectors, figures = np.zeros((4, n, rays, 2)), np.zeros((3, n, rays))
    return Felt(
        np.zeros(rays), np.zeros(n), figures[0], vectors[0], vectors[1], figures[1], vectors[2],
        figures[2], np.zeros((n, rays, 2, 2)), vectors[3], *np.zeros((2, n, rays), np.int64),
    )  # fmt: skip


class Rays(NamedTuple):
    """What to feel: `Feel` in world units, and which solids count as one, as in `Joined`."""

    lengths: Amount
    """How far the rays reach at rest."""
    seconds: Amount
    thick: float
    beside: Amount
    joins: Amount
    peopled: bool
    """Whether other units are felt."""
    first: Ints
    other: Ints
    shift: Floats


@Kernel.making_arrays
def feel_ahead(begin, end, far, felt, bodies, rays, solids, crowd):  # type: ignore[no-untyped-def]
    """Fill `felt` with what r rays parallel to the keel of each unit meet, in its own frame.

    `far` is its `reach`; `solids` and `crowd` are `Things`.
    """
    felt, bodies, rays = Felt(*felt), Bodies(*bodies), Rays(*rays)
    solids, crowd = Things(*solids), Things(*crowd)
    abreast, normal, middle, toward = felt.abreast, felt.normal, felt.middle, felt.toward
    distance, gap, close, edge = felt.distance, felt.gap, felt.close, felt.edge
    kind, who = felt.kind, felt.who
    aside = np.abs(abreast).max() + rays.thick
    which, at = np.empty(MOST_IN_ONE, np.int64), np.empty((MOST_IN_ONE, 3))
    for i in range(begin, end):
        me = bodies.start + i
        x, y = bodies.position[me, 0], bodies.position[me, 1]
        c, s = bodies.heading[me, 0], bodies.heading[me, 1]
        speed = np.sqrt(bodies.velocity[me, 0] ** 2 + bodies.velocity[me, 1] ** 2)
        far[i] = reach = own(rays.lengths, i) + own(rays.seconds, i) * speed
        beside, joins = own(rays.beside, i), own(rays.joins, i)
        for r in range(len(abreast)):
            distance[i, r], gap[i, r], close[i, r] = np.inf, np.inf, np.inf
            kind[i, r], who[i, r] = NOTHING, -1
            normal[i, r], middle[i, r], toward[i, r] = 0.0, 0.0, 0.0
            edge[i, r], felt.rounding[i, r] = 0.0, 0.0
        ray, count = Ray(x, y, c, s, reach), len(solids.name)
        cell = cell_at(x, y, solids.frame, solids.shape, solids.period)
        if cell < 0 or solids.room[cell] <= reach + aside:
            sweep(ray, rays.thick, NO_HULL, 0, solids, i, felt)
        if rays.peopled:
            sweep(ray, rays.thick, me, count, crowd, i, felt)
        for r in range(len(abreast)):
            k = who[i, r]
            if k < 0:
                continue
            kind[i, r], who[i, r] = named(k, solids.name, crowd.name)
            span = np.inf, -np.inf
            if k >= count:
                k -= count
                sx, sy = middle[i, r, 0] - crowd.circle[k, 0], middle[i, r, 1] - crowd.circle[k, 1]
                _nearest(i, r, crowd, k, sx, sy, felt)
                _widest(i, r, crowd, k, (sx, sy), beside, span, felt)
                close[i, r] = gap[i, r]
            else:
                sx = middle[i, r, 0] - solids.circle[k, 0]
                sy = middle[i, r, 1] - solids.circle[k, 1]
                _nearest(i, r, solids, k, sx, sy, felt)
                which[0], at[0, 0], at[0, 1], at[0, 2] = k, sx, sy, -1.0
                together, close[i, r] = _in_one(which, at, gap[i, r], joins, rays, solids)
                for n in range(together):
                    shift = at[n, 0], at[n, 1]
                    span = _widest(i, r, solids, which[n], shift, beside, span, felt)
            for side in (0, 1):
                edge[i, r, side, 0], edge[i, r, side, 1] = to_own_frame(
                    edge[i, r, side, 0], edge[i, r, side, 1], c, s
                )
            for vectors in (normal, middle, toward):
                vectors[i, r, 0], vectors[i, r, 1] = to_own_frame(
                    vectors[i, r, 0], vectors[i, r, 1], c, s
                )


@leaf
def _in_one(which, at, gap, joins, rays, solids):  # type: ignore[no-untyped-def]
    """How many outlines count as one with the first of `which`, and how near any of them is.

    They are written there behind it, which is a `gap` off: what joins it, or goes on in line with
    it, as the pieces of a wall do, as far off as it is, to within `joins`. `at` (k, 3) is how far
    each lies from where its corners say, and along which line it goes on, as in `Joined`; less than
    0 along any.
    """
    n, count, least = 0, 1, gap
    while n < count:
        line, again = at[n, 2], n + 1
        for j in range(rays.first[which[n]], rays.first[which[n] + 1] if line != 0.0 else 0):
            m, u, v = rays.other[j], at[n, 0] + rays.shift[j, 0], at[n, 1] + rays.shift[j, 1]
            far = _away(solids, m, -u, -v)[0] if count < len(which) else np.inf
            new = abs(far - gap) <= joins
            on = rays.shift[j, 2]
            on = 0.0 if line > 0.0 and abs(np.sin(on - line)) > IN_LINE else on
            for o in range(count):
                if which[o] == m and at[o, 0] == u and at[o, 1] == v:
                    new = False
                    if at[o, 2] == 0.0 and on > 0.0:
                        at[o, 2], again = on, min(again, o)
            if new:
                which[count], at[count, 0], at[count, 1], at[count, 2] = m, u, v, on
                count, least = count + 1, min(least, far)
        n = again
    return count, least


@leaf
def _away(outlines, k, x, y):  # type: ignore[no-untyped-def]
    """How far outline k is from (x, y), and the unit vector from there to it, turned about."""
    begin, end = outlines.first[k], outlines.first[k + 1]
    distance, nx, ny = away(outlines.corners, begin, end, x, y)
    return distance - outlines.circle[k, 3], nx, ny


@leaf
def _nearest(i, r, outlines, k, sx, sy, felt):  # type: ignore[no-untyped-def]
    """How near a thing is, and where, that lies (sx, sy) from where its corners say."""
    distance, nx, ny = _away(outlines, k, -sx, -sy)
    felt.gap[i, r], felt.toward[i, r, 0], felt.toward[i, r, 1] = distance, -nx, -ny


@leaf
def _widest(i, r, outlines, k, at, beside, span, felt):  # type: ignore[no-untyped-def]
    """How far a thing reaches to either side of the nearest place met, where that is further.

    `span` is how far it is known to reach to port and to starboard, radians; so is what returns.
    """
    (sx, sy), (port, starboard) = at, span
    toward, edge, rounding = felt.toward, felt.edge, felt.rounding
    tx, ty, round_ = toward[i, r, 0], toward[i, r, 1], outlines.circle[k, 3]
    for a in range(outlines.first[k], outlines.first[k + 1]):
        dx, dy = outlines.corners[a, 0] + sx, outlines.corners[a, 1] + sy
        wide = widened(dx, dy, round_ + beside)
        bearing = np.arctan2(tx * dy - ty * dx, tx * dx + ty * dy)
        if bearing - wide < port:
            port = bearing - wide
            edge[i, r, 0, 0], edge[i, r, 0, 1], rounding[i, r, 0] = dx, dy, round_
        if bearing + wide > starboard:
            starboard = bearing + wide
            edge[i, r, 1, 0], edge[i, r, 1, 1], rounding[i, r, 1] = dx, dy, round_
    return port, starboard


@leaf
def widened(x, y, room):  # type: ignore[no-untyped-def]
    """How far beside an offset a way leaves such room, radians; a right angle within the room."""
    distance = np.sqrt(x * x + y * y)
    return np.arcsin(room / distance) if distance > room else np.pi / 2
