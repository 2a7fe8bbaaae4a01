"""Contacts that flash: a ring round each unit that touches something, which fades."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.screen import overlays
from sim.screen.camera import Canvas
from sim.screen.theme import mix
from sim.world import World

LASTS = 0.6
"""Seconds of the run until a flash is gone."""
LEVELS = 4
"""Shades that it fades through."""
WIDTH, GAP = 2.5, 2.0
"""Pixels of the ring, and between it and the hull."""


class Flashes:
    """When each unit last touched another, or a solid."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._touched: Floats = np.zeros(0)

    def paint(self, canvas: Canvas, world: World) -> None:
        """Take down which units touch something now, and paint all that still flash."""
        count = len(world.units)
        if world is not self._world or len(self._touched) != count:
            self._world, self._touched = world, np.full(count, -np.inf)
        self._touched[self._touched > world.time] = -np.inf
        self._touched[np.diff(world.contacts.first) > 0] = world.time
        age = (world.time - self._touched) / LASTS
        for level in range(LEVELS):
            marked = (age >= level / LEVELS) & (age < (level + 1) / LEVELS) & world.units.present
            color = mix(canvas.theme.contact, canvas.theme.ground, level / LEVELS)
            overlays.ring_round(canvas, world, marked, color, GAP, WIDTH)
