"""Courses as lines: where two cross, and a direction mirrored about one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.compiled import inlined


class Other(NamedTuple):
    """Another unit, as one sees it: offset, distance, velocity, all in one's own frame."""

    x: float
    y: float
    apart: float
    vx: float
    vy: float


@inlined
def lines(x, y, ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Where the lines along a, from here, and along b, from (x, y), cross, as shares of a and b.

    A negative share is behind the start. Parallel lines, and those of no length, cross nowhere:
    inf.
    """
    cross = ax * by - ay * bx
    size = np.sqrt((ax * ax + ay * ay) * (bx * bx + by * by))
    if abs(cross) <= 1e-9 * size:
        return np.inf, np.inf
    return (x * by - y * bx) / cross, (x * ay - y * ax) / cross


@inlined
def meeting(x, y, ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Where two segments from here and from (x, y) cross, as shares of a and b; inf for nowhere."""
    mine, other = lines(x, y, ax, ay, bx, by)
    if 0.0 <= mine <= 1.0 and 0.0 <= other <= 1.0:
        return mine, other
    return np.inf, np.inf


@inlined
def mirrored(x, y, dx, dy):  # type: ignore[no-untyped-def]
    """(x, y) reflected about the line along the unit vector (dx, dy)."""
    along = x * dx + y * dy
    return 2 * along * dx - x, 2 * along * dy - y
