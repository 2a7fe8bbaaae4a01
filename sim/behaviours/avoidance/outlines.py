"""Hulls that are not round: how near their outlines come to others and to what is solid.

Where an outline counts, the other is put as far off as its room says, as if both were round: what
follows from places and reaches then holds for any hull.
"""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.nearest import APART, HX, HY, JOINED, X, Y
from sim.behaviours.ground import corners_of_solid, solids_near
from sim.core.compiled import inlined, leaf
from sim.core.geometry import to_world
from sim.core.overlap import gap_between
from sim.orders.minds import FREE, PATIENCE, STUCK

AHEAD = 0.25
"""How far along a course the outline is looked at, as a share of its reach."""
TOUCH = 0.02
"""How deep an outline may be in what is solid and still count as clear, as a share of its reach."""
TURN, COURSES = 0.17, 6
"""The angle between two courses that are tried, rad, and how many are tried to each side."""


@leaf
def outline_of(unit, shapes, cosine, sine, outline):  # type: ignore[no-untyped-def]
    """Fill `outline` (k, 2) with the corners of a unit's hull, off its centre, on that heading."""
    g, scale = shapes.group[unit], shapes.scale[unit]
    for v in range(shapes.count[g]):
        a, b = scale * shapes.corners[g, v, 0], scale * shapes.corners[g, v, 1]
        outline[v, 0], outline[v, 1] = to_world(a, b, cosine, sine)


@leaf
def looks_closely(minds, me):  # type: ignore[no-untyped-def]
    """Whether a unit has waited at a narrow place, where two long hulls would bar each other.

    Elsewhere they keep as far apart as they reach: a hull that turns sweeps that much. A unit that
    is stuck looks closely wherever it is: a pack of long hulls shuts it in otherwise.
    """
    free = minds.stance[me] == FREE and minds.still[me] < STUCK
    return minds.blocked[me] > PATIENCE and not free


@leaf
def measure_hulls(i, me, each, near, found, crowd, met, turned):  # type: ignore[no-untyped-def]
    """Put those in `met` that one joins where their hulls are: as far off, and on that side.

    Else every unit is a disc as large as the hull reaches, whatever its shape, and a pack of boxes
    would have gaps in which others could pass. One that `looks_closely` does so at all of them.
    `turned` (2, k, 2) is memory for two outlines.
    """
    shapes, known, closely = crowd.shapes, False, looks_closely(crowd.minds, me)
    for n in range(found):
        j = each.index[i, near[n]]
        if both_round(me, j, shapes) or (met[JOINED + n] == 0.0 and not closely):
            continue
        if not known:
            known = True
            outline_of(me, shapes, 1.0, 0.0, turned[0])
        where = met[X + n], met[Y + n], met[HX + n], met[HY + n]
        x, y, apart = as_discs(me, j, where, crowd.bodies, shapes, turned)
        met[X + n], met[Y + n], met[APART + n] = x, y, apart


@inlined
def both_round(me, j, shapes):  # type: ignore[no-untyped-def]
    """Whether the hulls of both units are round: their outlines say nothing new then."""
    return shapes.count[shapes.group[me]] + shapes.count[shapes.group[j]] == 2


@leaf
def as_discs(me, j, where, bodies, shapes, turned):  # type: ignore[no-untyped-def]
    """Where unit j would be if both were discs with the room that the hulls have: (x, y), how far.

    `where` are its place and its heading in the own frame. `turned[0]` holds the own outline;
    `turned[1]` is memory for the other.
    """
    x, y, hx, hy = where
    outline_of(j, shapes, hx, hy, turned[1])
    mine, other = shapes.count[shapes.group[me]], shapes.count[shapes.group[j]]
    gap, nx, ny = gap_between(turned[0], mine, turned[1], other, x, y)
    gap -= shapes.rounding[me] + shapes.rounding[j]
    apart = max(bodies.reach[me] + bodies.reach[j] + gap, 1e-3 * bodies.reach[me])
    return nx * apart, ny * apart, apart


@leaf
def on_course(me, unit, shapes, way, turned):  # type: ignore[no-untyped-def]
    """Fill `turned[0]` with a unit's outline as it will stand before the room to walls is used up.

    That is turned to `way`, the velocity wanted in its own frame; as it stands now where that is
    zero. `unit` is its row. Whether the outline counts: for a round hull nothing is filled in.
    """
    if shapes.count[shapes.group[unit]] == 1:
        return False
    wx, wy = way
    want = np.sqrt(wx * wx + wy * wy)
    a, b = (wx / want, wy / want) if want > 0.0 else (1.0, 0.0)
    c, s = to_world(a, b, me.cosine, me.sine)
    outline_of(unit, shapes, c, s, turned[0])
    return True


@leaf
def to_solid(ground, near, n, me, hull, reach):  # type: ignore[no-untyped-def]
    """The offset to solid n, and its length, of a disc of radius `reach` with that room to it.

    `hull` is the row of the unit, all shapes, and `turned`, as `on_course` fills it.
    """
    unit, shapes, turned = hull
    count, radius = corners_of_solid(ground, near, n, me.x, me.y, turned[1])
    corners = shapes.count[shapes.group[unit]]
    gap, x, y = gap_between(turned[0], corners, turned[1], count, 0.0, 0.0)
    apart = max(reach + gap - shapes.rounding[unit] - radius, 1e-3 * reach)
    return x * apart, y * apart, apart


@leaf
def open_course(ground, me, hull, reach, way):  # type: ignore[no-untyped-def]
    """The velocity `way`, turned to the course on which a hull that is not round gets on best.

    That is the one that leads most of its way, less the depth to which the outline, turned to that
    course, would be in what is solid after `AHEAD` of its reach, as a share of that. `hull` is the
    row of the unit, all shapes, and memory for corners.
    """
    unit, shapes, _ = hull
    if shapes.count[shapes.group[unit]] == 1 or (way[0] == 0.0 and way[1] == 0.0):
        return way
    far, most, best = AHEAD * reach, -np.inf, way
    for n in range(2 * COURSES + 1):
        turn = (n + 1) // 2 * TURN * (2 * (n % 2) - 1)
        leads = np.cos(turn)
        if leads <= most:  # as all courses farther off
            break
        course = to_world(way[0], way[1], leads, np.sin(turn))
        depth = max(-TOUCH * reach - room_on(ground, me, hull, far, course), 0.0)
        if leads - depth / far > most:
            most, best = leads - depth / far, course
    return best


@leaf
def room_on(ground, me, hull, far, way):  # type: ignore[no-untyped-def]
    """The room to what is solid that a hull will have so `far` on a `way`, turned to it."""
    unit, shapes, turned = hull
    on_course(me, unit, shapes, way, turned)
    corners, room = shapes.count[shapes.group[unit]], np.inf
    want = np.sqrt(way[0] * way[0] + way[1] * way[1])
    dx, dy = to_world(far * way[0] / want, far * way[1] / want, me.cosine, me.sine)
    x, y = me.x + dx, me.y + dy
    count, near = solids_near(ground, x, y)
    for n in range(count):
        ends, radius = corners_of_solid(ground, near, n, x, y, turned[1])
        gap, _, _ = gap_between(turned[0], corners, turned[1], ends, 0.0, 0.0)
        room = min(room, gap - radius)
    return room - shapes.rounding[unit]
