"""Contacts across the seam of a torus: units near it have twins beyond the far edge.

The engine knows no torus. Without twins two units could slide into each other across the seam, and
the one that wraps would land inside the other. Twins are bodies of the same hull and mass that
repeat their unit's motion, so each of two units that meet across the seam feels the other's twin,
with equal and opposite impulses.
"""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.arrays import Ints
from sim.core.geometry import cell_of, floored
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.engine.build import make_body

IMAGES = 9
"""A unit's images are numbered row by row of periods; number 4 is the unit itself."""
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
        self.hulls: list[Hull] = []
        """Of the groups."""
        self.bodies = []
        self.group, self.key = np.zeros((2, 0), np.int64)
        """(K,) the group whose hull each body has, and which image of which unit it is."""
        self.row = np.zeros(0, np.int64)
        """(K,) the unit each body doubles; -1 for a free one."""
        self.shift = np.zeros((0, 2))
        """(K, 2) from the unit to its twin; free bodies stand far off, apart from each other."""
        self.reach = 0.0
        """How far the largest hull reaches from its centre."""
        self.radius = np.zeros(0)
        """(N,) of the units' hulls."""
        self.size = np.zeros(0)
        """(K,) the radius of each body."""
        self.in_use = False
        """Whether any twin is given to a unit."""

    @property
    def bodies(self) -> list[pymunk.Body]:
        """(K,) all twins."""
        return self._bodies

    @bodies.setter
    def bodies(self, bodies: list[pymunk.Body]) -> None:
        self._bodies = bodies
        self.numbers = np.array([body.id for body in bodies], np.uint64)
        """(K,) the engine's number of each of them."""

    def add_group(self, hull: Hull) -> None:
        """Remember the hull of the next group."""
        self.hulls.append(hull)
        self.reach = max(self.reach, hull.largest.reach)

    def rearrange(self, now: Ints) -> None:
        """Units come and go: `now` (N + 1,) is the new row of each old one, -1 for those gone."""
        unit, image = np.divmod(self.key, IMAGES)
        row = now[np.where(self.key == FREE, -1, unit)]
        self.key = np.where(row >= 0, row * IMAGES + image, FREE)
        self.row = np.where(self.row >= 0, now[self.row], FREE)

    def update(self, units: Units, dt: float) -> bool:
        """Give twins to units that may meet another across the seam in the next dt seconds.

        Returns whether twins have to be written: those in use, and those just freed, which go off.
        """
        if not self._plane.wraps:
            return False
        wanted = _meetings(
            units.position, units.velocity, units.present, self.reach, dt,
            self._plane.origin, self._plane.size,
        )  # fmt: skip
        if not len(wanted) and not self.in_use:
            return False
        # The pool grows until all find a body: at most once a group.
        while (short := _assign(self.key, self.group, wanted, units.group)) >= 0:
            group = int(units.group[short])
            self._grow(group, max(4, int((self.group == group).sum())))
        far = self._plane.origin - 3 * self._plane.size
        _note(self.key, self._plane.size, far, 4 * self.reach, self.row, self.shift)
        self.in_use = len(wanted) > 0
        self._fit()
        return True

    def _fit(self) -> None:
        """Twins that double others than before become as large as these, where radii are drawn."""
        drawn = [hull.spread is not None for hull in self.hulls]
        if not any(drawn):
            return
        doubles = np.flatnonzero((self.row >= 0) & np.array(drawn)[self.group])
        other = doubles[self.size[doubles] != self.radius[self.row[doubles]]]
        for twin in other.tolist():
            hull = self.hulls[self.group[twin]].of(float(self.radius[self.row[twin]]))
            (shape,) = self.bodies[twin].shapes
            if isinstance(shape, pymunk.Poly):
                shape.unsafe_set_vertices([tuple(corner) for corner in hull.outline.tolist()])
            assert isinstance(shape, pymunk.Circle | pymunk.Poly)
            shape.unsafe_set_radius(hull.rounding)
            self.bodies[twin].moment, self.size[twin] = hull.moment, self.radius[self.row[twin]]

    def _grow(self, group: int, more: int) -> None:
        made = []
        for _ in range(more):
            body, shape = make_body(self.hulls[group])
            self._space.add(body, shape)
            made.append(body)
        self.bodies = self.bodies + made
        self.group = np.append(self.group, np.full(more, group))
        self.key = np.append(self.key, np.full(more, FREE))
        self.size = np.append(self.size, np.full(more, self.hulls[group].radius))
        self.row, self.shift = np.zeros(len(self.key), np.int64), np.zeros((len(self.key), 2))


