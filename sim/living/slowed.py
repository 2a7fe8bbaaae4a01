"""The desired speed of each unit, here and now: areas slow some units, and speed others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.columns import numbers_of
from sim.core.plane import Plane
from sim.core.units import Units
from sim.group import Group
from sim.navigation.areas import Area, factors


def desired_speeds(
    own: Floats, groups: Sequence[Group], areas: Sequence[Area], units: Units, plane: Plane
) -> Floats:
    """(N,) the unit's `own` desired speed, times the factor of the ground that it is on."""
    if not areas:
        return own
    found = own.copy()
    for rows, those in _alike(groups, areas):
        found[rows] *= factors(units.position[rows], those, plane, "speed")
    return found


def _alike(groups: Sequence[Group], areas: Sequence[Area]) -> Iterator[tuple[Ints, list[Area]]]:
    """The rows of units for which the same areas count, and these areas.

    Groups that no area names are taken together, so that many groups on many areas cost no more
    than one.
    """
    named = frozenset[str]().union(*(area.groups for area in areas if area.groups is not None))
    common = [area for area in areas if area.groups is None]
    if common:
        rest = [numbers_of(g.rows) for g in groups if g.name not in named]
        yield np.concatenate([np.zeros(0, np.int64), *rest]), common
    for group in groups:
        if group.name in named:
            own = [area for area in areas if area.counts_for(group.name)]
            yield numbers_of(group.rows), own
