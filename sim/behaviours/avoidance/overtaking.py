"""Overtaking: going round a slower unit that walks the same way steadily."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.clearance import clear
from sim.behaviours.avoidance.nearest import HULL, HX, HY, PACE, RESTING, VX, VY, X, Y
from sim.core.arrays import NO_ROW
from sim.core.compiled import built_in, leaf
from sim.core.geometry import to_world

ALONGSIDE = 0.8
"""Cosine of the angle within which a neighbour walks the way wanted."""
STEADY = 0.9
"""A unit that makes this share of its own desired speed is not held up itself."""


@built_in
def overtaken(met, found, quarry, ground, me, wish, manners):  # type: ignore[no-untyped-def]
    """The velocity that overtakes, which neighbour (or `NO_ROW`), the side: 1 starboard, -1 port.

    That is the first in one's lane, if it keeps its own pace, is slower than one wants to be and
    would be met within the horizon, and if there is room beside it till one has passed. A unit
    that waits for others does not keep its own pace: a queue is not overtaken. The velocity is the
    quickest that leads past it on that side; with none to overtake it is `wish`, the one wanted.
    The `quarry` (its number, or `NO_ROW`) is not overtaken: one comes up to it, and stays behind.
    """
    wx, wy = wish
    want = max(np.sqrt(wx * wx + wy * wy), 1e-300)
    u, v = wx / want, wy / want
    for n in range(found):
        radius = manners.reach * (1.0 + manners.margin) + met[HULL + n]
        along, across = u * met[X + n] + v * met[Y + n], u * met[Y + n] - v * met[X + n]
        if along <= 0.0 or abs(across) >= radius:
            continue
        pace = u * met[VX + n] + v * met[VY + n]
        closing = want - pace
        if (
            n == quarry or met[PACE + n] == RESTING
            or u * met[HX + n] + v * met[HY + n] < ALONGSIDE
            or pace > manners.overtake * want or pace < STEADY * met[PACE + n]
            or along - radius > closing * manners.horizon
        ):  # fmt: skip
            break
        takes = (along + radius) / closing
        side = 1 if across <= 0.0 else -1
        for _ in range(2):
            lane = across + side * radius
            if _free(met, found, n, (u, v, want), lane, takes, manners.reach) and _open(
                ground, me, (u, v), lane, along, radius, manners.reach
            ):
                return *_past(met, n, radius, side, want), n, side
            side = -side
        break
    return wx, wy, NO_ROW, 0


@leaf
def _past(met, n, radius, side, speed):  # type: ignore[no-untyped-def]
    """The velocity of that speed that leads past a unit that moves on."""
    x, y, vx, vy = met[X + n], met[Y + n], met[VX + n], met[VY + n]
    leg = np.sqrt(max(x * x + y * y - radius * radius, 0.0))
    tx, ty = x * leg - side * y * radius, side * x * radius + y * leg
    size = np.sqrt(tx * tx + ty * ty)
    tx, ty = tx / size, ty / size
    along = vx * tx + vy * ty
    more = np.sqrt(max(along * along + speed * speed - vx * vx - vy * vy, 0.0)) - along
    return vx + more * tx, vy + more * ty


@leaf
def _free(met, found, slow, way, lane, takes, reach):  # type: ignore[no-untyped-def]
    """Whether one would run into no unit in a lane in the time that it takes to pass.

    `way` is the direction (u, v) and the speed wanted; `slow` the one that is overtaken.
    """
    u, v, want = way
    for n in range(found):
        along, across = u * met[X + n] + v * met[Y + n], u * met[Y + n] - v * met[X + n]
        radius = reach + met[HULL + n]
        if n == slow or along < -radius or abs(across - lane) >= radius:
            continue
        if along - radius < (want - u * met[VX + n] - v * met[VY + n]) * takes:
            return False
    return True


@leaf
def _open(ground, me, way, lane, along, radius, reach):  # type: ignore[no-untyped-def]
    """Whether nothing solid stands in a lane from here to past the unit that is overtaken.

    `me` holds the place and the heading of the unit, `way` its direction in its own frame.
    """
    x, y = me.x, me.y
    u, v = to_world(way[0], way[1], me.cosine, me.sine)
    for step in range(4):
        forth = (0.0, 0.5 * along, along, along + radius)[step]
        aside = 0.5 * lane if step == 0 else lane
        if not clear(ground, x + u * forth - v * aside, y + v * forth + u * aside, reach):
            return False
    return True
