"""Units on ground that slows or speeds them: their helm is asked for another speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.plane import Plane
from sim.core.units import Units
from sim.group import Group
from sim.navigation.areas import Area, factors


def steer_in_areas(
    group: Group, areas: Sequence[Area], units: Units, plane: Plane, dt: float, out: Floats
) -> None:
    """Write anew to `out` (N, 3) the forces of those units of a group that an area slows or speeds.

    The helm is the group's, for another desired speed; it changes the speed by no more than it can.
    """
    own = [area for area in areas if area.counts_for(group.name)]
    factor = factors(units.position[group.rows], own, plane, "speed") if own else np.ones(0)
    for each in np.unique(factor[factor != 1.0]).tolist():
        some = np.flatnonzero(factor == each)
        there = np.arange(len(units))[group.rows][some]
        speed = group.speed * each
        forces = np.zeros((len(some), 3))
        group.helm.for_speed(speed, group.hull.length).steer(
            _rows(units, there), slice(0, len(some)), np.ascontiguousarray(group.command[some]),
            group.hull, dt, forces,
        )  # fmt: skip
        most = getattr(group.helm, "acceleration", None)
        if most is not None:
            bound = most * group.speed * group.hull.mass
            size = np.hypot(forces[:, 0], forces[:, 1])
            forces[:, :2] *= np.minimum(1.0, bound / np.maximum(size, 1e-300))[:, None]
        out[there] = forces


def _rows(units: Units, rows: Ints) -> Units:
    """Some rows of a snapshot."""
    return replace(units, **{name: array[rows].copy() for name, array in vars(units).items()})
