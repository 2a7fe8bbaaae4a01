"""What the selected unit reckons with: rays, its rank, units that will come too near."""

from __future__ import annotations

import numpy as np
import pygame

from sim.behaviours.unaligned import ghosts
from sim.core.arrays import Floats
from sim.core.geometry import to_world
from sim.group import Group
from sim.perception.percepts import Percepts
from sim.screen import shapes, sight
from sim.screen.camera import Canvas
from sim.world import World

DOT = 4
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
        pygame.draw.circle(self.surface, color, self.at(place).tolist(), DOT)

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
