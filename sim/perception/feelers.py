"""Feelers: many rays at once against what stands still and, if asked, against the units' hulls.

Compiled, over a grid of cells: who has nothing within reach casts nothing. The engine's own rays
(`World.queries`) give the same hits one by one, and are there to check these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import ArrayLike, NDArray

from sim.compiled import Kernel
from sim.errors import BadInput
from sim.hull import Hull
from sim.perception.outlines import NOTHING, Hulls, Outlines, standing
from sim.perception.places import Places, places_now, places_of
from sim.perception.rays import room_at, trace
from sim.perception.sights import Feel
from sim.plane import Plane
from sim.solids import Solids
from sim.units import Units

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOBODY = -2
"""Whose hull is left out where nobody's is."""


class Hits(NamedTuple):
    """What k rays met first. Where they met nothing, shares are infinite and vectors NaN."""

    share: Floats
    """(k,) of the way from origin to tip; 0 for a ray that begins inside something."""
    point: Floats
    """(k, 2) where, along the ray: on a torus perhaps beyond the edge."""
    normal: Floats
    """(k, 2) unit vectors off the surface; from inside, the nearest way out."""
    kind: Ints
    """(k,) `NOTHING`, `DISC`, `BOX`, `WALL`, `BOUND` or `UNIT`."""
    who: Ints
    """(k,) which of its kind: a row of `Solids`, a side (left, top, right, bottom), a unit; -1."""


class Felt(NamedTuple):
    """What n units of a group feel with r rays each. Own frame: (ahead, starboard).

    Rays run ahead, parallel to the keel, from the line abeam of each unit's centre.
    """

    abreast: Floats
    """(r,) how far to starboard each ray runs, world units."""
    reach: Floats
    """(n,) how long the rays are, world units."""
    distance: Floats
    """(n, r) along the ray to what it meets first, so that (distance, abreast) is where; infinite
    for nothing, 0 for a ray that begins inside something."""
    normal: Floats
    """(n, r, 2) unit vectors off the surface; zeros for nothing."""
    middle: Floats
    """(n, r, 2) to the centre of the smallest circle round the whole thing; zeros for nothing."""
    extent: Floats
    """(n, r) the radius of this circle; 0 for nothing."""
    kind: Ints
    """(n, r) as in `Hits`."""
    who: Ints
    """(n, r) as in `Hits`."""


class Crowd:
    """The hulls of all units as things to meet, sorted into cells once for each snapshot."""

    def __init__(self, plane: Plane, hulls: Sequence[Hull], group: NDArray[np.int64]) -> None:
        self._plane, self._hulls = plane, Hulls(hulls, group)
        self._of: Units | None = None
        self._margin = 0.0

    def stand(self, units: Units, margin: float = 0.0) -> tuple[Outlines, Places]:
        """Outlines and cells of a snapshot, for rays no thicker than the margin."""
        if units is not self._of or margin > self._margin:
            self._of, self._margin = units, margin
            outlines = self._hulls.lay(units)
            self._places = places_now(outlines, self._plane, margin)
        return self._hulls.outlines, self._places


class Feelers:
    """Casts rays in a world: on any plane, against its solids and, if given, its units."""

    def __init__(self, plane: Plane, solids: Solids) -> None:
        self._plane, self._outlines = plane, standing(solids, plane)
        self._places: dict[float, Places] = {}

    def cast(
        self,
        origin: ArrayLike,
        tip: ArrayLike,
        radius: float = 0.0,
        *,
        crowd: tuple[Outlines, Places] | None = None,
        own: ArrayLike = NOBODY,
    ) -> Hits:
        """Cast rays from origins to tips (k, 2), each `radius` (world units) thick to either side.

        `crowd` comes from `Crowd.stand` for that radius or more; `own` (k,) are the rows of the
        units that cast, whose own hulls are in nobody's way. A ray of no length meets what it is
        in; one that is not finite meets nothing. A wall met end-on has no thickness to be met.
        """
        starts, ends = _pairs(origin), _pairs(tip)
        if starts.shape != ends.shape:
            raise BadInput(f"rays: {len(starts)} origins and {len(ends)} tips: must be as many")
        k = len(starts)
        hits = Hits(
            np.empty(k), np.empty((k, 2)), np.empty((k, 2)),
            np.empty(k, np.int64), np.empty(k, np.int64),
        )  # fmt: skip
        casters = np.broadcast_to(np.asarray(own, dtype=np.int64), k).copy()
        _cast(starts, ends, casters, radius, self._outlines, self._standing(radius), False, *hits)
        if crowd is not None:
            _cast(starts, ends, casters, radius, *crowd, True, *hits)
        return hits

    def clear(self, origin: ArrayLike, tip: ArrayLike, radius: float = 0.0) -> NDArray[np.bool_]:
        """(k,) whether a disc of that radius can go straight from origin to tip: no solid is hit.

        To touch one is to hit it.
        """
        return np.isinf(self.cast(origin, tip, radius).share)

    def feel(
        self,
        feel: Feel,
        units: Units,
        rows: slice,
        hull: Hull,
        out: Felt,
        crowd: tuple[Outlines, Places] | None = None,
    ) -> None:
        """Fill `out` with what the units of some rows feel, by a request without names in it."""
        out.abreast[:] = np.array(feel.abreast) * hull.width
        lengths, seconds = float(feel.lengths) * hull.length, float(feel.seconds)
        mine = units.position[rows], units.velocity[rows], units.heading[rows]
        scope = rows.start, lengths, seconds
        _feel(*mine, *scope, self._outlines, self._standing(0.0), False, *out)
        if crowd is not None:
            _feel(*mine, *scope, *crowd, True, *out)

    def _standing(self, radius: float) -> Places:
        """The cells of the solids for rays so thick, made when first asked for."""
        if not 0 <= radius < np.inf:
            raise BadInput(f"radius = {radius}: must be a finite number, 0 or greater")
        if radius not in self._places:
            self._places[radius] = places_of(self._outlines, self._plane, radius)
        return self._places[radius]


