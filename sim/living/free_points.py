"""Places of a source that are free: where units enter one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.scatter import Taken, clear_of
from sim.core.solids import rows
from sim.core.spawn import Points, Standing

if TYPE_CHECKING:
    from sim.living.roster import Roster


def free_points(spawn: Points, reach: Floats, roster: Roster, others: Standing) -> Floats:
    """(k, 2) those of the points, in their order, where there is room for hulls of `reach` (n,).

    The first goes to the first hull, and so on; n at most.
    """
    places, plane, ground = rows(spawn.places, 2, "spawn.points"), roster.plane, roster.ground
    outside = ground.bare.depth(places, plane) <= 0
    room = -ground.parts.depth(places, plane if plane.wraps else Plane())
    chosen, size = np.empty((0, 2)), plane.size
    there = [Taken(others.position, others.reach, size)]
    for place, far in zip(places[outside], room[outside], strict=True):
        own = reach[len(chosen) : len(chosen) + 1]
        if not len(own):
            break
        if own[0] <= far and clear_of(place[None], there, own).any():
            chosen = np.concatenate([chosen, place[None]])
            there[1:] = [Taken(chosen, reach[: len(chosen)], size)]
    return chosen
