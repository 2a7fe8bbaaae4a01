"""Where units start: at points, round a circle, or scattered in a region, clear of others."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats, make_plain
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, MOST_UNITS, in_range, is_number, is_row, within_reach
from sim.core.plane import Plane
from sim.core.scatter import Taken, clear_of, dealt
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
        make_plain(self)
        circle = (self.x, self.y, self.radius)
        if not (is_row(circle, 3) and within_reach(circle) and self.radius > 0):
            raise BadInput(
                f"spawn.circle = {shortened(circle)}: must be finite numbers, the radius above 0"
            )


@dataclass(frozen=True)
class Region:
    """Whole hulls anywhere inside a box, drawn from the run's seed."""

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        make_plain(self)
        box = (self.left, self.top, self.right, self.bottom)
        reached = is_row(box, 4) and within_reach(box)
        if not (reached and self.left < self.right and self.top < self.bottom):
            said = f"spawn.region = {shortened(box)}"
            raise BadInput(f"{said}: must have left < right and top < bottom")

    @property
    def said(self) -> str:
        """How messages name it."""
        return f"spawn.region = [{', '.join(f'{side:.12g}' for side in astuple(self))}]"


Spawn = Points | Ring | Region


@dataclass(frozen=True)
class Standing:
    """The units that are there already: centres (m, 2) and how far each hull reaches (m,)."""

    position: Floats
    reach: Floats

    @classmethod
    def of(cls, units: Units, reach: Floats) -> Standing:
        """Of all units, whose hulls reach so far (N,)."""
        return cls(units.position.compress(units.present, axis=0), reach[units.present])


def count_of(spawn: Spawn, count: int | None) -> int:
    """How many units there are: as asked, or as many as points are given."""
    if count is None:
        if not isinstance(spawn, Points):
            raise BadInput("count: required unless spawn gives the points")
        count = len(rows(spawn.places, 2, "spawn.points"))
    if not (is_number(count) and isinstance(count, int | np.integer) and count >= 0):
        raise BadInput(f"count = {shortened(count)}: must be a whole number, 0 or greater")
    if count > MOST_UNITS:
        raise BadInput(f"count = {shortened(count)}: must be at most {MOST_UNITS:,}")
    return int(count)


