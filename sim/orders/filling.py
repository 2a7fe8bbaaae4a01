"""Which place in a region each unit takes that comes into it: the far side fills first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.orders.standing_room import free_on

if TYPE_CHECKING:
    from sim.orders.orders import Orders

SPARE, MOST = 1.5, 2000
"""Places in a region for each unit that is sent there, where it is large enough, and at most."""
CLEAR = 1.1
"""How far apart places are at least, as a share of two hulls that touch."""
LOOKS = 50
"""Places that a unit looks at, at most, for one to which the way is clear of others."""
ASIDE = 0.5
"""How much farther on a place has to be that is a step aside."""
STARBOARD = 1e-6
"""The same for two that are equally good: far below what one sees."""


class Lattice(NamedTuple):
    """Places in a region, evenly: row by row, `apart` from each other."""

    first: Floats
    """(2,) the left top one, world units."""
    apart: float
    columns: int
    lines: int

    @classmethod
    def inside(cls, region: Floats, reach: float, count: int) -> Lattice:
        """For `count` hulls of a reach: all of each hull is inside, if it fits."""
        size = np.maximum(region[2:] - region[:2] - 2 * reach, 0.0)
        apart = max(2 * CLEAR * reach, float(np.sqrt(size.prod() / min(SPARE * count, MOST))))
        apart = max(apart, float(size.max()) / MOST)
        columns, lines = (size / apart).astype(np.int64).tolist()
        first = (region[:2] + region[2:]) / 2 - apart / 2 * np.array([columns, lines])
        return cls(first, apart, columns + 1, lines + 1)

    @property
    def places(self) -> Floats:
        """(p, 2) all of them."""
        k = np.arange(self.columns * self.lines)
        at = np.column_stack([k % self.columns, k // self.columns])
        return np.asarray(self.first + self.apart * at)


def for_region(orders: Orders) -> Bools:
    """(N,) which units are sent into a region: each takes a place of its own there."""
    return ~np.isnan(orders.region[:, 0])


def images_at(plane: Plane, region: Floats, places: Floats) -> Floats:
    """(N, 2) the images of places that are nearest to the middle of a region (4,), or (N, 4).

    A region may reach beyond the bounds of a torus; units stand within them.
    """
    return plane.images_near(places, (region[..., :2] + region[..., 2:]) / 2)


def once_round(plane: Plane, region: Floats) -> Floats:
    """The same region (4,), or as much of it about its middle as a torus has."""
    low, high = region.reshape(2, 2)
    beyond = np.maximum((high - low - plane.period) / 2, 0.0)
    return np.append(low + beyond, high - beyond)


def in_region(plane: Plane, region: Floats, places: Floats) -> Bools:
    """(N,) which of the places (N, 2) are in a region (4,), or each in its own (N, 4)."""
    at = images_at(plane, region, places)
    return np.asarray(((region[..., :2] <= at) & (at <= region[..., 2:])).all(axis=1))


def to_stay_in_region(orders: Orders) -> Bools:
    """(N,) which units are sent into a region, to stay there."""
    return for_region(orders) & ~orders.leave


def fill(orders: Orders, units: Units, came: Ints) -> None:
    """Give units in rows `came`, which have just come into their regions, a place to walk on to.

    Each takes the farthest one that is free and not behind others, so that units behind it find
    room at the edge. Where none is free it goes on as far as it can. One that is farther in than
    its hull was sent there from inside, and stays.
    """
    if not len(came):
        return
    regions, plane = orders.region[came], orders.plane
    for region in np.unique(regions, axis=0):
        rows = came[(regions == region).all(axis=1)]
        rows = rows[np.lexsort(units.position[rows].T)]  # never by their numbers
        sent = (orders.region == region).all(axis=1)
        reach, here = orders.outlines.reach[rows], images_at(plane, region, units.position[rows])
        lattice = Lattice.inside(region, float(reach.max()), int(sent.sum()))
        free = free_places(orders, lattice.places, float(orders.radius[rows].max()), here)
        sent[rows] = False
        at = in_region(plane, region, units.position)
        taken = taken_places(orders, units, at, sent, region)
        places = choose_places(
            lattice, free, here, _inward(region, here, reach), reach, *taken, True
        )
        orders.points[orders.first[rows]] = places
    orders.patience.renew(came)


def _inward(region: Floats, here: Floats, reach: Floats) -> Floats:
    """(k, 2) the way into a region over the edge that each is at; zeros for units farther in."""
    in_by = np.column_stack([here - region[:2], region[2:] - here])  # left, top, right, bottom
    edge = in_by.argmin(axis=1)
    inward = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])[edge]
    inward[in_by.min(axis=1) > reach] = 0.0
    return np.asarray(inward)


def free_places(orders: Orders, places: Floats, radius: float, here: Floats) -> Bools:
    """(p,) which places are free of solids, and can be got to from `here` (k, 2)."""
    if orders.guide is None:
        return np.ones(len(places), np.bool_)
    chart = orders.guide.planner.latest
    return free_on(chart.solids, orders.plane, radius, chart.grid(radius), here)(places)


def taken_places(
    orders: Orders, units: Units, stopped_at: Bools, sent: Bools, region: Floats
) -> tuple[Floats, Floats]:
    """Places (t, 2) that units hold, and the reach (t,) of their hulls.

    Where units `stopped_at` (N,) a region stand, if they do not move; and where units `sent` (N,)
    there go to, which have come in and still move. On a torus the images nearest to its middle.
    """
    minds = orders.minds
    stands = stopped_at & ~minds.moving & units.present
    comes = sent & minds.arrived & minds.moving & units.present
    bound = orders.points[orders.first[:-1][comes]]
    reach = orders.outlines.reach
    places = np.vstack((units.position[stands], bound))
    return images_at(orders.plane, region, places), np.append(reach[stands], reach[comes])


@njit(cache=True, error_model="numpy")
def choose_places(lattice, free, position, inward, reach, taken, others, has_to):  # type: ignore[no-untyped-def]
    """(k, 2) the place of each of k units, one after the other.

    `free` (p,) are the places of the lattice; `position`, `inward` (k, 2) and `reach` (k,) are
    those of the units, `taken` (t, 2) and `others` (t,) the places and the reach of others. Fills
    in what is taken in `free`. If it `has_to`, a unit for which no place is clear takes the
    farthest, also one that is taken; else it stays where it is.
    """
    found, most, left = position.copy(), reach.max(), True
    take_all(lattice, free, taken, others, most)
    for k in range(len(position)):
        left = left and free.any()
        if inward[k].any() and (left or has_to):
            to = free.copy() if left else np.ones(len(free), np.bool_)
            ahead = inward[k]
            farthest = _farthest(lattice, to, position[k], ahead)
            best = farthest
            for _ in range(LOOKS):
                if best < 0 or _is_clear(lattice, best, position[k], reach[k], taken, others):
                    break
                to[best] = False
                best = _farthest(lattice, to, position[k], ahead)
            best = farthest if best < 0 and has_to else best
            if best >= 0:
                found[k, 0], found[k, 1] = _place(lattice, best)
        _take(lattice, free, found[k, 0], found[k, 1], reach[k] + most)
    return found


@leaf
def _place(lattice, p):  # type: ignore[no-untyped-def]
    x = lattice.first[0] + lattice.apart * (p % lattice.columns)
    return x, lattice.first[1] + lattice.apart * (p // lattice.columns)


@leaf
def _farthest(lattice, to, here, ahead):  # type: ignore[no-untyped-def]
    """The number of the farthest place on from `here` where one may go `to`; -1: none."""
    best, farthest = -1, -np.inf
    for p in range(len(to)):
        if to[p]:
            x, y = _place(lattice, p)
            dx, dy = x - here[0], y - here[1]
            on, across = dx * ahead[0] + dy * ahead[1], ahead[0] * dy - ahead[1] * dx
            worth = on - ASIDE * abs(across) + STARBOARD * across
            if worth > farthest:
                best, farthest = p, worth
    return best


@leaf
def _is_clear(lattice, p, here, reach, taken, others):  # type: ignore[no-untyped-def]
    """Whether the straight way to a place passes clear of all that is taken."""
    x, y = _place(lattice, p)
    dx, dy = x - here[0], y - here[1]
    square = dx * dx + dy * dy
    for n in range(len(taken)):
        away_x, away_y = taken[n, 0] - here[0], taken[n, 1] - here[1]
        when = (away_x * dx + away_y * dy) / square if square > 0.0 else 0.0
        if when > 0.0:
            when = min(when, 1.0)
            apart = np.hypot(away_x - when * dx, away_y - when * dy)
            if apart < reach + others[n]:
                return False
    return True


@njit(cache=True, error_model="numpy")
def take_all(lattice, free, taken, others, most):  # type: ignore[no-untyped-def]
    """Places at which a hull of reach `most` would meet one of `taken` (t, 2) are not free (p,)."""
    for n in range(len(taken)):
        _take(lattice, free, taken[n, 0], taken[n, 1], others[n] + most)


@leaf
def _take(lattice, free, x, y, clear):  # type: ignore[no-untyped-def]
    """Places nearer to a point than two hulls may be are no longer free."""
    away, steps = lattice.apart, int(clear / lattice.apart) + 1
    column = int(np.rint((x - lattice.first[0]) / away))
    line = int(np.rint((y - lattice.first[1]) / away))
    for r in range(max(line - steps, 0), min(line + steps, lattice.lines - 1) + 1):
        for c in range(max(column - steps, 0), min(column + steps, lattice.columns - 1) + 1):
            to_x, to_y = _place(lattice, r * lattice.columns + c)
            if (to_x - x) ** 2 + (to_y - y) ** 2 < clear * clear:
                free[r * lattice.columns + c] = False
