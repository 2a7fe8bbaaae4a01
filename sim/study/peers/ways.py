"""Ways round solids for the agents of peers, from the planner that our own models use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.navigation.grid import Grid, planning_grid
from sim.navigation.paths import plan
from sim.study.setting import Setting


class Ways:
    """Plans the way through a unit's stops; one grid for each radius."""

    def __init__(self, setting: Setting) -> None:
        self._solids, self._tiles = setting.solids, setting.tiles
        walled = setting.bounds is not None
        self._plane = Plane(setting.bounds, "wall") if walled else Plane()
        self._grids: dict[float, Grid] = {}

    def __call__(self, radius: float, place: Floats, stops: Floats) -> Sequence[Floats]:
        """For each stop (k, 2) the points (m, 2) on the way from the one before, itself last.

        Where no way leads there, straight to it.
        """
        if radius not in self._grids:
            self._grids[radius] = planning_grid(self._solids, self._plane, radius, self._tiles)
        legs = []
        for stop in stops:
            way = plan(self._grids[radius], place, stop, nearest=True)
            legs.append(np.concatenate([way.points[1:-1], stop[None]]) if way.found else stop[None])
            place = stop
        return legs
