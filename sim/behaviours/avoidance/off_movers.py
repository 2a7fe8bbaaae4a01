"""Half-planes off solids that move: they give way to no unit, so all of the change is one's own."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.half_planes import Disc, clearing
from sim.behaviours.avoidance.solver import take_in
from sim.core.compiled import built_in
from sim.core.geometry import nearest_image, periods, to_own_frame

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
