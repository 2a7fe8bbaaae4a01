"""Goals: what a group is told, in one frozen value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats, Ints
from sim.core.errors import BadInput, shortened
from sim.core.limits import (
    LARGEST,
    MOST_PLACES,
    MOST_PLACES_IN_ALL,
    check_kind,
    check_number_of_places,
    check_places,
    is_row,
    positive,
    real_numbers,
    within_reach,
)
from sim.core.spawn import Region
from sim.orders.formation import Formation
from sim.orders.goal_checks import GO as GO  # with the other kinds
from sim.orders.goal_checks import check_goal
from sim.orders.stop import places_of, stays_at, touched_once

Place = tuple[float, float]
Way = tuple[Place, ...]
Box = tuple[float, float, float, float]

FOLLOW, FLEE = "follow", "flee"
"""The kinds of goals to come along behind another group, and to get away from it."""
ALL_ROUTES = "goal.route of all units"


class Ways(NamedTuple):
    """The places that n units are sent to, in order."""

    points: Floats
    """(m, 2) those of all units, unit by unit."""
    counts: Ints
    """(n,) how many of them each unit has, at least one."""


@dataclass(frozen=True)
class Goal:
    """What a group is after: `kind` names what serves it, `target` another group.

    For places, which are of kind "go", use `Goal.to`, `Goal.along`, `Goal.across` or `Goal.into`.
    Common to these: `tolerance` (world units; one hull radius where None) is how near is there;
    `leave` takes units that arrive out of the world.
    """

    kind: str
    target: str = ""
    routes: tuple[Way, ...] = ()
    """Points to visit in order: one route for all, or one a unit."""
    mirror: Place | None = None
    """Each unit goes to its own place mirrored through this point."""
    region: Box | None = None
    """Anywhere inside left, top, right, bottom will do."""
    loop: bool = False
    tolerance: float | None = None
    leave: bool = False
    nearest: bool = False
    """Where no way leads to a place, the nearest to it that can be reached will do."""
    stays: tuple[tuple[tuple[float, ...], ...], ...] = ()
    """Beside `routes`: the seconds that units stay at each point, how (see `orders.stays`), and the
    heading of their formation; empty where they stay nowhere."""
    formation: Formation | None = None
    """How they stand round each point of the one route; None where all go to the point itself."""

    def __post_init__(self) -> None:
        check_goal(self)
        check_kind(self.formation, Formation, "goal.formation", 'Formation("wedge")')
        if self.formation is None:
            return
        if len(self.routes) != 1:
            raise BadInput("goal.formation: belongs to one point or one route for all")
        if self.stays and any(kind for _, kind, _ in self.stays[0]):
            raise BadInput("goal.route: a stop of a formation has wait, not serve")

    @classmethod
    def to(
        cls,
        points: ArrayLike | Region,
        *,
        tolerance: float | None = None,
        leave: bool = False,
        nearest: bool = False,
        formation: Formation | None = None,
    ) -> Goal:
        """To one point (2,) for all, round it in a formation if any; or to points (n, 2).

        A `Region` is `into`: it takes neither a tolerance nor a formation, nor `nearest`.
        """
        if isinstance(points, Region):
            if tolerance is not None or formation is not None or nearest:
                raise BadInput("goal: a Region takes no tolerance, formation or nearest")
            return cls.into(points, leave=leave)
        routes, near = tuple((place,) for place in _way(points)), _near(tolerance)
        return cls(
            GO, routes=routes, tolerance=near, leave=leave, nearest=nearest, formation=formation
        )

    @classmethod
    def along(
        cls,
        *routes: ArrayLike,
        loop: bool = False,
        tolerance: float | None = None,
        leave: bool = False,
        formation: Formation | None = None,
    ) -> Goal:
        """Along a route (k, 2) for all, in a formation if there is one, or along one route a unit.

        A place may be a `Stop`, at which units stay: `Stop(3, 4, wait=5)`, `Stop(3, 4, serve=2)`.
        At the last place of a route that is no loop they stay anyhow.
        """
        for route in routes:
            check_places(route, "goal.route", MOST_PLACES)
        ways = tuple(_way(places_of(route)) for route in routes)
        if not ways or not all(len(way) for way in ways):
            raise BadInput("goal.route: must have at least one point")
        check_number_of_places(sum(map(len, ways)), ALL_ROUTES, MOST_PLACES_IN_ALL)
        stays = tuple(stays_at(route) for route in routes)
        ways, stays = zip(*map(touched_once, ways, stays), strict=True)
        stays = stays if any(any(stay[0] for stay in each) for each in stays) else ()
        near = _near(tolerance)
        return cls(
            GO, routes=ways, loop=loop, tolerance=near, leave=leave, stays=stays,
            formation=formation,
        )  # fmt: skip

    @classmethod
    def patrol(
        cls,
        route: ArrayLike,
        *,
        tolerance: float | None = None,
        formation: Formation | None = None,
    ) -> Goal:
        """To and fro along a route (k, 2), over and over, in a formation if there is one."""
        check_places(route, "goal.patrol", MOST_PLACES // 2)
        there = [*route] if isinstance(route, list | tuple) else [*_way(route)]
        if len(there) < 2:
            raise BadInput("goal.patrol: must have at least two points")
        way = [*there, *there[-2:0:-1]]
        return cls.along(way, loop=True, tolerance=tolerance, formation=formation)

    @classmethod
    def across(
        cls, centre: ArrayLike, *, tolerance: float | None = None, leave: bool = False
    ) -> Goal:
        """To where each unit is now, mirrored through a centre (2,)."""
        if not is_row(centre, 2):
            raise BadInput(f"goal.antipode = {shortened(centre)}: must be a point (x, y)")
        (middle,) = _way(centre)
        return cls(GO, mirror=middle, tolerance=_near(tolerance), leave=leave)

    @classmethod
    def into(cls, region: Sequence[float] | Region, *, leave: bool = False) -> Goal:
        """Anywhere inside left, top, right, bottom, or a `Region`."""
        if isinstance(region, Region):
            region = (region.left, region.top, region.right, region.bottom)
        if not is_row(region, 4):
            raise BadInput(f"goal.region = {shortened(region)}: must be left, top, right, bottom")
        (left, top), (right, bottom) = _way(np.reshape(region, (2, 2)))
        if not (left < right and top < bottom):
            raise BadInput(f"goal.region = {list(region)}: left < right and top < bottom must hold")
        return cls(GO, region=(left, top, right, bottom), leave=leave)

    @property
    def for_all(self) -> bool:
        """Whether it serves any number of units: it does not name a place for each of them."""
        return len(self.routes) <= 1

    def part(self, members: Sequence[int]) -> Goal:
        """The same for some of the units that it has a route for each of."""
        stays = tuple(self.stays[member] for member in members) if self.stays else ()
        return replace(self, routes=tuple(self.routes[m] for m in members), stays=stays)

    def ways(self, position: Floats) -> Ways:
        """The places of n units that are now at `position` (n, 2).

        Raises `BadInput` where there is neither one for all nor one a unit.
        """
        n = len(position)
        if self.mirror is not None:
            return Ways(2 * np.array(self.mirror) - position, np.ones(n, np.int64))
        if self.region is not None:
            left, top, right, bottom = self.region
            middle = np.array([(left + right) / 2, (top + bottom) / 2])
            return Ways(np.tile(middle, (n, 1)), np.ones(n, np.int64))
        if len(self.routes) == 1:
            way = np.array(self.routes[0])
            check_number_of_places(n * len(way), ALL_ROUTES, MOST_PLACES_IN_ALL)
            return Ways(np.tile(way, (n, 1)), np.full(n, len(way)))
        if len(self.routes) != n:
            raise BadInput(f"goal: has {len(self.routes)} for {n} units; must be one a unit")
        places = np.array([place for way in self.routes for place in way])
        return Ways(places, np.array([len(way) for way in self.routes]))

    def stays_of(self, n: int, places: int) -> Floats:
        """(m, 3) how long and how n units stay at their places, as `stays` has it."""
        if not self.stays:
            return np.zeros((places, 3))
        each = self.stays * n if len(self.stays) == 1 else self.stays
        return np.array([stay for way in each for stay in way], dtype=float).reshape(-1, 3)

    def first(self, position: Floats) -> Floats:
        """(n, 2) the first place of each of n units that are now at `position` (n, 2)."""
        points, counts = self.ways(position)
        first: Floats = points[np.cumsum(counts) - counts]
        return first


def _way(points: ArrayLike) -> Way:
    """One point (2,) or several (k, 2)."""
    if isinstance(points, Goal):
        raise BadInput("goal: a Goal is given by `group.goal = ...`; this takes points (x, y)")
    if isinstance(points, Region):
        raise BadInput("goal: a Region is a goal as `go_to(region)`; this takes points (x, y)")
    try:
        places = real_numbers(points)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"goal: {shortened(points)} must be points (x, y) of numbers") from None
    if not places.size or places.shape[-1:] != (2,) or not np.isfinite(places).all():
        shown = shortened(places.tolist())
        raise BadInput(f"goal: {shown} must be points (x, y) of finite numbers")
    if not within_reach(places):
        shown = shortened(places.tolist())
        raise BadInput(f"goal: {shown} must be points (x, y) from {-LARGEST:g} to {LARGEST:g}")
    return tuple((x, y) for x, y in places.reshape(-1, 2).tolist())


def _near(tolerance: float | None) -> float | None:
    return None if tolerance is None else positive(tolerance, "goal.tolerance")
