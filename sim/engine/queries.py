"""What the engine's own spatial queries tell: rays, free places, and the unit at a point.

Each call asks the engine in Python, one ray or place at a time: right for a few hundred a step.
Shapes stand where the last step left them. On a torus everything is asked across the seam too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pymunk
from numpy.typing import ArrayLike

from sim.core.arrays import NO_ROW, Bools, Floats, Ints
from sim.core.errors import BadInput, shortened
from sim.core.hull import Hull
from sim.core.limits import LARGEST, in_range, real_numbers, rows_of_own, within_reach
from sim.core.limits import places as checked
from sim.core.plane import MOST_ROUNDS, Plane
from sim.engine.bridge import Bridge
from sim.engine.build import make_body
from sim.engine.numbers import own_filter
from sim.engine.placing import TOUCH, Place, depth

ANYTHING = pymunk.ShapeFilter()


class Hits(NamedTuple):
    """What k rays met first; NaN where they met nothing."""

    hit: Bools
    """(k,) whether anything was met."""
    fraction: Floats
    """(k,) of the way from start to end."""
    normal: Floats
    """(k, 2) unit vectors off the surface met."""
    point: Floats
    """(k, 2) on that surface, by the image nearest to the ray."""
    row: Ints
    """(k,) the unit met; -1 for a solid, a user's own body, or nothing."""


