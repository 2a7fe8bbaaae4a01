"""Overtaking: going round somebody who walks one's own way steadily, but slower."""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.behaviours.room import clear, turned

NOBODY = -1
ALONGSIDE = 0.8
"""Cosine of the angle within which somebody walks the way one wants to go."""
STEADY = 0.9
"""Who makes this share of its own desired speed is not held up itself."""


@njit(cache=True, error_model="numpy")
def overtaken(  # type: ignore[no-untyped-def]
    near, found, index, ahead, starboard, minds, velocity, headings, radii, ground, place, c, s,
    wx, wy, reach, manners,
):  # fmt: skip
    """The velocity that overtakes, whom of the nearest (`NOBODY`), the side: 1 starboard, -1 port.

    That is the first in one's lane, if it keeps its own pace, is slower than one wants to be and
    would be met within the horizon, and if there is room beside it till one has passed. Who waits
    for others does not keep its own pace: a queue is not overtaken. The velocity is the quickest
    that leads past it on that side; without anybody to overtake it is (wx, wy), what is wanted.
    """
    want = max(np.sqrt(wx * wx + wy * wy), 1e-300)
    x, y = wx / want, wy / want
    for n in range(found):
        k, j = near[n], index[near[n]]
        radius = reach * (1.0 + manners.margin) + radii[j]
        along, across = x * ahead[k] + y * starboard[k], x * starboard[k] - y * ahead[k]
        if along <= 0.0 or abs(across) >= radius:
            continue
        vx, vy = turned(velocity[j, 0], velocity[j, 1], c, s)
        hx, hy = turned(headings[j, 0], headings[j, 1], c, s)
        pace = x * vx + y * vy
        closing = want - pace
        if (
            not minds.moving[j] or x * hx + y * hy < ALONGSIDE or pace > manners.overtake * want
            or pace < STEADY * minds.speed[j] or along - radius > closing * manners.horizon
        ):  # fmt: skip
            break
        takes = (along + radius) / closing
        sides = (1, -1) if across <= 0.0 else (-1, 1)
        for side in sides:
            lane = across + side * radius
            if _free(
                near, found, n, index, ahead, starboard, velocity, radii, c, s, x, y, lane, takes,
                want, reach,
            ) and _open(ground, place, c, s, x, y, lane, along, radius, reach):  # fmt: skip
                return *_past(ahead[k], starboard[k], radius, side, vx, vy, want), n, side
        break
    return wx, wy, NOBODY, 0


@njit(cache=True, error_model="numpy")
def _past(x, y, radius, side, vx, vy, speed):  # type: ignore[no-untyped-def]
    """The velocity of that speed that leads past a disc at (x, y) that moves with (vx, vy)."""
    leg = np.sqrt(max(x * x + y * y - radius * radius, 0.0))
    tx, ty = x * leg - side * y * radius, side * x * radius + y * leg
    size = np.sqrt(tx * tx + ty * ty)
    tx, ty = tx / size, ty / size
    along = vx * tx + vy * ty
    more = np.sqrt(max(along * along + speed * speed - vx * vx - vy * vy, 0.0)) - along
    return vx + more * tx, vy + more * ty


@njit(cache=True, error_model="numpy")
def _free(  # type: ignore[no-untyped-def]
    near, found, slow, index, ahead, starboard, velocity, radii, c, s, x, y, lane, takes, want,
    reach,
):  # fmt: skip
    """Whether one would run into nobody in a lane in the time that it takes to pass."""
    for n in range(found):
        k, j = near[n], index[near[n]]
        along, across = x * ahead[k] + y * starboard[k], x * starboard[k] - y * ahead[k]
        radius = reach + radii[j]
        if n == slow or along < -radius or abs(across - lane) >= radius:
            continue
        vx, vy = turned(velocity[j, 0], velocity[j, 1], c, s)
        if along - radius < (want - x * vx - y * vy) * takes:
            return False
    return True


@njit(cache=True, error_model="numpy")
def _open(ground, place, c, s, x, y, lane, along, radius, reach):  # type: ignore[no-untyped-def]
    """Whether nothing solid stands in a lane from here to past the one who is overtaken."""
    for step in range(4):
        forth = (0.0, 0.5 * along, along, along + radius)[step]
        aside = 0.5 * lane if step == 0 else lane
        a, b = x * forth - y * aside, y * forth + x * aside
        if not clear(ground, place[0] + c * a - s * b, place[1] + s * a + c * b, reach):
            return False
    return True
