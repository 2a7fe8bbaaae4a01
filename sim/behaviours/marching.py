"""Marching in ranks and files.

After K. Johnsen, Flocking Work (rules B1 to B4). Soldiers heed those ahead and near, each by
1 / distance squared.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.curves import side_of
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Floats, Percepts

Spacing = Annotated[float, Within(0, 1e4, "least distance between centres, hull lengths")]
Slack = Annotated[float, Within(1e-6, 1e4, "nearer to its point than this the pull fades, lengths")]
STANDS = 0.6
"""Share of the least distance that a unit at rest keeps: none is pushed about in a tight line."""
SENT, ALONE = 0.2, 10.0
"""The most that each rule of the ranks says to one that is sent to a place, and how near to that,
hull lengths, it begins to fade: both together must not outweigh the way there."""
MARCHES = 0.5
"""A unit that goes ahead at this share of the desired speed no longer heeds those behind."""


@rule("flocking", looks="each", range=20.0, whom="friends")
def velocity_matching(me: Percepts) -> Terms:
    """Turn and speed to the mean velocity of those near: what is missing to it (rules B1, B2).

    In desired speeds. A unit that has stopped, faces an opponent or is sent to a place of its own
    marches with no other; units sent to one place fall in only so far that they still get there.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    _match(
        each.count, each.index, each.distance, each.seen, me.seen.sight, 2 * me.hull.radius,
        me.velocity, me.units.velocity, me.units.heading[me.rows], me.speed, me.engaged, out,
    )  # fmt: skip
    return _sent(me, out)


@rule("flocking", looks="each", range=20.0, whom="friends")
def rank_and_file(me: Percepts, *, spacing: Spacing = 2.0, slack: Slack = 4.0) -> Terms:
    """Make for the places beside those ahead, so that offset rows form (rules B1, B3).

    The pull is 1 from `slack` on. A unit that has stopped, or faces an opponent, keeps no rank.
    """
    point = file_points(me, spacing)
    distance = np.hypot(point[:, 0], point[:, 1])
    terms: Terms = point / np.maximum(distance, slack * me.hull.length)[:, None]
    terms[me.engaged] = 0.0
    return _sent(me, terms)


def _sent(me: Percepts, terms: Terms) -> Terms:
    """The same terms (n, 2), cut for those sent to one place, and fading as they come near it.

    Nothing for those who are sent to places of their own.
    """
    if me.aim is None:
        return terms
    end = me.minds.end
    shared = (np.bincount(end, minlength=1) > 1)[end[me.rows]]
    left = np.nan_to_num(me.aim.remaining, posinf=np.inf) / (ALONE * me.hull.length)
    most = np.where(shared, SENT * np.minimum(1.0, left), 0.0)
    share = np.minimum(1.0, most / np.maximum(np.hypot(terms[:, 0], terms[:, 1]), 1e-12))
    return np.asarray(terms * share[:, None])


def file_points(me: Percepts, spacing: float) -> Floats:
    """Own-frame offsets (n, 2) to the mean of the places beside those seen; zeros for nobody.

    The place beside a neighbour is `spacing` lengths off it, across the own heading, on the side
    where the unit is already. A neighbour exactly ahead is passed to starboard.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    _file(
        each.count, each.ahead, each.starboard, each.distance, each.seen, me.seen.sight,
        2 * me.hull.radius, spacing * me.hull.length, out,
    )  # fmt: skip
    return out


@rule("flocking", looks="each", view="all", range=2.2)
def linear_separation(me: Percepts) -> Terms:
    """Away from those nearer than the range: 1 - distance / range for each (rule B4).

    Its range is the least distance that soldiers keep. Nobody is kept off whom it pursues, nor
    off those that rest where it is to rest itself. Who
    marches heeds those ahead alone; who stands or steps back, having stopped or facing the enemy,
    all round: else it would see a neighbour just abeam now, and now not, and wag. But it keeps a
    shorter distance: ranks that stand close are not pushed apart.
    """
    assert me.seen is not None
    each, out = me.seen.each, np.empty(me.velocity.shape)
    _part(
        each.count, each.index, each.ahead, each.starboard, each.distance, each.seen,
        me.seen.sight, me.seen.range, STANDS * me.seen.range, me.pursued, *me.pack, me.engaged,
        me.velocity, MARCHES * me.speed, out,
    )  # fmt: skip
    return out


@inlined
def _influence(distance, contact):  # type: ignore[no-untyped-def]
    """1 / distance squared, no more than at contact (rule B1)."""
    near = max(distance, contact)
    return 1.0 / (near * near)


@Kernel
def _match(  # type: ignore[no-untyped-def]
    begin, end,
    count, index, distance, seen, sight, contact, own, moving, heading, speed, engaged, out,
):  # fmt: skip
    for i in range(begin, end):
        total, vx, vy = 0.0, 0.0, 0.0
        for k in range(count[i]):
            if seen[i, k] >> sight & 1:
                weight = _influence(distance[i, k], contact)
                total += weight
                vx += weight * moving[index[i, k], 0]
                vy += weight * moving[index[i, k], 1]
        out[i] = 0.0
        if total > 0.0 and not engaged[i]:
            vx, vy, c, s = vx / total, vy / total, heading[i, 0], heading[i, 1]
            out[i, 0] = (c * vx + s * vy - own[i, 0]) / speed
            out[i, 1] = (c * vy - s * vx - own[i, 1]) / speed
    return 0


@Kernel
def _file(begin, end, count, ahead, starboard, distance, seen, sight, contact, spacing, out):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        total, x, y = 0.0, 0.0, 0.0
        for k in range(count[i]):
            if seen[i, k] >> sight & 1:
                weight = _influence(distance[i, k], contact)
                total += weight
                x += weight * ahead[i, k]
                side = side_of(starboard[i, k], distance[i, k])
                y += weight * (starboard[i, k] - side * spacing)
        out[i, 0] = x / total if total > 0.0 else 0.0
        out[i, 1] = y / total if total > 0.0 else 0.0
    return 0


@Kernel
def _part(  # type: ignore[no-untyped-def]
    begin, end, count, index, ahead, starboard, distance, seen, sight, reach, close, pursued,
    rests, bound, engaged, own, marches, out,
):  # fmt: skip
    for i in range(begin, end):
        x, y = 0.0, 0.0
        stands = max(0.0, 1.0 - max(own[i, 0], 0.0) / marches) if engaged[i] else 0.0
        room = close if engaged[i] else reach
        for k in range(count[i]):
            if seen[i, k] >> sight & 1 and index[i, k] != pursued[i]:
                apart = distance[i, k]
                if apart >= room or rests[index[i, k]] == bound[i]:
                    continue
                if apart > 0.0:
                    heeds = 1.0 if ahead[i, k] > 0.0 else stands
                    push = heeds * (1.0 - apart / room) / apart
                    x -= push * ahead[i, k]
                    y -= push * starboard[i, k]
                else:
                    x -= 1.0  # at the very same point: whoever pushes off, pushes back
        out[i, 0], out[i, 1] = x, y
    return 0
