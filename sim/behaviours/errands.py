"""Going where one has been sent."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.commands import STEERING, VELOCITY
from sim.behaviours.curves import Gain, directions, toward
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel
from sim.core.own import Amount, own
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.perception.percepts import Percepts

Slowing = Annotated[
    Amount, Within(0, 100, "time to go below which a unit slows down for its last place, s")
]


@rule("errands", serves=GO, gives=VELOCITY)
def arrive(me: Percepts, aim: Aim, *, slowing: Slowing = 0.5) -> Terms:
    """The velocity that leads to the place one is bound for, slower near the last (rules E2, E3).

    Reynolds, Steering Behaviors for Autonomous Characters (1999), "arrival". A unit that is not on
    its way wants to stand still.
    """
    return straight(aim.offset, _eased(me, aim, slowing))


@rule("errands", serves=GO, gives=VELOCITY)
def follow_route(me: Percepts, aim: Aim, *, slowing: Slowing = 0.5) -> Terms:
    """`arrive` for units that no flow field leads: along a route, or straight (rules E1, E4).

    What they head for is a little further on along the route than the nearest point of it: no
    waypoint is ever to be touched.
    """
    return straight(aim.offset, np.where(aim.by_field, 0.0, _eased(me, aim, slowing)))


@rule("errands", serves=GO, gives=VELOCITY)
def follow_flow(me: Percepts, aim: Aim, *, slowing: Slowing = 0.5) -> Terms:
    """`arrive` for units that a flow field leads (rule E7).

    Together with `follow_route` it does what `arrive` does; apart, each has its own weight.
    """
    return straight(aim.offset, np.where(aim.by_field, _eased(me, aim, slowing), 0.0))


@rule("errands", serves=GO, gives=VELOCITY)
def seek(me: Percepts, aim: Aim) -> Terms:
    """The desired speed toward the place one is bound for, to the last (rule E2).

    The helm turns the difference to the velocity there is into a force, bounded by the most it can
    exert; the speed is bounded by the desired one, whatever the terms come to.
    """
    return arrive(me, aim, slowing=0.0)


def straight(offset: Terms, share: Floats) -> Terms:
    """Velocities (n, 2) straight along offsets (n, 2), as shares (n,) of the desired speed."""
    velocity: Terms = np.empty(offset.shape)
    _straight(velocity, offset, share)
    return velocity


@Kernel
def _straight(begin, end, out, offset, share):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        distance = np.hypot(offset[i, 0], offset[i, 1])
        scale = share[i] / distance if distance > 0.0 else 0.0
        out[i, 0], out[i, 1] = offset[i, 0] * scale, offset[i, 1] * scale


def _eased(me: Percepts, aim: Aim, slowing: Amount) -> Floats:
    """(n,) the share of the desired speed: less near the last place, 0 for units at rest."""
    share = np.empty(len(me.speeds))
    _ease(share, aim.remaining, aim.moving, me.speeds, slowing)
    return share


@Kernel  # of a way that is not known nothing is left, as `Aim.left` has it, which takes 5 us to ask
def _ease(begin, end, share, remaining, moving, speeds, slowing):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        eased, time = 1.0, own(slowing, i)
        if time > 0.0:
            eased = (0.0 if np.isnan(remaining[i]) else remaining[i]) / speeds[i] / time
        share[i] = (1.0 if eased > 1.0 else eased) if moving[i] else 0.0


Ring = Annotated[Amount, Within(0, 1e4, "circles round the last place at this distance, lengths")]
HARDEST, INWARD = 4.0, 2.0
"""How much harder a unit steers near its place, at most; the slope at which a unit one ring's
radius off its ring turns back to it."""
ABEAM = 0.15
"""A place is abeam up to this sine of the angle before or behind. (0.25 to 0.5: of 60 craft of 150
units / s one came back to where it was each time, and did not arrive; 0.15: of 100 all did.)"""


@rule("errands", serves=GO, gives=STEERING)
def head_for(me: Percepts, aim: Aim, *, gain: Gain = 4.0, ring: Ring = 10.0) -> Terms:
    """Steer for the place one is bound for; round the last one circle, clockwise on screen.

    For craft that cruise (`cruise` sees to their thrust). All circle the same way, the place to
    starboard, so those of a flock do not meet head-on. Nearer to its place than the ring a unit
    still on its way steers the harder for it: by ring / distance, up to `HARDEST` times. Past a
    place inside the circle that it flies it goes straight on: else it might circle it without end.
    """
    ring = ring * me.hull.length
    wanted = np.where(aim.moving[:, None], aim.offset, _round(me, aim, ring))
    terms = toward(wanted, gain)
    away = np.maximum(np.hypot(wanted[:, 0], wanted[:, 1]), 1e-300)
    hard = np.where(_circled(me, wanted, away, ring), 0.0, np.clip(ring / away, 1.0, HARDEST))
    terms[aim.moving, 1] *= hard[aim.moving]
    return terms


def _circled(me: Percepts, wanted: Floats, away: Floats, ring: Amount) -> Bools:
    """(n,) whether a place nearer than the ring lies abeam, inside the circle that each is on."""
    speed = np.hypot(me.velocity[:, 0], me.velocity[:, 1])
    spin = np.abs(me.units.spin[me.rows])
    on = np.abs((wanted * me.velocity).sum(axis=1))
    inside: Bools = (away * spin < 2.0 * speed) & (away < ring) & (on < ABEAM * away * speed)
    return inside


def _round(me: Percepts, aim: Aim, ring: Amount) -> Floats:
    """(n, 2) courses that lead to the ring round the last place, and along it."""
    centre = aim.final
    away = np.hypot(centre[:, 0], centre[:, 1])[:, None]
    inward = directions(centre)
    along = np.stack([inward[:, 1], -inward[:, 0]], axis=1)
    rings = np.reshape(ring, (-1, 1))
    off: Floats = (away - rings) / np.maximum(rings, me.hull.length)
    return along + INWARD * off * inward