def room_to_feel(n: int, rays: int) -> Felt:
    """Memory for what n units feel with so many rays."""
    vectors = np.zeros((2, n, rays, 2))
    return Felt(
        np.zeros(rays), np.zeros(n), np.zeros((n, rays)), vectors[0], vectors[1],
        np.zeros((n, rays)), np.zeros((n, rays), np.int64), np.zeros((n, rays), np.int64),
    )  # fmt: skip


@Kernel
def _cast(  # type: ignore[no-untyped-def]
    starts, ends, casters, radius, outlines, places, more, share, point, normal, kind, who
):
    """The first hit of each ray; with `more`, only where it comes before the one there is."""
    for i in prange(len(starts)):
        x, y = starts[i, 0], starts[i, 1]
        dx, dy = ends[i, 0] - x, ends[i, 1] - y
        own = casters[i] if more else NOBODY
        t, k, nx, ny, _sx, _sy = trace(x, y, dx, dy, radius, own, outlines, places)
        if more and t >= share[i]:
            continue
        share[i], kind[i], who[i] = t, NOTHING, -1
        point[i], normal[i] = np.nan, np.nan
        if k >= 0:
            kind[i], who[i] = outlines.kind[k], outlines.who[k]
            point[i, 0], point[i, 1] = x + t * dx, y + t * dy
            normal[i, 0], normal[i, 1] = nx, ny
    return 0


@Kernel
def _feel(  # type: ignore[no-untyped-def]
    position, velocity, heading, start, lengths, seconds, outlines, places, more,
    abreast, far, distance, normal, middle, extent, kind, who,
):  # fmt: skip
    """The same for r rays parallel to the keel of each unit, in its own frame."""
    aside = np.abs(abreast).max()
    for i in prange(len(position)):
        x, y, c, s = position[i, 0], position[i, 1], heading[i, 0], heading[i, 1]
        speed = np.sqrt(velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
        reach = lengths + seconds * speed
        own = start + i if more else NOBODY
        if not more:
            far[i] = reach
            distance[i], extent[i], kind[i], who[i] = np.inf, 0.0, NOTHING, -1
            normal[i], middle[i] = 0.0, 0.0
        if not np.isfinite(reach + x) or room_at(x, y, places) > reach + aside:
            continue
        for r in range(len(abreast)):
            from_x, from_y = x - s * abreast[r], y + c * abreast[r]
            t, k, nx, ny, sx, sy = trace(
                from_x, from_y, reach * c, reach * s, 0.0, own, outlines, places
            )
            if k < 0 or t * reach >= distance[i, r]:
                continue
            distance[i, r], extent[i, r] = t * reach, outlines.extent[k]
            kind[i, r], who[i, r] = outlines.kind[k], outlines.who[k]
            normal[i, r, 0], normal[i, r, 1] = c * nx + s * ny, c * ny - s * nx
            mx, my = outlines.middle[k, 0] + sx - x, outlines.middle[k, 1] + sy - y
            middle[i, r, 0], middle[i, r, 1] = c * mx + s * my, c * my - s * mx
    return 0


def _pairs(values: ArrayLike) -> Floats:
    return np.ascontiguousarray(np.asarray(values, dtype=float).reshape(-1, 2))
