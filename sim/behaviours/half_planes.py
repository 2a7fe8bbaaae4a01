"""The velocity nearest to the one wanted, in a disc cut by half-planes: a small linear programme.

A half-plane is (x, y, b): the velocities v with x vx + y vy >= b, (x, y) of length 1. Solved by
taking the half-planes one after the other (Seidel 1991; van den Berg et al. 2011, section 5); the
solution is unique, so their order does not matter.
"""

from __future__ import annotations

import numpy as np
from numba import njit

HALVINGS = 14
"""How closely the least relaxation is found: the disc's diameter / 2^14."""


@njit(cache=True, error_model="numpy")
def nearest(planes, count, firm, relaxed, x, y, most):  # type: ignore[no-untyped-def]
    """Velocity in all half-planes nearest to (x, y), no faster than `most`; and whether one is.

    The first `firm` half-planes hold as they are, the others are moved back by `relaxed`.
    """
    size = np.sqrt(x * x + y * y)
    if size > most:
        x, y = x * most / size, y * most / size
    wish_x, wish_y = x, y
    for i in range(count):
        nx, ny = planes[i, 0], planes[i, 1]
        b = planes[i, 2] - (0.0 if i < firm else relaxed)
        if nx * x + ny * y >= b:
            continue
        # The best lies on the edge of this one: on a line, between two ends.
        room = most * most - b * b
        if room < 0.0:
            return x, y, False
        high = np.sqrt(room)
        low = -high
        for j in range(i):
            mx, my = planes[j, 0], planes[j, 1]
            c = planes[j, 2] - (0.0 if j < firm else relaxed)
            slope, rest = mx * -ny + my * nx, c - b * (mx * nx + my * ny)
            if abs(slope) < 1e-9:
                if rest > 1e-12:
                    return x, y, False
            elif slope > 0.0:
                low = max(low, rest / slope)
            else:
                high = min(high, rest / slope)
        if low > high:
            return x, y, False
        t = min(max(wish_x * -ny + wish_y * nx, low), high)
        x, y = b * nx - t * ny, b * ny + t * nx
    return x, y, True


@njit(cache=True, error_model="numpy")
def compromise(planes, count, firm, x, y, most):  # type: ignore[no-untyped-def]
    """As `nearest`; where no velocity will do, all but the firm half-planes give way evenly."""
    vx, vy, found = nearest(planes, count, firm, 0.0, x, y, most)
    if found:
        return vx, vy
    low, high = 0.0, 4.0 * most
    vx, vy = 0.0, 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        ux, uy, found = nearest(planes, count, firm, middle, x, y, most)
        if found:
            high, vx, vy = middle, ux, uy
        else:
            low = middle
    return vx, vy
