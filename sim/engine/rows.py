"""Between the engine's rows and those of the units: snapshots from them, and forces to them."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import Kernel, inlined
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.sharing import Job
from sim.core.units import Units

UNKNOWN = -1


class Draft:
    """A snapshot in the making: first where all stand, then how they move.

    `rows` (P, 3 or more) are the places and angles of all the engine's bodies, and what it has
    besides, its own copy; `place` (N,) is the row of each unit, negative for units that left.
    """

    def __init__(self, group: Ints, place: Ints, rows: Floats) -> None:
        self.units = Units.unfilled(group)
        self.place, self.rows = place, rows
        self.crossed = np.zeros(len(group), np.bool_)
        """(N,) units that stood outside a torus, and are brought back in."""
        self.wrapped = 0
        """How many those are."""
        self.lost = UNKNOWN
        """The first unit whose state is not finite, or how many there are, once all is known."""
        self.begun: Job | None = None
        """What is done with it aside, and to be waited for."""

    @classmethod
    def whole(cls, group: Ints, place: Ints, state: Floats, plane: Plane) -> Draft:
        """One of which all is known, from (P, 6) as the engine has them."""
        draft = cls(group, place, state.copy())
        draft.stand(plane)
        draft.move(state)
        return draft

    def stand(self, plane: Plane) -> None:
        """Fill in where all stand, within the bounds of a torus."""
        units = self.units
        at = units.position, units.angle, units.heading, units.present
        wrapped = _stand(self.place, self.rows, plane.origin, plane.size, self.crossed, at)
        self.wrapped = sum(wrapped)

    def move(self, state: Floats) -> bool:
        """Fill in how all move, of (P, 6) as the engine has them; whether they stand here still."""
        units = self.units
        found = _move(self.place, self.rows, state, units.velocity, units.spin)
        self.lost = min(lost for lost, _ in found)
        return not any(strayed for _, strayed in found)

    def becomes(self, state: Floats) -> bool:
        """Whether this is what the engine has now (P, 6); how all move is filled in if unknown."""
        if self.begun is not None:
            begun, self.begun = self.begun, None
            if not begun.waited():
                return False
        if len(state) != len(self.rows):
            return False
        if self.lost == UNKNOWN:
            return self.move(state)
        return not _differ(self.place, self.rows, state, self.units.velocity, self.units.spin)


@inlined
def _within(at, origin, size):  # type: ignore[no-untyped-def]
    """A coordinate brought back within the bounds of a torus, if it is one."""
    if size > 0 and not (0.0 <= at - origin < size):
        at -= size * np.floor((at - origin) / size)
        # A step just below the edge rounds up onto it.
        at = at if at - origin < size else origin
    return at


@njit(cache=True)
def standing(place, rows, origin, size):  # type: ignore[no-untyped-def]
    """Where all stand that have not left, (m, 2), as a snapshot has it, and which these are."""
    position, who, m = np.empty((len(place), 2)), np.empty(len(place), np.int64), 0
    for i in range(len(place)):
        if place[i] >= 0:
            for k in range(2):
                position[m, k] = _within(rows[place[i], k], origin[k], size[k])
            who[m] = i
            m += 1
    return position[:m], who[:m]


@Kernel
def _stand(begin, end, place, rows, origin, size, crossed, at):  # type: ignore[no-untyped-def]
    """Fill in where all are `at`; how many have `crossed`."""
    (position, angle, heading, present), wrapped = at, 0
    for i in range(begin, end):
        p = place[i]
        present[i] = p >= 0
        if p < 0:
            for k in range(2):
                position[i, k] = heading[i, k] = np.nan
            angle[i] = np.nan
            continue
        for k in range(2):
            position[i, k] = _within(rows[p, k], origin[k], size[k])
            crossed[i] |= size[k] > 0 and position[i, k] != rows[p, k]
        wrapped += 1 if crossed[i] else 0
        angle[i] = rows[p, 2]
        heading[i, 0], heading[i, 1] = np.cos(angle[i]), np.sin(angle[i])
    return wrapped


@inlined
def _differs(one, other):  # type: ignore[no-untyped-def]
    """Whether two numbers are not the same; what is no number at all is so still."""
    return one != other and not (np.isnan(one) and np.isnan(other))


@Kernel
def _move(begin, end, place, rows, state, velocity, spin):  # type: ignore[no-untyped-def]
    """Fill in how all move; the first whose state is not finite (or N), and how many strayed."""
    lost, strayed = len(place), 0
    for i in range(begin, end):
        p, total = place[i], 0.0
        if p < 0:
            velocity[i, 0] = velocity[i, 1] = spin[i] = np.nan
            continue
        for k in range(6):
            total += state[p, k] * state[p, k]  # what others work with: these must be finite too
        for k in range(3):
            strayed += _differs(rows[p, k], state[p, k])
        if not np.isfinite(total):
            lost = min(lost, i)
        velocity[i, 0], velocity[i, 1], spin[i] = state[p, 3], state[p, 4], state[p, 5]
    return lost, strayed


@njit(cache=True)
def _differ(place, rows, state, velocity, spin):  # type: ignore[no-untyped-def]
    """Whether any unit stands or moves otherwise."""
    for i in range(len(place)):
        p = place[i]
        if p >= 0:
            for k in range(3):
                if _differs(rows[p, k], state[p, k]):
                    return True
            for k in range(2):
                if _differs(velocity[i, k], state[p, 3 + k]):
                    return True
            if _differs(spin[i], state[p, 5]):
                return True
    return False


@njit(cache=True)
def scatter(out, place, forces):  # type: ignore[no-untyped-def]
    """Each unit's force and torque go to the row of its body."""
    for i in range(len(place)):
        if place[i] >= 0:
            for k in range(3):
                out[place[i], k] = forces[i, k]


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