@njit(cache=True, error_model="numpy")
def _meetings(position, velocity, present, reach, dt, origin, size):  # type: ignore[no-untyped-def]
    """Keys (unit x images + image), ascending, of twins that may be touched from across the seam.

    Cautious: along each edge, bins as wide as two units may be apart and still meet are marked
    where any unit is near, or in a bin beside; a unit near the opposite edge at a marked bin gets a
    twin.
    """
    gap = CAUTION * 2 * (reach + dt * _fastest(velocity, present))
    bins = np.empty(2, np.int64)
    for k in range(2):
        bins[k] = min(max(floored(size[k] / gap), 1), MOST_BINS)
    marks = np.zeros((2, 2, max(bins[0], bins[1])), np.bool_)
    near = _near_edges(position, present, origin[0], origin[1], size[0], size[1], gap)
    for i in near:
        x, y = position[i, 0] - origin[0], position[i, 1] - origin[1]
        for k, at, along in ((0, x, y), (1, y, x)):
            n = bins[1 - k]
            b = _bin(along, size[1 - k], n)
            for beside in ((b + n - 1) % n, b, (b + 1) % n):
                marks[k, 0, beside] |= at <= gap
                marks[k, 1, beside] |= at >= size[k] - gap
    keys, m = np.empty((IMAGES - 1) * len(near), np.int64), 0
    for i in near:
        x, y = position[i, 0] - origin[0], position[i, 1] - origin[1]
        right, left = _ways(x, size[0], gap, marks[0], _bin(y, size[1], bins[1]))
        down, up = _ways(y, size[1], gap, marks[1], _bin(x, size[0], bins[0]))
        for image in range(IMAGES):
            a, b = image // 3 - 1, image % 3 - 1
            across = a == 0 or (a > 0 and right) or (a < 0 and left)
            along = b == 0 or (b > 0 and down) or (b < 0 and up)
            if image != 4 and across and along:
                keys[m] = i * IMAGES + image
                m += 1
    return keys[:m]


@njit(cache=True)
def _fastest(velocity, present):  # type: ignore[no-untyped-def]
    """The highest speed of all."""
    square = 0.0
    for i in range(len(velocity)):
        if present[i]:
            square = max(square, velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
    return np.sqrt(square)


@njit(cache=True)
def _near_edges(position, present, left, top, width, height, gap):  # type: ignore[no-untyped-def]
    """The units that are no farther than a gap from any edge, or beyond one."""
    near, m = np.empty(len(position), np.int64), 0
    for i in range(len(position)):
        x, y = position[i, 0] - left, position[i, 1] - top
        amid = (gap < x) & (x < width - gap) & (gap < y) & (y < height - gap)
        near[m] = i
        m += present[i] & (not amid)
    return near[:m]


@njit(cache=True)
def _bin(along, size, bins):  # type: ignore[no-untyped-def]
    return cell_of(along / size * bins, bins)


@njit(cache=True)
def _ways(at, size, gap, marks, b):  # type: ignore[no-untyped-def]
    """Whether a unit near the opposite edge wants a twin one period further on, and one back."""
    return at <= gap and marks[1, b], at >= size - gap and marks[0, b]


@njit(cache=True)
def _place_of(key, keys):  # type: ignore[no-untyped-def]
    """How many of the keys, ascending, are less than this one."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True)
def _assign(key, of_group, wanted, group):  # type: ignore[no-untyped-def]
    """Free the bodies of twins not wanted, hand out free ones; a unit that got none, or -1."""
    met = np.zeros(len(wanted), np.bool_)
    for t in range(len(key)):
        w = _place_of(key[t], wanted)
        if w < len(wanted) and wanted[w] == key[t]:
            met[w] = True
        else:
            key[t] = FREE
    for w in range(len(wanted)):
        unit, t = wanted[w] // IMAGES, 0
        while not met[w]:
            if t == len(key):
                return unit
            if key[t] == FREE and of_group[t] == group[unit]:
                key[t], met[w] = wanted[w], True
            t += 1
    return -1


@njit(cache=True)
def _note(key, size, far, spread, row, shift):  # type: ignore[no-untyped-def]
    """Fill in which unit each twin doubles, and how far off it stands."""
    for t in range(len(key)):
        row[t] = FREE
        shift[t, 0], shift[t, 1] = far[0] - t * spread, far[1]
        if key[t] != FREE:
            row[t], image = key[t] // IMAGES, key[t] % IMAGES
            shift[t, 0], shift[t, 1] = (image // 3 - 1) * size[0], (image % 3 - 1) * size[1]
