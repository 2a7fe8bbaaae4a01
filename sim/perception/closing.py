"""How fast those close in on each other that are about to touch."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.cells import sort_into_cells
from sim.core.compiled import Kernel
from sim.core.geometry import nearest_image, periods
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units


class Hulls(NamedTuple):
    """How all N units move, and how large they are, in world units and seconds."""

    position: Floats
    velocity: Floats
    reach: Floats
    radius: Floats


def looks_needed(units: Units, plane: Plane, reach: Floats, radius: Floats, dt: float) -> int:
    """In how many parts to take a step of dt s, so that no unit runs through another; at least 1.

    `reach` and `radius` (N,) are half a hull's diagonal and half its shorter side. Two that may
    touch within the step, both keeping their course, close in by the smaller radius in a part at
    most. Else the engine would find them so deep in each other that it parts them the wrong way.
    """
    fastest, closing = _speeds(units.velocity, units.present)
    if not closing * dt > float(radius.min(initial=np.inf)):
        return 1
    cells = sort_into_cells(units, plane, 2 * (float(reach.max()) + fastest * dt))
    parts = np.zeros(len(cells.order))
    _close_in(parts, cells, Hulls(units.position, units.velocity, reach, radius), dt)
    return max(1, ceil(float(parts.max(initial=0.0))))


@njit(cache=True, error_model="numpy", nogil=True)
def _speeds(velocity, present):  # type: ignore[no-untyped-def]
    """The highest speed of all present, and one at which no two of them close in."""
    left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
    square = 0.0
    for i in range(len(velocity)):
        if present[i]:
            vx, vy = velocity[i, 0], velocity[i, 1]
            left, right, top, bottom = min(left, vx), max(right, vx), min(top, vy), max(bottom, vy)
            square = max(square, vx * vx + vy * vy)
    if left > right:
        return 0.0, 0.0
    return np.sqrt(square), np.hypot(right - left, bottom - top)


@Kernel
def _close_in(begin, end, out, cells, hulls, dt):  # type: ignore[no-untyped-def]
    """By how many radii each closes in, in dt, on any unit that it may touch by then."""
    order, first, columns, rows = cells.order, cells.first, cells.columns, cells.rows
    position, velocity, reach, radius = hulls.position, hulls.velocity, hulls.reach, hulls.radius
    torus = periods(cells.size)
    wraps = torus[0] > 0
    for slot in range(begin, end):
        i, most = order[slot], 0.0
        column, row = cells.cell[slot] % columns, cells.cell[slot] // columns
        for k in range(9):
            c, r = column + k % 3 - 1, row + k // 3 - 1
            if wraps:
                c, r = c % columns, r % rows
            elif c < 0 or c >= columns or r < 0 or r >= rows:
                continue
            for other in range(first[r * columns + c], first[r * columns + c + 1]):
                j = order[other]
                vx, vy = velocity[j, 0] - velocity[i, 0], velocity[j, 1] - velocity[i, 1]
                square = vx * vx + vy * vy
                least = min(radius[i], radius[j])
                if square * dt * dt <= least * least:
                    continue
                dx, dy = nearest_image(
                    position[j, 0] - position[i, 0], position[j, 1] - position[i, 1], torus
                )
                when = min(max(-(dx * vx + dy * vy) / square, 0.0), dt)
                near_x, near_y = dx + vx * when, dy + vy * when
                touch = reach[i] + reach[j]
                if near_x * near_x + near_y * near_y < touch * touch:
                    most = max(most, np.sqrt(square) * dt / least)
        out[slot] = most
