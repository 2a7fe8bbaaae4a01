"""How far units have come: from place to place, and into regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel, inlined, leaf
from sim.core.geometry import image_near, short_way
from sim.core.units import Units
from sim.orders.filling import fill, to_stay_in_region
from sim.orders.minds import Minds

if TYPE_CHECKING:
    from sim.orders.orders import Orders


class Sent(NamedTuple):
    """Where all N units are sent, and how far each has come: these of `Orders`, for kernels."""

    points: Floats
    first: Ints
    tolerance: Floats
    radius: Floats
    region: Floats
    loop: Bools
    packs: Bools
    leg: Ints
    aim: Floats
    remaining: Floats


def go_on(orders: Orders, units: Units) -> None:
    """All units head for the next place of their ways; units new in a region take one in it."""
    minds = orders.minds
    sent = Sent(
        orders.points, orders.first, orders.tolerance, orders.radius, orders.region, orders.loop,
        orders.packs, orders.leg, orders.aim, orders.remaining,
    )  # fmt: skip
    before = minds.arrived.copy()
    size = orders.plane.size
    if any(_advance(units.position, units.present, size, tuple(sent), tuple(minds))):
        fill(orders, units, np.flatnonzero(minds.arrived & ~before & to_stay_in_region(orders)))


@inlined
def _apart(x, y, px, py, size):  # type: ignore[no-untyped-def]
    """Distance, on a torus the short way."""
    dx, dy = short_way(px - x, py - y, size)
    return np.sqrt(dx * dx + dy * dy)


@Kernel
def _advance(  # type: ignore[no-untyped-def]
    begin, end, position, present, size, sent, minds,
):  # fmt: skip
    """Bring each unit past the places that it is at, and set its aim and the way left.

    A unit that has arrived stops; one that has just come into a region goes on to a place in it.
    One that `packs` with others round one place goes on to the middle of it, as far as it can: from
    its edge the next push would drive it out. Returns whether any has just come into a region.
    """
    sent, minds = Sent(*sent), Minds(*minds)
    points, first, leg, region = sent.points, sent.first, sent.leg, sent.region
    moving, arrived, came = minds.moving, minds.arrived, False
    for i in range(begin, end):
        count = first[i + 1] - first[i]
        if count == 0 or not present[i]:
            continue
        x, y = position[i, 0], position[i, 1]
        outside = not np.isnan(region[i, 0]) and not arrived[i]
        if outside:
            at, (left, top, right, bottom) = first[i], region[i]
            u, v = image_near(x, y, (left + right) / 2, (top + bottom) / 2, size)
            arrived[i] = left <= u <= right and top <= v <= bottom
            came |= arrived[i]
            points[at, 0], points[at, 1] = _inside(u, v, region[i], sent.radius[i])
        for _ in range(count):
            at = first[i] + leg[i]
            if not _apart(x, y, points[at, 0], points[at, 1], size) <= sent.tolerance[i]:
                break
            if outside:
                break
            if leg[i] + 1 < count:
                leg[i] += 1
            elif sent.loop[i]:
                leg[i] = 0
            else:
                arrived[i] = True
                moving[i] = moving[i] and sent.packs[i]
                break
        at = first[i] + leg[i]
        sent.aim[i, 0], sent.aim[i, 1] = points[at, 0], points[at, 1]
        way = _apart(x, y, points[at, 0], points[at, 1], size)
        for k in range(at, first[i + 1] - 1):
            way += _apart(points[k, 0], points[k, 1], points[k + 1, 0], points[k + 1, 1], size)
        sent.remaining[i] = way
    return came


@leaf
def _inside(x, y, region, radius):  # type: ignore[no-untyped-def]
    """The nearest place in a region, two radii off its edges; the middle of a narrower one."""
    wide, high = (region[2] - region[0]) / 2, (region[3] - region[1]) / 2
    wide, high = wide - min(2 * radius, wide), high - min(2 * radius, high)
    px, py = x - (region[0] + region[2]) / 2, y - (region[1] + region[3]) / 2
    px, py = min(max(px, -wide), wide), min(max(py, -high), high)
    return px + (region[0] + region[2]) / 2, py + (region[1] + region[3]) / 2
