"""How fast units close in on what they are about to touch: each other, and walls."""

from __future__ import annotations

from math import ceil, log2
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.cells import list_by_cell
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.core.hull import Sizes
from sim.core.limits import LARGEST
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.perception.surroundings import Nearby

NARROWINGS = 16
"""How often a span of time is cut to two thirds in search of a top: 0.15 % of it are left."""
DEEPEST = 0.9
"""How deep a hull may get into a thin wall in a part, in radii: its centre stays on its side."""


class Moving(NamedTuple):
    """How all N units move, and how large they are, in world units and seconds."""

    position: Floats
    velocity: Floats
    heading: Floats
    present: Bools
    sizes: Sizes


def looks_needed(units: Units, plane: Plane, sizes: Sizes, faces: Nearby, dt: float) -> int:
    """In how many parts to take a step of dt s, so that none runs through another or a wall.

    At least 1. The engine moves all units, then parts what overlaps. Hulls that are too deep in
    something then are parted the wrong way. So two hulls that would be deeper in each other than
    half the shorter side of the smaller one, both keeping their course, close in by that depth in
    a part at most; one that is near a wall moves by somewhat less than that in a part.
    """
    fastest, closing = _speeds(units.velocity, units.present)
    least, reach = float(sizes.radius.min(initial=np.inf)), float(sizes.reach.max(initial=0.0))
    moving = Moving(units.position, units.velocity, units.heading, units.present, sizes)
    most = 1.0
    if closing * dt > least:
        cells = list_by_cell(units, plane, 2 * (reach + fastest * dt))
        parts = np.zeros(len(cells.order))
        _close_in(parts, cells, moving, dt)
        most = float(parts.max(initial=most))
    if len(faces.rows) and fastest * dt > DEEPEST * least:
        far = 2.0 ** ceil(
            log2(reach + min(fastest * dt, LARGEST))
        )  # of few sizes: cells are made for each
        most = max(most, _rush(moving, faces.within(far), dt) / DEEPEST)
    return ceil(min(most, LARGEST))


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


@njit(cache=True, error_model="numpy", nogil=True)
def _rush(moving, places, dt):  # type: ignore[no-untyped-def]
    """By how many radii a unit moves in dt, the most of all whose cell lists a face."""
    most = 0.0
    columns, rows = places.shape
    for i in range(len(moving.present)):
        square, radius = (
            moving.velocity[i, 0] ** 2 + moving.velocity[i, 1] ** 2,
            moving.sizes.radius[i],
        )
        if not moving.present[i] or square * dt * dt <= most * most * radius * radius:
            continue
        column = np.floor((moving.position[i, 0] - places.frame[0]) / places.frame[2])
        row = np.floor((moving.position[i, 1] - places.frame[1]) / places.frame[3])
        if 0 <= column < columns and 0 <= row < rows:
            cell = int(row) * columns + int(column)
            if places.first[cell + 1] > places.first[cell]:
                most = np.sqrt(square) * dt / radius
    return most


@Kernel
def _close_in(begin, end, out, cells, moving, dt):  # type: ignore[no-untyped-def]
    """By how many radii each closes in, in dt, on any unit that it would be too deep in by then."""
    order, first, columns, rows = cells.order, cells.first, cells.columns, cells.rows
    velocity, radius, reach = moving.velocity, moving.sizes.radius, moving.sizes.reach
    torus = periods(cells.size)
    for slot in range(begin, end):
        i, most = order[slot], 0.0
        column, row = cells.cell[slot] % columns, cells.cell[slot] // columns
        for k in range(9):
            c, r = column + k % 3 - 1, row + k // 3 - 1
            if torus[0] > 0:
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
                dx = moving.position[j, 0] - moving.position[i, 0]
                dy = moving.position[j, 1] - moving.position[i, 1]
                dx, dy = nearest_image(dx, dy, torus)
                when = min(max(-(dx * vx + dy * vy) / square, 0.0), dt)
                near_x, near_y = dx + vx * when, dy + vy * when
                touch = reach[i] + reach[j]
                if near_x * near_x + near_y * near_y >= touch * touch:
                    continue
                if _deepest(i, j, (dx, dy, vx, vy), moving, dt) > least:
                    most = max(most, np.sqrt(square) * dt / least)
        out[slot] = most


@leaf
def _deepest(i, j, course, moving, dt):  # type: ignore[no-untyped-def]
    """How deep the rectangles round hulls i and j get into each other within dt; <= 0: never.

    `course` is the way from i to j and its change. The depth is the least overlap of the shadows on
    the four directions of their sides (the separating axis theorem). As time goes on it rises to
    one top and falls, so the top is found by narrowing down. Turns within dt are left out.
    """
    begin, end = 0.0, dt
    for _ in range(NARROWINGS):
        early, late = begin + (end - begin) / 3, end - (end - begin) / 3
        if _depth(i, j, course, moving, early) < _depth(i, j, course, moving, late):
            begin = early
        else:
            end = late
    return _depth(i, j, course, moving, (begin + end) / 2)


@leaf
def _depth(i, j, course, moving, when):  # type: ignore[no-untyped-def]
    """The least overlap of the shadows of both rectangles, at one time."""
    heading, half = moving.heading, moving.sizes.half
    x, y = course[0] + course[2] * when, course[1] + course[3] * when
    cosine = abs(heading[i, 0] * heading[j, 0] + heading[i, 1] * heading[j, 1])
    sine = abs(heading[i, 0] * heading[j, 1] - heading[i, 1] * heading[j, 0])
    depth = np.inf
    for own, other in ((i, j), (j, i)):
        ahead, side = to_own_frame(x, y, heading[own, 0], heading[own, 1])
        fore = half[own, 0] + cosine * half[other, 0] + sine * half[other, 1]
        beam = half[own, 1] + sine * half[other, 0] + cosine * half[other, 1]
        depth = min(depth, fore - abs(ahead), beam - abs(side))
    return depth
