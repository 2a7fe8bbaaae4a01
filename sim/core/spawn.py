"""Where units start: at points, round a circle, or scattered in a region, clear of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.errors import BadInput, shortened
from sim.core.hull import Hull
from sim.core.limits import LARGEST, MOST_UNITS, is_number, within_reach
from sim.core.plane import Plane
from sim.core.scatter import Taken, clear_of
from sim.core.solids import Solids, rows
from sim.core.units import Units

DARTS = 400
"""Places tried for each unit before a region counts as full."""
DENSEST = np.pi / np.sqrt(12)
"""Share of a plane that equal discs can cover (A. Thue, 1910)."""


@dataclass(frozen=True)
class Points:
    """One unit at each of these places (n, 2)."""

    places: ArrayLike


@dataclass(frozen=True)
class Ring:
    """Units evenly spaced on a circle, clockwise from angle 0, facing its centre."""

    x: float
    y: float
    radius: float

    def __post_init__(self) -> None:
        circle = (self.x, self.y, self.radius)
        if not all(map(is_number, circle)) or not (within_reach(circle) and self.radius > 0):
            raise BadInput(
                f"spawn.circle = {circle}: must be finite numbers, the radius greater than 0"
            )


@dataclass(frozen=True)
class Region:
    """Whole hulls anywhere inside a box, drawn from the run's seed."""

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        box = (self.left, self.top, self.right, self.bottom)
        if not (
            all(map(is_number, box))
            and within_reach(box)
            and self.left < self.right
            and self.top < self.bottom
        ):
            raise BadInput(f"spawn.region = {box}: must have left < right and top < bottom")


Spawn = Points | Ring | Region


@dataclass(frozen=True)
class Standing:
    """The units that are there already: centres (m, 2) and how far each hull reaches (m,)."""

    position: Floats
    reach: Floats


def count_of(spawn: Spawn, count: int | None) -> int:
    """How many units there are: as asked, or as many as points are given."""
    if count is None:
        if not isinstance(spawn, Points):
            raise BadInput("count: required unless spawn gives the points")
        count = len(rows(spawn.places, 2, "spawn.points"))
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 0:
        raise BadInput(f"count = {shortened(count)}: must be a whole number, 0 or greater")
    if count > MOST_UNITS:
        raise BadInput(f"count = {count}: must be at most {MOST_UNITS:,}")
    return count


def place(
    spawn: Spawn,
    count: int,
    hull: Hull,
    plane: Plane,
    solids: Solids,
    others: Standing,
    rng: np.random.Generator,
) -> Floats:
    """Centres (count, 2).

    Raises `BadInput` for a unit that would start inside a solid, and for a region without room for
    all.
    """
    if isinstance(spawn, Region):
        return _scatter(spawn, count, hull, plane, solids, others, rng)
    if isinstance(spawn, Ring):
        turn = 2 * np.pi * np.arange(count) / count
        places = np.stack([np.cos(turn), np.sin(turn)], axis=1) * spawn.radius + (spawn.x, spawn.y)
    else:
        places = rows(spawn.places, 2, "spawn.points")
        if len(places) != count:
            raise BadInput(
                f"spawn.points = {len(places)} points: must be one for each of {count} units"
            )
    for good, said in (
        (np.isfinite(places), "must be finite numbers"),
        (np.abs(places) <= LARGEST, f"must be numbers from {-LARGEST:g} to {LARGEST:g}"),
    ):
        nowhere = np.flatnonzero(~good.all(axis=1))
        if len(nowhere):
            x, y = places[nowhere[0]]
            raise BadInput(f"spawn: unit {nowhere[0]} at ({x:g}, {y:g}): {said}")
    inside = np.flatnonzero(solids.depth(places, plane) > 0)
    if len(inside):
        x, y = places[inside[0]]
        raise BadInput(
            f"spawn: unit {inside[0]} at ({x:g}, {y:g}) starts inside a solid or outside the walls"
        )
    return places


