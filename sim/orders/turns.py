"""Right of way at narrow places: one direction at a time, and the sides take turns.

A narrow place is a passage in which two streams cannot pass each other, or a point that many units
have to touch and leave again. The rule, as at a lane closed for road works: units inside go on;
units outside keep the mouth free and wait; units of one side go in together, and then it
is the turn of the side that has waited longest. Where no unit comes the other way none waits, but
before an arch, nor where units are few and two of them can pass each other.
"""

from __future__ import annotations

import numpy as np

from sim.core.compiled import leaf
from sim.core.shared_cache import njit
from sim.orders.places import NOWHERE, Tally, others_ask, take_down, waited

EVERY = 1 / 15
"""How often turns are decided, s."""
ASK, OUT = 8.0, 6.0
"""Hull lengths: how much further off than where they wait units ask for a turn; and how far from
the mouth where a unit came out units that wait need no longer clear the way for it."""
KEEP_OFF, GONE = 2.0, 0.5
"""Hull lengths: how far from a mouth units wait that have no turn, and from the mouth where a unit
came out so far the other side may enter."""
KEEP_OFF_A_STOP, GONE_FROM_A_STOP = 2.5, 1.5
"""The same at a stop: others come and go on all sides there."""
FORECOURT = 5.0
"""Hull lengths from a mouth in use within which no pack rests: room to wait in, and to come out."""
PATIENCE = 4.0
"""The turns of one side lapse when none of its units has come nearer for so long while others wait:
one alone that lost its own before the mouth would have to step back through its queue. Others wait
no longer than that for one that is through, but stuck just outside, s."""
LEAVE = 8.0
"""Where an arch has formed before a mouth, and none comes the other way, those behind have no turn
for so long, s: they step back, and the first goes in. If it does not, all press again."""
JOIN, BEHIND = 8.0, 2.0
"""Until others have waited so long, s, units that come so close behind the last that goes in, hull
lengths, go in with it: through a long corridor they would have to wait for all others."""

FEW, MANY = 8, 1 << 40
"""Places have room for this many units at most, or for any number."""
SHARED = 8
"""A passage in which two hulls pass each other is open in all directions while no more units than
this are inside or ask."""


@njit(cache=True, error_model="numpy")
def take_turns(position, length, stopping, moving, bound, places, dt, turns):  # type: ignore[no-untyped-def]
    """Decide once for all places which units enter: dt s have passed since the last time.

    `length` (N,) is of hulls, `stopping` (N,) the way that units need to stop, world units.
    """
    shape, few = (len(places.exits), places.exits.max()), (len(places.exits), FEW)
    tally = Tally(
        np.zeros(shape, np.int64), np.full(shape, np.inf), np.zeros(shape),
        np.zeros(shape, np.bool_), np.full(shape, -np.inf), np.zeros(shape, np.int64),
        np.zeros(shape), np.full(few, np.inf),
    )  # fmt: skip
    for i in range(len(position)):
        asks = _asks(i, length, stopping, moving, bound, places)
        _keep(i, (position, length, moving), asks, bound, places, dt, turns)
        if turns.turn[i] != NOWHERE:
            _count_turn(i, _holds(i, position, length, bound, places, turns), bound, turns, tally)
        elif asks:
            g, e = bound.place[i], bound.exit[i]
            tally.asked[g, e] += 1
            tally.longest[g, e] = max(tally.longest[g, e], turns.idle[i])
            take_down(_rank(i, length, bound, places, dt, turns), tally.first[g])
    _choose(places, tally)
    for i in range(len(position)):
        turns.waiting[i] = False
        if turns.turn[i] != NOWHERE:
            if _lapses(i, bound, turns, tally) and not _through(i, bound, turns):
                turns.turn[i], turns.idle[i] = NOWHERE, 0.0
            continue
        if not _asks(i, length, stopping, moving, bound, places):
            turns.idle[i] = 0.0
            continue
        g, e = bound.place[i], bound.exit[i]
        left = places.room[g] - tally.held[g].sum()
        free = bound.ahead[i] <= tally.last[g, e] + BEHIND * length[i]
        rank = _rank(i, length, bound, places, dt, turns)
        if free and (left > FEW or rank <= tally.first[g, left - 1]):
            _give(i, bound, turns)
        else:
            turns.idle[i] += dt
            turns.waiting[i] = bound.ahead[i] < places.off[g] * length[i] + stopping[i]


@leaf
def _count_turn(i, holds, bound, turns, tally):  # type: ignore[no-untyped-def]
    """Count in a unit that has a turn, and `holds` up the other side or does not."""
    (g, e), ahead, idle = (turns.turn[i], turns.exit[i]), bound.ahead[i], turns.idle[i]
    tally.held[g, e] += holds
    if _through(i, bound, turns):
        return
    if (ahead, idle) < (tally.front[g, e], tally.stood[g, e]):
        tally.front[g, e], tally.stood[g, e] = ahead, idle
    if idle <= PATIENCE:
        tally.gets_on[g, e] = True
        if ahead > 0.0:
            tally.last[g, e] = max(tally.last[g, e], ahead)


