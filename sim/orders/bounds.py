"""Whether units can stand where they are sent on a plane with walls all round, and nothing else."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.orders.goal import Goal

WITHIN = 0.9
"""A place that cannot be reached will do if a unit gets within this share of the tolerance."""


def inside_walls(
    plane: Plane, radius: float, goal: Goal, places: Floats, tolerance: float
) -> tuple[Floats, str]:
    """Where hulls of that radius are led that are sent to `places` (m, 2), and what to say of it.

    Those are the places, or the nearest inside the walls if the goal says `nearest` or that is as
    good. Raises `BadInput` for a place outside else, and for a region that is wholly outside.
    """
    if plane.walls is None:
        return places, ""
    room = np.array(plane.walls).reshape(2, 2)
    middle = room.mean(axis=0)
    low, high = np.minimum(room[0] + radius, middle), np.maximum(room[1] - radius, middle)
    led = np.clip(places, low, high)
    short = np.hypot(*(led - places).T) > WITHIN * tolerance
    if goal.region is not None:
        left, top, right, bottom = goal.region
        outside = left > high[0] or right < low[0] or top > high[1] or bottom < low[1]
        short[:] = outside
    if not short.any():
        return places, ""
    worst = int(np.flatnonzero(short)[0])
    what = shown(places[worst]) if goal.region is None else f"the region {goal.region}"
    reason = f"{what} is outside the walls for a hull of radius {radius:g}"
    if not goal.nearest:
        raise BadInput(f"goal: {reason}")
    return led, f"{reason}: the nearest place is {shown(led[worst])}"


def shown(place: Floats) -> str:
    """A place (2,) as a text."""
    x, y = place.tolist()
    return f"({x:g}, {y:g})"