class Queries:
    """Asks the space of a world. Get one from `World.queries`."""

    def __init__(self, space: pymunk.Space, plane: Plane, get_bridge: Callable[[], Bridge]) -> None:
        self._space, self._plane, self._get_bridge = space, plane, get_bridge

    @property
    def _bridge(self) -> Bridge:
        """To the units that there are when it is asked."""
        return self._get_bridge()

    def rays(
        self, starts: ArrayLike, ends: ArrayLike, radius: float = 0.0, own: ArrayLike | None = None
    ) -> Hits:
        """Cast rays from starts (k, 2) to ends (k, 2), each `radius` thick to either side.

        `own` (k,) holds the rows of the units that cast them, whose own hulls are in no unit's way.
        """
        starts = self._somewhere(starts, "rays: start")
        ends = self._somewhere(ends, "rays: end", len(starts))
        self._plane.check_reach(starts, ends, "rays")
        radius = _room(radius, "radius")
        k, rows = len(starts), self._bridge.rows()
        filters = self._filters(own, k)
        hits = Hits(
            np.zeros(k, np.bool_), np.full(k, np.nan), np.full((k, 2), np.nan),
            np.full((k, 2), np.nan), np.full(k, NO_ROW),
        )  # fmt: skip
        for n in range(k):
            for shift in self._shifts(starts[n], ends[n], radius):
                a, b = _place(starts[n] + shift), _place(ends[n] + shift)
                met = self._first(a, b, radius, filters[n])
                if met is None or (hits.hit[n] and met.alpha >= hits.fraction[n]):
                    continue
                hits.hit[n], hits.fraction[n], hits.normal[n] = True, met.alpha, met.normal
                hits.point[n] = met.point - shift
                hits.row[n] = rows.get(_body(met.shape), NO_ROW)
        return hits

    def overlaps(
        self, hull: Hull, places: ArrayLike, angles: ArrayLike, own: ArrayLike | None = None
    ) -> Bools:
        """(k,) whether a hull at each of the places (k, 2), at the angles (k,), hits anything.

        `own` (k,) holds rows of units that do not count, one a place. Touching is no overlap.
        """
        if not isinstance(hull, Hull):
            raise BadInput(f"hull = {shortened(hull)}: must be a Hull, such as Hull.disc(0.5)")
        places = self._somewhere(places, "places")
        try:
            turned = np.broadcast_to(real_numbers(angles), len(places))
        except (TypeError, ValueError, OverflowError):
            turned = np.full(1, np.nan)
        if not within_reach(turned):
            raise BadInput(f"angles = {shortened(angles)}: must be finite numbers, one a place")
        body, shape = make_body(hull)
        found, filters = np.zeros(len(places), np.bool_), self._filters(own, len(places))
        for n, angle in enumerate(turned.tolist()):
            shape.filter = filters[n]
            body.angle = angle
            for shift in self._shifts(places[n], places[n], hull.reach):
                body.position = _place(places[n] + shift)
                met = self._space.shape_query(shape)
                found[n] |= any(depth(hit.contact_point_set) > TOUCH * hull.radius for hit in met)
        return found

    def clear(
        self, hull: Hull, places: ArrayLike, angles: ArrayLike, own: ArrayLike | None = None
    ) -> Bools:
        """(k,) the places where a hull has room; the opposite of `overlaps`."""
        return ~self.overlaps(hull, places, angles, own)

    def pick(self, point: tuple[float, float], within: float = 0.0) -> int | None:
        """The row of the unit at a point, or else nearest within a distance; None for none."""
        (here,) = self._somewhere(point, "point", 1)
        rows, within = self._bridge.rows(), _room(within, "within")
        found = [
            (met.distance, rows[_body(met.shape)])
            for shift in self._shifts(here, here, within)
            for met in self._space.point_query(_place(here + shift), within, ANYTHING)
            if _body(met.shape) in rows
        ]
        return min(found)[1] if found else None

    def _first(
        self, start: Place, end: Place, radius: float, seen: pymunk.ShapeFilter
    ) -> pymunk.SegmentQueryInfo | None:
        """What one ray meets first.

        The engine's own query looks for a thick ray along its middle line only, so that those which
        its edge alone meets have to be looked for in a box.
        """
        if radius == 0:
            return self._space.segment_query_first(start, end, 0.0, seen)
        low, high = np.minimum(start, end) - radius, np.maximum(start, end) + radius
        near = self._space.bb_query(pymunk.BB(*low.tolist(), *high.tolist()), seen)
        met = (shape.segment_query(start, end, radius) for shape in near)
        return min((m for m in met if m and m.shape), key=lambda m: m.alpha, default=None)

    def _somewhere(self, values: ArrayLike, where: str, count: int | None = None) -> Floats:
        """Places (k, 2) that the engine can look at."""
        found = checked(values, where, count)
        if not np.isfinite(found).all():
            raise BadInput(f"{where}: must be finite numbers")
        return found

    def _filters(self, own: ArrayLike | None, count: int) -> list[pymunk.ShapeFilter]:
        """What each of `count` questions leaves out: the hull of its own unit, and its twins."""
        if own is None:
            return [ANYTHING] * count
        bodies, seam = self._bridge.bodies, self._bridge.seam
        for twin, row in zip(seam.bodies, seam.row.tolist(), strict=True):
            for shape in twin.shapes:
                shape.filter = own_filter(bodies[row] if row >= 0 else None)
        rows = rows_of_own(own, count).tolist()
        if max(rows, default=NO_ROW) >= len(bodies):
            raise BadInput(f"own = {shortened(own)}: must be rows of units, below {len(bodies)}")
        return [own_filter(bodies[row] if row >= 0 else None) for row in rows]

    def _shifts(self, start: Floats, end: Floats, radius: float) -> Iterator[Floats]:
        """By how many periods to move a ray: once for each of its images that enters the torus."""
        if not self._plane.wraps:
            yield np.zeros(2)
            return
        margin = min(radius + self._bridge.seam.reach, MOST_ROUNDS * float(self._plane.size.min()))
        low = np.minimum(start, end) - margin
        high = np.maximum(start, end) + margin
        origin, size = self._plane.origin, self._plane.size
        first, last = np.ceil((origin - high) / size), np.floor((origin + size - low) / size)
        for across in range(int(first[0]), int(last[0]) + 1):
            for down in range(int(first[1]), int(last[1]) + 1):
                yield size * (across, down)


def _body(shape: pymunk.Shape | None) -> int:
    """The id of a shape's body; -1 without one."""
    return shape.body.id if shape and shape.body else -1


def _place(point: Floats) -> Place:
    return float(point[0]), float(point[1])


def _room(value: float, where: str) -> float:
    if not in_range(value, 0, LARGEST):
        raise BadInput(f"{where} = {shortened(value)}: must be a finite number, 0 or greater")
    return float(value)


def bodies_in(space: pymunk.Space, box: tuple[float, float, float, float]) -> list[int]:
    """The ids of bodies whose shapes reach into a box (left, top, right, bottom), a shape each."""
    found = space.bb_query(pymunk.BB(*box), ANYTHING)
    return [shape.body.id for shape in found if shape.body is not None]