@leaf
def _lapses(i, bound, turns, tally):  # type: ignore[no-untyped-def]
    """Whether a unit on its way in loses its turn, as it does not get on: see `LEAVE`."""
    g, e = turns.turn[i], turns.exit[i]
    if others_ask(tally.asked[g], e):
        return not tally.gets_on[g, e]
    return _stalled(tally.stood[g, e]) and bound.ahead[i] > tally.front[g, e]


@leaf
def _give(i, bound, turns):  # type: ignore[no-untyped-def]
    """Give a unit the turn at the place that it comes to, or is in."""
    turns.turn[i], turns.exit[i] = bound.place[i], bound.exit[i]
    turns.way_out[i, 0], turns.way_out[i, 1] = bound.way_out[i, 0], bound.way_out[i, 1]
    turns.nearest[i], turns.idle[i] = bound.ahead[i], 0.0


@leaf
def _rank(i, length, bound, places, dt, turns):  # type: ignore[no-untyped-def]
    """By what units go in, the least first: the way to a place, or how long they have asked.

    Of units that have asked equally long the nearest goes first.
    """
    ahead = bound.ahead[i]
    if places.in_order[bound.place[i]]:
        return -turns.idle[i] + dt / 2 * ahead / (ahead + length[i])
    return ahead


@leaf
def _asks(i, length, stopping, moving, bound, places):  # type: ignore[no-untyped-def]
    """Whether a unit on its way is near enough to its next narrow place to ask for a turn."""
    if not moving[i] or bound.place[i] == NOWHERE:
        return False
    return bound.ahead[i] < (places.off[bound.place[i]] + ASK) * length[i] + stopping[i]


@leaf
def _stalled(stood):  # type: ignore[no-untyped-def]
    """Whether an arch has formed before a mouth: the unit next to it has stood for so long."""
    return PATIENCE < stood <= PATIENCE + LEAVE


@leaf
def _keep(i, units, asks, bound, places, dt, turns):  # type: ignore[no-untyped-def]
    """Let a unit keep its turn until it has gone through; one that is inside has one.

    One that `asks` for another has gone through sooner. `units` are where all are, how long, and
    whether they are on their way.
    """
    (position, length, moving), g = units, turns.turn[i]
    inside = bound.place[i] != NOWHERE and bound.ahead[i] == 0.0 and moving[i]
    same = g == bound.place[i] and turns.exit[i] == bound.exit[i]
    if inside and not same and not turns.waiting[i]:
        _give(i, bound, turns)
        return
    if g == NOWHERE:
        return
    away, through = _off(i, position, turns), _through(i, bound, turns)
    if not through:
        left = bound.ahead[i]
    elif away > OUT * length[i] or (asks and away > places.gone[g] * length[i]):
        turns.turn[i] = NOWHERE
        return
    else:
        left = -away
    if not moving[i] and not through:
        turns.turn[i] = NOWHERE
    elif left < turns.nearest[i] - 0.25 * length[i] or left == 0.0:
        turns.nearest[i], turns.idle[i] = left, 0.0
    else:
        turns.idle[i] += dt


@leaf
def _off(i, position, turns):  # type: ignore[no-untyped-def]
    """How far a unit is from the mouth where it leaves, or has left."""
    return np.hypot(position[i, 0] - turns.way_out[i, 0], position[i, 1] - turns.way_out[i, 1])


@leaf
def _through(i, bound, turns):  # type: ignore[no-untyped-def]
    """Whether a unit has gone through the place whose turn it has."""
    return bound.place[i] != turns.turn[i] or bound.exit[i] != turns.exit[i]


@leaf
def _holds(i, position, length, bound, places, turns):  # type: ignore[no-untyped-def]
    """Whether the other side waits for a unit: until it is out of the mouth, or stuck before it."""
    if not _through(i, bound, turns):
        return True
    near = _off(i, position, turns) <= places.gone[turns.turn[i]] * length[i]
    return near and turns.idle[i] <= PATIENCE


@leaf
def _choose(places, tally):  # type: ignore[no-untyped-def]
    """Set `tally.last` to how far off its mouth a unit may be that gets a turn now.

    Infinite where all get it that ask.
    """
    held, asked, longest, last = tally.held, tally.asked, tally.longest, tally.last
    for g in range(len(held)):
        inside, now = 0, NOWHERE
        for e in range(places.exits[g]):
            inside += held[g, e]
            if held[g, e] > 0 and (now == NOWHERE or held[g, e] > held[g, now]):
                now = e
        follow = -np.inf if now == NOWHERE else last[g, now]
        last[g] = -np.inf
        if inside >= places.room[g]:
            continue
        if places.lanes[g] > 1 and inside + asked[g].sum() <= SHARED:
            last[g] = np.inf
            continue
        if now == NOWHERE:
            best, others = -1.0, others_ask(asked[g], places.last[g])
            for e in range(places.exits[g]):
                again = others and e == places.last[g]
                if asked[g, e] > 0 and longest[g, e] > best and not again:
                    best, now = longest[g, e], e
            if now != NOWHERE:
                last[g, now], places.last[g] = np.inf, now
            continue
        places.last[g] = now
        if held[g, now] < inside:
            continue
        if not others_ask(asked[g], now):
            last[g, now] = -np.inf if _stalled(tally.stood[g, now]) else np.inf
        elif waited(longest[g], now) < JOIN:
            last[g, now] = follow
