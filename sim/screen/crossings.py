"""What a walker makes of units that cross its way: courses, crossings, whose turn it is (D7).

All of it is asked of the rule that steers: `crossing_paths` gives its verdicts out, and `give_way`
decides by the functions of `right_of_way` that are called here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.behaviours import crossing as mirroring
from sim.behaviours.avoidance.right_of_way import passing_side, share_of_yielding
from sim.behaviours.courses import meeting
from sim.behaviours.verdicts import verdicts
from sim.core.arrays import Floats
from sim.core.geometry import to_world
from sim.core.own import own
from sim.perception.percepts import Percepts
from sim.screen import shapes, sight
from sim.screen.camera import Canvas
from sim.screen.overlays import ARROW
from sim.screen.theme import RGB
from sim.world import World

AHEAD = 4.0
"""Seconds that courses are drawn for."""
DASH, DOT = (9.0, 6.0), (2.0, 5.0)
"""Pixels drawn and left out."""


class Crossing(NamedTuple):
    """One whose course crosses the unit's. World frame."""

    other: int
    point: Floats
    """(2,) where."""
    first: bool
    """Whether the unit goes first."""
    push: Floats
    """(2,) what the rule asks for because of that unit; zeros where it says no more than which goes
    first."""


def desired(world: World, row: int) -> Floats:
    """(2,) the direction a unit is bound in; where it heads if it is bound for nowhere."""
    units = world.units
    way = world.plane.nearest(world.roster.orders_now().aim[row] - units.position[row])
    far = float(np.hypot(way[0], way[1]))
    found: Floats = way / far if far > 0 else units.heading[row]  # NaN is not greater
    return found


def crossings(world: World, row: int) -> list[Crossing]:
    """All whose courses cross that of a unit, or the one it desires, as its rules decide it."""
    group = sight.owner(world, row)
    known, member = world.percepts(group), row - group.rows.start
    if "crossing_paths" in known:
        return _mirrored(world, row, known["crossing_paths"], member)
    if "give_way" in known:
        return _given_way(world, row, known["give_way"], member)
    return []


def _mirrored(world: World, row: int, me: Percepts, member: int) -> list[Crossing]:
    """The verdicts of `crossing_paths`; units that stand or draw away cross nowhere."""
    group, units = sight.owner(world, row), world.units
    setting = group.own(group.settings["crossing_paths"])
    assert me.seen is not None
    found = []
    for verdict in verdicts(me, me.seen, setting.parameters, member):
        fore, aside = own(setting.weight, member) * np.array(verdict.push)
        push = np.array(to_world(fore, aside, *units.heading[row]))
        away = world.plane.nearest(units.position[verdict.other] - units.position[row])
        on = verdict.until if np.isfinite(verdict.until) else 0.0
        point = units.position[row] + away + on * units.velocity[verdict.other]
        if np.isfinite(verdict.until) or push.any():
            first = verdict.kind == mirroring.FIRST
            found.append(Crossing(verdict.other, point, first, push))
    return found


def _given_way(world: World, row: int, me: Percepts, member: int) -> list[Crossing]:
    """The units that `give_way` sees on a course across the unit's, and whose turn it is."""
    assert me.seen is not None
    units, group = world.units, sight.owner(world, row)
    each, heat = me.seen.each, group.parameter("give_way", "heat")[member] * me.hull.length
    vx, vy = units.velocity[row]
    bound = desired(world, row) * me.speeds[member] * AHEAD
    found = []
    for k in np.flatnonzero(each.seen[member, : each.count[member]] >> each.sight & 1):
        other = int(each.index[member, k])
        x, y = world.plane.nearest(units.position[other] - units.position[row])
        ox, oy = units.velocity[other]
        share = meeting(x, y, vx * AHEAD, vy * AHEAD, ox * AHEAD, oy * AHEAD)[1]
        if not np.isfinite(share):
            share = meeting(x, y, bound[0], bound[1], ox * AHEAD, oy * AHEAD)[1]
        if np.isfinite(share):
            point = units.position[row] + (x, y) + share * AHEAD * units.velocity[other]
            side = passing_side(x, y, ox - vx, oy - vy, heat)
            first = share_of_yielding(x, y, vx, vy, ox, oy, side) < 0.5
            found.append(Crossing(other, point, first, np.zeros(2)))
    return found


def paint_crossings(canvas: Canvas, world: World, row: int) -> None:
    """Desired course dashed, courses dotted; rings at crossings and round the first to go.

    An arrow shows what the mirroring rule asks for because of each; together they are its term. For
    units whose rules know of crossings.
    """
    group = sight.owner(world, row)
    if not any(setting.rule.family == "crossing" for setting in group.active):
        return
    surface, camera, theme = canvas
    units, go, stop = world.units, theme.color("green"), theme.color("orange")
    here, reach = units.position[row], AHEAD * group.speeds[row - group.rows.start]
    _stretch(canvas, theme.text, here, here + reach * desired(world, row), DASH)
    _stretch(canvas, theme.selected, here, here + AHEAD * units.velocity[row], DOT)
    for crossing in crossings(world, row):
        there = here + world.plane.nearest(units.position[crossing.other] - here)
        color = stop if not crossing.first else go
        _stretch(canvas, theme.faint, there, there + AHEAD * units.velocity[crossing.other], DOT)
        shapes.put_ring(surface, color, camera.to_screen(crossing.point), 5.0)
        first = here if crossing.first else there
        around = group.hull.reach * camera.scale + 7.0
        shapes.put_ring(surface, go, camera.to_screen(first), around)
        if crossing.push.any():
            root = camera.to_screen(here)
            shapes.arrow(surface, stop, root, root + ARROW * crossing.push, 3.0)


def _stretch(
    canvas: Canvas, color: RGB, start: Floats, end: Floats, pattern: tuple[float, float]
) -> None:
    """A broken line between two places."""
    a, b = canvas.camera.to_screen(start), canvas.camera.to_screen(end)
    length = float(np.hypot(*(b - a)))
    if not length > 1:
        return
    ahead, (drawn, left) = (b - a) / length, pattern
    for at in np.arange(0.0, length, drawn + left):
        shapes.line(canvas.surface, color, a + ahead * at, a + ahead * min(at + drawn, length), 2.0)
