"""The desired speed of each unit, here and now: areas slow some units, and speed others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.units import Units
from sim.group import Group
from sim.navigation.areas import Area, factors


def desired_speeds(
    groups: Sequence[Group], areas: Sequence[Area], units: Units, plane: Plane
) -> Floats:
    """(N,) the unit's own desired speed, times the factor of the ground that it is on."""
    found = np.empty(len(units))
    for group in groups:
        found[group.rows] = group.speeds
        own = [area for area in areas if area.counts_for(group.name)]
        if own:
            found[group.rows] *= factors(units.position[group.rows], own, plane, "speed")
    return found
