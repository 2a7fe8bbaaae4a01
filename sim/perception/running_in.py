"""How fast units run into what is solid: in how many parts the engine is to take a step for it."""

from __future__ import annotations

from math import ceil, log2

import numpy as np

from sim.core.compiled import Kernel, leaf
from sim.core.geometry import closest_on_segment, nearest_image, periods, to_own_frame
from sim.core.hull import Sizes
from sim.core.limits import LARGEST
from sim.core.plane import Plane
from sim.core.units import Units
from sim.perception.places import BITS, Places, cell_at
from sim.perception.surroundings import Nearby

DEEPEST = 0.9
"""How far a unit near a thin wall moves in a part at most, in radii: its centre stays out of it."""
SHALLOW = 0.3
"""By how much a unit that runs into a wall or a disc closes in on it in a part at most, in radii.

The engine moves all, then stops what overlaps: so deep is a hull in what it runs into. (With 0.07
a step of a flock of 1,000, of which some run into discs now and then, took an eighth longer.)
"""


def parts_at_solids(
    units: Units, plane: Plane, sizes: Sizes, faces: Nearby, discs: Nearby,
    most: tuple[float, float, float], dt: float,
) -> float:  # fmt: skip
    """In how many parts to take a step of dt s, so that no unit comes deep into a solid.

    0 where all are slow, or none is near one. `most` are the highest speed, the least radius and
    the longest reach of all. A part is short where a unit is bound to come deeper into a solid than
    `SHALLOW` radii within the step, if it keeps its course. One that is only near a wall moves by
    `DEEPEST` radii at most in a part.
    """
    fastest, least, reach = most
    found, quickest = 0.0, fastest + reach * float(np.fmax.reduce(np.abs(units.spin), initial=0.0))
    if quickest * dt <= SHALLOW * least or not (len(faces.rows) or len(discs.rows)):
        return found
    # Of few sizes: cells are made for each.
    far = 2.0 ** ceil(log2(reach + min(fastest * dt, LARGEST)))
    moving = units.position, units.velocity, units.heading, units.spin, tuple(sizes)
    if len(faces.rows):
        walls = tuple(faces.within(far))
        found = max(found, *_rush(units.present, moving, walls, faces.rows, dt))
    if len(discs.rows):
        islands = tuple(discs.within(far))
        found = max(found, *_enter(units.present, moving, islands, discs.rows, plane.size, dt))
    return found


@Kernel
def _rush(begin, end, present, moving, places, faces, dt):  # type: ignore[no-untyped-def]
    """How many parts the step needs, so that none comes too deep into a face, or moves too far.

    0 if no unit would. The faces are (k, 4): x1, y1, x2, y2. Too far moves a unit that is near one:
    its cell lists it.
    """
    (position, velocity, heading, spin, sizes), most, places = moving, 0.0, Places(*places)
    for i in range(begin, end):
        vx, vy, radius = velocity[i, 0] * dt, velocity[i, 1] * dt, sizes[0][i]
        far, turn = np.sqrt(vx * vx + vy * vy), spin[i] * dt
        if not present[i] or far + abs(turn) * sizes[1][i] <= SHALLOW * radius * max(most, 1.0):
            continue
        cell = cell_at(position[i, 0], position[i, 1], places.frame, places.shape, places.period)
        if cell < 0 or places.first[cell + 1] == places.first[cell]:
            continue
        most = max(most, far / (DEEPEST * radius))
        for at in range(places.first[cell], places.first[cell + 1]):
            k = places.items[at] >> BITS
            x, y = faces[k, 0] - position[i, 0], faces[k, 1] - position[i, 1]
            dx, dy = closest_on_segment(x, y, faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1])
            apart = np.sqrt(dx * dx + dy * dy)
            if apart > 0.0:
                closing = (dx * vx + dy * vy) / apart
                fore, more = _fore(dx / apart, dy / apart, i, turn, heading, sizes)
                if fore + more - apart + closing > SHALLOW * radius:
                    most = max(most, (closing + more) / (SHALLOW * radius))
    return most


@Kernel
def _enter(begin, end, present, moving, places, discs, size, dt):  # type: ignore[no-untyped-def]
    """How many parts the step needs, so that none comes too deep into one of the `discs`.

    These are (k, 3): x, y, radius. 0 if no unit would.
    """
    (position, velocity, heading, spin, sizes), most = moving, 0.0
    torus, places = periods(size), Places(*places)
    for i in range(begin, end):
        square, radius = velocity[i, 0] ** 2 + velocity[i, 1] ** 2, sizes[0][i]
        far, turn = np.sqrt(square) * dt, spin[i] * dt
        if not present[i] or far + abs(turn) * sizes[1][i] <= SHALLOW * radius * max(most, 1.0):
            continue
        cell = cell_at(position[i, 0], position[i, 1], places.frame, places.shape, places.period)
        if cell < 0:
            continue
        for at in range(places.first[cell], places.first[cell + 1]):
            disc = places.items[at] >> BITS
            dx, dy = nearest_image(
                discs[disc, 0] - position[i, 0], discs[disc, 1] - position[i, 1], torus
            )
            now = np.sqrt(dx * dx + dy * dy)
            along = dx * velocity[i, 0] + dy * velocity[i, 1]
            when = min(max(along / max(square, 1e-300), 0.0), dt)
            dx, dy = dx - when * velocity[i, 0], dy - when * velocity[i, 1]
            apart = np.sqrt(dx * dx + dy * dy)
            per = 1 / max(apart, 1e-300)
            fore, more = _fore(dx * per, dy * per, i, turn, heading, sizes)
            if discs[disc, 2] + fore + more - apart > SHALLOW * radius:
                most = max(most, (now - apart + more) / (SHALLOW * radius))
    return most


@leaf
def _fore(x, y, i, turn, heading, sizes):  # type: ignore[no-untyped-def]
    """How far hull i reaches in a direction, and how much farther when it has turned by an angle.

    As the rectangle round it does, and no more than the hull at all.
    """
    a, b = to_own_frame(x, y, heading[i, 0], heading[i, 1])
    fore = min(abs(a) * sizes[3][i, 0] + abs(b) * sizes[3][i, 1], sizes[1][i])
    a, b = to_own_frame(a, b, np.cos(turn), np.sin(turn))
    later = min(abs(a) * sizes[3][i, 0] + abs(b) * sizes[3][i, 1], sizes[1][i])
    return fore, max(later - fore, 0.0)
