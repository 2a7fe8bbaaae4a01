"""Contacts across the seam of a torus: a unit near an edge has a twin beyond the opposite one.

The engine knows no torus. Without twins two units could slide into each other across the seam, and the one that
wraps would land inside the other. Twins are bodies of the same hull and mass that repeat their unit's motion, so
each of two units that meet across the seam feels the other's twin, with equal and opposite impulses.
"""

from __future__ import annotations

import numpy as np
import pymunk
from numba import njit
from numpy.typing import NDArray

from sim.engine.build import make_body
from sim.hull import Hull
from sim.plane import Plane
from sim.units import Units

SHIFTS = np.array([(n // 3 - 1, n % 3 - 1) for n in range(9)])
"""Images by number, in periods; number 4 is the unit itself."""
FREE = -1


class Seam:
    """The twins: a pool of bodies a group, handed to whichever units are near an edge."""

    def __init__(self, space: pymunk.Space, plane: Plane) -> None:
        self._space, self._plane = space, plane
        self._hulls: list[Hull] = []
        self.bodies: list[pymunk.Body] = []
        self._group = np.zeros(0, np.int64)
        self._key = np.zeros(0, np.int64)

    def add_group(self, hull: Hull) -> None:
        """Remember the hull of the next group."""
        self._hulls.append(hull)

    @property
    def in_use(self) -> bool:
        """Whether any unit has a twin now."""
        return bool((self._key != FREE).any())

    @property
    def row(self) -> NDArray[np.int64]:
        """(K,) the unit each body doubles; -1 for a free one."""
        return np.where(self._key == FREE, FREE, self._key // len(SHIFTS))

    @property
    def shift(self) -> NDArray[np.float64]:
        """(K, 2) from the unit to its twin; free bodies stand far off, each at a place of its own."""
        shift = SHIFTS[self._key % len(SHIFTS)] * self._plane.size
        far = self._plane.origin - 3 * self._plane.size
        spread = 4 * max((h.reach for h in self._hulls), default=1.0)
        free = np.flatnonzero(self._key == FREE)
        shift[free] = far - np.outer(free * spread, [1.0, 0.0])
        return shift

    def update(self, units: Units, dt: float) -> None:
        """Give a twin to every unit near an edge, and free those no longer needed."""
        if not self._plane.wraps:
            return
        reach = np.array([h.reach for h in self._hulls])
        wanted = _near_edges(
            units.position, units.velocity, units.present, units.group, reach, dt,
            self._plane.origin, self._plane.size,
        )  # fmt: skip
        self._key[~np.isin(self._key, wanted)] = FREE
        fresh = wanted[~np.isin(wanted, self._key)]
        for g in np.unique(units.group[fresh // len(SHIFTS)]):
            mine = fresh[units.group[fresh // len(SHIFTS)] == g]
            slots = self._free_slots(int(g), len(mine))  # may grow the pool
            self._key[slots] = mine

    def _free_slots(self, group: int, n: int) -> NDArray[np.int64]:
        free = np.flatnonzero((self._key == FREE) & (self._group == group))
        if len(free) < n:
            self._grow(group, max(4, n, int((self._group == group).sum())))
            free = np.flatnonzero((self._key == FREE) & (self._group == group))
        return free[:n]

    def _grow(self, group: int, more: int) -> None:
        for _ in range(more):
            body, shape = make_body(self._hulls[group])
            self._space.add(body, shape)
            self.bodies.append(body)
        self._group = np.append(self._group, np.full(more, group))
        self._key = np.append(self._key, np.full(more, FREE))


@njit(cache=True)
def _near_edges(position, velocity, present, group, reach, dt, origin, size):  # type: ignore[no-untyped-def]
    """Keys (unit x 9 + image) of all twins wanted, ascending."""
    keys = [np.int64(0) for _ in range(0)]
    farthest = reach.max()
    for i in range(len(position)):
        if not present[i]:
            continue
        margin = reach[group[i]] + farthest + dt * (abs(velocity[i, 0]) + abs(velocity[i, 1]))
        x, y = position[i, 0] - origin[0], position[i, 1] - origin[1]
        right = 1 if x < margin else (-1 if size[0] - x < margin else 0)
        down = 1 if y < margin else (-1 if size[1] - y < margin else 0)
        for image in range(9):
            a, b = image // 3 - 1, image % 3 - 1
            if image != 4 and (a == right or a == 0) and (b == down or b == 0):
                keys.append(i * 9 + image)
    return np.array(keys, dtype=np.int64)
