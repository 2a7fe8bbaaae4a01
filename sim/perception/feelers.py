"""Feelers: many rays at once against what stands still and, if asked, against the units' hulls.

Compiled, over a grid of cells: units with nothing within reach cast nothing. The engine's own rays
(`World.queries`) give the same hits one by one, and are there to check these.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel
from sim.core.errors import BadInput, shortened
from sim.core.hull import Hull
from sim.core.limits import LARGEST, check_kind, in_range, places, rows_of_own
from sim.core.own import as_amount
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.bodies import Bodies
from sim.perception.felt import Felt, Rays, feel_ahead
from sim.perception.outlines import NOTHING, Joined, Outlines, joined
from sim.perception.places import Things
from sim.perception.rays import NO_HULL, Ray, named, sweep
from sim.perception.sights import Feel
from sim.perception.still import Listed

KEEL = np.zeros(1)
"""A ray alone runs along the keel."""


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


class Feelers:
    """Casts rays in a world: on any plane, against its solids and, if given, its units."""

    def __init__(self, plane: Plane, solids: Listed) -> None:
        self._plane, self._solids = plane, solids
        self._known: dict[float, Things] = {}
        self._joins: dict[float, Joined] = {}

    def joined(self, more: Outlines, known: Solids) -> Feelers:
        """Feelers that feel some more outlines as well; `known` are the solids felt so far."""
        return Feelers(self._plane, self._solids.joined(more, known))

    def cast(
        self,
        origin: ArrayLike,
        tip: ArrayLike,
        radius: float = 0.0,
        *,
        crowd: Things | None = None,
        own: ArrayLike = NO_HULL,
    ) -> Hits:
        """Cast rays from origins to tips (k, 2), each `radius` (world units) thick to either side.

        `crowd` comes from `Crowd.stand` for that radius or more; `own` (k,) are the rows of the
        units that cast, whose own hulls are in no unit's way. A ray of no length meets what it is
        in; one that is not finite meets nothing. A wall met end-on has no thickness to be met.
        """
        starts = places(origin, "rays: origin")
        ends = places(tip, "rays: tip")
        if starts.shape != ends.shape:
            raise BadInput(f"rays: {len(starts)} origins and {len(ends)} tips: must be as many")
        self._plane.check_reach(starts, ends, "rays")
        k = len(starts)
        hits = Hits(
            np.full(k, np.inf), np.full((k, 2), np.nan), np.full((k, 2), np.nan),
            np.full(k, NOTHING), np.full(k, -1),
        )  # fmt: skip
        casters = rows_of_own(own, k)
        check_kind(crowd, Things, "crowd", "what Crowd.stand returns")
        things = self._things(radius)  # which checks it
        _cast(
            np.hstack([starts, ends]), casters, Casting(float(radius), crowd is not None), things,
            things if crowd is None else crowd,
            Found(
                KEEL, hits.share[:, None], hits.normal[:, None], np.empty((k, 1, 2)),
                hits.who[:, None], hits.kind[:, None], hits.point,
            ),
        )  # fmt: skip
        return hits

    def clear(self, origin: ArrayLike, tip: ArrayLike, radius: float = 0.0) -> Bools:
        """(k,) whether a disc of that radius can go straight from origin to tip: no solid is hit.

        To touch one is to hit it.
        """
        return np.isinf(self.cast(origin, tip, radius).share)

    def feel(self, feel: Feel, bodies: Bodies, hull: Hull, out: Felt, crowd: Things | None) -> None:
        """Fill `out` with what the units of a group feel, by a request without names in it.

        `crowd` comes from `Crowd.stand`, with a margin of how far aside the rays feel.
        """
        out.abreast[:] = np.array(feel.abreast) * hull.width
        things = self._things(feel.aside * hull.width)
        given = feel.lengths, feel.seconds, feel.beside, feel.joins
        lengths, seconds, beside, joins = map(as_amount, given)
        rays = Rays(
            lengths * hull.length, seconds, feel.thick * hull.width, (0.5 + beside) * hull.width,
            joins * hull.length, crowd is not None, *self._joined(hull.width),
        )  # fmt: skip
        records = out, bodies, rays, things, things if crowd is None else crowd
        feel_ahead(out.reach, *map(tuple, records))

    def _joined(self, room: float) -> Joined:
        """Which solids leave no more room than that between them, found when first asked for."""
        if room not in self._joins:
            self._joins[room] = joined(self._solids.outlines, self._plane, room)
        return self._joins[room]

    def _things(self, radius: float) -> Things:
        """The solids in cells for rays so thick, made when first asked for."""
        if not in_range(radius, 0, LARGEST):
            raise BadInput(f"radius = {shortened(radius)}: must be a finite number, 0 or greater")
        if radius not in self._known:
            self._known[radius] = Things.of(self._solids.outlines, self._solids.within(radius))
        return self._known[radius]


class Casting(NamedTuple):
    """How rays are cast."""

    radius: float
    peopled: bool
    """Whether other units are met, too."""


class Found(NamedTuple):
    """What k rays met, a ray a row, as `sweep` writes it, and what `Hits` holds beside that."""

    abreast: Floats
    distance: Floats
    normal: Floats
    middle: Floats
    who: Ints
    kind: Ints
    point: Floats


@Kernel
def _cast(begin, end, ways, casters, casting, solids, crowd, found):  # type: ignore[no-untyped-def]
    """The first hit of each ray; `ways` (k, 4) are their origins and tips."""
    share, kind, who, point = found.distance, found.kind, found.who, found.point
    for i in range(begin, end):
        x, y = ways[i, 0], ways[i, 1]
        dx, dy = ways[i, 2] - x, ways[i, 3] - y
        length = np.sqrt(dx * dx + dy * dy)
        ux, uy = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
        ray = Ray(x, y, ux, uy, length)
        sweep(ray, casting.radius, NO_HULL, 0, solids, i, found)
        if casting.peopled:
            sweep(ray, casting.radius, casters[i], len(solids.name), crowd, i, found)
        if who[i, 0] >= 0:
            point[i, 0], point[i, 1] = x + share[i, 0] * ux, y + share[i, 0] * uy
            share[i, 0] = share[i, 0] / length if length > 0.0 else 0.0
            kind[i, 0], who[i, 0] = named(who[i, 0], solids.name, crowd.name)
