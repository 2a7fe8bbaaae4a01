"""Where forces act on units, as arrows, and where hulls touch, as rings that flash."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.group import Group
from sim.screen import overlays, shapes
from sim.screen.camera import Canvas
from sim.screen.painter import magnified
from sim.screen.theme import RGB, mix
from sim.world import World

LONGEST, HALF = 56.0, 4.0
"""Pixels of the longest arrow; acceleration, in desired speeds per second, of one half as long."""
WIDTH = 2.0


def paint(canvas: Canvas, world: World, row: int | None) -> None:
    """Three arrows on the unit of a row, or on each of all units where it is None."""
    for group in world.groups:
        members = np.flatnonzero(world.units.present[group.rows])
        if row is not None:
            members = members[members == row - group.rows.start]
        if len(members):
            for root, tip, color in _arrows(canvas, group, members, world):
                for a, b in zip(root, tip, strict=True):
                    shapes.arrow(canvas.surface, color, a, b, WIDTH)


def _arrows(
    canvas: Canvas, group: Group, members: Ints, world: World
) -> list[tuple[Floats, Floats, RGB]]:
    """Roots and tips (m, 2), pixels, and the colour of each of the three."""
    units, forces, camera = world.units, group.forces, canvas.camera
    keel = units.heading[group.rows][members]
    beam = np.column_stack([-keel[:, 1], keel[:, 0]])
    centre = camera.to_screen(units.position[group.rows][members])
    scale = camera.scale * magnified(group, world, camera)
    bow = centre + keel * forces.lever[members, None] * scale
    grip = forces.grip[members]
    acting = (
        (centre, keel * forces.thrust[members, None]),
        (bow, beam * forces.steering[members, None]),
        (centre, keel * grip[:, :1] + beam * grip[:, 1:]),
    )
    half, found = HALF * group.hull.mass * group.speed, []
    for (root, force), color in zip(acting, canvas.theme.terms, strict=False):
        size = np.hypot(force[:, 0], force[:, 1])[:, None]
        found.append((root, root + force * LONGEST / (size + half), color))
    return found


LASTS = 0.6
"""Seconds of the run until a flash is gone."""
LEVELS = 4
"""Shades that it fades through."""
RING, GAP = 2.5, 2.0
"""Pixels of the ring, and between it and the hull."""


class Flashes:
    """When each unit last touched another, or a solid."""

    def __init__(self) -> None:
        self._world: World | None = None
        self._ids = np.zeros(0, np.int64)
        self._touched = np.zeros(0)

    def paint(self, canvas: Canvas, world: World) -> None:
        """Take down which units touch something now, and paint all that still flash."""
        if world is not self._world:
            self._world, self._ids = world, self._ids[:0]
        if world.ids is not self._ids:
            self._follow(world.ids)
        self._touched[self._touched > world.time] = -np.inf
        self._touched[np.diff(world.contacts.first) > 0] = world.time
        age = (world.time - self._touched) / LASTS
        for level in range(LEVELS):
            marked = (age >= level / LEVELS) & (age < (level + 1) / LEVELS) & world.units.present
            color = mix(canvas.theme.contact, canvas.theme.ground, level / LEVELS)
            overlays.ring_round(canvas, world, marked, color, GAP, RING)

    def _follow(self, ids: Ints) -> None:
        """Units came, went or changed their rows: units that were there go on to flash."""
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        touched = np.full(len(ids), -np.inf)
        touched[now] = self._touched[before]
        self._ids, self._touched = ids, touched
