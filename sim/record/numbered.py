"""A moment of a world with a column for each unit that has ever been there, in the order of ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.units import Units
from sim.record.run import Names

if TYPE_CHECKING:
    from sim.world import World


class Moment(NamedTuple):
    """All M units that have ever been there, in the order of their ids."""

    units: Units
    """Units that are not there are absent; what else is said of them means nothing."""
    leads: Bools
    """(M,) which units led at the last step."""


def moment(world: World) -> Moment:
    """The world as it is now."""
    units, ids, count = world.units, world.ids, world.ids_given
    leads = np.zeros(len(units), np.bool_)
    for group in world.groups:
        leads[group.rows] = group.leads
    if count == len(ids) and (ids[1:] > ids[:-1]).all():
        return Moment(units, leads)
    here = np.zeros(count, np.bool_)
    here[ids] = units.present
    if not len(ids):
        return Moment(_nobody(count), here)
    row = np.zeros(count, np.int64)
    row[ids] = np.arange(len(ids))
    laid = Units(
        units.position[row], units.velocity[row], units.angle[row], units.spin[row],
        units.heading[row], here, units.group[row],
    )  # fmt: skip
    return Moment(laid, leads[row] & here)


def group_names(world: World) -> Names:
    """(M,) the name of each unit's group; "" for units that have no row any more."""
    names = np.full(world.ids_given, "", dtype=object)
    for group in world.groups:
        names[world.ids[group.rows]] = group.name
    return names.astype(np.str_)


def radii(world: World) -> Floats:
    """(M,) the radius of each unit's hull, world units; NaN for units without a row."""
    found = np.full(world.ids_given, np.nan)
    for group in world.groups:
        found[world.ids[group.rows]] = group.radii
    return found


def _nobody(count: int) -> Units:
    """`count` units of which none is there."""
    units = Units.blank(np.zeros(count, np.int64))
    units.present[:] = False
    return units