def place(
    spawn: Spawn, reach: Floats, plane: Plane, solids: Solids, others: Standing,
    rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """Centres (n, 2) for hulls that reach so far, `reach` (n,).

    Raises `BadInput` for a unit that would start in a solid, and a region without room for all.
    """
    count = len(reach)
    if isinstance(spawn, Region):
        return _scatter(spawn, reach, plane, solids, others, rng)
    if isinstance(spawn, Ring):
        turn = 2 * np.pi * np.arange(count) / count
        places = np.stack([np.cos(turn), np.sin(turn)], axis=1) * spawn.radius + (spawn.x, spawn.y)
    else:
        places = rows(spawn.places, 2, "spawn.points")
        if len(places) != count:
            raise BadInput(
                f"spawn.points = {len(places)} points: must be one for each of {count} units"
            )
    check_places(places, plane, solids)
    return places


def check_places(places: Floats, plane: Plane, solids: Solids) -> None:
    """Raise `BadInput` for the first of places (n, 2) that is nowhere, or in what is solid."""
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
        said = "starts inside a solid or outside the walls"
        raise BadInput(f"spawn: unit {inside[0]} at ({x:g}, {y:g}) {said}")


def headings(
    places: Floats,
    spawn: Spawn,
    asked: float | str | ArrayLike | None,
    facing: ArrayLike | None,
    plane: Plane,
    rng: np.random.Generator,
) -> Floats:
    """Angles (n,) in radians: as asked, or toward the point they face, else random.

    Raises `BadInput` for a heading that is no angle, nor one for each unit, nor "random".
    """
    if isinstance(asked, list | tuple | np.ndarray):
        if not is_row(asked, len(places)) or not within_reach(asked):
            said = f"must be a finite number for each unit ({len(places)})"
            raise BadInput(f"heading = {shortened(asked)}: {said}")
        return np.array(asked, dtype=float)
    check_heading(asked, "heading")
    if is_number(asked):
        return np.full(len(places), float(asked))  # type: ignore[arg-type]
    if asked is None and isinstance(spawn, Ring):
        facing = (spawn.x, spawn.y)
    if asked is None and facing is not None:
        given = facing if isinstance(facing, np.ndarray) else np.array(facing, dtype=object)
        points = rows(np.atleast_2d(given), 2, "facing")
        if len(points) not in (1, len(places)) or not within_reach(points):
            raise BadInput(f"facing = {shortened(facing)}: must be a point of finite numbers")
        ahead = plane.nearest(points - places)
        return np.arctan2(ahead[:, 1], ahead[:, 0])
    return rng.uniform(-np.pi, np.pi, len(places))


def check_heading(asked: object, where: str) -> None:
    """Raise `BadInput` that begins with `where` for what is no angle, "random" or None."""
    if in_range(asked, -LARGEST, LARGEST):
        return
    if asked is not None and not (isinstance(asked, str) and asked == "random"):
        raise BadInput(f"{where} = {shortened(asked)}: must be a finite number or 'random'")


def _scatter(
    region: Region, reach: Floats, plane: Plane, solids: Solids, others: Standing,
    rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """Throw darts until each unit has a place of its own."""
    count, widest = len(reach), float(reach.max(initial=0.0))
    check_room(region, widest)
    low = np.array([region.left, region.top]) + widest
    high = np.array([region.right, region.bottom]) - widest
    covered = np.pi * float(np.square(reach).mean()) if count else np.inf
    most = int(DENSEST * np.prod(high - low + 2 * widest) / covered)
    if count > most:
        raise BadInput(f"{region.said}: room for {most} hulls at the very most, not for {count}")
    chosen = scatter(region, reach, plane, solids, others, rng)
    room = int(np.isfinite(chosen[:, 0]).sum())
    if room < count:
        nowhere = "it seems to lie in solids, outside the walls or under other units"
        why = "ask for fewer, or give a larger region" if room else nowhere
        said = f"room for {room} hulls was found at random, not for {count}"
        raise BadInput(f"{region.said}: {said}; {why}")
    return chosen


def check_room(region: Region, reach: float) -> None:
    """Raise `BadInput` for a region in which no hull that reaches so far can stand."""
    if min(region.right - region.left, region.bottom - region.top) < 2 * reach:
        said = f"too small for one hull that reaches {reach:g} from its centre"
        raise BadInput(f"{region.said}: {said}")


def scatter(
    region: Region, reach: Floats, plane: Plane, solids: Solids, others: Standing,
    rng: np.random.Generator, tries: int = DARTS, hopeless: float = np.inf,
) -> Floats:  # fmt: skip
    """Centres (n, 2) of whole hulls inside a region, clear of all else; NaN for units without room.

    The hulls reach so far, `reach` (n,). For each, `tries` places are tried; `hopeless` at once, of
    which none is free, are the last.
    """
    chosen, left = np.full((len(reach), 2), np.nan), np.arange(len(reach))
    corners = np.array([region.left, region.top]), np.array([region.right, region.bottom])
    there = [Taken(others.position, others.reach, plane.size)]
    for _ in range(tries):
        if not len(left):
            break
        own = reach[left[np.arange(max(8, len(reach))) % len(left)]]
        low, high = corners[0] + own[:, None], corners[1] - own[:, None]
        darts = rng.uniform(low, np.maximum(low, high))
        inside = (solids.depth(darts, plane) <= -own) & (low <= high).all(axis=1)
        darts, own = darts[inside], own[inside]
        free = clear_of(darts, there, own)
        if not free.any() and len(reach) >= hopeless:
            break
        darts, own = darts[free], own[free]
        given, to = dealt(own, reach[left])
        chosen[left[to]] = darts[given]
        left = np.delete(left, to)
        placed = ~np.isnan(chosen[:, 0])
        there[1:] = [Taken(chosen[placed], reach[placed], plane.size)]
    return chosen


def near(region: Region, standing: Standing, reach: float, plane: Plane) -> Standing:
    """Those of all units that a hull inside a region could meet; on a torus all of them."""
    if plane.wraps:
        return standing
    (x, y), far = standing.position.T, reach + standing.reach
    some = (x > region.left - far) & (x < region.right + far)
    some &= (y > region.top - far) & (y < region.bottom + far)
    return Standing(standing.position[some], standing.reach[some])
