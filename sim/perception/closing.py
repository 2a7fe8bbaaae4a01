"""How fast units close in on what they are about to touch: each other, and walls."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.cells import Cells, list_by_cell
from sim.core.compiled import Kernel, built_in, leaf
from sim.core.geometry import nearest_image, periods, to_own_frame
from sim.core.hull import Sizes
from sim.core.limits import LARGEST
from sim.core.plane import Plane
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.perception.running_in import parts_at_solids
from sim.perception.surroundings import Nearby

NARROWINGS = 16
"""How often a span of time is cut to two thirds in search of a top: 0.15 % of it are left."""


class _Motion(NamedTuple):
    """How all N units move, and how large they are, in world units and seconds."""

    position: Floats
    velocity: Floats
    heading: Floats
    present: Bools
    sizes: Sizes


def looks_needed(
    units: Units, plane: Plane, sizes: Sizes, faces: Nearby, discs: Nearby, dt: float
) -> int:
    """In how many parts to take a step of dt s, so that none runs through another or a wall.

    At least 1. The engine moves all units, then parts what overlaps. Hulls that are too deep in
    something then are parted the wrong way. So two hulls that would be deeper in each other than
    half the shorter side of the smaller one, both keeping their course, close in by that depth in
    a part at most. For walls and discs see `running_in`.
    """
    velocity, present, most = units.velocity, units.present, 1.0
    fastest, closing, least, reach = _extremes(velocity, present, sizes.radius, sizes.reach)
    moving = units.position, velocity, units.heading, present, tuple(sizes)
    if closing * dt > least:
        near = 2 * (reach + fastest * dt)
        cells = list_by_cell(units, plane, near)
        most = max(most, *_close_in(cells.order, tuple(cells), moving, near, dt))
    solid = parts_at_solids(units, plane, sizes, faces, discs, (fastest, least, reach), dt)
    most = max(most, solid)
    return ceil(min(most, LARGEST))


@njit(cache=True, error_model="numpy", nogil=True)
def _extremes(velocity, present, radius, reaches):  # type: ignore[no-untyped-def]
    """The highest speed of all present, and one at which no two of them close in.

    Also the least radius of all hulls, and their longest reach.
    """
    left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
    square, least, reach = 0.0, np.inf, 0.0
    for i in range(len(velocity)):
        least, reach = min(least, radius[i]), max(reach, reaches[i])
        if present[i]:
            vx, vy = velocity[i, 0], velocity[i, 1]
            left, right, top, bottom = min(left, vx), max(right, vx), min(top, vy), max(bottom, vy)
            square = max(square, vx * vx + vy * vy)
    if left > right:
        return 0.0, 0.0, least, reach
    return np.sqrt(square), np.hypot(right - left, bottom - top), least, reach


@Kernel
def _close_in(begin, end, order, cells, moving, near, dt):  # type: ignore[no-untyped-def]
    """By how many radii two units close in, in dt, the most of these and those near; 0 for none.

    Only two that would be too deep in each other by then count, both of a cell, or one of a cell
    beside it. Each looks at those after it in its row of cells and at the row below it, so each
    pair is looked at, most of them once. Cells side by side are one stretch of the list; one across
    the seam of a torus lies apart.
    """
    cells, most = Cells(*cells), 0.0
    moving = _Motion(moving[0], moving[1], moving[2], moving[3], Sizes(*moving[4]))
    first, columns, rows, torus = cells.first, cells.columns, cells.rows, periods(cells.size)
    wraps = torus[0] > 0
    for slot in range(begin, end):
        i, (row, column) = order[slot], divmod(int(cells.cell[slot]), columns)
        for r in range(row, row + 2 if wraps else min(row + 2, rows)):
            start = (r if r < rows else r - rows) * columns
            here, stop = first[start + max(column - 1, 0)], first[start + min(column + 2, columns)]
            here = here if r > row else slot + 1
            more = 0
            seam = start if column > 0 else start + columns - 1
            if wraps and (column == 0 or column == columns - 1):
                more = first[seam + 1] - first[seam]
            for k in range(here, stop + more):
                j = order[k if k < stop else first[seam] + k - stop]
                most = max(most, _meet(i, j, torus, moving, near, dt))
    return most


@built_in
def _meet(i, j, torus, moving, near, dt):  # type: ignore[no-untyped-def]
    """By how many radii units i and j close in, in dt, if they would be too deep in each other.

    Else 0. Two farther apart than `near` (world units) cannot meet within dt.
    """
    position, velocity, sizes = moving.position, moving.velocity, moving.sizes
    vx, vy = velocity[j, 0] - velocity[i, 0], velocity[j, 1] - velocity[i, 1]
    square, least = vx * vx + vy * vy, min(sizes.radius[i], sizes.radius[j])
    if square * dt * dt <= least * least:
        return 0.0
    x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    dx, dy = nearest_image(x, y, torus)
    if dx * dx + dy * dy >= near * near:
        return 0.0
    when = min(max(-(dx * vx + dy * vy) / square, 0.0), dt)
    x, y, touch = dx + vx * when, dy + vy * when, sizes.reach[i] + sizes.reach[j]
    if x * x + y * y >= touch * touch:
        return 0.0
    if _deepest(i, j, (dx, dy, vx, vy), moving.heading, sizes.half, dt, least) > least:
        return np.sqrt(square) * dt / least
    return 0.0


@leaf
def _deepest(i, j, course, heading, half, dt, least=-np.inf):  # type: ignore[no-untyped-def]
    """How deep the rectangles round hulls i and j get into each other within dt; <= 0: never.

    `course` is the way from i to j and its change. The depth is the least overlap of the shadows on
    the four directions of their sides (the separating axis theorem). As time goes on it rises to
    one top and falls, so the top is found by narrowing down. If one shadow shows that it is never
    above `least`, that is returned at once. Turns within dt are left out.
    """
    shadows = (*_shadows(i, j, course, heading, half), *_shadows(j, i, course, heading, half))
    for touch, apart, change in shadows:
        later = apart + change * dt
        nearest = 0.0 if apart * later <= 0.0 else min(abs(apart), abs(later))
        if touch - nearest <= least:
            return least
    begin, end = 0.0, dt
    for _ in range(NARROWINGS):
        early, late = begin + (end - begin) / 3, end - (end - begin) / 3
        if _depth(shadows, early) < _depth(shadows, late):
            begin = early
        else:
            end = late
    return _depth(shadows, (begin + end) / 2)


@leaf
def _shadows(own, other, course, heading, half):  # type: ignore[no-untyped-def]
    """On the two axes of its own: how far apart both touch, how far apart they are, its change."""
    c, d = heading[own, 0], heading[own, 1]
    cosine = abs(c * heading[other, 0] + d * heading[other, 1])
    sine = abs(c * heading[other, 1] - d * heading[other, 0])
    ahead, side = to_own_frame(course[0], course[1], c, d)
    faster, sideways = to_own_frame(course[2], course[3], c, d)
    fore = half[own, 0] + cosine * half[other, 0] + sine * half[other, 1]
    beam = half[own, 1] + sine * half[other, 0] + cosine * half[other, 1]
    return (fore, ahead, faster), (beam, side, sideways)


@leaf
def _depth(shadows, when):  # type: ignore[no-untyped-def]
    """The least overlap of the shadows of both rectangles, at one time."""
    depth = np.inf
    for touch, apart, change in shadows:
        depth = min(depth, touch - abs(apart + change * when))
    return depth
