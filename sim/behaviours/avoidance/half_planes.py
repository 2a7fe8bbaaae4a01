"""Half-planes of velocities that keep clear of what moves: of units, and of solids.

A half-plane is (x, y, b): the velocities v with x vx + y vy >= b, (x, y) of length 1. Velocity
obstacles: Fiorini and Shiller (1998); as half-planes that a pair shares: van den Berg, Guy, Lin and
Manocha (2011).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours.avoidance.solver import take_in
from sim.core.compiled import built_in, inlined
from sim.core.geometry import nearest_image, periods, to_own_frame

OVERLAPPING = 0.3
"""Time in which two that overlap are to be apart again, s."""


class Disc(NamedTuple):
    """A disc at (x, y), so far `apart`, that a unit's centre is to stay out of."""

    x: float
    y: float
    apart: float
    radius: float


@inlined
def clearing(disc, vx, vy, per_horizon, handed, side):  # type: ignore[no-untyped-def]
    """The least change of a relative velocity that clears a disc, and which way, (nx, ny).

    The unit closes in on the disc with (vx, vy), and is to stay clear of it for 1 / `per_horizon`
    s. The way is where it is clear; a change less than 0 may be made against it. After van den Berg
    et al. (2011); but a unit that heads for the disc within an angle of sine `handed` passes it to
    port, as the other does. With a `side`, 1 starboard or -1 port, it is passed on that side,
    however much of a change that is.

    All cases are worked out and one is picked: so several neighbours are worked out at a time.
    """
    x, y, apart, radius = disc
    square, wide = apart * apart, radius * radius
    soon = per_horizon if square > wide else 1.0 / OVERLAPPING
    wx, wy = vx - x * soon, vy - y * soon
    dot, short = wx * x + wy * y, wx * wx + wy * wy
    size = np.sqrt(short)
    # Round the disc as far as one gets to it in that time, or along a tangent to it from here.
    round_it = (square <= wide) | ((side == 0) & (dot < 0.0) & (dot * dot > wide * short))
    still = size < 1e-12
    per = 1.0 / (apart if still else size)
    round_x, round_y = (-x if still else wx) * per, (-y if still else wy) * per
    leg, per = np.sqrt(max(square - wide, 0.0)), 1.0 / square
    starboard = (side > 0) | ((side == 0) & (x * wy - y * wx + handed * apart * size > 0.0))
    nx = -(x * radius + y * leg) * per if starboard else (y * leg - x * radius) * per
    ny = (x * leg - y * radius) * per if starboard else -(x * leg + y * radius) * per
    change = radius * soon - size if round_it else -vx * nx - vy * ny
    return change, round_x if round_it else nx, round_y if round_it else ny


@inlined
def time_to(x, y, ux, uy, room):  # type: ignore[no-untyped-def]
    """Seconds until (x, y), neared at velocity u, is nearer than `room`; infinite for never."""
    beyond = x * x + y * y - room * room
    closing, square = x * ux + y * uy, ux * ux + uy * uy
    root = closing * closing - square * beyond
    if beyond <= 0.0:
        return 0.0
    # What is rarer is asked first: half draw nearer, and that is guessed wrong half the time.
    return beyond / (closing + np.sqrt(root)) if root >= 0.0 and closing > 0.0 else np.inf


@inlined
def tangent(x, y, apart, room, side):  # type: ignore[no-untyped-def]
    """The normal of the half-plane of closing velocities that pass something on a side.

    Its edge is the tangent from here to the circle of radius `room` round (x, y); within that
    circle it points straight away from it.
    """
    px, py = (x / apart, y / apart) if apart > 0.0 else (1.0, 0.0)
    sine = min(1.0, room / apart) if apart > 0.0 else 1.0
    cosine = np.sqrt(1.0 - sine * sine)
    return side * py * cosine - px * sine, -side * px * cosine - py * sine


MOVERS = 4
"""How many count: the ones that ask for the most."""


@built_in
def off_movers(ground, me, wish, manners, planes, total):  # type: ignore[no-untyped-def]
    """Add the half-planes off discs of solids that come nearer; how many there are now in all.

    With that, how much one of them comes against the velocity wanted, `wish`. Within a disc nothing
    is foreseen: there the sides of the solid itself are kept off, as those of a wall.
    """
    discs, motion, first, against = ground.moving.discs, ground.moving.velocity, total, 0.0
    wx, wy = wish
    want = max(np.sqrt(wx * wx + wy * wy), 1e-300)
    for k in range(len(discs)):
        x, y = nearest_image(discs[k, 0] - me.x, discs[k, 1] - me.y, periods(ground.size))
        vx, vy = motion[k, 0], motion[k, 1]
        radius = discs[k, 2] + (1.0 + manners.margin) * manners.reach
        pace = np.sqrt(vx * vx + vy * vy)
        far = radius + (manners.speed + pace) * manners.horizon
        square = x * x + y * y
        if not radius * radius < square <= far * far or x * vx + y * vy >= 0.0:
            continue
        x, y = to_own_frame(x, y, me.cosine, me.sine)
        vx, vy = to_own_frame(vx, vy, me.cosine, me.sine)
        change, nx, ny = clearing(
            Disc(x, y, np.sqrt(square), radius), me.vx - vx, me.vy - vy,
            1.0 / manners.horizon, manners.handed, 0,
        )  # fmt: skip
        bound = me.vx * nx + me.vy * ny + change
        if bound > -manners.speed:
            total = take_in(planes, first, total, MOVERS, (nx, ny, bound))
            if wx * x + wy * y > 0.0:
                against = max(against, -(vx * wx + vy * wy) / (pace * want))
    return total, against
