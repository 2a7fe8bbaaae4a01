"""What a selected unit reckons with: units that cross its way (D7), rays, its rank, near misses.

What crosses is asked of the rule that steers: `crossing_paths` gives its verdicts out, and
`give_way` decides by the functions of `right_of_way` that are called here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pygame

from sim.behaviours import crossing as mirroring
from sim.behaviours.avoidance.right_of_way import passing_side, share_of_yielding
from sim.behaviours.courses import meeting
from sim.behaviours.unaligned import ghosts
from sim.behaviours.verdicts import verdicts
from sim.core.arrays import Floats
from sim.core.geometry import to_world
from sim.core.own import own
from sim.group import Group
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
    return way / far if far > 0 else units.heading[row]  # NaN is not greater


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
        there = world.plane.images_near(units.position[verdict.other], units.position[row])
        on = verdict.until if np.isfinite(verdict.until) else 0.0
        point = there + on * units.velocity[verdict.other]
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
        there = world.plane.images_near(units.position[crossing.other], here)
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


SPOT = 4
"""Radius of a place, pixels."""


class _Pen:
    """Draws in the own frame of one unit."""

    def __init__(self, canvas: Canvas, world: World, row: int) -> None:
        units = world.units
        self.surface, self.camera, self.theme = canvas
        self._place, self._heading = units.position[row], units.heading[row]

    def at(self, place: Floats) -> Floats:
        """Pixels of an own-frame place (ahead, starboard)."""
        return self.camera.to_screen(self._place + to_world(*place, *self._heading))

    def dot(self, place: Floats, color: tuple[int, int, int]) -> None:
        """A place."""
        pygame.draw.circle(self.surface, color, self.at(place).tolist(), SPOT)

    def ring(self, place: Floats, color: tuple[int, int, int], radius: float) -> None:
        """A hull that is not there, of a radius in world units."""
        shapes.put_ring(self.surface, color, self.at(place), radius * self.camera.scale)

    def line(self, start: Floats, end: Floats, color: tuple[int, int, int]) -> None:
        """A thin line between two places."""
        shapes.line(self.surface, color, self.at(start), self.at(end), 1.0)


def paint(canvas: Canvas, world: World, row: int) -> None:
    """Paint what the rules of one unit reckon with, as far as its group has such rules."""
    group = sight.owner(world, row)
    member, pen = row - group.rows.start, _Pen(canvas, world, row)
    known = world.percepts(group)
    for name, draw in DRAWN.items():
        if name in known:
            draw(pen, known[name], group, member)


def _rays(pen: _Pen, me: Percepts, group: Group, member: int) -> None:
    """Each ray up to what it meets; a dot where the hit is that counts (B6)."""
    assert me.felt is not None
    reach = float(me.felt.reach[member])
    for aside, met in zip(me.felt.abreast, me.felt.distance[member], strict=True):
        tip = np.array([min(float(met), reach), aside])
        pen.line(
            np.array([0.0, aside]), tip, pen.theme.terms[2] if met <= reach else pen.theme.faint
        )
    hit = _figure(group, "ray_avoidance", "hits", member)
    if hit is not None:
        pen.dot(hit, pen.theme.terms[2])


def _figure(group: Group, rule: str, name: str, member: int) -> Floats | None:
    """The own-frame place that a rule told of one unit at the last step; None for none."""
    told = group.figures.get(rule)
    place: Floats | None = None if told is None else told[name][member]
    return None if place is None or np.isnan(place).any() else place


def _file(pen: _Pen, me: Percepts, group: Group, member: int) -> None:
    """The place in the ranks that the unit makes for (B3)."""
    place = _figure(group, "rank_and_file", "places", member)
    if place is not None:
        pen.line(np.zeros(2), place, pen.theme.terms[3])
        pen.ring(place, pen.theme.terms[3], me.hull.radius)


def _ghosts(pen: _Pen, me: Percepts, group: Group, member: int) -> None:
    """Both hulls where they would come closest (B8)."""
    assert me.seen is not None
    given = group.own(group.settings["unaligned_avoidance"]).parameters
    pair = ghosts(me, me.seen, given["foresight"], given["room"])
    for place in (each[member] for each in pair):
        if not np.isnan(place).any():
            pen.ring(place, pen.theme.terms[4], me.hull.radius)


DRAWN = {"ray_avoidance": _rays, "rank_and_file": _file, "unaligned_avoidance": _ghosts}
"""The rules that have something to show."""
