"""Contacts across the seam of a torus: who may meet another there has a twin beyond the far edge.

The engine knows no torus. Without twins two units could slide into each other across the seam, and
the one that wraps would land inside the other. Twins are bodies of the same hull and mass that
repeat their unit's motion, so each of two units that meet across the seam feels the other's twin,
with equal and opposite impulses.
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
CAUTION = 1.01
"""Distances at which a twin is needed are taken this much too long."""
IN_STEP = 1e-9
"""A twin whose state differs by less than this many hull reaches (units, radians) is in step."""
MOST_BINS = 4096
"""Bins along an edge; wider ones only give some twins in vain."""


class Seam:
    """The twins: a pool of bodies a group, handed to whichever units are near an edge."""

    def __init__(self, space: pymunk.Space, plane: Plane) -> None:
        self._space, self._plane = space, plane
        self._hulls: list[Hull] = []
        self.bodies: list[pymunk.Body] = []
        self._group = np.zeros(0, np.int64)
        self._key = np.zeros(0, np.int64)
        self._reach = np.zeros(0)
        self._in_use = False

    def add_group(self, hull: Hull) -> None:
        """Remember the hull of the next group."""
        self._hulls.append(hull)
        self._reach = np.append(self._reach, hull.reach)

    @property
    def reach(self) -> float:
        """How far the largest hull reaches from its centre."""
        return float(self._reach.max(initial=0.0))

    @property
    def row(self) -> NDArray[np.int64]:
        """(K,) the unit each body doubles; -1 for a free one."""
        return np.where(self._key == FREE, FREE, self._key // len(SHIFTS))

    @property
    def shift(self) -> NDArray[np.float64]:
        """(K, 2) from the unit to its twin; free bodies stand far off, apart from each other."""
        shift = SHIFTS[self._key % len(SHIFTS)] * self._plane.size
        far = self._plane.origin - 3 * self._plane.size
        spread = 4 * self.reach
        free = np.flatnonzero(self._key == FREE)
        shift[free] = far - np.outer(free * spread, [1.0, 0.0])
        return shift

    def update(self, units: Units, dt: float) -> bool:
        """Give twins to those who may meet another across the seam in the next dt seconds.

        Returns whether twins have to be written: those in use, and those just freed, which go off.
        """
        if not self._plane.wraps:
            return False
        wanted = _meetings(
            units.position, units.velocity, units.present, self._reach, dt,
            self._plane.origin, self._plane.size,
        )  # fmt: skip
        if not len(wanted) and not self._in_use:
            return False
        # The pool grows until all find a body: at most once a group.
        while (short := _assign(self._key, self._group, wanted, units.group)) >= 0:
            group = int(units.group[short])
            self._grow(group, max(4, int((self._group == group).sum())))
        self._in_use = len(wanted) > 0
        return True

    def _grow(self, group: int, more: int) -> None:
        for _ in range(more):
            body, shape = make_body(self._hulls[group])
            self._space.add(body, shape)
            self.bodies.append(body)
        self._group = np.append(self._group, np.full(more, group))
        self._key = np.append(self._key, np.full(more, FREE))


@njit(cache=True, error_model="numpy")
def _meetings(position, velocity, present, reach, dt, origin, size):  # type: ignore[no-untyped-def]
    """Keys (unit x 9 + image), ascending, of the twins that may be touched from across the seam.

    Cautious: along each edge, bins as wide as two units may be apart and still meet are marked
    where anybody is near; who is near the opposite edge at a marked bin, or beside it, gets a twin.
    """
    fastest, farthest = _extremes(velocity, present, reach)
    gap = CAUTION * 2 * (farthest + dt * fastest)
    bins = np.array([min(max(int(size[k] / gap), 1), MOST_BINS) for k in range(2)])
    marks = np.zeros((2, 2, bins.max()), np.bool_)
    near = [0 for _ in range(0)]
    for i in range(len(position)):
        x, y = position[i, 0] - origin[0], position[i, 1] - origin[1]
        if not present[i] or (gap < x < size[0] - gap and gap < y < size[1] - gap):
            continue
        near.append(i)
        for k, at, along in ((0, x, y), (1, y, x)):
            b = _bin(along, size[1 - k], bins[1 - k])
            marks[k, 0, b] |= at <= gap
            marks[k, 1, b] |= at >= size[k] - gap
    keys = [0 for _ in range(0)]
    for i in near:
        x, y = position[i, 0] - origin[0], position[i, 1] - origin[1]
        right, left = _ways(x, size[0], gap, marks[0], _bin(y, size[1], bins[1]), bins[1])
        down, up = _ways(y, size[1], gap, marks[1], _bin(x, size[0], bins[0]), bins[0])
        for image in range(9):
            a, b = image // 3 - 1, image % 3 - 1
            across = a == 0 or (a > 0 and right) or (a < 0 and left)
            along = b == 0 or (b > 0 and down) or (b < 0 and up)
            if image != 4 and across and along:
                keys.append(i * 9 + image)
    return np.array(keys, dtype=np.int64)


@njit(cache=True)
def _extremes(velocity, present, reach):  # type: ignore[no-untyped-def]
    """The highest speed of all, and the longest reach."""
    square = 0.0
    for i in range(len(velocity)):
        if present[i]:
            square = max(square, velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
    return np.sqrt(square), reach.max()


@njit(cache=True)
def _bin(along, size, bins):  # type: ignore[no-untyped-def]
    return min(int(along / size * bins), bins - 1)


@njit(cache=True)
def _ways(at, size, gap, marks, b, bins):  # type: ignore[no-untyped-def]
    """Whether somebody near the opposite edge wants a twin one period further on, and one back."""
    beside = b, (b + bins - 1) % bins, (b + 1) % bins
    met = [m[beside[0]] or m[beside[1]] or m[beside[2]] for m in (marks[1], marks[0])]
    return at <= gap and met[0], at >= size - gap and met[1]


@njit(cache=True)
def _assign(key, of_group, wanted, group):  # type: ignore[no-untyped-def]
    """Free the bodies of twins not wanted, hand out free ones; a unit that got none, or -1."""
    met = np.zeros(len(wanted), np.bool_)
    for t in range(len(key)):
        w = np.searchsorted(wanted, key[t])
        if w < len(wanted) and wanted[w] == key[t]:
            met[w] = True
        else:
            key[t] = FREE
    for w in range(len(wanted)):
        unit, t = wanted[w] // 9, 0
        while not met[w]:
            if t == len(key):
                return unit
            if key[t] == FREE and of_group[t] == group[unit]:
                key[t], met[w] = wanted[w], True
            t += 1
    return -1


@njit(cache=True)
def repeat(out, place, twins, row):  # type: ignore[no-untyped-def]
    """Each twin gets the force and torque of its unit; free ones get none."""
    for t in range(len(twins)):
        for k in range(3):
            out[twins[t], k] = out[place[row[t]], k] if row[t] >= 0 else 0.0


@njit(cache=True)
def find_astray(position, velocity, angle, spin, row, shift, state, slack):  # type: ignore[no-untyped-def]
    """The twins whose state is not what it should be, and what it should be, (m, 6)."""
    wanted = np.zeros((len(row), 6))
    astray = np.empty(len(row), np.int64)
    m = 0
    for t in range(len(row)):
        i, off = row[t], 0.0
        wanted[m] = 0.0
        wanted[m, 0], wanted[m, 1] = shift[t, 0], shift[t, 1]
        if i >= 0:
            wanted[m, 0] += position[i, 0]
            wanted[m, 1] += position[i, 1]
            wanted[m, 2], wanted[m, 5] = angle[i], spin[i]
            wanted[m, 3], wanted[m, 4] = velocity[i, 0], velocity[i, 1]
        for k in range(6):
            off = max(off, abs(wanted[m, k] - state[t, k]))
        if not off <= slack:
            astray[m] = t
            m += 1
    return astray[:m], wanted[:m]
