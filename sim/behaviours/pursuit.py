"""Going after another group, or away from it.

`chase` and `intercept` steer craft that cruise, after AI for Game Developers, ch. 2 and 4. The
others give velocities, for units that walk: C. W. Reynolds, Steering Behaviors for Autonomous
Characters (1999); rule E2.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.clearing import make_way
from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import Gain, toward
from sim.behaviours.errands import straight
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.own import Amount
from sim.perception.percepts import Percepts
from sim.perception.quarry import Quarry
from sim.perception.sights import Hunting

Leaders = Annotated[
    bool, Within(0, 1, "only units that see no mate ahead pursue; the rest follow them")
]
OwnSpeed = Annotated[
    bool, Within(0, 1, "closing time by the speed it has itself, not by the relative velocity")
]


@rule("pursuit", serves="chase", gives=STEERING)
def chase(me: Percepts, quarry: Quarry, *, gain: Gain = 4.0, leaders_only: Leaders = True) -> Terms:
    """Steer at the quarry where it is now (rules A11, A12)."""
    return _led(me, toward(quarry.offset, gain), leaders_only)


@rule("pursuit", serves="intercept", gives=STEERING)
def intercept(
    me: Percepts,
    quarry: Quarry,
    *,
    gain: Gain = 4.0,
    leaders_only: Leaders = False,
    own_speed: OwnSpeed = True,
) -> Terms:
    """Steer at where the quarry will be at closing time, range / closing speed (rule A11).

    The closing time is when it can be there itself, at the speed it has, or its desired one if that
    is more. Without `own_speed` it is the book's, by the size of the relative velocity: an
    interceptor ahead of its quarry then aims further ahead, and flies away from it.
    """
    if not own_speed:
        return _led(me, toward(meeting_point(me, quarry), gain), leaders_only)
    speed = np.maximum(np.hypot(me.velocity[:, 0], me.velocity[:, 1]), me.speeds)
    time = closing_time(quarry.offset, quarry.velocity, speed)
    return _led(me, toward(quarry.offset + quarry.velocity * time[:, None], gain), leaders_only)


Prediction = Annotated[
    Amount, Within(0, 60, "how far ahead the other's way is foreseen at most, s")
]
Gap = Annotated[Amount, Within(0, 1e4, "room left to the unit followed, hull lengths")]
Slowing = Annotated[Amount, Within(0, 100, "time to go below which a unit slows down, s")]
CLEAR = 0.2
"""Room that a unit leaves to one that it has caught, as a share of its own reach: more than units
of `crowd` keep to each other (0.12 radii). One that stood nearer would make it move off."""
STILL = 1e-200
"""World units / s up to which two close in on one another no more: the time would be infinite."""
HALT = 0.25
"""A unit that has come as near as it can stops within this time, s."""
COMES_UP = 0.5
"""Time in which a unit uses up the gap to one that it has all but caught, s."""


@rule("pursuit", serves=("chase", "intercept"), gives=VELOCITY)
def pursue(
    me: Percepts, quarry: Annotated[Quarry, Hunting()], *, prediction: Prediction = 2.0
) -> Terms:
    """The desired speed toward where the quarry will be at closing time (rule E2).

    While no unit is in straight free sight, along the way to the nearest. It comes up to the other
    until they all but touch, then keeps up with it, and does not push it; where that one rests, it
    stands (see `sim.orders.standing_by`).
    """
    led = quarry.led
    offset = np.where(led[:, None], quarry.way, meeting_point(me, quarry, prediction))
    share = np.minimum(1.0, quarry.left / (HALT * me.speeds))
    share = np.where(led, share, _coming_up(me, quarry, offset))
    return straight(offset, np.where(me.minds.halts[me.rows], 0.0, share))


def _coming_up(me: Percepts, quarry: Quarry, offset: Floats) -> Floats:
    """(n,) share of the desired speed along `offset` (n, 2) at which one comes up to its quarry.

    So much that the gap along the line between the two lasts for `COMES_UP`, on top of what the
    quarry recedes: one that has come up goes no faster than its quarry, and does not push it. That
    the quarry comes nearer itself does not count: it may pass by.
    """
    rows, reach = np.maximum(quarry.who, 0), me.bodies.reach
    away = np.hypot(*quarry.offset.T)
    left = np.maximum(away - (1.0 + CLEAR) * reach[me.rows] - reach[rows], 0.0)
    line = straight(quarry.offset, np.ones(len(away)))
    going = (line * quarry.velocity).sum(axis=1)
    closing = (line * straight(offset, me.speeds)).sum(axis=1)
    allowed = left / COMES_UP + np.maximum(going, 0.0)
    at_most = np.divide(allowed, closing, out=np.ones(len(away)), where=closing > allowed)
    return np.where(quarry.who >= 0, at_most, 1.0)


@rule("pursuit", serves="follow", gives=VELOCITY)
def follow(
    me: Percepts,
    quarry: Annotated[Quarry, Hunting()],
    *,
    gap: Gap = 1.0,
    slowing: Slowing = 0.5,
) -> Terms:
    """Up to the nearest of the others and along with it, but out of its way (E2).

    Its own hull and a `gap` away it goes as fast as the other recedes from it. While no unit is in
    straight free sight it goes along the way to the nearest. Ahead of the other it keeps out of its
    way: it goes aside, to its own side of the other's path, and further where more that follow are
    ahead, so those of a ring part. Where it rests behind the other it comes up no further (see
    `sim.orders.standing_by`).
    """
    stands = me.minds.halts[me.rows][:, None]
    return make_way(me, quarry, np.where(stands, 0.0, _come_up(me, quarry, gap, slowing)))


def _come_up(me: Percepts, quarry: Quarry, gap: Amount, slowing: Amount) -> Terms:
    """(n, 2) the velocity up to the other, and with it while it recedes."""
    led, velocity = quarry.led, quarry.velocity
    offset = np.where(led[:, None], quarry.way, quarry.offset)
    away = np.where(led, quarry.left, np.hypot(*quarry.offset.T))
    left = away - np.where(led, 0.0, (1 + gap) * me.hull.length)
    going = (straight(offset, np.ones(len(away))) * velocity).sum(axis=1)
    going[led] = 0.0
    at_once = np.where(left > 0, np.inf, 0.0)
    wanted = np.divide(left, slowing, out=at_once, where=np.asarray(slowing) > 0)
    return straight(offset, np.clip((wanted + going) / me.speeds, 0, 1))


@rule("pursuit", serves="follow", gives=STEERING)
def trail(
    me: Percepts, quarry: Quarry, *, gain: Gain = 4.0, gap: Gap = 2.0, slowing: Slowing = 1.0
) -> Terms:
    """Steer at the nearest of the others, and take thrust away as `follow` slows down.

    For craft that cruise at full thrust. Drag is quadratic: half the speed takes a quarter of it.
    """
    wanted = _come_up(me, quarry, gap, slowing)
    terms = toward(quarry.offset, gain)
    terms[:, 0] = (wanted**2).sum(axis=1) - 1.0
    return terms


def meeting_point(me: Percepts, quarry: Quarry, longest: Amount = np.inf) -> Floats:
    """Own-frame offsets (n, 2) to where the quarry will be after range / closing speed.

    That is at most `longest` s. Without any closing speed there is no such time: then it is where
    the quarry is now.
    """
    offset, velocity = quarry.offset, quarry.velocity
    distance: Floats = np.hypot(*offset.T)
    relative = velocity - me.velocity
    speed = np.hypot(relative[:, 0], relative[:, 1])
    time = np.divide(distance, speed, out=np.zeros_like(distance), where=speed > STILL)
    return offset + velocity * np.minimum(time, longest)[:, None]


def _led(me: Percepts, terms: Terms, leaders_only: bool) -> Terms:
    if leaders_only:
        terms[~me.leads] = 0.0
    return terms


def closing_time(offset: Floats, velocity: Floats, speed: Floats) -> Floats:
    """(n,) s until each of n pursuers at its `speed` (n,) can be where its quarry then is.

    `offset` and `velocity` (n, 2) are the quarry's, in any common frame; it is taken to keep its
    course. The least t >= 0 with |offset + velocity t| = speed t. Where a quarry cannot be caught
    there is none: then it is the time at which the gap |offset + velocity t| - speed t is least.
    """
    square = (velocity**2).sum(axis=1) - speed**2
    half = (offset * velocity).sum(axis=1)
    away = (offset**2).sum(axis=1)
    root = half**2 - square * away
    # Of the two forms of the root the one that loses no digits, and holds for equal speeds.
    below = np.where(root >= 0, -half + np.sqrt(np.maximum(root, 0.0)), 0.0)
    caught = np.divide(away, below, out=np.full(len(away), np.inf), where=below > 0)
    return np.where(np.isfinite(caught), caught, _nearest(half, away, velocity, speed))


def _nearest(half: Floats, away: Floats, velocity: Floats, speed: Floats) -> Floats:
    """(n,) s, at least 0, at which the gap to a faster quarry is least."""
    moving = np.maximum(np.hypot(velocity[:, 0], velocity[:, 1]), 1e-300)
    along = half / moving
    aside = np.sqrt(np.maximum(away - along**2, 0.0))
    faster = np.sqrt(np.maximum(moving**2 - speed**2, 0.0))
    ahead = np.divide(speed * aside, faster, out=np.zeros_like(aside), where=faster > 0)
    return np.maximum((ahead - along) / moving, 0.0)
