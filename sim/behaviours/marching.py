"""Marching in ranks and files.

After K. Johnsen, Flocking Work (rules B1 to B4). Soldiers heed those ahead and near, each by
1 / distance squared.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.curves import side_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, Told, rule
from sim.core.arrays import Bools
from sim.core.compiled import Kernel, inlined
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, of_unit, own
from sim.orders.minds import QUEUED
from sim.perception.bodies import Bodies, Spared, spares
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Spacing = Annotated[Amount, Within(0, 1e4, "least distance between centres, hull lengths")]
Slack = Annotated[
    Amount, Within(1e-6, 1e4, "nearer to its point than this the pull fades, lengths")
]
ABREAST, AHEAD = 1e-6, 1e-5
"""Hull lengths ahead up to which a mate is abreast, and keeps no rank; from which on it counts in
full. So no rounding decides which units of a line keep rank with which. Wider bands spoil ranks,
which come from units nearly abreast: of 20 companies the mean order after 100 s is 0.79, with bands
of 1e-3 to 1e-2, and of 0 to 0.5, 0.35."""
STANDS = 0.6
"""Share of the least distance that a unit at rest keeps: none is pushed about in a tight line."""
SENT, ALONE = 0.2, 10.0
"""The most that each rule of the ranks says to one that is sent to a place, and how near to that,
hull lengths, it begins to fade: both together must not outweigh the way there."""
MARCHES = 0.5
"""A unit that goes ahead at this share of the desired speed no longer heeds those behind."""


@rule("flocking", looks="each", range=20.0, whom="friends", gives=VELOCITY)
def velocity_matching(me: Percepts, seen: Seen) -> Terms:
    """Turn and speed to the mean velocity of those near: what is missing to it (rules B1, B2).

    In desired speeds. A unit that has stopped, faces an opponent or is sent to a place of its own
    marches with no other; units sent to one place fall in only so far that they still get there.
    """
    out = np.empty(me.velocity.shape)
    _match(out, tuple(seen.each), tuple(me.bodies), me.engaged, 2 * me.hull.radius)
    return _sent(me, out)


@rule("flocking", looks="each", range=20.0, whom="friends", gives=VELOCITY)
def rank_and_file(me: Percepts, seen: Seen, *, spacing: Spacing = 2.0, slack: Slack = 4.0) -> Told:
    """Make for the places beside those ahead, so that offset rows form (rules B1, B3).

    The place beside a neighbour is `spacing` lengths off it, across the own heading, on the side
    where the unit is already. A neighbour exactly ahead is passed to starboard. The pull to the
    mean of these places is 1 from `slack` on, and fades as the unit comes abreast of the others. A
    unit that has stopped, or faces an opponent, keeps no rank. Tells `places`: these means.
    """
    point, counts, engaged = np.empty(me.velocity.shape), np.empty(len(me.velocity)), me.engaged
    length = me.hull.length
    ranks = _Ranks(2 * me.hull.radius, spacing * length, ABREAST * length, AHEAD * length)
    _file(point, counts, tuple(seen.each), tuple(ranks))
    distance = np.hypot(point[:, 0], point[:, 1])
    terms: Terms = point * (counts / np.maximum(distance, slack * length))[:, None]
    terms[engaged] = 0.0
    nowhere = engaged | (distance == 0.0)
    return Told(_sent(me, terms), {"places": np.where(nowhere[:, None], np.nan, point)})


def _sent(me: Percepts, terms: Terms) -> Terms:
    """The terms (n, 2), now cut for those sent to one place, and fading as they come near it.

    Zeros for units that are sent to places of their own.
    """
    if me.aim is not None:
        _cut(terms, _shared(me), me.aim.remaining, ALONE * me.hull.length)
    return terms


def _shared(me: Percepts) -> Bools:
    """(n,) units whose last place is that of others too."""
    end = me.minds.end
    return (np.bincount(end, minlength=1) > 1)[end[me.rows]]


def _takes_place(me: Percepts, reach: float) -> Bools:
    """(n,) units on their way that have come within reach of a last place of their own."""
    if me.aim is None:
        return np.zeros(len(me.velocity), np.bool_)
    return (me.aim.remaining < reach) & me.aim.moving & ~_shared(me)


@rule("flocking", looks="each", view="all", range=2.2, gives=VELOCITY)
def linear_separation(me: Percepts, seen: Seen) -> Terms:
    """Away from those nearer than the range: 1 - distance / range for each (rule B4).

    Its range is the least distance that soldiers keep. No unit is kept off one that it pursues, nor
    off units that rest where it is to rest itself. A unit on the march heeds those ahead alone. One
    that stands or steps back, having stopped or facing the enemy, heeds those all round: else it
    would see a neighbour just abeam now, and now not, and wag. But it keeps a shorter distance:
    ranks that stand close are not pushed apart. So does one that takes a place of its own beside
    others, as in a formation, and one in a queue: soldiers that pressed ahead wedged each other.
    """
    out = np.empty(me.velocity.shape)
    room = _Room(seen.range, STANDS * seen.range)
    stands = me.engaged | _takes_place(me, ALONE * me.hull.length)
    stands |= me.minds.blocked[me.rows] > QUEUED
    given = tuple(seen.each), tuple(me.bodies), tuple(me.spared)
    _part(out, *given, stands, tuple(room))
    return out


@inlined
def _influence(distance, contact):  # type: ignore[no-untyped-def]
    """1 / distance squared, no more than at contact (rule B1)."""
    near = max(distance, contact)
    return 1.0 / (near * near)


@Kernel
def _cut(begin, end, terms, shared, left, alone):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        most = SENT * min(1.0, left[i] / alone) if shared[i] and left[i] > 0.0 else 0.0
        size = np.sqrt(terms[i, 0] * terms[i, 0] + terms[i, 1] * terms[i, 1])
        share = min(1.0, most / max(size, 1e-12))
        terms[i, 0], terms[i, 1] = share * terms[i, 0], share * terms[i, 1]


@Kernel
def _match(begin, end, out, each, bodies, engaged, contact):  # type: ignore[no-untyped-def]
    each, bodies = Neighbours(*each), Bodies(*bodies)
    moving, own = bodies.velocity, bodies.own
    for i in range(begin, end):
        total, vx, vy = 0.0, 0.0, 0.0
        for k in range(each.count[i]):
            if sees(each, i, k):
                weight = _influence(each.distance[i, k], contact)
                total += weight
                vx += weight * moving[each.index[i, k], 0]
                vy += weight * moving[each.index[i, k], 1]
        out[i] = 0.0
        if total > 0.0 and not engaged[i]:
            me, speed = bodies.start + i, bodies.speeds[i]
            vx, vy = to_own_frame(
                vx / total, vy / total, bodies.heading[me, 0], bodies.heading[me, 1]
            )
            out[i, 0], out[i, 1] = (vx - own[i, 0]) / speed, (vy - own[i, 1]) / speed


class _Ranks(NamedTuple):
    """What `rank_and_file` goes by, world units."""

    contact: float
    beside: Amount
    abreast: float
    ahead: float


@Kernel
def _file(begin, end, out, most, each, ranks):  # type: ignore[no-untyped-def]
    """The mean place, and how much the mate counts that is the farthest ahead: 1 at most."""
    each, ranks = Neighbours(*each), _Ranks(*ranks)
    for i in range(begin, end):
        total, x, y, beside, most[i] = 0.0, 0.0, 0.0, own(ranks.beside, i), 0.0
        for k in range(each.count[i]):
            before = each.ahead[i, k] - ranks.abreast
            if sees(each, i, k) and before > 0.0:
                counts = min(1.0, before / (ranks.ahead - ranks.abreast))
                most[i] = max(most[i], counts)
                weight = counts * _influence(each.distance[i, k], ranks.contact)
                total += weight
                x += weight * each.ahead[i, k]
                side = side_of(each.starboard[i, k], each.distance[i, k])
                y += weight * (each.starboard[i, k] - side * beside)
        out[i, 0] = x / total if total > 0.0 else 0.0
        out[i, 1] = y / total if total > 0.0 else 0.0


class _Room(NamedTuple):
    """Distances kept by units that march or stand, world units."""

    reach: Amount
    close: Amount


@Kernel
def _part(begin, end, out, each, bodies, spared, engaged, room):  # type: ignore[no-untyped-def]
    each, bodies, spared = Neighbours(*each), Bodies(*bodies), Spared(*spared)
    room = _Room(*room)
    for i in range(begin, end):
        least, close = of_unit(room, i)
        x, y, stands = 0.0, 0.0, 0.0
        if engaged[i]:
            stands = max(0.0, 1.0 - max(bodies.own[i, 0], 0.0) / (MARCHES * bodies.speeds[i]))
            least = close
        for k in range(each.count[i]):
            apart = each.distance[i, k]
            if not sees(each, i, k) or apart >= least:
                continue
            if spares(spared, i, each.index[i, k], each.ahead[i, k], each.starboard[i, k]):
                continue
            if apart > 0.0:
                heeds = 1.0 if each.ahead[i, k] > 0.0 else stands
                push = heeds * (1.0 - apart / least) / apart
                x -= push * each.ahead[i, k]
                y -= push * each.starboard[i, k]
            else:
                x -= 1.0  # at the very same point: both push off, to opposite sides
        out[i, 0], out[i, 1] = x, y
