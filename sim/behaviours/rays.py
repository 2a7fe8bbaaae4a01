"""Going round what three rays ahead meet (rules B6, B7)."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numba import prange

from sim.behaviours.curves import side_of
from sim.behaviours.table import Terms, Within, rule
from sim.compiled import Kernel, inlined
from sim.perception.percepts import Floats, Percepts
from sim.perception.sights import Feel

Ahead = Annotated[float, Within(0, 1e4, "how far the rays reach at rest, hull lengths")]
Foresight = Annotated[float, Within(0, 60, "and how much further, seconds of travel")]
Near = Annotated[float, Within(0, 1e4, "gap ahead from where on nothing else counts, lengths")]
Brake = Annotated[float, Within(1e-3, 1e4, "gap ahead below which a unit slows down, lengths")]
Merge = Annotated[float, Within(0, 1e4, "hits that differ by less are one obstacle, lengths")]
Others = Annotated[bool, Within(0, 1, "whether units are felt, too")]
Clearance = Annotated[float, Within(0, 1e4, "room to leave beside the hull, hull widths")]
RAYS = (-0.95, -0.65, 0.0, 0.65, 0.95)
"""Hull widths. The inner three feel the swept width and a little room beside it; the outer two feel
where not to turn back to, so that a unit passes on a steady course."""
OFF = 0.5
"""The most that a surface too near pushes off, in desired speeds."""
SHY = 0.2
"""How far off a unit bears from what is close beside it, a share of its way ahead."""
SLANT, SQUARELY = 3.0, 8.0
"""How much more the way round is told by the rays to either side, and along a wall by its slant,
than by where the middle lies (1 at the rim)."""
LONG = 4.0
"""What reaches so many hull widths from its middle begins to be a wall: something to go along."""
SWING = 2.0
"""How much a turn of 1 rad/s says: whoever has begun to turn one way goes on. Without
it a unit in the cleft between two things would avoid now the one and now the other."""


@rule("obstacles", feels=Feel(RAYS, lengths="ahead", seconds="foresight", units="others"))
def ray_avoidance(
    me: Percepts,
    *,
    ahead: Ahead = 2.0,  # noqa: ARG001 - read by the feelers
    foresight: Foresight = 2.0,  # noqa: ARG001 - read by the feelers
    near: Near = 1.0,
    clearance: Clearance = 0.15,
    brake: Brake = 0.5,
    merge: Merge = 1.0,
    others: Others = False,  # noqa: ARG001 - read by the feelers
) -> Terms:
    """Pass beside the nearest thing that three rays meet, as a near miss (rules B6, B7).

    The direction is the tangent to the smallest circle round it, widened by the hull and the
    clearance, hence the more aside the nearer it is; within that circle it is along the surface.
    Things met almost as near count as one, in a circle round all: a unit does not waver between
    two that overlap. The term grows to 1 at the gap `near`, and shrinks again when the gap is too
    small to go on: then the unit stands, turns, and backs off.
    """
    return _ways(me, near, clearance, brake, merge)[0]


def hits_that_count(me: Percepts, merge: float = 1.0) -> Floats:
    """Own-frame places (n, 2) of the hits that `ray_avoidance` avoids; NaN for no hit."""
    return _ways(me, 1.0, 0.15, 1.0, merge)[1]


def _ways(
    me: Percepts, near: float, clearance: float, brake: float, merge: float
) -> tuple[Floats, Floats]:
    """(n, 2) terms, and the hits that count."""
    felt, length = me.felt, me.hull.length
    out, hit = np.empty((2, *me.velocity.shape))
    assert felt is not None
    _pass(
        felt.distance, felt.normal, felt.middle, felt.extent, felt.kind, felt.who, felt.abreast,
        felt.reach, length / 2, me.hull.width * (0.5 + clearance), near * length, brake * length,
        merge * length, me.units.spin[me.rows], out, hit,
    )  # fmt: skip
    return out, hit


@inlined
def _cover(x, y, radius, u, v, other):  # type: ignore[no-untyped-def]
    """The smallest circle round two circles."""
    dx, dy = u - x, v - y
    apart = np.sqrt(dx * dx + dy * dy)
    if apart + other <= radius:
        return x, y, radius
    if apart + radius <= other:
        return u, v, other
    whole = (apart + radius + other) / 2
    share = (whole - radius) / apart
    return x + share * dx, y + share * dy, whole


@inlined
def _merged(i, first, merge, room, distance, normal, middle, extent, kind, who):  # type: ignore[no-untyped-def]
    """Circle and mean normal of what one ray meets, and of all that others meet about as near.

    Unless there is room to pass between them.
    """
    x, y, radius = middle[i, first, 0], middle[i, first, 1], extent[i, first]
    nx, ny = normal[i, first, 0], normal[i, first, 1]
    for r in range(1, distance.shape[1] - 1):
        if r == first or not 0.0 < distance[i, r] <= distance[i, first] + merge:
            continue
        if kind[i, r] != kind[i, first] or who[i, r] != who[i, first]:
            u, v, other = middle[i, r, 0], middle[i, r, 1], extent[i, r]
            if np.sqrt((u - x) ** 2 + (v - y) ** 2) > radius + other + 2 * room:
                continue
            x, y, radius = _cover(x, y, radius, u, v, other)
        # Two sides of one corner count together, too.
        nx, ny = nx + normal[i, r, 0], ny + normal[i, r, 1]
    size = np.sqrt(nx * nx + ny * ny)
    if size < 1e-6:
        return x, y, radius, -1.0, 0.0
    return x, y, radius, nx / size, ny / size


@inlined
def _beside(x, y, radius, nx, ny, sway, room):  # type: ignore[no-untyped-def]
    """Unit vector that passes beside a circle (tangent), or along the surface within it."""
    lean = sway - y / max(radius, 1e-9)
    # Met squarely, in the middle: it counts as being to port, and is passed to starboard.
    side = -side_of(-lean, 1.0)
    apart, wide = np.sqrt(x * x + y * y), radius + room
    if apart <= wide:
        return side * ny, -side * nx
    sine = wide / apart
    cosine = np.sqrt(1.0 - sine * sine)
    u, v = x / apart, y / apart
    return cosine * u - side * sine * v, side * sine * u + cosine * v


@inlined
def _weight(way, reach, near):  # type: ignore[no-untyped-def]
    """From 0 for what is met at the end of a ray to 1 for what is near."""
    return min(max((reach - way) / max(reach - near, 1e-9), 0.0), 1.0)


@inlined
def _beyond(way):  # type: ignore[no-untyped-def]
    """Where an outer ray meets something; what it begins in is left behind already."""
    return way if way > 0.0 else np.inf


@Kernel
def _pass(  # type: ignore[no-untyped-def]
    distance, normal, middle, extent, kind, who, abreast, reach, bow, room, near, brake, merge,
    spin, out, hit,
):  # fmt: skip
    for i in prange(len(distance)):
        out[i], hit[i] = 0.0, np.nan
        first, beside, shy = 2, False, 0.0
        for r in (1, 3):
            # Of rays that meet something as near, the one nearest to the keel. A ray that begins
            # in something tells that it is beside the unit, and not which way round it is.
            if distance[i, r] == 0.0:
                beside, shy = True, shy - np.sign(abreast[r]) * SHY
            if 0.0 < distance[i, r] < distance[i, first]:
                first = r
        way, aside = distance[i, first], abreast[first]
        if not way <= reach[i]:
            way = min(_beyond(distance[i, 0]), _beyond(distance[i, 4]))
            out[i, 0] = 1.0 if beside else _weight(way, reach[i], bow + near)
            out[i, 1] = shy
            continue
        hit[i, 0], hit[i, 1] = way, aside
        x, y, radius, nx, ny = _merged(
            i, first, merge, room, distance, normal, middle, extent, kind, who
        )
        # More room to starboard: the outer rays tell, without a threshold that it could flip at.
        slant = _weight(distance[i, 0], reach[i], bow) - _weight(distance[i, 4], reach[i], bow)
        long = max(1.0 - LONG * room / max(radius, room), 0.0)
        sway = SLANT * slant + SQUARELY * long * normal[i, first, 1]
        sway += SWING * spin[i]
        u, v = _beside(x, y, radius, nx, ny, sway, room)
        weight = _weight(way, reach[i], bow + near)
        # Whoever would run into it on the way slows down; who is too near is pushed off.
        closing = max(-(u * nx + v * ny), 0.0)
        pace = 1.0 - closing * (1.0 - min(max((way - bow) / brake, 0.0), 1.0))
        off = (room + nx * way + ny * aside) / max(room - bow, 1e-9)
        off = min(max(off, 0.0), OFF)
        out[i, 0] = weight * (pace * u + off * nx) + ((1.0 - weight) if beside else 0.0)
        out[i, 1] = weight * (pace * v + off * ny) + (1.0 - weight) * shy
    return 0