def headings(
    places: Floats,
    spawn: Spawn,
    asked: float | str | None,
    facing: ArrayLike | None,
    plane: Plane,
    rng: np.random.Generator,
) -> Floats:
    """Angles (n,) in radians: as asked, or toward the point they face, else random.

    Raises `BadInput` for a heading that is neither an angle nor "random".
    """
    if is_number(asked) and abs(asked) <= LARGEST:  # type: ignore[arg-type]
        return np.full(len(places), float(asked))  # type: ignore[arg-type]
    if asked is not None and not (isinstance(asked, str) and asked == "random"):
        raise BadInput(f"heading = {shortened(asked)}: must be a finite number or 'random'")
    if asked is None and isinstance(spawn, Ring):
        facing = (spawn.x, spawn.y)
    if asked is None and facing is not None:
        points = rows(np.atleast_2d(np.array(facing, dtype=object)), 2, "facing")
        if len(points) not in (1, len(places)) or not within_reach(points):
            raise BadInput(f"facing = {shortened(facing)}: must be a point of finite numbers")
        ahead = plane.nearest(points - places)
        return np.arctan2(ahead[:, 1], ahead[:, 0])
    return rng.uniform(-np.pi, np.pi, len(places))


def _scatter(
    region: Region,
    count: int,
    hull: Hull,
    plane: Plane,
    solids: Solids,
    others: Standing,
    rng: np.random.Generator,
) -> Floats:
    """Throw darts until each unit has a place of its own."""
    reach = hull.reach
    low = np.array([region.left, region.top]) + reach
    high = np.array([region.right, region.bottom]) - reach
    if (low > high).any():
        raise BadInput(
            f"spawn.region: too small for one hull that reaches {reach:g} from its centre"
        )
    most = int(DENSEST * np.prod(high - low + 2 * reach) / (np.pi * reach**2))
    if count > most:
        raise BadInput(f"spawn.region: room for {most} hulls at the very most, not for {count}")
    chosen = scatter(region, count, hull, plane, solids, others, rng)
    if len(chosen) < count:
        raise BadInput(f"spawn.region: room for about {len(chosen)} hulls, not for {count}")
    return chosen


def scatter(
    region: Region,
    count: int,
    hull: Hull,
    plane: Plane,
    solids: Solids,
    others: Standing,
    rng: np.random.Generator,
    tries: int = DARTS,
) -> Floats:
    """Centres (k, 2) of whole hulls inside a region, clear of all else: of `count` that find room.

    For each so many places are tried.
    """
    reach = hull.reach
    low = np.array([region.left, region.top]) + reach
    high = np.array([region.right, region.bottom]) - reach
    chosen = np.empty((0, 2))
    taken = [Taken(others.position, others.reach, plane.size)]
    for _ in range(tries):
        darts = rng.uniform(low, high, (max(8, count), 2))
        darts = darts[solids.depth(darts, plane) <= -reach]
        free = clear_of(darts, taken, reach)
        chosen = np.concatenate([chosen, darts[free]])[:count]
        if len(chosen) == count:
            break
        taken[1:] = [Taken(chosen, np.full(len(chosen), reach), plane.size)]
    return chosen


def free_points(spawn: Points, count: int, hull: Hull, plane: Plane, others: Standing) -> Floats:
    """(k, 2) those of the points, in their order, where nobody stands; `count` at most."""
    chosen = np.empty((0, 2))
    taken = [Taken(others.position, others.reach, plane.size)]
    for place in rows(spawn.places, 2, "spawn.points"):
        if len(chosen) < count and clear_of(place[None], taken, hull.reach).any():
            chosen = np.concatenate([chosen, place[None]])
            taken[1:] = [Taken(chosen, np.full(len(chosen), hull.reach), plane.size)]
    return chosen


def standing_of(units: Units, groups: Sequence[Any]) -> Standing:
    """All units that are there."""
    reach = np.array([each.hull.reach for each in groups])[units.group]
    return Standing(units.position[units.present], reach[units.present])


def near(region: Region, standing: Standing, reach: float, plane: Plane) -> Standing:
    """Those of all units that a hull inside a region could meet; on a torus all of them."""
    if plane.wraps:
        return standing
    (x, y), far = standing.position.T, reach + standing.reach
    some = (x > region.left - far) & (x < region.right + far)
    some &= (y > region.top - far) & (y < region.bottom + far)
    return Standing(standing.position[some], standing.reach[some])
